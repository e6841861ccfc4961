import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import {
  recordId,
  requestRecord,
  responseRecord,
  revisitRecord,
  WarcEncoder,
  type WarcRecord,
  warcinfoRecord,
} from "../../src/formats/warc/index.ts";
import { warcio } from "../support/formats/warcio.ts";

const SEED = "warcio";

/** Exchanges with bodies of all sizes and with texts that would break a careless writer. */
function exchanges(count: number): WarcRecord[] {
  const random = new SeededRandom(SEED);
  const warcinfoId = recordId(random);
  const entries = [["software", "Trobar"] as const, ["format", "WARC File Format 1.1"] as const];
  const records = [
    warcinfoRecord({ id: warcinfoId, dateMs: 1_700_000_000_000, fileName: "a.warc.gz", entries }),
  ];
  for (let index = 0; index < count; index += 1) {
    const id = recordId(random);
    const body = Buffer.alloc(
      random.below(2) * random.below(200_000),
      `<p>${index}\r\n\r\nWARC/1.1\r\n`,
    );
    const capture = {
      url: `https://example.org/${index}?q=a b\r\nWARC-Type: x`,
      dateMs: 1_700_000_000_000 + index,
      warcinfoId,
      ipAddress: "192.0.2.1",
    };
    const head = {
      status: 200,
      reason: "OK",
      headers: [
        ["Content-Type", "text/html"] as const,
        ["Transfer-Encoding", "chunked"] as const,
        ["X-Evil", "a\r\n\r\nHTTP/1.1 500 No"] as const,
      ],
    };
    const original = { url: capture.url, dateMs: capture.dateMs };
    records.push(
      index % 5 === 4
        ? revisitRecord({ ...capture, id, head, original, bodyBytes: body.length })
        : responseRecord({ ...capture, id, head, body }),
      requestRecord({
        ...{ ...capture, id: recordId(random), concurrentTo: id },
        head: `GET /${index} HTTP/1.1\r\nHost: example.org\r\n\r\n`,
      }),
    );
  }
  return records;
}

for (const compression of ["gzip", "none"] as const) {
  test(`warcio reads what was written, record for record (${compression}, seed ${SEED})`, async () => {
    const written = exchanges(40);
    const encoder = new WarcEncoder({ compression, level: null });
    const bytes = written.map((record) => Uint8Array.from(encoder.encode(record)));
    const parser = new warcio.WARCParser([Buffer.concat(bytes)], { parseHttp: false });
    let index = 0;
    let offset = 0;
    for await (const record of parser) {
      const expected = written[index];
      assert.ok(expected, "more records were read than written");
      assert.equal(record.warcType, expected.type);
      assert.equal(record.warcHeaders.headers.get("WARC-Record-ID"), `<${expected.id}>`);
      const block = await record.readFully(false);
      assert.deepEqual(Buffer.from(block), Buffer.concat(expected.block));
      assert.equal(parser.offset, offset);
      offset += bytes[index]?.length ?? 0;
      index += 1;
    }
    assert.equal(index, written.length);
  });
}
