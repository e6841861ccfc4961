/** Counts in prose ("38 atoms"), in documents and in the heads of modules, agree with the code. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BANDS } from "../../src/frontier/queues/priority-band.ts";
import { TRAVERSALS } from "../../src/frontier/traversal/index.ts";
import { PROFILES } from "../../src/lab/simweb/index.ts";
import { CONFIGURATION_SCHEMA } from "../../src/rules/config/index.ts";
import { BUILT_IN_ATOMS } from "../../src/rules/filter/atoms/atoms.ts";
import { FILTER_PLACES } from "../../src/rules/filter/index.ts";
import { PAGES, tablesOf } from "./pages.ts";
import { LAB, ROOMS } from "./rooms.ts";
import { sourceFiles } from "./walls.ts";

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** What a phrase counts: the word before the noun is the number. */
const COUNTED: readonly (readonly [phrase: RegExp, count: number])[] = [
  [/(\w+) rooms\b/g, Object.keys({ ...ROOMS, [LAB]: null }).length],
  [/(\w+) (?:\[?seams\b|interfaces through which)/g, seams().length],
  [/(\w+) atoms\b/g, BUILT_IN_ATOMS.size],
  [/(\w+) traversals\b/g, Object.keys(TRAVERSALS).length],
  [/(\w+) scores\b/g, scores().length],
  [/\bfilters at (\w+) places/g, Object.keys(FILTER_PLACES).length],
  [/(\w+) (?:filters of a crawl|of them steer a crawl)/g, Object.keys(FILTER_PLACES).length],
  [/(\w+) (?:bands|classes of priority)\b/g, BANDS],
  [/(\w+) profiles\b/g, Object.keys(PROFILES).length],
];

/** The rows of the table in the head of the module. */
function seams(): string[] {
  const head = readFileSync("src/base/seams/index.ts", "utf8").replaceAll(/^ \* ?/gm, "");
  const rows = tablesOf({ path: "seams", text: head })[0] ?? [];
  return rows.map(([name = ""]) => name);
}

function scores(): readonly string[] {
  const score = CONFIGURATION_SCHEMA.keys.find(({ path }) => path === "frontier.score");
  const shape = score?.key.type.shape;
  return shape?.kind === "choice" ? shape.choices : [];
}

/** Phrases whose number differs from the count. */
function wrongCounts(path: string, text: string): string[] {
  return COUNTED.flatMap(([phrase, count]) =>
    [...text.matchAll(phrase)]
      .filter(([, word = ""]) => {
        const number = /^\d+$/.test(word) ? Number(word) : NUMBERS.indexOf(word.toLowerCase());
        return number >= 0 && number !== count;
      })
      .map(([found]) => `${path}: ${found}, but there are ${count}`),
  );
}

test("counts in prose agree with the code", () => {
  assert.ok(COUNTED.every(([, count]) => count >= 3));
  const texts = [
    ...PAGES.filter(({ path }) => !path.startsWith("docs/adr/")),
    ...sourceFiles("src").filter(({ path }) => path.endsWith("index.ts")),
  ].map(({ path, text }) => ({ path, text: text.replace(/\s*\n(?: \*)?\s*/g, " ") }));
  const seen = COUNTED.filter(([phrase]) => texts.some(({ text }) => text.search(phrase) >= 0));
  assert.ok(seen.length >= 6, "too few phrases seen");
  assert.deepEqual(
    texts.flatMap(({ path, text }) => wrongCounts(path, text)),
    [],
  );
  const { size } = BUILT_IN_ATOMS;
  assert.deepEqual(wrongCounts("a", `${size + 1} atoms, ${size} atoms, many atoms`), [
    `a: ${size + 1} atoms, but there are ${size}`,
  ]);
});
