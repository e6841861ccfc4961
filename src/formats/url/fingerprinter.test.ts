import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fingerprinter } from "./fingerprinter.ts";
import { HostHasher, type KeyHost, keyHostOf, keyOf, parseUrl, type UrlKey } from "./index.ts";

const FINGERPRINT_KEY = Uint8Array.from({ length: 16 }, (_, index) => index);

function fingerprinter(shards = 64, fingerprintKey = FINGERPRINT_KEY): Fingerprinter {
  return new Fingerprinter({ fingerprintKey, shards });
}

function keyOfText(text: string): UrlKey {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return keyOf(outcome.url);
}

function hexOf([high = 0, low = 0]: Uint32Array): string {
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

function fingerprintOf(subject: Fingerprinter, key: UrlKey): string {
  subject.fingerprint(key);
  return hexOf(subject.halves);
}

function ringPointOf(host: KeyHost): string {
  const point = new Uint32Array(2);
  new HostHasher().ringPoint(host, point);
  return hexOf(point);
}

/** Values of today: they are in files and between agents, so they may never change. */
const GOLDEN: readonly (readonly [
  url: string,
  fingerprint: string,
  ring: string,
  shard: number,
])[] = [
  ["http://example.org/", "02ef8700fb100e65", "0d296fcb48423794", 0],
  ["https://example.org/", "000a0b6ad09f2faf", "0d296fcb48423794", 0],
  ["http://example.org/a?b=c", "01c0e585a88441eb", "0d296fcb48423794", 0],
  ["https://www.bme.hu/", "22d907aa21a3074d", "02f1bf4c77afe197", 8],
  ["http://127.0.0.1:8080/x", "630e5840a1d06f31", "eaedcca73c71de2f", 24],
  ["https://xn--bcher-kva.example/%C3%BC", "637ff1308148f17a", "16136efaecf2be1b", 24],
  ["http://[::1]/", "91897e048e00c230", "16b3161ba7ba29d4", 36],
];

test("fingerprints, points on the ring and shards never change", () => {
  const subject = fingerprinter();
  for (const [url, fingerprint, ring, shard] of GOLDEN) {
    const key = keyOfText(url);
    assert.equal(fingerprintOf(subject, key), fingerprint, url);
    assert.equal(ringPointOf(keyHostOf(key)), ring, url);
    assert.equal(new HostHasher().shardOf(keyHostOf(key), 64), shard, url);
  }
});

test("a fingerprint begins with the shard of the key's host, whatever the number of shards", () => {
  const hosts = new HostHasher();
  for (let bits = 0; bits <= 16; bits += 1) {
    const subject = fingerprinter(2 ** bits);
    for (let count = 0; count < 50; count += 1) {
      const key = keyOfText(`http://host-${count}.test:8080/path?query`);
      const shard = subject.fingerprint(key);
      assert.equal(shard, hosts.shardOf(keyHostOf(key), 2 ** bits));
      assert.equal(shard, subject.shardOf(keyHostOf(key)));
      const high = subject.halves[0] ?? 0;
      assert.equal(Math.floor(high / 2 ** (32 - bits)), shard);
    }
  }
});

test("the bits after the shard are the secret hash, shifted", () => {
  const key = keyOfText("http://example.org/");
  const all = BigInt(`0x${fingerprintOf(fingerprinter(1), key)}`);
  const shardOf = BigInt(fingerprinter(64).fingerprint(key));
  const expected = (shardOf << 58n) | ((all >> 38n) << 32n) | (all & 0xffffffffn);
  assert.equal(BigInt(`0x${fingerprintOf(fingerprinter(64), key)}`), expected);
});

test("a number of shards that is not a power of two fails an assertion", () => {
  for (const shards of [0, 3, 63, 0.5, 131_072, Number.NaN]) {
    assert.throws(() => fingerprinter(shards), /power of two/);
  }
});

test("fingerprints are equal exactly if the keys are", () => {
  const subject = fingerprinter();
  fc.assert(
    fc.property(fc.webUrl(), fc.webUrl(), fc.boolean(), (one, other, isSame) => {
      const [a, b] = [keyOfText(one), keyOfText(isSame ? `${one}#x` : other)];
      assert.equal(fingerprintOf(subject, a) === fingerprintOf(subject, b), a === b);
    }),
  );
  const seen = new Set<string>();
  for (let count = 0; count < 100_000; count += 1) {
    seen.add(fingerprintOf(subject, `http://example.org/page/${count}` as UrlKey));
  }
  assert.equal(seen.size, 100_000);
});

test("another secret gives other fingerprints, but the same shards", () => {
  const other = fingerprinter(64, new Uint8Array(16).fill(9));
  const key = keyOfText("http://example.org/");
  assert.notEqual(fingerprintOf(other, key), fingerprintOf(fingerprinter(), key));
  assert.equal(other.fingerprint(key), fingerprinter().fingerprint(key));
});

test("ring and shard are evenly spread and independent of each other", () => {
  const hosts = new HostHasher();
  const point = new Uint32Array(2);
  const cells = new Uint32Array(64);
  const count = 64_000;
  for (let index = 0; index < count; index += 1) {
    const host = `www.site-${index}.example` as KeyHost;
    hosts.ringPoint(host, point);
    const cell = ((point[0] ?? 0) >>> 29) * 8 + hosts.shardOf(host, 8);
    cells[cell] = (cells[cell] ?? 0) + 1;
  }
  const expected = count / 64;
  const chiSquare = cells.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
  // 63 degrees of freedom: a thousandth of all fair hashes would exceed 104.
  assert.ok(chiSquare < 104, `chi-square ${chiSquare}`);
});
