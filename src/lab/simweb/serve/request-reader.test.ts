import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HEAD_BYTES_MAX, type Reading, RequestReader } from "./request-reader.ts";

function read(text: string): Reading {
  const reader = new RequestReader();
  reader.push(Buffer.from(text, "latin1"));
  return reader.next();
}

function request(text: string): Extract<Reading, { kind: "request" }>["head"] {
  const reading = read(text);
  assert(reading.kind === "request", `a request, not ${JSON.stringify(reading)}`);
  return reading.head;
}

test("a request is read with its host, target and fields", () => {
  const head = request(
    "GET /a?b=c HTTP/1.1\r\nHost: WWW.Example:8080\r\nUser-Agent:  T/1 (x)  \r\nAccept: */*\r\n\r\n",
  );
  assert.deepEqual(head, {
    method: "GET",
    target: "/a?b=c",
    host: "www.example",
    headers: [
      ["Host", "WWW.Example:8080"],
      ["User-Agent", "T/1 (x)"],
      ["Accept", "*/*"],
    ],
    userAgent: "T/1 (x)",
    isKeptAlive: true,
  });
});

const HOSTS: readonly (readonly [field: string, host: string])[] = [
  ["a.example", "a.example"],
  ["a.example.", "a.example"],
  ["A.EXAMPLE:80", "a.example"],
  ["[::1]:8080", "[::1]"],
  ["127.0.0.1:8080", "127.0.0.1"],
  ["", ""],
];

for (const [field, host] of HOSTS) {
  test(`Host: ${field} is the host ${JSON.stringify(host)}`, () => {
    assert.equal(request(`GET / HTTP/1.1\r\nHost: ${field}\r\n\r\n`).host, host);
  });
}

test("a target as it is sent to a proxy names the host itself", () => {
  const { host, target } = request(
    "GET http://B.example:81/x?y HTTP/1.1\r\nHost: a.example\r\n\r\n",
  );
  assert.deepEqual([host, target], ["b.example", "/x?y"]);
  assert.equal(request("GET http://b.example HTTP/1.1\r\nHost: a\r\n\r\n").target, "/");
});

test("whether the connection goes on is as the version and the field say", () => {
  const isKeptAlive = (version: string, field: string): boolean =>
    request(`GET / HTTP/${version}\r\nHost: a\r\n${field}\r\n`).isKeptAlive;
  assert.equal(isKeptAlive("1.1", ""), true);
  assert.equal(isKeptAlive("1.1", "Connection: Close\r\n"), false);
  assert.equal(isKeptAlive("1.0", ""), false);
  assert.equal(isKeptAlive("1.0", "Connection: keep-alive\r\n"), true);
});

const REFUSED: readonly (readonly [why: string, text: string, status: number])[] = [
  ["garbage", "\x16\x03\x01\x02\x00\r\n\r\n", 400],
  ["no version", "GET /\r\n\r\n", 400],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\n", 505],
  ["a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
  ["a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400],
  ["a host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400],
  ["a target that is no path", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["a field without a colon", "GET / HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n", 400],
  ["a space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400],
  ["a folded field", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400],
  ["a bare newline", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400],
  ["a NUL", "GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 400],
  ["a body in chunks", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 501],
  ["a bad length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
    400,
  ],
  ["a long body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n", 413],
  ["a long head", `GET /${"x".repeat(HEAD_BYTES_MAX)} HTTP/1.1\r\n\r\n`, 431],
  ["a head without end", "x".repeat(HEAD_BYTES_MAX + 1), 431],
  ["many fields", `GET / HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(101)}\r\n`, 431],
];

for (const [why, text, status] of REFUSED) {
  test(`${why} is refused with ${status}, and so is everything after it`, () => {
    const reader = new RequestReader();
    reader.push(Buffer.from(text, "latin1"));
    const reading = reader.next();
    assert(reading.kind === "refused");
    assert.equal(reading.status, status);
    reader.push(Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    assert.equal(reader.next().kind, "refused");
    assert.equal(reader.heldBytes, 0);
  });
}

test("requests are the same however their bytes are cut, bodies and empty lines between them", () => {
  const text =
    "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\n" +
    "POST /2 HTTP/1.1\r\nHost: b\r\nContent-Length: 7\r\n\r\nGET /x!" +
    "GET /3 HTTP/1.1\r\nHost: c\r\n\r\n";
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
      const reader = new RequestReader();
      const targets: string[] = [];
      for (let at = 0, turn = 0; at < text.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        reader.push(Buffer.from(text.slice(at, at + size), "latin1"));
        at += size;
        for (let next = reader.next(); next.kind !== "incomplete"; next = reader.next()) {
          assert(next.kind === "request");
          targets.push(next.head.host + next.head.target);
        }
      }
      assert.deepEqual(targets, ["a/1", "b/2", "c/3"]);
    }),
  );
});

test("reading any bytes throws nothing and holds little memory", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("GET / HTTP/1.1", "Host: a", "Content-Length: 5", "", "\r\n", "\0"),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const reader = new RequestReader();
      reader.push(Buffer.from(lines.join("\r\n"), "latin1"));
      for (let turn = 0; turn < 50; turn += 1) {
        if (reader.next().kind !== "request") break;
      }
      assert.ok(reader.heldBytes <= HEAD_BYTES_MAX);
    }),
  );
});
