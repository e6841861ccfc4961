/** Servers that take their time: each limit ends the fetch in its own way. */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, test } from "node:test";
import {
  describeOutcome,
  fetchOnce,
  requestOf,
  testFetcher,
  type Wish,
} from "../../test/support/http-fetching.ts";
import { serveRaw } from "../../test/support/raw-server.ts";
import type { FetchOutcome } from "../seams/index.ts";

const OK = "HTTP/1.1 200 OK\r\n";

/** Sends the beginning at once, then the rest byte by byte, again and again. */
function drip(socket: Socket, beginning: string, rest: string): void {
  socket.write(beginning);
  let at = 0;
  const timer = setInterval(() => {
    socket.write(rest[at % rest.length] ?? "x");
    at++;
  }, 10);
  socket.on("close", () => clearInterval(timer));
}

const SLOW: readonly {
  readonly name: string;
  readonly serve: (socket: Socket) => void;
  readonly limits: Wish["limits"];
  readonly expected: RegExp;
}[] = [
  {
    name: "a status line that never ends",
    serve: (socket) => drip(socket, "HTTP/1.1 200 ", "x"),
    limits: { headerTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "headers without end, byte by byte",
    serve: (socket) => drip(socket, OK, "X: y\r\n"),
    limits: { headerTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "headers without end, cut by the limit on the whole",
    serve: (socket) => drip(socket, OK, "X: y\r\n"),
    limits: { totalTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT total$/,
  },
  {
    name: "silence after half a head",
    serve: (socket) => socket.write(`${OK}X: `),
    limits: { headerTimeoutMs: 100 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "interim answers now and then",
    serve: (socket) => drip(socket, "", "HTTP/1.1 102 Processing\r\n\r\n"),
    limits: { headerTimeoutMs: 150 },
    expected: /^FETCH_TIMED_OUT header$/,
  },
  {
    name: "a body byte by byte, below the least rate",
    serve: (socket) => drip(socket, `${OK}Content-Length: 1000\r\n\r\n`, "."),
    limits: { idleTimeoutMs: 100, bytesPerSecondMin: 10_000 },
    expected: /^200 \d{1,3} time$/,
  },
  {
    name: "a body byte by byte, cut by the limit on the whole",
    serve: (socket) => drip(socket, `${OK}\r\n`, "."),
    limits: { totalTimeoutMs: 150 },
    expected: /^200 \d{1,3} time$/,
  },
  {
    name: "silence inside a body",
    serve: (socket) => socket.write(`${OK}Content-Length: 1000\r\n\r\nhello`),
    limits: { idleTimeoutMs: 80 },
    expected: /^200 5 time$/,
  },
  {
    name: "a chunk size that never ends, zero by zero, is silence",
    serve: (socket) => socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n00`),
    limits: { idleTimeoutMs: 80 },
    expected: /^200 5 time$/,
  },
  {
    name: "chunk extensions byte by byte are no body",
    serve: (socket) => drip(socket, `${OK}Transfer-Encoding: chunked\r\n\r\n5;`, "a"),
    limits: { idleTimeoutMs: 80 },
    expected: /^200 0 time$/,
  },
];

describe("slow servers", () => {
  for (const { name, serve, limits, expected } of SLOW) {
    test(`${name}: ${expected.source}`, async () => {
      await using server = await serveRaw(serve);
      const fetcher = testFetcher();
      const outcome = await fetchOnce(fetcher, server.url(), { limits: limits ?? {} });
      assert.match(describeOutcome(outcome), expected);
      assert.equal(fetcher.connectionCount, 0, "the connection is closed");
    });
  }

  test("a slow server delays nobody else", async () => {
    await using server = await serveRaw((socket, request) => {
      if (request.includes("/slow")) drip(socket, OK, "X: y\r\n");
      else socket.write(`${OK}Content-Length: 5\r\n\r\nhello`);
    });
    const fetcher = testFetcher();
    const ended: string[] = [];
    const fetch = (url: string, wish: Wish) =>
      new Promise<void>((resolve) => {
        fetcher.fetch(requestOf(url, wish), (outcome: FetchOutcome) => {
          ended.push(describeOutcome(outcome));
          resolve();
        });
      });
    const slow = { limits: { headerTimeoutMs: 300 } };
    const all = Array.from({ length: 20 }, () => fetch(server.url("/slow"), slow));
    all.push(...Array.from({ length: 100 }, () => fetch(server.url("/quick"), {})));
    await Promise.all(all);
    assert.ok(ended.slice(0, 100).every((one) => one === "200 5 null"));
    assert.ok(ended.slice(100).every((one) => one === "FETCH_TIMED_OUT header"));
    fetcher.close();
  });
});
