/** Servers that send too much: it is cut or refused, and little of it is ever held. */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, test } from "node:test";
import {
  describeOutcome,
  fetchOnce,
  fetchText,
  testFetcher,
} from "../../../test/support/fetch/http-fetching.ts";
import { MemorySpool } from "../../../test/support/fetch/memory-spool.ts";
import { serveRaw } from "../../../test/support/fetch/raw-server.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** Writes a piece for ever, as fast as the other side takes it. */
function flood(socket: Socket, beginning: string, piece: string): void {
  const block = piece.repeat(Math.max(1, Math.floor(16_384 / piece.length)));
  socket.write(beginning);
  const more = () => {
    while (!socket.destroyed && socket.write(block, "latin1"));
  };
  socket.on("drain", more);
  more();
}

const CUT = "200 1000 length";

/** Bodies: the cap is 1,000 bytes. */
const ENDLESS: readonly [name: string, beginning: string, piece: string, expected: string][] = [
  ["a body without length and without end", `${OK}\r\n`, "x", CUT],
  ["chunks without end", CHUNKED, "400\r\n".concat("x".repeat(1024), "\r\n"), CUT],
  ["chunks of one byte without end", CHUNKED, "1\r\nx\r\n", CUT],
  ["one chunk of terabytes", `${CHUNKED}fffffffffff\r\n`, "x", CUT],
  ["a length of terabytes", `${OK}Content-Length: 99999999999999\r\n\r\n`, "x", CUT],
  ["more than the length", `${OK}Content-Length: 500\r\n\r\n`, "x", "200 500 null"],
  ["no content, but a flood behind it", "HTTP/1.1 204 No\r\n\r\n", "x", "204 0 null"],
];

const NEVER = "FETCH_PROTOCOL ";

/** Heads: the limits are 64 KiB, 256 headers and ten interim answers. */
const BOMBS: readonly [name: string, beginning: string, piece: string, expected: string][] = [
  ["a status line without end", "HTTP/1.1 200 ", "x", `${NEVER}head-too-long`],
  ["one value without end", `${OK}X: `, "x", `${NEVER}head-too-long`],
  ["one name without end", OK, "x", `${NEVER}head-too-long`],
  ["blanks before a value without end", `${OK}X:`, " ", `${NEVER}head-too-long`],
  ["blanks after a value without end", `${OK}X: y`, "\t", `${NEVER}head-too-long`],
  ["headers without end", OK, "X: y\r\n", `${NEVER}too-many-headers`],
  ["long headers without end", OK, `X: ${"y".repeat(1000)}\r\n`, `${NEVER}head-too-long`],
  ["cookies without end", OK, "Set-Cookie: a=b\r\n", `${NEVER}too-many-headers`],
  ["interim answers without end", "", "HTTP/1.1 100 Go\r\n\r\n", `${NEVER}too-many-interim`],
  ["interim heads without end", "HTTP/1.1 103 Go\r\n", "X: y\r\n", `${NEVER}too-many-headers`],
  ["empty lines without end", "", "\r\n", `${NEVER}not-http`],
  ["chunk extensions without end", `${CHUNKED}5;a=`, "b", "200 0 disconnect"],
  ["extensions on every chunk", CHUNKED, `1;${"a".repeat(99)}\r\nx\r\n`, "200 165 disconnect"],
  ["trailers without end", `${CHUNKED}0\r\n`, "X: y\r\n", "200 0 disconnect"],
  ["a trailer without end", `${CHUNKED}0\r\nX: `, "y", "200 0 disconnect"],
];

describe("servers that send too much", () => {
  for (const [name, beginning, piece, expected] of [...ENDLESS, ...BOMBS]) {
    test(`${name}: ${expected}`, async () => {
      await using server = await serveRaw((socket) => flood(socket, beginning, piece));
      const spool = new MemorySpool();
      const fetcher = testFetcher({ spool });
      const limits = { bodyBytesMax: 1000 };
      const outcome = await fetchOnce(fetcher, server.url(), { limits });
      assert.equal(describeOutcome(outcome), expected);
      assert.ok(spool.heldBytesMax <= 1000, "no more than the limit was ever held");
      assert.equal(fetcher.connectionCount, 0, "the connection is closed");
    });
  }

  test("many floods at once leave no memory behind", async () => {
    await using server = await serveRaw((socket) => flood(socket, `${OK}X: `, "x"));
    const fetcher = testFetcher();
    const round = () =>
      Promise.all(Array.from({ length: 50 }, () => fetchOnce(fetcher, server.url())));
    await round();
    const before = process.memoryUsage();
    for (let count = 0; count < 4; count++) await round();
    const after = process.memoryUsage();
    const grownBytes = after.arrayBuffers - before.arrayBuffers;
    assert.ok(grownBytes < 5_000_000 + 50 * 4 * 65_536, `${grownBytes} bytes more`);
  });
});

describe("the limits to the byte", () => {
  const head = (bytes: number) => {
    const rest = bytes - `${OK}X: \r\nContent-Length: 0\r\n\r\n`.length;
    return `${OK}X: ${"y".repeat(rest)}\r\nContent-Length: 0\r\n\r\n`;
  };

  for (const [bytes, expected] of [
    [4096, "200 0 null"],
    [4097, "FETCH_PROTOCOL head-too-long"],
  ] as const) {
    test(`a head of ${bytes} bytes where 4096 are allowed: ${expected}`, async () => {
      await using server = await serveRaw((socket) => socket.end(head(bytes)));
      const limits = { headerBytesMax: 4096 };
      const outcome = await fetchOnce(testFetcher(), server.url(), { limits });
      assert.equal(describeOutcome(outcome), expected);
    });
  }

  for (const [count, expected] of [
    [256, "200 0 null"],
    [257, "FETCH_PROTOCOL too-many-headers"],
  ] as const) {
    test(`${count} headers: ${expected}`, async () => {
      await using server = await serveRaw((socket) =>
        socket.end(`${OK}${"X: y\r\n".repeat(count)}\r\n`),
      );
      assert.equal(describeOutcome(await fetchOnce(testFetcher(), server.url())), expected);
    });
  }

  test("ten interim answers are read past", async () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\n".repeat(10);
    await using server = await serveRaw((socket) => socket.end(`${interim}${OK}\r\nhello`));
    assert.equal((await fetchText(testFetcher(), server.url())).body, "hello");
  });
});
