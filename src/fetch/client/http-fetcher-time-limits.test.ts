/** Servers that take their time: each limit ends the fetch in its own way. */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, test } from "node:test";
import {
  describeOutcome,
  fetchOnce,
  testFetcher,
  type Wish,
} from "../../../test/support/fetch/http-fetching.ts";
import { MemorySpool } from "../../../test/support/fetch/memory-spool.ts";
import { serveRaw } from "../../../test/support/fetch/raw-server.ts";
import { passUntil, timeByHand, until } from "../../../test/support/fetch/time-by-hand.ts";

const OK = "HTTP/1.1 200 OK\r\n";

/** What a server sends: at once, and then byte by byte, again and again, as time passes. */
interface Sent {
  readonly atOnce: string;
  readonly drip?: string;
  /** How much of a body has come with what is sent at once; null while the head is not whole. */
  readonly bodyBytes: number | null;
}

const SLOW: readonly {
  readonly name: string;
  readonly sent: Sent;
  readonly limits: Wish["limits"];
  readonly expected: RegExp;
}[] = [
  {
    name: "a status line that never ends",
    sent: { atOnce: "HTTP/1.1 200 ", drip: "x", bodyBytes: null },
    limits: { headerTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "headers without end, byte by byte",
    sent: { atOnce: OK, drip: "X: y\r\n", bodyBytes: null },
    limits: { headerTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "headers without end, cut by the limit on the whole",
    sent: { atOnce: OK, drip: "X: y\r\n", bodyBytes: null },
    limits: { totalTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT total$/,
  },
  {
    name: "silence after half a head",
    sent: { atOnce: `${OK}X: `, bodyBytes: null },
    limits: { headerTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "interim answers now and then",
    sent: { atOnce: "", drip: "HTTP/1.1 102 Processing\r\n\r\n", bodyBytes: null },
    limits: { headerTimeoutMs: 150 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "a body byte by byte, below the least rate",
    sent: { atOnce: `${OK}Content-Length: 1000\r\n\r\n`, drip: ".", bodyBytes: 0 },
    limits: { idleTimeoutMs: 100, bytesPerSecondMin: 10_000 },
    expected: /^200 \d{1,3} time$/,
  },
  {
    name: "a body byte by byte, cut by the limit on the whole",
    sent: { atOnce: `${OK}\r\n`, drip: ".", bodyBytes: 0 },
    limits: { totalTimeoutMs: 150 },
    expected: /^200 \d{1,3} time$/,
  },
  {
    name: "silence inside a body",
    sent: { atOnce: `${OK}Content-Length: 1000\r\n\r\nhello`, bodyBytes: 5 },
    limits: { idleTimeoutMs: 80 },
    expected: /^200 5 time$/,
  },
  {
    name: "a chunk size that never ends, zero by zero, is silence",
    sent: { atOnce: `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n00`, bodyBytes: 5 },
    limits: { idleTimeoutMs: 80 },
    expected: /^200 5 time$/,
  },
  {
    name: "chunk extensions byte by byte are no body",
    sent: { atOnce: `${OK}Transfer-Encoding: chunked\r\n\r\n5;`, drip: "a", bodyBytes: 0 },
    limits: { idleTimeoutMs: 80 },
    expected: /^200 0 time$/,
  },
];

describe("slow servers", () => {
  for (const { name, sent, limits, expected } of SLOW) {
    test(`${name}: ${expected.source}`, async () => {
      const { atOnce, drip = "", bodyBytes } = sent;
      let client: Socket | null = null;
      await using server = await serveRaw((socket) => {
        client = socket;
        socket.write(atOnce);
      });
      const time = timeByHand();
      const spool = new MemorySpool();
      const fetcher = testFetcher({ clock: time.clock, spool });
      const fetched = fetchOnce(fetcher, server.url(), { limits: limits ?? {} });
      await until(() => client !== null);
      if (bodyBytes !== null) await until(() => spool.opened === 1 && spool.heldBytes >= bodyBytes);
      let dripped = 0;
      const outcome = await passUntil(time, fetched, {
        ms: 10,
        before: () => {
          client?.write(drip.charAt(dripped % drip.length));
          dripped += 1;
        },
      });
      assert.match(describeOutcome(outcome), expected);
      assert.equal(fetcher.connectionCount, 0, "the connection is closed");
    });
  }

  test("a slow server delays no other", async () => {
    await using server = await serveRaw((socket, request) => {
      socket.write(request.includes("/slow") ? OK : `${OK}Content-Length: 5\r\n\r\nhello`);
    });
    const time = timeByHand();
    const fetcher = testFetcher({ clock: time.clock });
    const slow = Array.from({ length: 20 }, () =>
      fetchOnce(fetcher, server.url("/slow"), { limits: { headerTimeoutMs: 300 } }),
    );
    const quick = Array.from({ length: 100 }, () => fetchOnce(fetcher, server.url("/quick")));
    for (const outcome of await Promise.all(quick)) {
      assert.equal(describeOutcome(outcome), "200 5 null");
    }
    for (const outcome of await passUntil(time, Promise.all(slow), { ms: 300 })) {
      assert.equal(describeOutcome(outcome), "FETCH_TIMED_OUT header");
    }
    fetcher.close();
  });
});
