import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { writeDnsAnswer } from "./dns-answer.ts";
import { DNS_TYPE, type DnsReading, readDnsQuery } from "./dns-query.ts";

/** A query as a resolver writes it; `udpBytes` adds the record of RFC 6891. */
export function queryBytes(name: string, type: number, udpBytes?: number): Uint8Array {
  const labels = name
    .split(".")
    .flatMap((label) => [label.length, ...Buffer.from(label, "latin1")]);
  const extension =
    udpBytes === undefined ? [] : [0, 0, 41, udpBytes >> 8, udpBytes & 255, 0, 0, 0, 0, 0, 0];
  return Uint8Array.from([
    ...[0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, udpBytes === undefined ? 0 : 1],
    ...[...labels, 0, type >> 8, type & 255, 0, 1],
    ...extension,
  ]);
}

function query(bytes: Uint8Array): Extract<DnsReading, { kind: "query" }>["query"] {
  const reading = readDnsQuery(bytes);
  assert(reading.kind === "query", reading.kind);
  return reading.query;
}

test("a question is read, in lower case, and kept as it came", () => {
  const read = query(queryBytes("WwW.ExAmPlE", DNS_TYPE.AAAA, 1232));
  assert.equal(read.name, "www.example");
  assert.equal(read.type, DNS_TYPE.AAAA);
  assert.deepEqual([read.id, read.isRecursive], [0x1234, true]);
  assert.deepEqual([read.udpBytesMax, read.hasExtension], [1232, true]);
  assert.match(Buffer.from(read.question).toString("latin1"), /WwW.ExAmPlE/);
  assert.equal(query(queryBytes("a", 1)).udpBytesMax, 512);
  assert.equal(query(queryBytes("a", 1, 65_535)).udpBytesMax, 4096);
});

test("bytes that no host name has are told apart from dots", () => {
  assert.equal(query(queryBytes("a b", 1)).name, "a\\032b");
  const bytes = queryBytes("axb", 1);
  bytes[14] = 46;
  assert.equal(query(bytes).name, "a\\046b");
});

test("a message that is not a question gets the right refusal", () => {
  const good = queryBytes("www.example", 1);
  const changed = (at: number, value: number): string =>
    readDnsQuery(good.map((byte, index) => (index === at ? value : byte))).kind;
  assert.equal(readDnsQuery(good.subarray(0, 11)).kind, "ignored");
  assert.equal(changed(2, 0x81), "ignored", "an answer is not answered");
  assert.equal(changed(2, 0x29), "unsupported", "an update");
  assert.equal(changed(5, 2), "malformed", "two questions");
  assert.equal(changed(12, 0xc0), "malformed", "a pointer");
  assert.equal(changed(12, 63), "malformed", "a label beyond the end");
  assert.equal(changed(good.length - 1, 3), "unsupported", "another class");
  assert.equal(readDnsQuery(good.subarray(0, good.length - 1)).kind, "malformed");
  const long = queryBytes(Array.from({ length: 8 }, () => "x".repeat(40)).join("."), 1);
  assert.equal(readDnsQuery(long).kind, "malformed", "a name of more than 255 bytes");
});

test("reading any bytes throws nothing", () => {
  const random = fc.uint8Array({ maxLength: 600 });
  const mutated = fc
    .tuple(fc.domain(), fc.nat(65_535), fc.array(fc.tuple(fc.nat(600), fc.nat(255))), fc.nat(600))
    .map(([name, size, changes, length]) => {
      const bytes = queryBytes(name, 1, size);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      return bytes.subarray(0, Math.max(12, Math.min(length, bytes.length)));
    });
  fc.assert(
    fc.property(fc.oneof(random, mutated), (bytes) => {
      const reading = readDnsQuery(bytes);
      if (reading.kind !== "query") return;
      assert.ok(reading.query.question.length <= bytes.length);
      assert.ok(reading.query.udpBytesMax >= 512 && reading.query.udpBytesMax <= 4096);
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 100_000 : 2000 },
  );
});

test("an answer of any size is well formed in its counts and lengths", () => {
  fc.assert(
    fc.property(fc.array(fc.domain(), { maxLength: 8 }), fc.nat(300), (aliases, count) => {
      const addresses = Array.from(
        { length: count },
        (_, index) => `127.0.${index >> 8}.${index & 255}`,
      );
      const message = writeDnsAnswer(query(queryBytes("a.example", 1)), 0, {
        ttlSeconds: 5,
        aliases,
        addresses,
      });
      const view = new DataView(message.buffer, message.byteOffset, message.length);
      assert.equal(view.getUint16(6), aliases.length + count);
      assert.equal(view.getUint16(8), count === 0 ? 1 : 0);
      const tail = message.subarray(message.length - 4);
      if (count > 0) assert.deepEqual([...tail], [127, 0, (count - 1) >> 8, (count - 1) & 255]);
    }),
    { numRuns: 50 },
  );
});
