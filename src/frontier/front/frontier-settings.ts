/** The part of the configuration that a frontier needs, in its own units. */
import type { HostPoliteness, OwnRules } from "./hosts/host-rules.ts";
import type { RetrySettings } from "./visits/retry-policy.ts";

export interface FrontierSettings extends HostPoliteness, RetrySettings {
  /** From the end of a fetch to the start of the next from one address; 0: addresses do not count. */
  readonly addressDelayMs: number;
  /** The name by which robots.txt files address us. */
  readonly productToken: string;
  /** Of single hosts, where they differ. */
  readonly ownRules: OwnRules;
  /** Hosts never asked, by exact name. */
  readonly blockedHosts: ReadonlySet<string>;
  /** Pages of one host; null: no limit. */
  readonly pagesPerHostMax: number | null;
  /** Whether a depth limit is set, so that better depths must be found. */
  readonly keepsDepths: boolean;
  /** The same for steps inside a host. */
  readonly keepsHostDepths: boolean;
  /** Whether requisites are offered as well as pages. */
  readonly takesRequisites: boolean;
  /** Memory for visit states and the records in them. */
  readonly memoryBytes: number;
  /** How many resolve errands may be out at once. */
  readonly resolvesMax: number;
  /** How many visits may go on at once; the caller enforces it. */
  readonly visitsMax: number;
}

/** Those that can be changed while the frontier is used. */
export type AdjustableSettings = Pick<
  FrontierSettings,
  | keyof HostPoliteness
  | "ownRules"
  | keyof RetrySettings
  | "addressDelayMs"
  | "blockedHosts"
  | "pagesPerHostMax"
  | "memoryBytes"
  | "visitsMax"
>;

/** The defaults of the configuration. */
export const DEFAULT_FRONTIER_SETTINGS: FrontierSettings = {
  hostDelayMs: 1000,
  addressDelayMs: 250,
  robots: "obey",
  productToken: "trobar",
  robotsMaxAgeMs: 86_400_000,
  crawlDelayMsMax: 60_000,
  crawlDelayOver: "skip",
  ownRules: new Map(),
  blockedHosts: new Set<string>(),
  pagesPerHostMax: 100_000,
  retries: 3,
  retryWaitMs: 10_000,
  retryWaitMsMax: 600_000,
  keepsDepths: false,
  keepsHostDepths: false,
  takesRequisites: false,
  memoryBytes: 256 * 1024 * 1024,
  resolvesMax: 1000,
  visitsMax: 500,
};
