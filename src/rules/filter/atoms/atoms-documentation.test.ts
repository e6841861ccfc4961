/** Every atom is documented once, and every example of docs/filters.md says what is true. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type ExampleFacts, ExampleView } from "../../../../test/support/rules/example-views.ts";
import { loadFilter } from "../load-filter.ts";
import { CONTAINS, FILTER_PLACES, type FilterPlace, type Sight } from "../view.ts";
import { BUILT_IN_ATOMS } from "./atoms.ts";

const document = readFileSync("docs/filters.md", "utf8");

interface Row {
  readonly atom: string;
  readonly looksAt: Sight;
  readonly example: string;
  readonly triedOn: string;
  readonly result: string;
}

const rows: readonly Row[] = document
  .split("\n")
  .filter((line) => /^\| [A-Z]\w+ +\| (?:url|hop|link|response|page) +\|/.test(line))
  .map((line) => {
    const [, atom = "", looksAt = "", , example = "", triedOn = "", result = ""] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
    return {
      atom,
      looksAt: looksAt as Sight,
      example: code(example),
      triedOn: code(triedOn),
      result,
    };
  });

function code(cell: string): string {
  return /^`([^`]*)`$/.exec(cell)?.[1] ?? "";
}

test("the documentation lists exactly the built-in atoms, each once", () => {
  assert.deepEqual(rows.map((row) => row.atom).sort(), [...BUILT_IN_ATOMS.keys()].sort());
});

for (const row of rows) {
  test(`${row.example} ${row.result} ${row.triedOn}`, async () => {
    assert.equal(BUILT_IN_ATOMS.get(row.atom)?.looksAt, row.looksAt);
    assert.ok(row.example.startsWith(`${row.atom}(`));
    const place = placeThatShows(row.looksAt);
    const filter = await loadFilter(row.example, place);
    assert.equal(filter.accepts(view(row.triedOn)), row.result === "accepts");
    assert.match(row.result, /^(?:accepts|refuses)$/);
  });
}

/** The place that shows the least of all that show enough. */
function placeThatShows(looksAt: Sight): FilterPlace {
  const { fetch, schedule, parse, store } = FILTER_PLACES;
  const places: readonly FilterPlace[] = [fetch, schedule, parse, store];
  const place = places.find(({ sees }) => CONTAINS[sees].includes(looksAt));
  assert.ok(place !== undefined);
  return place;
}

const FACTS: ReadonlySet<string> = new Set(
  "source depth kind rel nofollow anchor status body language digest isDuplicate isNearDuplicate".split(
    " ",
  ),
);

/** A URL, and facts behind it with `+` for a blank; anything that is not a fact of a view is a header. */
function view(triedOn: string): ExampleView {
  const [url = "", ...facts] = triedOn.split(" ");
  const entries = facts.map((fact) => {
    const [name = "", value = ""] = fact.split(/=(.*)/);
    return [name, decodeURIComponent(value.replaceAll("+", " "))] as const;
  });
  const headers = Object.fromEntries(entries.filter(([name]) => !FACTS.has(name)));
  const known = entries
    .filter(([name]) => FACTS.has(name))
    .map(([name, value]) => [name, typed(value)]);
  const stated: ExampleFacts = Object.fromEntries(known);
  return new ExampleView(url, { ...stated, headers });
}

function typed(value: string): string | number | boolean {
  if (value === "true") return true;
  return /^[0-9]+$/.test(value) ? Number(value) : value;
}

test("the mistakes that the documentation shows are the ones that are reported", async () => {
  const shown = /```\n(The `schedule` filter[^`]*`[^`]*`[\s\S]*?)```/.exec(document)?.[1] ?? "";
  await assert.rejects(loadFilter("HostEndsWth(.it) and StatusIs(200)", FILTER_PLACES.schedule), {
    message: shown.trimEnd(),
  });
});

test("the filters that the documentation shows can be loaded", async () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(document)?.[1] ?? "";
  const schedule = /schedule: \|\n([\s\S]*?)\n {2}parse/.exec(yaml)?.[1] ?? "";
  const parse = /parse: (.*)/.exec(yaml)?.[1] ?? "";
  const store = /store: (.*)/.exec(yaml)?.[1] ?? "";
  assert.match((await loadFilter(schedule, FILTER_PLACES.schedule)).text, /\.it\) and not Path/);
  assert.match((await loadFilter(parse, FILTER_PLACES.parse)).text, /^\(Content/);
  assert.match((await loadFilter(store, FILTER_PLACES.store)).text, /not IsNear/);
});

test("the module that the documentation shows is an atom that works", async () => {
  const source = /```js\n([\s\S]*?)```/.exec(document)?.[1] ?? "";
  const exports = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const filter = await loadFilter(
    "SameHost() and ./atoms.js#TitleCase(2)",
    FILTER_PLACES.schedule,
    {
      importModule: async () => exports,
    },
  );
  const url = "https://example.org/";
  assert.equal(filter.accepts(new ExampleView(url, { anchor: "Read More" })), true);
  assert.equal(filter.accepts(new ExampleView(url, { anchor: "read More" })), false);
});
