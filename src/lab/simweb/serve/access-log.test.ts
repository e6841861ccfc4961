import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AccessLog, type RequestBegun, type RequestEnded } from "./access-log.ts";

const begun: fc.Arbitrary<RequestBegun> = fc.record({
  host: fc.constantFrom("a.example", "b.example", "xn--bcher-kva.example"),
  address: fc.constantFrom("127.0.0.1", "127.1.2.3", "::1"),
  target: fc.oneof(
    fc.constantFrom("/", "/robots.txt"),
    fc.string({ unit: fc.integer({ min: 33, max: 255 }).map((code) => String.fromCharCode(code)) }),
  ),
  method: fc.constantFrom("GET", "HEAD", "POST"),
  userAgent: fc.string(),
  connection: fc.nat(),
  startMs: fc.double({ noNaN: true }),
});

const ended: fc.Arbitrary<RequestEnded> = fc.record({
  status: fc.integer({ min: 0, max: 999 }),
  bytesSent: fc.nat(),
  endMs: fc.double({ noNaN: true }),
  ending: fc.constantFrom("whole" as const, "broken" as const, "left" as const),
  isRetriable: fc.boolean(),
  retryAfterMs: fc.nat(),
});

test("the log gives back every request as it was written", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(begun, ended)), (requests) => {
      const log = new AccessLog();
      const rows = requests.map(([begin]) => log.begin(begin));
      for (const [index, [, end]] of requests.entries()) log.end(rows[index] ?? -1, end);
      for (const [index, entry] of [...log.entries()].entries()) {
        const [begin, end] = requests[index] ?? assert.fail();
        const { row, hostId, addressId, isRobots, ...rest } = entry;
        assert.deepEqual(rest, { ...begin, ...end });
        assert.equal(row, index);
        assert.equal(isRobots, begin.target === "/robots.txt");
        assert.ok(hostId < log.hostCount && addressId >= 0);
      }
    }),
  );
});

test("a request that has not ended is open, without an end", () => {
  const log = new AccessLog();
  const row = log.begin({
    host: "a.example",
    address: "127.0.0.1",
    target: "/",
    method: "BREW",
    userAgent: "",
    connection: 0,
    startMs: 5,
  });
  const { ending, endMs, method } = log.entry(row);
  assert.deepEqual([ending, endMs, method], ["open", Number.POSITIVE_INFINITY, "OTHER"]);
});

test("a hundred thousand requests are kept in little memory outside the heap", () => {
  const log = new AccessLog();
  const count = 100_000;
  const target = `/${"p".repeat(39)}`;
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < count; index += 1) {
    log.begin({
      host: `h${index % 1000}.example`,
      address: "127.0.0.1",
      target,
      method: "GET",
      userAgent: "T",
      connection: index,
      startMs: index,
    });
  }
  const bytesEach = (process.memoryUsage().arrayBuffers - before) / count;
  assert.ok(bytesEach < 120, `${bytesEach} bytes for each request`);
  assert.equal(log.entry(count - 1).target, target);
  assert.equal(log.entry(70_000).startMs, 70_000);
  assert.equal(log.hostCount, 1000);
});

test("a full log counts what it has no room for", () => {
  const log = new AccessLog(2);
  const request = { host: "a", address: "127.0.0.1", target: "/", method: "GET" };
  const rows = [1, 2, 3].map((startMs) => {
    const connection = log.connectionOpened("127.0.0.1", startMs);
    return log.begin({ ...request, userAgent: "T", connection, startMs });
  });
  for (const row of rows) {
    const ended = { status: 200, bytesSent: 1, endMs: 9, isRetriable: false, retryAfterMs: 0 };
    log.end(row, { ...ended, ending: "whole" });
  }
  log.connectionClosed(-1, 9);
  assert.deepEqual([log.size, log.unlogged, log.connectionCount], [2, 1, 2]);
});

test("connections are remembered with their times", () => {
  const log = new AccessLog();
  const first = log.connectionOpened("127.0.0.1", 1);
  log.connectionOpened("127.0.0.2", 2);
  log.connectionClosed(first, 3);
  assert.deepEqual(log.connections(), [
    { address: "127.0.0.1", openedMs: 1, closedMs: 3 },
    { address: "127.0.0.2", openedMs: 2, closedMs: Number.POSITIVE_INFINITY },
  ]);
});
