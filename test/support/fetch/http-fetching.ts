/** A fetcher for tests on loopback, and fetches with `await`. */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import type {
  FetchLimits,
  FetchOutcome,
  FetchRequest,
  Header,
} from "../../../src/base/seams/index.ts";
import { SystemClock } from "../../../src/base/time/index.ts";
import { HttpFetcher, type HttpFetcherOptions } from "../../../src/fetch/client/index.ts";
import { MemorySpool } from "./memory-spool.ts";

export function testFetcher(options: Partial<HttpFetcherOptions> = {}): HttpFetcher {
  return new HttpFetcher({
    clock: new SystemClock(),
    spool: new MemorySpool(),
    mayConnect: () => null,
    keepAliveMs: 5000,
    connectionsMax: 2000,
    idleConnectionsMax: 2000,
    http2: false,
    insecure: false,
    proxy: null,
    cookies: false,
    ...options,
  });
}

/** Generous. */
const LIMITS: FetchLimits = {
  connectTimeoutMs: 20_000,
  headerTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  totalTimeoutMs: 60_000,
  bytesPerSecondMin: 1,
  headerBytesMax: 64 * 1024,
  bodyBytesMax: 1024 * 1024,
};

export interface Wish {
  readonly headers?: readonly Header[];
  readonly address?: string;
  readonly limits?: Partial<FetchLimits>;
}

export function requestOf(url: string, wish: Wish = {}): FetchRequest {
  const { headers = [], address = "127.0.0.1", limits = {} } = wish;
  return { url, address, headers, limits: { ...LIMITS, ...limits } };
}

export function fetchOnce(fetcher: HttpFetcher, url: string, wish?: Wish): Promise<FetchOutcome> {
  return new Promise((resolve) => fetcher.fetch(requestOf(url, wish), resolve));
}

export type FetchedText = Omit<FetchOutcome & { kind: "fetched" }, "body"> & {
  readonly body: string;
};

/** The outcome of a fetch that must succeed, its body as latin1 text. */
export async function fetchText(
  fetcher: HttpFetcher,
  url: string,
  wish?: Wish,
): Promise<FetchedText> {
  const outcome = await fetchOnce(fetcher, url, wish);
  assert(outcome.kind === "fetched", `fetched, not ${describeOutcome(outcome)}`);
  const body = Buffer.from(outcome.body.bytes ?? []).toString("latin1");
  outcome.body.release();
  return { ...outcome, body };
}

export async function fetchError(
  fetcher: HttpFetcher,
  url: string,
  wish?: Wish,
): Promise<CrawlError> {
  const outcome = await fetchOnce(fetcher, url, wish);
  assert(outcome.kind === "failed", `failed, not ${describeOutcome(outcome)}`);
  return outcome.error;
}

/** One line: `200 5 null` for status, length and truncation, else the code and its reason. */
export function describeOutcome(outcome: FetchOutcome): string {
  if (outcome.kind === "cancelled") return "cancelled";
  if (outcome.kind === "fetched") {
    const { status, body, truncatedBy } = outcome;
    return `${status} ${body.lengthBytes} ${truncatedBy}`;
  }
  const { code, facts } = outcome.error;
  const fact = facts["reason"] ?? facts["limit"];
  return fact === undefined ? code : `${code} ${fact}`;
}
