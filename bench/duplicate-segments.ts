/**
 * Claim: looking for repeated groups of segments is at least five times as fast as the regular
 * expression that is usually written for it, on realistic paths and on hostile ones. (Where a
 * repetition stands at the very beginning the expression stops there at once and is faster; such
 * paths are harmless.)
 *
 *     node bench/duplicate-segments.ts
 */

import { SeededRandom } from "../src/base/random/index.ts";
import { FILTER_PLACES, loadFilter } from "../src/rules/filter/index.ts";
import { compare } from "./support/rounds.ts";
import { BenchPage, pathOf } from "./support/urls.ts";

const filter = await loadFilter("DuplicateSegmentsLessThan(4)", FILTER_PLACES.fetch);
const USUAL = /(\/.+?)\1{3}(?=\/|$)/;

const random = new SeededRandom("duplicate-segments");
const realistic = Array.from({ length: 20_000 }, () => pathOf(random));
const trapped = realistic.map((path, index) =>
  index % 10 === 0 ? "/de/index.php".repeat(2 + (index % 4)) + path : path,
);
const numbered = (from: number, length: number) =>
  Array.from({ length }, (_, index) => `/s${from + index}`).join("");
/** The Thue-Morse sequence: squares everywhere and not one cube. */
const thueMorse = Array.from({ length: 1000 }, (_, index) => {
  const ones = index.toString(2).replaceAll("0", "").length;
  return ones % 2 === 0 ? "/a" : "/b";
}).join("");

const hostile: Readonly<Record<string, string>> = {
  "nothing repeats, all looks alike": numbered(1_000_000, 200),
  "a long group, once too few": numbered(0, 60).repeat(3),
  "squares everywhere, no cube": thueMorse,
  "a fourth power at the very end": numbered(0, 100) + numbered(500, 60).repeat(4),
};

function contest(name: string, paths: readonly string[], repeats: number): void {
  const pages = paths.map((path) => Object.assign(new BenchPage(random), { path }));
  const count = (accepts: (page: BenchPage) => boolean) => () => {
    let refused = 0;
    for (let round = 0; round < repeats; round += 1) {
      for (const page of pages) refused += accepts(page) ? 0 : 1;
    }
    return refused;
  };
  compare({
    name,
    rounds: 7,
    ours: count(filter.accepts),
    reference: count((page) => !USUAL.test(page.path)),
    promised: 5,
  });
}

contest("realistic paths", realistic, 5);
contest("realistic paths, a tenth of them trapped", trapped, 5);
for (const [name, path] of Object.entries(hostile)) contest(`hostile: ${name}`, [path], 50);
contest("hostile, all", Object.values(hostile), 10);
