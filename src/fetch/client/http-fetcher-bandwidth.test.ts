/** Bodies that come no faster than all of them together may. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  describeOutcome,
  fetchOnce,
  testFetcher,
} from "../../../test/support/fetch/http-fetching.ts";
import { serveRaw } from "../../../test/support/fetch/raw-server.ts";
import { passUntil, timeByHand } from "../../../test/support/fetch/time-by-hand.ts";
import { RateLimit } from "../../base/time/index.ts";

const BODY_BYTES = 200_000;
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Length: ${BODY_BYTES}\r\n\r\n${"x".repeat(BODY_BYTES)}`;

test("bodies are read at the rate of all, whole, and no limit of time counts against them", async () => {
  await using server = await serveRaw((socket) => void socket.write(ANSWER));
  const time = timeByHand();
  const bandwidth = new RateLimit({ clock: time.clock });
  bandwidth.perSecond = 20_000;
  const fetcher = testFetcher({ clock: time.clock, bandwidth });
  const limits = { totalTimeoutMs: 5000, idleTimeoutMs: 500, bytesPerSecondMin: 100_000 };
  const fetches = [1, 2].map(() => fetchOnce(fetcher, server.url(), { limits }));
  const outcomes = await passUntil(time, Promise.all(fetches), { ms: 50 });
  for (const outcome of outcomes) {
    assert.equal(describeOutcome(outcome), `200 ${BODY_BYTES} null`);
  }
  // The last piece of each body may still be owed; it is no larger than what a socket gives at once.
  const seconds = time.nowMs / 1000;
  assert.ok(seconds * 20_000 + 20_000 >= 2 * BODY_BYTES - 2 * 65_536, `${seconds} s`);
  assert.ok(bandwidth.waitMs <= (2 * 65_536) / 20, `${bandwidth.waitMs} ms are owed`);
  fetcher.close();
});

test("a fetch that waits can be cancelled", async () => {
  await using server = await serveRaw((socket) => void socket.write(ANSWER));
  const time = timeByHand();
  const bandwidth = new RateLimit({ clock: time.clock });
  bandwidth.perSecond = 1000;
  const fetcher = testFetcher({ clock: time.clock, bandwidth });
  const fetched = new Promise<string>((resolve) => {
    const flight = fetcher.fetch(
      { url: server.url(), address: "127.0.0.1", headers: [], limits: LIMITS },
      ({ kind }) => resolve(kind),
    );
    time.clock.after(5000, () => flight.cancel());
  });
  assert.equal(await passUntil(time, fetched, { ms: 100 }), "cancelled");
  time.pass(1_000_000);
  assert.equal(fetcher.connectionCount, 0);
});

const LIMITS = {
  ...{ connectTimeoutMs: 20_000, headerTimeoutMs: 20_000, idleTimeoutMs: 20_000 },
  ...{ totalTimeoutMs: 60_000, bytesPerSecondMin: 1, headerBytesMax: 65_536 },
  bodyBytesMax: 1_000_000,
};
