import assert from "node:assert/strict";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { damageOf, recordsOf, scanAll } from "../../../test/support/formats/warc-reading.ts";
import {
  digestBytes,
  digestText,
  StreamedRecord,
  sha1,
  sha1Digest,
  verifyRecord,
  type WarcCompression,
} from "./index.ts";

const RECORD = { type: "resource", id: "urn:uuid:1", dateMs: 0, fields: [] } as const;

function streamed(compression: WarcCompression, pieces: readonly Uint8Array[]): Uint8Array {
  const block = Buffer.concat(pieces);
  const account = { bytes: block.length, digest: sha1Digest(block) };
  const stream = new StreamedRecord({ compression, level: null }, RECORD, account);
  return Buffer.concat([
    stream.first(),
    ...pieces.map((piece) => stream.piece(piece)),
    stream.last(),
  ]);
}

const pieces = fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 6 });

for (const compression of ["gzip", "zstd", "none"] as const) {
  test(`a record written in any pieces is one whole record (${compression})`, () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const file = Buffer.concat([streamed(compression, parts), streamed(compression, [])]);
        const steps = scanAll(file, 700);
        assert.deepEqual(damageOf(steps), []);
        const [first, second, ...more] = recordsOf(steps);
        assert.ok(first && second && more.length === 0);
        assert.deepEqual(Buffer.from(first.block), Buffer.concat(parts));
        assert.deepEqual(verifyRecord(first).block, "right");
      }),
    );
  });
}

test("a zstd frame of pieces larger than a block is read by Zstandard itself", () => {
  const large = new Uint8Array(400_000).map((_, at) => (at * 7) & 255);
  const content = zstdDecompressSync(streamed("zstd", [large]));
  assert.ok(content.includes(Buffer.from(large)));
});

test("pieces of gzip are compressed", () => {
  const page = Buffer.alloc(300_000, "<p>the same again and again</p>");
  assert.ok(streamed("gzip", [page, page]).length < 20_000);
});

test("a block of another length than its record says fails an assertion", () => {
  const options = { compression: "gzip", level: null } as const;
  const stream = new StreamedRecord(options, RECORD, { bytes: 2, digest: "sha1:" });
  assert.throws(() => stream.last(), /not shorter/);
  assert.throws(() => stream.piece(new Uint8Array(3)), /not longer/);
});

test("the text of a digest converts back to its bytes, and other text to null", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.deepEqual(digestBytes(digestText(sha1(bytes))), new Uint8Array(sha1(bytes)));
    }),
  );
  for (const text of ["", "-", "sha1:", `md5:${"A".repeat(32)}`, `sha1:${"1".repeat(32)}`]) {
    assert.equal(digestBytes(text), null);
  }
});
