import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fingerprinter, type UrlKey } from "../../formats/url/index.ts";
import { laneOfFingerprint, laneOfShard, shardOfFingerprint } from "./lane-of-shard.ts";

test("lanes own contiguous ranges of shards that differ by one at most", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 1, max: 64 }),
      (bits, wanted) => {
        const shards = 2 ** bits;
        const lanes = Math.min(wanted, shards);
        const owners = Array.from({ length: shards }, (_, shard) =>
          laneOfShard(shard, shards, lanes),
        );
        assert.deepEqual(
          owners,
          owners.toSorted((one, other) => one - other),
        );
        const counts = Array.from(
          { length: lanes },
          (_, lane) => owners.filter((owner) => owner === lane).length,
        );
        assert.ok(Math.min(...counts) >= 1);
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `${counts}`);
      },
    ),
  );
});

test("all URLs of a host are in one shard, which their fingerprints begin with", () => {
  for (const shards of [1, 2, 64, 1024]) {
    const fingerprinter = new Fingerprinter({ fingerprintKey: new Uint8Array(16).fill(3), shards });
    const shardOf = (key: string): number => {
      fingerprinter.fingerprint(key as UrlKey);
      return shardOfFingerprint(fingerprinter.halves[0] ?? 0, shards);
    };
    for (let host = 0; host < 50; host += 1) {
      const first = shardOf(`http://host-${host}.example/`);
      assert.ok(first >= 0 && first < shards);
      assert.equal(shardOf(`http://host-${host}.example/other?page=2`), first);
    }
  }
});

test("with one lane everything is its own", () => {
  for (const high of [0, 1, 0x7fff_ffff, 0xffff_ffff]) {
    assert.equal(laneOfFingerprint(high, 64, 1), 0);
    assert.equal(laneOfFingerprint(high, 1, 1), 0);
  }
});
