/**
 * The judge of politeness: it sees every request that reaches the web, and who makes it, and knows what the
 * hosts have asked for. Agents that can hear each other never visit a host at once, nor too soon after one
 * another; neither hosts of one address. Nobody asks for what a robots.txt disallows, or before it is read.
 */
import { hostNameOf, type SmallWeb } from "./small-web.ts";

export interface Visit {
  readonly agent: string;
  /** Which of the disks that its machine has had. */
  readonly disk: number;
  readonly url: string;
  readonly beganAtMs: number;
  /** Null while the answer is under way. */
  endedAtMs: number | null;
  /** What the server said; 0 while the answer is under way. */
  status: number;
}

export interface VisitJudgeParts {
  readonly web: SmallWeb;
  readonly hostDelayMs: number;
  /** 0 if addresses do not matter. */
  readonly addressDelayMs: number;
  readonly obeysRobots: boolean;
  /** Whether two agents may not know of each other at this moment. */
  readonly areApart: (one: string, other: string, atMs: number) => boolean;
}

/** Clocks that run too fast make delays shorter. */
const DRIFT_RATIO = 0.999;

/** The server had what it was asked for. */
export const ANSWERED = 200;

export class VisitJudge {
  /** What was rude, in words. */
  readonly rudeness: string[] = [];
  readonly #parts: VisitJudgeParts;
  /** The last visits of a host or an address, by agent. */
  readonly #lasts = new Map<string, Map<string, Visit>>();
  readonly #knownRules = new Set<string>();

  constructor(parts: VisitJudgeParts) {
    this.#parts = parts;
  }

  begins(visit: Visit): void {
    const { web, hostDelayMs, addressDelayMs, obeysRobots } = this.#parts;
    const host = hostNameOf(visit.url);
    // Whoever takes a host over without its rules asks for them first, and cannot know of this delay.
    const isBound = obeysRobots && !isRobots(visit.url);
    this.#compare(visit, host, Math.max(hostDelayMs, isBound ? web.crawlDelayMsOf(host) : 0));
    if (addressDelayMs > 0) this.#compare(visit, web.addressOf(host), addressDelayMs);
    if (!obeysRobots || isRobots(visit.url)) return;
    if (!this.#knownRules.has(host)) this.#blame(visit, `before ${host}/robots.txt`);
    if (!web.isAllowed(visit.url)) this.#blame(visit, "though robots.txt disallows it");
  }

  ends(visit: Visit, nowMs: number): void {
    visit.endedAtMs ??= nowMs;
    if (isRobots(visit.url) && visit.status === ANSWERED)
      this.#knownRules.add(hostNameOf(visit.url));
  }

  #compare(visit: Visit, what: string, delayMs: number): void {
    const lasts = this.#lasts.get(what) ?? new Map<string, Visit>();
    this.#lasts.set(what, lasts);
    for (const [agent, last] of lasts) {
      const gapMs = last.endedAtMs === null ? -1 : visit.beganAtMs - last.endedAtMs;
      if (gapMs >= delayMs * DRIFT_RATIO) continue;
      if (agent !== visit.agent && this.#parts.areApart(agent, visit.agent, visit.beganAtMs))
        continue;
      const when = gapMs < 0 ? "during" : `${gapMs.toFixed(1)} of ${delayMs} ms after`;
      this.#blame(visit, `${when} ${last.url} by ${agent}, at ${what}`);
    }
    lasts.set(visit.agent, visit);
  }

  #blame({ agent, url, beganAtMs }: Visit, how: string): void {
    this.rudeness.push(`${agent} asked for ${url} ${how}, at ${beganAtMs.toFixed(0)} ms`);
  }
}

export function isRobots(url: string): boolean {
  return url.endsWith("/robots.txt");
}
