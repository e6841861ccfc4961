/**
 * Politeness, as the server sees it: for every host and every address the pause between the end of
 * one visit and the start of the next. robots.txt is a visit like any other; a host is one host on
 * whatever port, and where aliases count all hosts of one server are. Entries must come in the order of their starts.
 */
import type { AccessEntry } from "../serve/access-log.ts";
import type { CrawlTruth } from "../truth/crawl-truth.ts";
import type { SinExample, SinList } from "./sin.ts";
import type { VerdictRules } from "./verdict-rules.ts";

export interface VisitFacts {
  /** Negative when two visits overlapped; null when none was followed by another. */
  readonly smallestHostGapMs: number | null;
  readonly smallestAddressGapMs: number | null;
  readonly hostFetchesAtOnceMax: number;
  readonly addressFetchesAtOnceMax: number;
}

export interface VisitEvidence {
  readonly rules: VerdictRules;
  readonly truth: CrawlTruth;
  /** The name at the end of a host's chain of aliases. */
  readonly serverOf: (host: string) => string;
}

export class VisitExaminer {
  readonly #rules: VerdictRules;
  readonly #sins: SinList;
  readonly #truth: CrawlTruth;
  readonly #hosts = new Visits();
  readonly #addresses = new Visits();
  readonly #serverOf: (host: string) => string;
  /** The hosts that count as one, by name and by the number of one of them. */
  readonly #servers = new Map<string, number>();
  readonly #serverOfHost = new Map<number, number>();
  /** Until when a host's answers ask for a pause. */
  readonly #notBeforeMs = new Map<number, { readonly atMs: number; readonly askedMs: number }>();
  /** When robots.txt of a host was first answered: from then on its Crawl-delay is known. */
  readonly #robotsHadMs = new Map<number, Map<string, number>>();

  constructor({ rules, truth, serverOf }: VisitEvidence, sins: SinList) {
    this.#rules = rules;
    this.#serverOf = serverOf;
    this.#truth = truth;
    this.#sins = sins;
  }

  see(entry: AccessEntry): void {
    const { addressId } = entry;
    const hostGapMs = this.#hosts.gapMs(this.#numberOf(entry), entry);
    const addressGapMs = this.#addresses.gapMs(addressId, entry);
    if (hostGapMs !== null) this.#judgeHost(entry, hostGapMs);
    if (addressGapMs !== null && this.#rules.addressDelayMs > 0) {
      this.#judgeAddress(entry, addressGapMs);
    }
    this.#judgeRetryAfter(entry);
    this.#remember(entry);
  }

  facts(): VisitFacts {
    return {
      smallestHostGapMs: this.#hosts.smallestGapMs,
      smallestAddressGapMs: this.#addresses.smallestGapMs,
      hostFetchesAtOnceMax: this.#hosts.atOnceMax,
      addressFetchesAtOnceMax: this.#addresses.atOnceMax,
    };
  }

  #judgeHost(entry: AccessEntry, gapMs: number): void {
    const { hostDelayMs, toleranceMs } = this.#rules;
    if (gapMs < 0) this.#sins.add("host-two-at-once", () => tooSoon(entry, entry.host, gapMs, 0));
    else if (gapMs + toleranceMs < hostDelayMs) {
      this.#sins.add("host-too-soon", () => tooSoon(entry, entry.host, gapMs, hostDelayMs));
    }
    const crawlDelayMs = this.#crawlDelayMs(entry);
    if (crawlDelayMs > 0 && gapMs + toleranceMs < crawlDelayMs) {
      this.#sins.add("ignored-crawl-delay", () => tooSoon(entry, entry.host, gapMs, crawlDelayMs));
    }
  }

  #judgeAddress(entry: AccessEntry, gapMs: number): void {
    const { addressDelayMs, toleranceMs } = this.#rules;
    const { address } = entry;
    if (gapMs < 0) this.#sins.add("address-two-at-once", () => tooSoon(entry, address, gapMs, 0));
    else if (gapMs + toleranceMs < addressDelayMs) {
      this.#sins.add("address-too-soon", () => tooSoon(entry, address, gapMs, addressDelayMs));
    }
  }

  #judgeRetryAfter(entry: AccessEntry): void {
    const { toleranceMs } = this.#rules;
    const wish = this.#notBeforeMs.get(this.#numberOf(entry));
    if (wish === undefined || entry.startMs + toleranceMs >= wish.atMs) return;
    const earlyMs = wish.atMs - entry.startMs;
    this.#sins.add("ignored-retry-after", () => ({
      what: urlOf(entry),
      detail: `${shown(earlyMs)} before the end of the ${shown(wish.askedMs)} that the host asked for`,
    }));
  }

  /** What the host's robots.txt asks for, once it can be known; the longest of those that count as one. */
  #crawlDelayMs(entry: AccessEntry): number {
    const { obeysRobots, crawlDelayMsMax } = this.#rules;
    let longestMs = 0;
    for (const [host, hadMs] of this.#robotsHadMs.get(this.#numberOf(entry)) ?? []) {
      if (!obeysRobots || entry.startMs < hadMs) continue;
      longestMs = Math.max(longestMs, this.#truth.crawlDelayMsOf(host));
    }
    return Math.min(longestMs, crawlDelayMsMax);
  }

  /** The number of a host, or of the one that stands for all of its server. */
  #numberOf({ host, hostId }: AccessEntry): number {
    if (!this.#rules.countsAliases) return hostId;
    const known = this.#serverOfHost.get(hostId);
    if (known !== undefined) return known;
    const server = this.#serverOf(host);
    const number = this.#servers.get(server) ?? hostId;
    this.#servers.set(server, number);
    this.#serverOfHost.set(hostId, number);
    return number;
  }

  #remember(entry: AccessEntry): void {
    const { host, endMs, retryAfterMs, isRobots, status } = entry;
    const number = this.#numberOf(entry);
    if (isRobots && status >= 200 && status < 300) {
      const hadMs = this.#robotsHadMs.get(number) ?? new Map<string, number>();
      if (!hadMs.has(host)) this.#robotsHadMs.set(number, hadMs.set(host, endMs));
    }
    if (retryAfterMs === 0) return;
    const askedMs = Math.min(retryAfterMs, this.#rules.retryAfterMsMax);
    const atMs = endMs + askedMs;
    if (atMs > (this.#notBeforeMs.get(number)?.atMs ?? 0)) {
      this.#notBeforeMs.set(number, { atMs, askedMs });
    }
  }
}

/** The visits of many hosts, or of many addresses, each by its number. */
class Visits {
  smallestGapMs: number | null = null;
  atOnceMax = 0;
  /** The latest end of any visit so far. */
  readonly #lastEndMs: number[] = [];
  /** Ends of visits that may still be going on. */
  readonly #open = new Map<number, number[]>();

  /** How long this visit began after all before it had ended; null for the first one. */
  gapMs(id: number, { startMs, endMs }: AccessEntry): number | null {
    const lastEndMs = this.#lastEndMs[id];
    this.#lastEndMs[id] = Math.max(lastEndMs ?? endMs, endMs);
    this.#countAtOnce(id, startMs, endMs);
    if (lastEndMs === undefined) return null;
    const gapMs = startMs - lastEndMs;
    if (this.smallestGapMs === null || gapMs < this.smallestGapMs) this.smallestGapMs = gapMs;
    return gapMs;
  }

  #countAtOnce(id: number, startMs: number, endMs: number): void {
    const going = (this.#open.get(id) ?? []).filter((otherEndMs) => otherEndMs > startMs);
    going.push(endMs);
    this.#open.set(id, going);
    this.atOnceMax = Math.max(this.atOnceMax, going.length);
  }
}

function tooSoon(entry: AccessEntry, who: string, gapMs: number, dueMs: number): SinExample {
  const gap =
    gapMs < 0
      ? `began ${shown(-gapMs)} before the visit before it had ended`
      : `began ${shown(gapMs)} after the visit before it, where ${shown(dueMs)} were due`;
  return { what: urlOf(entry), detail: `${who}: ${gap}` };
}

export function urlOf({ host, target }: Pick<AccessEntry, "host" | "target">): string {
  return `http://${host}${target}`;
}

function shown(ms: number): string {
  return Number.isFinite(ms) ? `${Math.round(ms * 10) / 10} ms` : "an unknown time";
}
