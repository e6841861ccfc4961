/** The glossary: few words, in order, each used in more than one room. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { PAGES, tablesOf } from "./pages.ts";
import { sourceFiles } from "./walls.ts";

const WORDS_MAX = 150;
const GLOSSARY = "docs/glossary.md";
const words = wordsOf(readFileSync(GLOSSARY, "utf8"));

function wordsOf(text: string): string[] {
  return tablesOf({ path: GLOSSARY, text }).flatMap((rows) => rows.map(([word = ""]) => word));
}

test(`the glossary has at most ${WORDS_MAX} words, each once, in order`, () => {
  assert.ok(words.length >= 80, "too few words seen");
  assert.ok(
    words.length <= WORDS_MAX,
    `${words.length} words: explain some in their module's head`,
  );
  const lower = words.map((word) => word.toLowerCase());
  assert.deepEqual(lower, [...new Set(lower)].sort());
});

/** A word as prose or as a part of a name: `visit state`, `visitState`, `VisitState`, `visit-state`. */
function patternOf(word: string): RegExp {
  const [first = "", ...rest] = word.split(" ");
  const capital = (part: string) =>
    `[${part[0]?.toUpperCase()}${part[0]?.toLowerCase()}]${part.slice(1)}`;
  const later = rest.map((part) => `(?:[ _-]|\\n \\* )?${capital(part)}`).join("");
  const start = `(?:(?<![A-Za-z])${capital(first)}|(?<=[a-z])${first[0]?.toUpperCase()}${first.slice(1)})`;
  return new RegExp(`${start}${later}(?:e?s)?(?![a-z])`);
}

/** Words that are used in one room only, and neither on the command line nor in a page. */
function wordsOfOneRoom(
  candidates: readonly string[],
  sources: readonly { readonly path: string; readonly text: string }[],
): string[] {
  const pages = PAGES.filter(({ path }) => path !== GLOSSARY && !path.startsWith("docs/adr/"));
  return candidates.filter((word) => {
    const pattern = patternOf(word);
    const met = sources.filter(({ text }) => pattern.test(text));
    const rooms = new Set(met.map(({ path }) => path.split("/", 1)[0]));
    return rooms.size < 2 && !(rooms.size === 1 && pages.some(({ text }) => pattern.test(text)));
  });
}

test("every word of the glossary is used in two rooms, or in a room and in the documents", () => {
  const sources = sourceFiles("src").filter(({ path }) => !path.endsWith(".test.ts"));
  assert.deepEqual(
    wordsOfOneRoom(words, sources),
    [],
    "move these words to the head of the one module that uses them",
  );
  const planted = [
    { path: "frontier/queues/heir.ts", text: "/** An heir. */ const runHeir = 1;" },
    { path: "base/log/frame.ts", text: "class TornTail {}" },
    { path: "cli/main.ts", text: "/** Cuts a torn\n * tail. */" },
  ];
  assert.deepEqual(wordsOfOneRoom(["heir", "torn tail", "nothing"], planted), ["heir", "nothing"]);
});

/** The words that the head of a module lists, as `word: meaning` items. */
function headWords(text: string): string[] {
  const head = /^\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? "";
  const list = /Words of this module:\n((?: \* [- ] .*\n)+)/.exec(head)?.[1] ?? "";
  return [...list.matchAll(/^ \* - (\*.+?\*):/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/\*([^*]+)\*/g)].map(([, name = ""]) => name),
  );
}

test("every word that the head of a module explains is used in the module", () => {
  const sources = sourceFiles("src");
  const doors = sources.filter(({ path }) => path.endsWith("/index.ts"));
  const explained = doors.flatMap(({ path, text }) =>
    headWords(text).map((word) => ({ folder: dirname(path), word })),
  );
  assert.ok(explained.length >= 80, "too few words seen");
  const unused = explained.filter(({ folder, word }) => {
    const own = sources.filter(
      ({ path }) => path.startsWith(`${folder}/`) && path !== `${folder}/index.ts`,
    );
    return !own.some(({ text }) => patternOf(word).test(text));
  });
  assert.deepEqual(
    unused.map(({ folder, word }) => `${folder}: ${word}`),
    [],
  );
});
