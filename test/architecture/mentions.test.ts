/**
 * What documents mention exists: flags, keys, commands, files, codes, scripts, and how many there are
 * of a kind. Decisions and the changelog are left out: they tell what was true when they were written.
 */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ERRORS } from "../../src/base/errors/index.ts";
import { COMMANDS } from "../../src/cli/shell/command-table.ts";
import { COMMON_FLAGS } from "../../src/cli/shell/flag-table.ts";
import { PROFILE_SCHEMA } from "../../src/lab/simweb/index.ts";
import { CONFIGURATION_SCHEMA } from "../../src/rules/config/index.ts";
import { codeOf, PAGES } from "./pages.ts";

/** Recipes name what is to be made; `test/scenario/recipes.test.ts` follows them. */
const withoutRecipes = (text: string): string => text.split(/^## Recipes$/m, 1)[0] ?? "";
const pages = PAGES.filter(({ path }) => !/^(?:docs\/adr\/|CHANGELOG)/.test(path)).map(
  ({ path, text }) => ({ path, text: withoutRecipes(text) }),
);
const files = globSync("{bench,bin,docs,examples,scripts,src,test}/**/*.{ts,js,md,sh,yaml}");
const FILES: ReadonlySet<string> = new Set(files);

interface Mention {
  readonly page: string;
  readonly line: number;
  readonly word: string;
  /** The line or block of code around it. */
  readonly code: string;
}

/** What a pattern finds in the code of all pages: its first group, or all of it. */
function mentions(pattern: RegExp): Mention[] {
  return pages.flatMap((page) =>
    codeOf(page).flatMap(({ code, line }) =>
      [...code.matchAll(pattern)].map((match) => ({
        page: page.path,
        line: line + code.slice(0, match.index).split("\n").length - 1,
        word: match[1] ?? match[0],
        code,
      })),
    ),
  );
}

function assertKnown(found: readonly Mention[], least: number, isKnown: (one: Mention) => boolean) {
  assert.ok(found.length >= least, `too few mentions seen: ${found.length}`);
  assert.deepEqual(
    found.filter((one) => !isKnown(one)).map(({ page, line, word }) => `${page}:${line}: ${word}`),
    [],
  );
}

/** Pages that say so of their subject, in their first paragraph. */
const UNBUILT_PAGES: ReadonlySet<string> = new Set(
  pages.filter(({ text }) => /^# .+\n\n\*\*Not yet built:/.test(text)).map(({ path }) => path),
);

/** Whether the line of a mention, or its whole page, says that it is to come. */
function isMarked({ page, line }: Mention): boolean {
  if (UNBUILT_PAGES.has(page)) return true;
  const lines = pages.find(({ path }) => path === page)?.text.split("\n") ?? [];
  return /not (?:all |yet )*built|not yet|until there is|to come/i.test(lines[line - 1] ?? "");
}

const builtFlags = new Set<string>();
const allFlags = new Set<string>();
for (const { flags, built } of COMMANDS) {
  for (const { long, unbuilt } of [...flags, ...COMMON_FLAGS]) {
    allFlags.add(long);
    if (built && unbuilt !== true) builtFlags.add(long);
  }
}
for (const long of ["version", "help"]) builtFlags.add(long);

/** Flags of other programs, and of our benches. */
const FOREIGN_FLAGS = new Set(["max-old-space-size", "test", "test-name-pattern", "list"]);

test("flags that documents mention exist, and are marked where they are to come", () => {
  assertKnown(mentions(/(?<![\w-])--([a-z][a-z0-9-]+)/g), 50, (one) => {
    if (builtFlags.has(one.word) || FOREIGN_FLAGS.has(one.word)) return true;
    if (one.code.includes("bench/")) return true;
    return allFlags.has(one.word) && isMarked(one);
  });
});

test("commands that documents mention exist, and are marked where they are to come", () => {
  const names = new Map(COMMANDS.map(({ name, built }) => [name, built]));
  const groups = new Set(COMMANDS.map(({ name }) => name.split(" ")[0]));
  assertKnown(mentions(/\btrobar ((?!crawl\b)[a-z]+(?: [a-z]+)?)/g), 10, (one) => {
    const [first = ""] = one.word.split(" ");
    const built = names.get(one.word) ?? names.get(first);
    if (built === undefined) return groups.has(first) && one.word === first && isMarked(one);
    return built || isMarked(one);
  });
});

test("configuration keys that documents mention exist", () => {
  const groups = new Set(CONFIGURATION_SCHEMA.keys.map(({ path }) => path.split(".")[0]));
  const keys = new Set(
    [...CONFIGURATION_SCHEMA.keys, ...PROFILE_SCHEMA.keys].map(({ path }) => path),
  );
  const dotted = mentions(/(?<![\w./-])([a-z]+\.[a-z][a-zA-Z]+)(?![\w./(-])/g).filter(
    ({ word }) => groups.has(word.split(".")[0]) && !/\.(?:js|ts|txt|log|json)$/.test(word),
  );
  assertKnown(dotted, 60, ({ word }) => keys.has(word));
});

/** Files that pages show whole, as a block with a name; `test/scenario/unit-pages.test.ts` writes them. */
const SHOWN: ReadonlySet<string> = new Set(
  pages
    .filter(({ path }) => /^docs\/(?:units|topologies|formats)\.md$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/^```ts (\S+\.ts)$/gm)].map(([, file = ""]) => file)),
);

test("files that documents mention exist", () => {
  const byName = new Set(files.map((file) => file.slice(file.lastIndexOf("/") + 1)));
  assert.ok(SHOWN.size >= 9, "too few files shown");
  assertKnown(mentions(/(?<![\w./<-])((?:[\w*.-]+\/)*[\w*.-]+\.ts)\b/g), 20, ({ page, word }) => {
    const isOfUnits = /^docs\/(?:units|topologies|formats)\.md$/.test(page);
    if (isOfUnits && SHOWN.has(word.replace(/^\.\//, ""))) return true;
    if (word.includes("*")) return globSync([word, `**/${word}`]).some((path) => FILES.has(path));
    return word.includes("/") ? existsSync(word) || existsSync(`src/${word}`) : byName.has(word);
  });
  assertKnown(mentions(/^((?:src|test|bench|docs|examples|scripts)\/[\w/-]+)$/g), 10, ({ word }) =>
    existsSync(word),
  );
});

test("error codes that documents mention exist", () => {
  const groups = new Set(Object.keys(ERRORS).map((code) => code.split("_")[0]));
  const codes = mentions(/\b([A-Z]+_[A-Z_]*[A-Z])\b/g).filter(({ word }) =>
    groups.has(word.split("_")[0]),
  );
  assertKnown(codes, 50, ({ word }) => word in ERRORS);
});

test("scripts that documents mention exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  assertKnown(mentions(/\bnpm run (?:-s )?([\w:-]+)/g), 5, ({ word }) => word in scripts);
});

/** Things of the design that no source has yet. */
const UNBUILT = /\b(?:dashboard|assigner|master)\b/i;

/** Words that say so. */
const MARKED = /not (?:all |yet )*built|not yet|missing|until there is|once /i;

test("what is not built is marked where the documents for readers mention it", () => {
  // The page of errors is printed from the table, and that of the protocol begins with what is not built.
  const forReaders = /^(?:README|docs\/(?!peers|api\/|errors|protocol))/;
  const read = pages.filter(({ path }) => forReaders.test(path) && !UNBUILT_PAGES.has(path));
  const lines = read.flatMap(({ path, text }) =>
    text.split("\n").map((line, at) => ({ path, line, at: at + 1 })),
  );
  const about = lines.filter(({ line }) => UNBUILT.test(line.replaceAll(/`[^`]*`|^#.*/g, "")));
  assert.ok(about.length >= 5, "too few mentions seen");
  assert.deepEqual(
    about
      .filter(({ line }) => !MARKED.test(line))
      .map(({ path, line, at }) => `${path}:${at}: ${line}`),
    [],
  );
});

test("what is not built is marked where the head of a room or module mentions it", () => {
  const heads = globSync("src/{*,*/*}/index.ts").map((path) => ({
    path,
    head: (/^\/\*\*[\s\S]*?\*\//.exec(readFileSync(path, "utf8"))?.[0] ?? "").split(/^ \*$/m),
  }));
  assert.ok(heads.length >= 50, "too few heads seen");
  assert.deepEqual(
    heads.flatMap(({ path, head }) =>
      head
        .map((paragraph) => paragraph.replaceAll(/`[^`]*`|^ \* {5}.*$/gm, ""))
        .filter((paragraph) => UNBUILT.test(paragraph) && !MARKED.test(paragraph))
        .map((paragraph) => `${path}: ${paragraph}`),
    ),
    [],
  );
});
