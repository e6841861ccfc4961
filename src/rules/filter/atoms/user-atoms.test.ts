import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { ExampleView } from "../../../../test/support/rules/example-views.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import { FilterError } from "../language/filter-error.ts";
import { checkFilter, loadFilter } from "../load-filter.ts";
import { FILTER_PLACES } from "../view.ts";
import type { Atom } from "./atom.ts";
import { importFrom } from "./import-module.ts";
import type { ImportModule } from "./user-atoms.ts";

const { fetch, schedule } = FILTER_PLACES;
const view = new ExampleView("https://example.org/interesting/thing");

const PathHas: Atom<"url"> = {
  looksAt: "url",
  create(args) {
    const [word] = args;
    if (word === undefined) throw new Error("it needs a word");
    return (url) => url.path.includes(word);
  },
};

/** A world of modules that live in memory. */
const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "./mine.js": {
    PathHas,
    OnPages: { looksAt: "page", create: () => () => true },
    NotAnAtom: (url: string) => url.length > 3,
    NoSight: { looksAt: "everything", create: () => () => true },
    Throws: {
      looksAt: "url",
      create: () => () => {
        throw new Error("lost my way");
      },
    },
    Promises: { looksAt: "url", create: () => async () => true },
    Counts: { looksAt: "url", create: () => () => 1 },
  },
  other: { PathHas, HostEquals: PathHas },
};

const importModule: ImportModule = async (name) => {
  const exports = modules[name];
  if (exports === undefined) throw new Error(`Cannot find module ${name}\n  at somewhere`);
  return exports;
};

async function problemsOf(text: string, use: readonly string[] = []): Promise<readonly string[]> {
  try {
    await loadFilter(text, schedule, { importModule, use });
  } catch (error) {
    assert.ok(error instanceof FilterError);
    return error.mistakes.map((mistake) => mistake.problem);
  }
  return [];
}

test("an atom of a module named in the filter is used", async () => {
  const text = "HostEquals(example.org) and ./mine.js#PathHas(interesting)";
  const filter = await loadFilter(text, fetch, { importModule });
  assert.equal(filter.accepts(view), true);
  assert.equal(filter.accepts(new ExampleView("https://example.org/dull")), false);
  assert.equal(filter.text, text);
});

test("atoms of a module of the configuration are used by name alone", async () => {
  const filter = await loadFilter("PathHas(thing)", fetch, { importModule, use: ["./mine.js"] });
  assert.equal(filter.accepts(view), true);
});

test("a module is loaded once, however often it is named", async () => {
  const loaded: string[] = [];
  await loadFilter("./mine.js#PathHas(a) or ./mine.js#PathHas(b)", fetch, {
    importModule: (name) => {
      loaded.push(name);
      return importModule(name);
    },
  });
  assert.deepEqual(loaded, ["./mine.js"]);
});

const WRONG: readonly (readonly [text: string, problem: RegExp])[] = [
  [
    "./none.js#A()",
    /^the module \.\/none\.js could not be loaded: Cannot find module \.\/none\.js$/,
  ],
  ["./mine.js#PathHass(a)", /exports no PathHass; did you mean PathHas\?/],
  ["./mine.js#toString()", /exports no toString/],
  ["./mine.js#NotAnAtom()", /NotAnAtom is not an atom: export an object with looksAt \(one of url/],
  ["./mine.js#NoSight()", /NoSight is not an atom/],
  ["./mine.js#PathHas()", /PathHas: it needs a word/],
  ["./mine.js#OnPages()", /OnPages looks at a parsed page; the `schedule` filter sees only links/],
];

for (const [text, problem] of WRONG) {
  test(`${text} is a mistake that says what is wrong with the module`, async () => {
    const [first = "none"] = await problemsOf(text);
    assert.match(first, problem);
  });
}

test("two atoms of one name are a mistake", async () => {
  const problems = await problemsOf("TRUE", ["./mine.js", "other"]);
  assert.deepEqual(problems, [
    "the atom PathHas of other has the same name as an atom of ./mine.js",
    "the atom HostEquals of other has the same name as a built-in atom",
  ]);
});

test("atoms of modules cannot be used if nothing can load modules", async () => {
  await assert.rejects(loadFilter("./mine.js#PathHas(a)", fetch), /modules cannot be used here/);
});

test("checking accepts atoms of modules unseen and finds the other mistakes", () => {
  assert.deepEqual(checkFilter("./none.js#A() and ./b.js#B(x)", fetch), []);
  assert.equal(checkFilter("./none.js#A() and Nothing()", fetch).length, 1);
});

for (const [name, how] of [
  ["Throws", /Throws threw: lost my way/],
  ["Promises", /Promises answered with a promise/],
  ["Counts", /Counts answered with number instead of true or false/],
] as const) {
  test(`when the atom ${name} fails, the filter refuses and the failure is reported`, async () => {
    const failures: CrawlError[] = [];
    for (const text of [
      `./mine.js#${name}()`,
      `not ./mine.js#${name}()`,
      `FALSE | !./mine.js#${name}()`,
    ]) {
      const filter = await loadFilter(text, fetch, {
        importModule,
        onFailure: (error) => failures.push(error),
      });
      assert.equal(filter.accepts(view), false);
    }
    assert.equal(failures.length, 3);
    assert.deepEqual(new Set(failures.map((error) => error.code)), new Set(["FILTER_ATOM_FAILED"]));
    assert.match(failures[0]?.message ?? "", how);
    assert.equal(failures[0]?.facts["url"], view.href);
  });
}

test("an atom that fails but is never reached changes nothing", async () => {
  const filter = await loadFilter("TRUE or ./mine.js#Throws()", fetch, { importModule });
  assert.equal(filter.accepts(view), true);
});

test("a module whose top level never comes to its end is not waited for without end", async () => {
  const time = new SimulatedTime();
  const importModule = importFrom(".", time);
  const loading = importModule("data:text/javascript,await new Promise(() => {})");
  assert.ok(time.step(), "somebody waits");
  await assert.rejects(
    loading,
    /it was not loaded within 30000 ms, since an await at its top level/,
  );
  assert.deepEqual(
    { ...((await importModule("data:text/javascript,export let a = 1")) as object) },
    {
      a: 1,
    },
  );
  assert.ok(!time.step(), "nobody waits any more");
});

test("modules are found by path and by package name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-atoms-"));
  try {
    const source =
      'export const Ends = { looksAt: "url", create: ([s]) => (url) => url.path.endsWith(s) };';
    writeFileSync(join(folder, "atoms.mjs"), source);
    const importModule = importFrom(folder);
    const filter = await loadFilter("./atoms.mjs#Ends(thing)", fetch, { importModule });
    assert.equal(filter.accepts(view), true);
    const absent = `there is no file ${join(folder, "absent.mjs")}`;
    await assert.rejects(importModule("./absent.mjs"), { message: absent });
    writeFileSync(join(folder, "lacking.mjs"), 'import "./absent.mjs";');
    await assert.rejects(
      importModule("./lacking.mjs"),
      /absent\.mjs' imported from .*lacking\.mjs/,
    );
    await assert.rejects(importModule("no-such-package"));
    writeFileSync(join(folder, "torn.mjs"), "export const a = 1;\nexport const b = a a;\n");
    writeFileSync(join(folder, "torn.mts"), "export const a: number = 1;\nlet b = a a;\n");
    writeFileSync(join(folder, "using.mjs"), 'import "./torn.mts";');
    await assert.rejects(importModule("./torn.mjs"), { message: /^line 2: Unexpected identifier/ });
    await assert.rejects(importModule("./torn.mts"), { message: /^line 2: Expected a semicolon/ });
    await assert.rejects(importModule("./using.mjs"), { message: /^torn\.mts, line 2: Expected/ });
    assert.ok("RE2JS" in (await importFrom(process.cwd())("re2js")));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
