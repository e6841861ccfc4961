/**
 * The politeness of single hosts. Most have that of all, and share one object for it, the settings
 * themselves. A host with rules of its own has what the most specific pattern says about each point:
 * its name, then `*.example.org`, then `*.org`, then the settings of all. What was changed for it while
 * the crawl runs goes before all of them, and is part of a checkpoint.
 *
 * Whatever is not a host's own is looked up when it is needed, so that a change takes effect at once.
 */
import type { FrontierSettings } from "../frontier-settings.ts";
import type { PaceSettings } from "./state/pace.ts";

/** How a host is visited. */
export interface HostPoliteness extends PaceSettings {
  readonly robots: "obey" | "ignore";
  readonly robotsMaxAgeMs: number;
  /** What happens to a host whose Crawl-delay is above `crawlDelayMsMax`. */
  readonly crawlDelayOver: "skip" | "cap";
  /** Whether nothing is asked of it for now; false when left out. */
  readonly isBlocked?: boolean;
}

/** Undefined leaves a point as it is; a delay of null is that of the configuration. */
export interface RuleChange {
  readonly isBlocked?: boolean | undefined;
  readonly delayMs?: number | null | undefined;
}

export type SavedRule = readonly [host: string, rule: Partial<HostPoliteness>];

/** By pattern: the name of a host, or `*.` and a domain for all hosts below it. */
export type OwnRules = ReadonlyMap<string, Partial<HostPoliteness>>;

/** Files of this machine need no politeness. */
const FILES: Partial<HostPoliteness> = { hostDelayMs: 0 };

export class HostRules {
  readonly #settings: FrontierSettings;
  readonly #changed = new Map<string, Partial<HostPoliteness>>();
  readonly #blocked = new Set<string>();
  /** Whether a host is not visited for now because another agent may have it. */
  isWithheld: (host: string) => boolean = () => false;
  /** Whether a host is withheld because it is being given away. */
  isLeaving: (host: string) => boolean = () => false;

  constructor(settings: FrontierSettings) {
    this.#settings = settings;
  }

  of(host: string): HostPoliteness {
    const ruled = host === "" ? FILES : this.#ownOf(host);
    const own = this.isWithheld(host) ? { ...ruled, isBlocked: true } : ruled;
    return own === null ? this.#settings : new OwnPoliteness(own, this.#settings);
  }

  change(host: string, { isBlocked, delayMs }: RuleChange): void {
    const { isBlocked: wasBlocked, hostDelayMs: wasMs, ...rest } = this.#changed.get(host) ?? {};
    const blocks = isBlocked ?? wasBlocked ?? false;
    const hostDelayMs = delayMs === undefined ? wasMs : (delayMs ?? undefined);
    const rule = {
      ...rest,
      ...(blocks ? { isBlocked: true } : {}),
      ...(hostDelayMs === undefined ? {} : { hostDelayMs }),
    };
    this.#keep(host, rule);
  }

  isBlocked(host: string): boolean {
    return this.#blocked.size > 0 && this.#blocked.has(host);
  }

  get blockedHosts(): ReadonlySet<string> {
    return this.#blocked;
  }

  save(): readonly SavedRule[] {
    return [...this.#changed];
  }

  restore(saved: readonly SavedRule[]): void {
    for (const [host, rule] of saved) this.#keep(host, rule);
  }

  #keep(host: string, rule: Partial<HostPoliteness>): void {
    if (Object.keys(rule).length > 0) this.#changed.set(host, rule);
    else this.#changed.delete(host);
    if (rule.isBlocked === true) this.#blocked.add(host);
    else this.#blocked.delete(host);
  }

  #ownOf(host: string): Partial<HostPoliteness> | null {
    const { ownRules } = this.#settings;
    if (ownRules.size + this.#changed.size === 0) return null;
    const found: Partial<HostPoliteness>[] = [];
    for (const pattern of patternsOf(host)) {
      const rules = ownRules.get(pattern);
      if (rules !== undefined) found.unshift(rules);
    }
    const changed = this.#changed.get(host);
    if (changed !== undefined) found.push(changed);
    return found.length === 0 ? null : Object.assign({}, ...found);
  }
}

/** The most specific first. */
function* patternsOf(host: string): Iterable<string> {
  yield host;
  for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
    yield `*${host.slice(dot)}`;
  }
}

class OwnPoliteness implements HostPoliteness {
  readonly #own: Partial<HostPoliteness>;
  readonly #all: HostPoliteness;

  constructor(own: Partial<HostPoliteness>, all: HostPoliteness) {
    this.#own = own;
    this.#all = all;
  }

  get isBlocked(): boolean {
    return this.#own.isBlocked ?? false;
  }

  get hostDelayMs(): number {
    return this.#own.hostDelayMs ?? this.#all.hostDelayMs;
  }

  get crawlDelayMsMax(): number {
    return this.#own.crawlDelayMsMax ?? this.#all.crawlDelayMsMax;
  }

  get crawlDelayOver(): "skip" | "cap" {
    return this.#own.crawlDelayOver ?? this.#all.crawlDelayOver;
  }

  get robots(): "obey" | "ignore" {
    return this.#own.robots ?? this.#all.robots;
  }

  get robotsMaxAgeMs(): number {
    return this.#own.robotsMaxAgeMs ?? this.#all.robotsMaxAgeMs;
  }
}
