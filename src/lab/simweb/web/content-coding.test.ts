import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBody } from "../../../../test/support/lab/reference-crawler/page.ts";
import type { Header } from "../../../base/seams/index.ts";
import { compressed, compressedBadly, compressedBomb, compressedTwice } from "./content-coding.ts";

const BODY: Uint8Array = Buffer.from(
  "<p>Text that says the same again and again.</p>\n".repeat(99),
);
const accepting = (value: string): readonly Header[] => [["accept-encoding", value]];

test("a body is sent in the codings that the client accepts, and comes out the same", () => {
  const seen = new Set<string>();
  for (let word = 0; word < 60; word += 1) {
    const { body, headers } = compressed(BODY, word, accepting("gzip, deflate, br;q=0.5, zstd"));
    seen.add(headers[0]?.[1] ?? "");
    assert.ok(body.length < BODY.length / 2);
    assert.deepEqual(Buffer.from(decodeBody(body, headers) ?? []), Buffer.from(BODY));
  }
  assert.deepEqual([...seen].sort(), ["br", "deflate", "gzip", "x-gzip", "zstd"]);
});

test("a coding that the client does not take is not used", () => {
  for (let word = 0; word < 60; word += 1) {
    assert.deepEqual(compressed(BODY, word, []), { body: BODY, headers: [] });
    assert.deepEqual(compressed(BODY, word, accepting("identity, gzip;q=0")).body, BODY);
    const { headers } = compressed(BODY, word, accepting("br, gzip;q=0.0"));
    assert.deepEqual(headers, [["Content-Encoding", "br"]]);
  }
});

test("badly compressed content cannot be decoded whole, or was never compressed", () => {
  for (let word = 0; word < 3; word += 1) {
    const { body, headers } = compressedBadly(BODY, word, accepting("gzip"));
    assert.deepEqual(headers, [["Content-Encoding", "gzip"]]);
    assert.equal(decodeBody(body, headers), null);
    assert.deepEqual(compressedBadly(BODY, word, []).body, BODY);
  }
});

test("what is compressed twice comes out by taking both codings off", () => {
  const { body, headers } = compressedTwice(BODY, accepting("gzip"));
  assert.deepEqual(headers, [["Content-Encoding", "gzip, gzip"]]);
  assert.deepEqual(Buffer.from(decodeBody(body, headers) ?? []), Buffer.from(BODY));
});

test("a bomb is small as received and larger than any limit when decoded", () => {
  const { body, headers } = compressedBomb(accepting("gzip"));
  assert.ok(body.length < 20_000);
  assert.equal(decodeBody(body, headers), null, "the reference crawler has a limit");
});
