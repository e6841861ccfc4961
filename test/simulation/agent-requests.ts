/**
 * The servers' side of a crawl that is killed again and again: every request that was ever sent, and when.
 * Hosts and addresses must be left alone as long as they were promised, across kills too: the next process
 * waits for the whole delay, unless the killed one ended before its first request. No page, robots.txt
 * or sitemap is asked for again whose line the disk had when a process began, and no page of a host before
 * its robots.txt was answered, in this process or by such a line.
 */
import assert from "node:assert/strict";
import type { FetchRequest } from "../../src/base/seams/index.ts";
import type { Kernel } from "../../src/lab/simulator/index.ts";
import { isRobots } from "./agent-archive.ts";
import type { Site } from "./agent-site.ts";

export interface RequestRules {
  readonly site: Site;
  readonly hostDelayMs: number;
  readonly addressDelayMs: number;
}

interface Process {
  readonly beganAtMs: number;
  readonly wasKilled: boolean;
  /** What is over, so that it is not to be asked for. */
  over: ReadonlySet<string>;
  /** How often each URL was asked for. */
  readonly asked: Map<string, number>;
}

/** Who is asked: a host or an address. */
interface Asked {
  open: number;
  lastEndedAtMs: number;
}

export class AgentRequests {
  readonly #kernel: Kernel;
  readonly #rules: RequestRules;
  readonly #asked = new Map<string, Asked>();
  /** URLs whose answers are under way in the present process. */
  readonly #open = new Map<string, () => void>();
  /** When each URL was last answered, in the present process. */
  readonly answeredAtMs: Map<string, number> = new Map<string, number>();
  /** How often each URL was asked for, in all processes. */
  readonly counts: Map<string, number> = new Map<string, number>();
  #process: Process = { beganAtMs: 0, wasKilled: false, over: new Set(), asked: new Map() };

  constructor(kernel: Kernel, rules: RequestRules) {
    this.#kernel = kernel;
    this.#rules = rules;
  }

  /** Whether the present process has asked for anything. */
  get hasAsked(): boolean {
    return this.#process.asked.size > 0;
  }

  /** A process begins. */
  begin(wasKilled: boolean, over: ReadonlySet<string>): void {
    const { nowMs: beganAtMs } = this.#kernel;
    this.#process = { beganAtMs, wasKilled, over, asked: new Map() };
    this.answeredAtMs.clear();
  }

  /** What is found to be over while it opens. */
  set over(over: ReadonlySet<string>) {
    this.#process.over = over;
  }

  /** The process dies: servers see their connections closed. */
  died(): void {
    for (const ended of [...this.#open.values()]) ended();
    this.#open.clear();
  }

  /** How often a URL was asked for in the present process. */
  ofProcess(url: string): number {
    return this.#process.asked.get(url) ?? 0;
  }

  asked({ url, address }: Pick<FetchRequest, "url" | "address">): () => void {
    const { asked, over } = this.#process;
    assert.ok(!over.has(url), `${url} is asked for again though its line was kept`);
    asked.set(url, (asked.get(url) ?? 0) + 1);
    this.counts.set(url, (this.counts.get(url) ?? 0) + 1);
    const { hostname } = new URL(url);
    const { site, hostDelayMs, addressDelayMs } = this.#rules;
    const { crawlDelayMs = 0, robotsUrl = "" } = site.hosts.get(hostname) ?? {};
    const isPermitted = isRobots(url) || over.has(robotsUrl) || this.answeredAtMs.has(robotsUrl);
    assert.ok(isPermitted, `${url} is asked for before ${robotsUrl}`);
    const delayMs = isRobots(url) ? hostDelayMs : Math.max(hostDelayMs, crawlDelayMs);
    const host = this.#visit(hostname, delayMs, url);
    const at = addressDelayMs === 0 ? null : this.#visit(address ?? "", addressDelayMs, url);
    let isOver = false;
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      host();
      at?.();
      this.#open.delete(url);
    };
    this.#open.set(url, leave);
    return () => {
      if (!isOver) this.answeredAtMs.set(url, this.#kernel.nowMs);
      leave();
    };
  }

  #visit(name: string, delayMs: number, url: string): () => void {
    const { nowMs } = this.#kernel;
    const { beganAtMs, wasKilled } = this.#process;
    const one = this.#asked.get(name) ?? { open: 0, lastEndedAtMs: Number.NEGATIVE_INFINITY };
    this.#asked.set(name, one);
    assert.equal(one.open, 0, `${name} is asked for ${url} while it answers`);
    const restedMs = nowMs - one.lastEndedAtMs;
    assert.ok(restedMs >= delayMs, `${name} is asked for ${url} after ${restedMs} ms`);
    if (wasKilled) {
      const sinceMs = nowMs - beganAtMs;
      assert.ok(sinceMs >= delayMs, `${name} is asked for ${url} ${sinceMs} ms after a kill`);
    }
    one.open += 1;
    return () => {
      one.open -= 1;
      one.lastEndedAtMs = this.#kernel.nowMs;
    };
  }
}
