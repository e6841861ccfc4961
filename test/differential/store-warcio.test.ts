/** What a crawl writes is read by a reader that others wrote, record for record. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { warcio } from "../support/formats/warcio.ts";
import { anyPage, StoreRig } from "../support/store/store-rig.ts";

for (const compression of ["gzip", "none"] as const) {
  test(`warcio reads the files of a store as our own reader does (${compression})`, async () => {
    const seed = "store and warcio";
    const rig = new StoreRig(seed, {
      encoding: { compression, level: null },
      warcBytesMax: 40_000,
    });
    rig.open();
    const random = new SeededRandom(seed);
    for (let number = 0; number < 120; number += 1) {
      rig.put(anyPage(number, random, rig.machine.time));
    }
    rig.close();
    for (const name of rig.warcNames()) {
      const own = rig.records(name);
      const bytes = rig.machine.disk.contentOf(name) ?? new Uint8Array(0);
      let index = 0;
      const parser = new warcio.WARCParser([bytes], { parseHttp: false });
      for await (const record of parser) {
        const expected = own[index];
        assert.ok(expected, "more records were read than written");
        assert.equal(record.warcType, expected.type);
        const id = record.warcHeaders.headers.get("WARC-Record-ID");
        assert.equal(id, expected.fields.get("WARC-Record-ID"));
        assert.deepEqual(Buffer.from(await record.readFully(false)), Buffer.from(expected.block));
        assert.equal(parser.offset, expected.offset);
        index += 1;
      }
      assert.equal(index, own.length);
    }
  });
}
