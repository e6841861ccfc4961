/**
 * What the agents of a crawl share besides its identity, as text: the configuration, but for seeds, which
 * they share in another way, whether the crawl runs, and what was changed for single hosts: an agent that comes
 * later must not ask a host that is blocked.
 */
import {
  type Configuration,
  readConfiguration,
  writeConfiguration,
} from "../../../rules/config/index.ts";

import type { SharedHosts } from "../../control/lane-answers.ts";

export type SharedState = "running" | "paused" | "stopped";

export interface Shared {
  readonly configuration: Configuration;
  readonly state: SharedState;
  /** Whether fetches in flight are given up by the stop. */
  readonly isUrgent?: boolean;
  /** Left out if nothing is changed for any host. */
  readonly hosts?: SharedHosts;
}

const STATES: ReadonlySet<string> = new Set(["running", "paused", "stopped"]);

export function printShared(shared: Shared): string {
  const { configuration, state, isUrgent = false, hosts = {} } = shared;
  return JSON.stringify({
    state,
    isUrgent,
    ...(Object.keys(hosts).length === 0 ? {} : { hosts }),
    keys: writeConfiguration({ ...configuration, seeds: [] }),
  });
}

/** Null for what no agent of this version has printed. */
export function parseShared(text: string): Shared | null {
  const { state, keys, isUrgent, hosts } = fieldsOf(text);
  if (typeof keys !== "string" || !STATES.has(String(state))) return null;
  const file = { path: "the configuration of the crawl", bytes: Buffer.from(keys), isOwn: true };
  const reading = readConfiguration({ files: [file] });
  if (!reading.ok) return null;
  const { configuration } = reading;
  const shared = { configuration, state: state as SharedState, isUrgent: isUrgent === true };
  const known = hostsIn(hosts);
  return Object.keys(known).length === 0 ? shared : { ...shared, hosts: known };
}

/** What no agent of this version has printed is left out. */
function hostsIn(found: unknown): SharedHosts {
  if (typeof found !== "object" || found === null) return {};
  const rules = Object.entries(found).flatMap(([host, rule]: [string, unknown]) => {
    const { isBlocked, delayMs } = (rule ?? {}) as Readonly<Record<string, unknown>>;
    const isDelay = typeof delayMs === "number" && delayMs >= 0;
    const kept = { ...(isBlocked === true ? { isBlocked } : {}), ...(isDelay ? { delayMs } : {}) };
    return Object.keys(kept).length === 0 ? [] : [[host, kept] as const];
  });
  return Object.fromEntries(rules);
}

interface Fields {
  readonly state?: unknown;
  readonly keys?: unknown;
  readonly isUrgent?: unknown;
  readonly hosts?: unknown;
}

function fieldsOf(text: string): Fields {
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === "object" && fields !== null ? fields : {};
  } catch {
    return {};
  }
}
