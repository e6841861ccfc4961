import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { damageOf, recordsOf, scanAll } from "../../../test/support/formats/warc-reading.ts";
import { SeededRandom } from "../../base/random/index.ts";
import {
  contentRecord,
  metadataRecord,
  parseHttpBlock,
  recordId,
  requestRecord,
  responseRecord,
  revisitRecord,
  verifyRecord,
  type WarcCompression,
  WarcEncoder,
  type WarcRecord,
  warcinfoRecord,
} from "./index.ts";

const COMPRESSIONS: readonly WarcCompression[] = ["gzip", "zstd", "none"];
const random = new SeededRandom("warc");
const warcinfoId = recordId(random);
const capture = { url: "https://example.org/a", dateMs: Date.UTC(2026, 0, 31, 12), warcinfoId };

function encodeAll(records: readonly WarcRecord[], compression: WarcCompression): Uint8Array {
  const encoder = new WarcEncoder({ compression, level: null });
  return Buffer.concat(records.map((record) => Uint8Array.from(encoder.encode(record))));
}

function oneOfEachType(): WarcRecord[] {
  const id = recordId(random);
  const head = { status: 200, reason: "OK", headers: [["Content-Type", "text/html"] as const] };
  const body = Buffer.from("<p>hello");
  const request = "GET /a HTTP/1.1\r\nHost: example.org\r\n\r\n";
  const original = { url: capture.url, dateMs: capture.dateMs - 1000 };
  const revisit = { ...capture, head, original, bodyBytes: 8 };
  const content = { ...capture, contentType: "text/plain", bytes: body };
  return [
    warcinfoRecord({ id: warcinfoId, dateMs: 0, fileName: "x.warc", entries: [["format", "1.1"]] }),
    responseRecord({ ...capture, id, head, body, ipAddress: "192.0.2.1", truncated: "time" }),
    requestRecord({ ...capture, id: recordId(random), head: request, concurrentTo: id }),
    revisitRecord({ ...revisit, id: recordId(random) }),
    metadataRecord({ ...capture, id: recordId(random), entries: [["fetchTimeMs", "12"]] }),
    contentRecord("resource", { ...content, id: recordId(random) }),
    contentRecord("conversion", { ...content, id: recordId(random), refersTo: id }),
    { type: "continuation", id: recordId(random), dateMs: 0, fields: [], block: [body] },
  ];
}

for (const compression of COMPRESSIONS) {
  test(`records of every type are read back as written (${compression})`, () => {
    const written = oneOfEachType();
    const steps = scanAll(encodeAll(written, compression));
    assert.deepEqual(damageOf(steps), []);
    const read = recordsOf(steps);
    assert.deepEqual(
      read.map((record) => record.type),
      written.map((record) => record.type),
    );
    for (const [index, record] of read.entries()) {
      assert.deepEqual(record.warnings, []);
      assert.deepEqual([...record.block], [...Buffer.concat(written[index]?.block ?? [])]);
      const isResponse = record.type === "response" && compression !== "none";
      assert.deepEqual(
        verifyRecord(record)[isResponse ? "payload" : "block"],
        "right",
        "a response in a member with a checksum needs no second digest",
      );
      assert.equal(record.fields.get("WARC-Record-ID"), `<${written[index]?.id}>`);
    }
  });

  test(`any record can be read by its offset alone (${compression})`, () => {
    const file = encodeAll(oneOfEachType(), compression);
    for (const record of recordsOf(scanAll(file))) {
      const piece = file.subarray(record.offset, record.offset + record.lengthBytes);
      const [again, ...more] = recordsOf(scanAll(piece));
      assert.deepEqual(more, []);
      assert.deepEqual(again?.fields, record.fields);
      assert.deepEqual(again?.block, record.block);
    }
  });
}

test("whatever the web sends, a file contains exactly the records that were written", () => {
  const hostile = fc.constantFrom(
    ...[
      "\r\n\r\nWARC/1.1\r\nContent-Length: 0\r\n\r\n",
      "\r\nWARC-Type: request",
      "\0",
      "\n",
      "\r",
    ],
    ...["\u001f\u008b\u0008", "(µ/ý", "Content-Length: 5\r\n\r\n", "é", "\u0085"],
  );
  const text = fc
    .array(fc.oneof(hostile, fc.string()), { maxLength: 6 })
    .map((parts) => parts.join(""));
  const page = fc.record({ url: text, value: text, name: fc.string(), reason: text, body: text });
  fc.assert(
    fc.property(
      fc.array(page, { maxLength: 5 }),
      fc.constantFrom(...COMPRESSIONS),
      (pages, kind) => {
        const written = pages.map(({ url, value, name, reason, body }) =>
          responseRecord({
            ...{ ...capture, url, id: recordId(random), body: Buffer.from(body) },
            head: { status: 200, reason, headers: [[name, value]] },
          }),
        );
        const steps = scanAll(encodeAll(written, kind), 97);
        assert.deepEqual(damageOf(steps), []);
        const read = recordsOf(steps);
        assert.equal(read.length, written.length);
        for (const [index, record] of read.entries()) {
          const block = kind === "none" ? "right" : null;
          assert.deepEqual(verifyRecord(record), { block, payload: "right" });
          const payload = parseHttpBlock(record.block)?.payload ?? new Uint8Array(0);
          assert.equal(
            Buffer.from(payload).toString(),
            Buffer.from(pages[index]?.body ?? "").toString(),
          );
        }
      },
    ),
  );
});

test("a file with a flipped byte gives the other records and never a wrong one", () => {
  const written = oneOfEachType();
  for (const compression of ["gzip", "zstd"] as const) {
    const file = encodeAll(written, compression);
    const intact = recordsOf(scanAll(file));
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const broken = Uint8Array.from(file);
        broken[at] = (broken[at] ?? 0) ^ mask;
        const read = recordsOf(scanAll(broken));
        const hit = intact.filter((r) => at >= r.offset && at < r.offset + r.lengthBytes).length;
        assert.ok(read.length >= intact.length - hit - 1, `${read.length} of ${intact.length}`);
        for (const record of read) {
          const same = intact.find((other) => other.offset === record.offset);
          assert.deepEqual(record.block, same?.block);
        }
      }),
      { numRuns: 300 },
    );
  }
});

test("the scanner answers any bytes, in any pieces, with the same steps and never throws", () => {
  const magic = fc.constantFrom(
    ...["WARC/1.1\r\n", "Content-Length: 3\r\n\r\n", "\r\n\r\n", "\x1f\x8b\x08\0", "(\xb5/\xfd"],
    "http://a 1.2.3.4 20200101000000 text/html 5\n",
  );
  const piece = fc.oneof(
    magic.map((text) => Buffer.from(text, "latin1")),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.integer({ min: 1, max: 50 }),
      (parts, size) => {
        const bytes = Buffer.concat(parts);
        assert.deepEqual(scanAll(bytes, size), scanAll(bytes));
      },
    ),
    { numRuns: 1000 },
  );
});

test("a record id is a UUID of version 4, and another one each time", () => {
  const source = new SeededRandom("ids");
  const ids = new Set(Array.from({ length: 1000 }, () => recordId(source)));
  assert.equal(ids.size, 1000);
  const form = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  for (const id of ids) assert.match(id, form);
});
