/**
 * The promise of docs/near-duplicates.md, on seeds that were not used to choose parameters: at the
 * default distance at least 98 of 100 pairs that are found are near duplicates, and at least 90 of
 * 100 near duplicates are found; and the stripped digest finds all exact ones and nothing else.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { KeyedBlocks, SimHash, StrippedDigest } from "../../src/parse/digest/index.ts";
import type { FamilyPage } from "../support/parse/families/family-page.ts";
import { makePageFamilies } from "../support/parse/families/page-families.ts";
import { makeSecondFamilies } from "../support/parse/families/page-families-second.ts";
import { hashPages, type Quality, qualityOf } from "../support/parse/near-quality.ts";

const DISTANCE = 3;
const PRECISION_MIN = 0.98;
const RECALL_MIN = 0.9;
const SEEDS = process.env["TROBAR_FULL"] === "1" ? ["held out", "1", "2", "3", "4"] : ["held out"];

const generators: Readonly<Record<string, (seed: string) => FamilyPage[]>> = {
  first: (seed) => makePageFamilies({ sites: 60, familiesPerSite: 25 }, new SeededRandom(seed)),
  second: (seed) => makeSecondFamilies(3000, new SeededRandom(seed)),
};

function keyOf(seed: string): Uint8Array {
  const random = new SeededRandom(`key ${seed}`);
  return Uint8Array.from({ length: 16 }, () => random.below(256));
}

function said({ precision, recall, pairs }: Quality): string {
  return `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)} of ${pairs} pairs`;
}

for (const [name, makePages] of Object.entries(generators)) {
  for (const seed of SEEDS) {
    const pages = makePages(seed);

    test(`near duplicates of the ${name} generator are found, and little else (${seed})`, (t) => {
      const quality = qualityOf(hashPages(pages, new SimHash(keyOf(seed))), "near", DISTANCE);
      t.diagnostic(said(quality));
      assert.ok(quality.pairs > 1000, "there are enough pairs to say something");
      assert.ok(quality.precision >= PRECISION_MIN, said(quality));
      assert.ok(quality.recall >= RECALL_MIN, said(quality));
    });

    test(`the digest tells exact duplicates of the ${name} generator (${seed})`, () => {
      const digest = new StrippedDigest(new KeyedBlocks(keyOf(seed)));
      const quality = qualityOf(hashPages(pages, digest), "exact", 0);
      assert.ok(quality.pairs > 300);
      assert.equal(quality.recall, 1, said(quality));
      assert.equal(quality.precision, 1, said(quality));
    });
  }
}
