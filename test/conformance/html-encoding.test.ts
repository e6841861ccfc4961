/** html5lib's data on the encoding of pages: every case must pass. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sniff } from "../../src/formats/charset/index.ts";
import { conformanceData } from "../support/requirement.ts";

const data = conformanceData("html-encoding");

test("the encoding of every page of html5lib's data is found", { skip: data.skip }, () => {
  let cases = 0;
  for (const file of readdirSync(data.path)) {
    const text = readFileSync(join(data.path, file), "latin1");
    for (const one of text.split(/(?:^|\n)#data\n/).slice(1)) {
      const [page = "", rest = ""] = one.split("\n#encoding\n");
      const expected = rest.split("\n")[0]?.toLowerCase();
      const found = sniff(Buffer.from(page, "latin1"), true)?.encoding;
      assert.equal(found, expected, `${file}: ${JSON.stringify(page.slice(0, 300))}`);
      cases++;
    }
  }
  assert.ok(cases >= 80, `only ${cases} cases were found in the data`);
});
