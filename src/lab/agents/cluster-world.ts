/** The world of a simulated cluster: the web, who fetches what and when, and what went wrong. */
import type { MembershipSettings, SharedConfiguration } from "../../cluster/membership/index.ts";
import type { Kernel } from "../simulator/index.ts";
import { hostNameOf, type SmallWeb } from "./small-web.ts";

export interface Fetch {
  readonly agent: string;
  readonly url: string;
  readonly beganAtMs: number;
  endedAtMs: number | null;
}

export interface ClusterWorldParts {
  readonly kernel: Kernel;
  readonly web: SmallWeb;
  readonly membership: MembershipSettings;
  readonly hostDelayMs: number;
  readonly checkpointMs: number;
  /** The agent that founds the crawl. */
  readonly founder: string;
}

export class ClusterWorld {
  readonly web: SmallWeb;
  readonly membership: MembershipSettings;
  readonly hostDelayMs: number;
  readonly checkpointMs: number;
  readonly fetches: Fetch[] = [];
  readonly troubles: string[] = [];
  /** Hosts that two agents visited at once, or too soon one after the other. */
  readonly rudeness: string[] = [];
  hasLostFounder = false;
  readonly #parts: ClusterWorldParts;
  readonly #visits = new Map<string, Fetch>();
  readonly #allowed: (readonly [fromMs: number, toMs: number])[] = [];

  constructor(parts: ClusterWorldParts) {
    this.#parts = parts;
    this.web = parts.web;
    this.membership = parts.membership;
    this.hostDelayMs = parts.hostDelayMs;
    this.checkpointMs = parts.checkpointMs;
  }

  /** What an agent founds; only the founder does, and once: when it comes back empty, it joins. */
  founds(id: string): SharedConfiguration | null {
    if (id !== this.#parts.founder || this.hasLostFounder) return null;
    const version = { number: 1, by: "" };
    return { crawl: "simulated", fingerprintKey: "none", shards: 64, version, text: "" };
  }

  /** A fetch begins; what it returns is called at its end, if the agent lives to see it. */
  fetchBegins(agent: string, url: string): () => void {
    const { kernel } = this.#parts;
    const host = hostNameOf(url);
    const fetch: Fetch = { agent, url, beganAtMs: kernel.nowMs, endedAtMs: null };
    const last = this.#visits.get(host);
    if (last !== undefined) this.#compare(last, fetch, host);
    this.#visits.set(host, fetch);
    this.fetches.push(fetch);
    return () => {
      fetch.endedAtMs = kernel.nowMs;
    };
  }

  /** The agent is gone: its fetches are over. */
  died(agent: string): void {
    for (const fetch of this.#visits.values()) {
      if (fetch.agent === agent) fetch.endedAtMs ??= this.#parts.kernel.nowMs;
    }
  }

  /** From when on, and until when, agents may be unable to know of each other. */
  allowRudeness(fromMs: number, toMs: number): void {
    this.#allowed.push([fromMs, toMs]);
  }

  #compare(last: Fetch, next: Fetch, host: string): void {
    const { nowMs } = this.#parts.kernel;
    const isApart = this.#allowed.some(([fromMs, toMs]) => nowMs >= fromMs && nowMs <= toMs);
    if (isApart && last.agent !== next.agent) return;
    const gapMs = last.endedAtMs === null ? -1 : next.beganAtMs - last.endedAtMs;
    // Clocks drift.
    if (gapMs >= this.hostDelayMs * 0.999) return;
    const what = gapMs < 0 ? "at once" : `${gapMs.toFixed(1)} ms after one another`;
    this.rudeness.push(
      `${host} was asked by ${last.agent} and ${next.agent} ${what}, at ${next.beganAtMs.toFixed(0)}`,
    );
  }
}
