/**
 * The heads of rooms and modules: the comment that opens an `index.ts` says how it works and which
 * file to read first, and every file it names is there.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sourceFiles } from "./walls.ts";

const WORDS_MIN = 30;
const sources = sourceFiles("src");
const heads = sources
  .filter(({ path }) => /^[^/]+\/(?:[^/]+\/)?index\.ts$/.test(path))
  .map(({ path, text }) => ({ path, head: headOf(text) }));

/** The comment at the beginning of a file, without its stars, on one line. */
function headOf(text: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  return comment.replace(/\n \*/g, " ").replace(/\s+/g, " ").trim();
}

/** The file that a head tells the reader to begin with. */
function readFirst(head: string): string | undefined {
  return /\b(?:Read|Start with) `([^`]+\.ts)`/.exec(head)?.[1];
}

test("every room and module has a head that says how it works", () => {
  assert.ok(heads.length >= 50, "too few heads seen");
  const short = heads.filter(({ head }) => head.split(" ").length < WORDS_MIN);
  assert.deepEqual(
    short.map(({ path }) => path),
    [],
    `an index.ts that does not open with a comment of at least ${WORDS_MIN} words`,
  );
});

test("every head names a file of its own folder to read first", () => {
  const wrong = heads.filter(({ path, head }) => {
    const file = readFirst(head);
    return file === undefined || !existsSync(join("src", dirname(path), file));
  });
  assert.deepEqual(
    wrong.map(({ path, head }) => `${path}: ${readFirst(head) ?? "names none"}`),
    [],
    'write "Read `folder/file.ts` first" or "Start with `folder/file.ts`", from the index.ts on',
  );
});

test("every source that a head names exists", () => {
  const named = heads.flatMap(({ path, head }) =>
    [...head.matchAll(/`([a-z0-9/-]+\.ts)`/g)].map(([, file = ""]) => ({ path, file })),
  );
  assert.ok(named.length >= heads.length, "too few names seen");
  assert.deepEqual(
    named
      .filter(({ path, file }) => !isThere(dirname(path), file))
      .map(({ path, file }) => `${path}: ${file}`),
    [],
    "name a file below the index.ts, or write its path from the room, from src/ or from the root",
  );
});

function isThere(folder: string, file: string): boolean {
  const places = [join("src", dirname(folder), file), join("src", file), file];
  return (
    sources.some(({ path }) => path.startsWith(`${folder}/`) && path.endsWith(`/${file}`)) ||
    places.some((place) => existsSync(place))
  );
}
