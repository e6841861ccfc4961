/**
 * The crawler's own digests on the families of a synthetic web, whose truth says which pages are
 * alike.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Truth } from "../../src/lab/simweb/index.ts";
import type { Expectation } from "../../src/lab/simweb/truth/expectation.ts";
import { KeyedBlocks, SimHash, StrippedDigest } from "../../src/parse/digest/index.ts";
import { answerTo, smallWeb } from "../support/lab/small-web.ts";
import { feedPage } from "../support/parse/feed-page.ts";

const KEY: Uint8Array = Buffer.from("sixteen bytes ok");
const DISTANCE = 3;

interface Digested {
  readonly expected: Expectation;
  readonly stripped: string;
  readonly near: readonly [high: number, low: number];
}

function digestAll(): Digested[] {
  const web = smallWeb("plain", "families", {
    hosts: { count: 5, pages: 800 },
    pages: { medianBytes: 12_000, spread: 0.8, bytesMax: 200_000 },
    duplicates: { exact: 0.1, numbered: 0.1, near: 0.2 },
  });
  const truth = new Truth(web, { seeds: web.seeds(), scope: "any" });
  const [stripped, near] = [new StrippedDigest(new KeyedBlocks(KEY)), new SimHash(KEY)];
  return [...truth.expectations()].map((expected) => {
    stripped.begin("");
    near.begin();
    feedPage(Buffer.from(answerTo(web, expected.url).body).toString(), [stripped, near]);
    stripped.finish();
    near.finish();
    const digest = `${stripped.high} ${stripped.low}`;
    return { expected, stripped: digest, near: [near.high, near.low] };
  });
}

describe("on pages of the usual size", () => {
  let pairs: (readonly [Digested, Digested])[];
  before(() => {
    const all = digestAll();
    pairs = all.flatMap((one, index) => all.slice(0, index).map((other) => [one, other] as const));
  });

  test("the stripped digest finds the pages that differ in a number, and no others", () => {
    let found = 0;
    for (const [one, other] of pairs) {
      const isSame = one.expected.numberedFamily === other.expected.numberedFamily;
      assert.equal(
        one.stripped === other.stripped,
        isSame,
        `${one.expected.url} ${other.expected.url}`,
      );
      if (isSame) found += 1;
    }
    assert.ok(found > 50);
  });

  test("the near hash finds nearly all pages that differ in a few words, and hardly any others", () => {
    const counts = { wanted: 0, missed: 0, wrong: 0 };
    for (const [one, other] of pairs) {
      const isNear = distance(one.near, other.near) <= DISTANCE;
      const isMeant = one.expected.nearFamily === other.expected.nearFamily;
      if (isMeant) counts.wanted += 1;
      if (isMeant && !isNear) counts.missed += 1;
      if (isNear && !isMeant) counts.wrong += 1;
    }
    const told = JSON.stringify(counts);
    assert.ok(counts.wanted > 100, told);
    assert.ok(counts.missed <= counts.wanted / 50, told);
    // What is left are the shortest pages, which have only a paragraph or two to be told apart by.
    assert.ok(counts.wrong <= pairs.length / 10_000, told);
  });
});

function distance(one: readonly [number, number], other: readonly [number, number]): number {
  return bits(one[0] ^ other[0]) + bits(one[1] ^ other[1]);
}

function bits(word: number): number {
  return (word >>> 0).toString(2).replaceAll("0", "").length;
}
