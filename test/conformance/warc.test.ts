import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { verifyRecord } from "../../src/formats/warc/index.ts";
import { damageOf, recordsOf, scanAll } from "../support/formats/warc-reading.ts";
import { conformanceData } from "../support/requirement.ts";

const data = conformanceData("warc");

interface Expected {
  /** Types of the records, in order, shortened to their first three letters. */
  readonly types: string;
  readonly damageAt?: readonly number[];
  readonly wrongDigests?: number;
  readonly warned?: RegExp;
}

/** What each sample holds, by its maker's tests and by reading it. */
const SAMPLES: Readonly<Record<string, Expected>> = {
  "bad.arc": { types: "", damageAt: [0] },
  "example-bad-non-chunked.warc.gz": {
    types: "war war res req rev req",
    wrongDigests: 1,
    warned: /holds other records/,
  },
  "example-bad.warc.gz.bad": {
    types: "war res req rev req res",
    warned: /holds other records/,
  },
  // Digests in base32, base64 and base64url; the first payload digest is wrong on purpose.
  "example-digest.warc": { types: "req req req req", wrongDigests: 1 },
  "example-iana.org-chunked.warc": { types: "war res req" },
  "example-resource.warc.gz": { types: "war war res" },
  "example-space-in-target-uri.warc.gz": { types: "war res", warned: /spaces/ },
  // The only page is 12 bytes shorter than its line says.
  "example-space-in-url.arc": { types: "war", damageAt: [151] },
  // Two bytes were taken out of the page: the record after it is found again.
  "example-trunc.warc": { types: "war war res req", damageAt: [2560], wrongDigests: 2 },
  "example-wget-bad-target-uri.warc.gz": { types: "war req res met res res", warned: /brackets/ },
  // Members that end in the middle of records.
  "example-wrong-chunks.warc.gz": { types: "", damageAt: [0, 516, 1130] },
  "example.arc": { types: "war res" },
  "example.arc.gz": { types: "war res" },
  "example.warc": { types: "war war res req rev req" },
  "example.warc.gz": { types: "war war res req rev req" },
  "post-test.warc.gz": { types: "res req res req res req" },
};

describe("the WARC and ARC samples of warcio", { skip: data.skip }, () => {
  for (const [name, expected] of Object.entries(SAMPLES)) {
    test(`${name} is read as far as it can be, and every fault is named`, () => {
      const bytes = readFileSync(join(data.path, name));
      const steps = scanAll(bytes);
      const records = recordsOf(steps);
      assert.equal(records.map((record) => record.type.slice(0, 3)).join(" "), expected.types);
      assert.deepEqual(
        damageOf(steps).map((damage) => damage.offset),
        expected.damageAt ?? [],
      );
      const verdicts = records
        .map((record) => verifyRecord(record))
        .flatMap((verdict) => Object.values(verdict));
      assert.equal(
        verdicts.filter((verdict) => verdict === "wrong").length,
        expected.wrongDigests ?? 0,
      );
      const warnings = records.flatMap((record) => record.warnings).join("; ");
      assert.match(warnings, expected.warned ?? /^$/);
    });

    test(`${name} is read the same in pieces of any size`, () => {
      const bytes = readFileSync(join(data.path, name));
      const whole = scanAll(bytes);
      for (const pieceBytes of [1, 7, 512]) assert.deepEqual(scanAll(bytes, pieceBytes), whole);
    });
  }
});
