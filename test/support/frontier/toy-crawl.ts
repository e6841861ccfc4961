/** A frontier in memory, a lane for it and a web made of answers by URL, in virtual time. */

import type { FetchableUrl } from "../../../src/formats/url/index.ts";
import {
  type Frontier,
  type FrontierOptions,
  type FrontierSettings,
  openMemoryFrontier,
  type PageEnd,
  type PageErrand,
  type Resolution,
  type RobotsEnd,
  type RobotsErrand,
} from "../../../src/frontier/front/index.ts";
import { Kernel } from "../../../src/lab/simulator/index.ts";
import { ToyLane } from "./toy-lane.ts";

export interface ToyCrawlOptions {
  readonly connections?: number;
  readonly settings?: Partial<FrontierSettings>;
  readonly frontier?: Partial<FrontierOptions>;
  readonly seed?: string;
  /** How long everything but resolving takes; resolving takes a tenth. */
  readonly serviceMs?: number;
  /** By default every host has an address of its own. */
  readonly resolve?: (host: string, nowMs: number) => Resolution;
  /** By default there is no robots.txt. */
  readonly robots?: (errand: RobotsErrand, nowMs: number) => RobotsEnd;
  /** By default every page is there. */
  readonly page?: (errand: PageErrand, nowMs: number) => PageEnd;
}

export interface ToyCrawl {
  readonly kernel: Kernel;
  readonly frontier: Frontier;
  readonly lane: ToyLane;
  offer(url: string, depth?: number): void;
}

export const OK: PageEnd = { kind: "answered", status: 200, retryAfterMs: null, answerMs: 10 };

export function answered(status: number, retryAfterMs: number | null = null): PageEnd {
  return { kind: "answered", status, retryAfterMs, answerMs: 10 };
}

export function robotsText(text: string): RobotsEnd {
  const attempt = { kind: "answered", status: 200 } as const;
  return { kind: "ended", attempt, bytes: Buffer.from(text), retryAfterMs: null };
}

export function robotsStatus(status: number, retryAfterMs: number | null = null): RobotsEnd {
  return { kind: "ended", attempt: { kind: "answered", status }, bytes: null, retryAfterMs };
}

/** A fingerprint for tests: any text has its own, nearly. */
export function toyFingerprint(url: string): { readonly high: number; readonly low: number } {
  let high = 7;
  let low = 13;
  for (let at = 0; at < url.length; at += 1) {
    high = (Math.imul(high, 0x01000193) ^ url.charCodeAt(at)) >>> 0;
    low = (Math.imul(low, 0x5bd1e995) + url.charCodeAt(at) + 1) >>> 0;
  }
  return { high, low };
}

export function openToyCrawl(options: ToyCrawlOptions): ToyCrawl {
  const { connections = 1, serviceMs = 100, settings = {} } = options;
  const kernel = new Kernel({ seed: options.seed ?? "toy crawl" });
  const { hostDelayMs = 1000, addressDelayMs = 250, retryWaitMsMax = 600_000 } = settings;
  const resolve =
    options.resolve ?? ((host) => resolvedTo([`${host}-address`], Number.POSITIVE_INFINITY));
  const robots = options.robots ?? (() => robotsStatus(404));
  const page = options.page ?? (() => OK);
  const web = {
    resolve: ({ host }: { readonly host: string }) => ({
      afterMs: serviceMs / 10,
      resolution: resolve(host, kernel.nowMs),
    }),
    robots: (errand: RobotsErrand) => ({ afterMs: serviceMs, end: robots(errand, kernel.nowMs) }),
    page: (errand: PageErrand) => ({ afterMs: serviceMs, end: page(errand, kernel.nowMs) }),
  };
  const lane = new ToyLane({
    ...{ kernel, web, connections, hostDelayMs, addressDelayMs },
    restMsMax: retryWaitMsMax,
  });
  const frontier = openMemoryFrontier({
    clock: kernel.clock,
    random: kernel.random.fork("frontier"),
    listener: { woken: () => lane.pump(), failed: (error) => assertNoError(error) },
    settings,
    ...options.frontier,
  });
  lane.frontier = frontier;
  const offer = (url: string, depth = 0): void => {
    frontier.offer({
      ...{ url: url as FetchableUrl, ...toyFingerprint(url), depth, via: null },
      ...{ redirects: 0, priority: 0 },
    });
  };
  return { kernel, frontier, lane, offer };
}

export function resolvedTo(addresses: readonly string[], expiresAtMs: number): Resolution {
  return { kind: "resolved", addresses, expiresAtMs };
}

function assertNoError(error: Error): never {
  throw error;
}
