/** Requests for tests of fetchers: generous limits, unless a test names others. */
import type { FetchLimits, FetchRequest } from "../../../src/base/seams/index.ts";

const GENEROUS: FetchLimits = {
  connectTimeoutMs: 10_000,
  headerTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  totalTimeoutMs: 120_000,
  bytesPerSecondMin: 1,
  headerBytesMax: 64 * 1024,
  bodyBytesMax: 10 * 2 ** 20,
};

export function requestFor(url: string, limits: Partial<FetchLimits> = {}): FetchRequest {
  return { url, address: null, headers: [], limits: { ...GENEROUS, ...limits } };
}
