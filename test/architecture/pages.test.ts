/** What holds for every document: no row twice, no dead links, decisions numbered without gaps. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { anchorsOf, linksOf, PAGES, type Page, tablesOf } from "./pages.ts";
import { sourceFiles } from "./walls.ts";

test("no table has a row twice", () => {
  assert.ok(PAGES.length >= 40, "too few pages seen");
  const tables = PAGES.flatMap((page) => tablesOf(page).map((rows) => ({ page, rows })));
  assert.ok(tables.length >= 100, "too few tables seen");
  assert.deepEqual(
    tables.flatMap(({ page, rows }) =>
      repeated(rows.map(([first = ""]) => first)).map((cell) => `${page.path}: ${cell}`),
    ),
    [],
  );
  const planted = { path: "a.md", text: "| a | b |\n|---|---|\n| x | 1 |\n| y | 2 |\n| x | 3 |\n" };
  assert.deepEqual(repeated(tablesOf(planted)[0]?.map(([first = ""]) => first) ?? []), ["x"]);
});

function repeated(cells: readonly string[]): string[] {
  return cells.filter((cell, index) => cell !== "" && cells.indexOf(cell) !== index);
}

/** Links that lead to no file, or to no heading of the page. */
function deadLinks(page: Page, pages: readonly Page[]): string[] {
  return linksOf(page)
    .filter(({ file, anchor }) => {
      const target = pages.find(({ path }) => path === file);
      if (target === undefined && !existsSync(file)) return true;
      return anchor !== null && (target === undefined || !anchorsOf(target).has(anchor));
    })
    .map(({ file, anchor }) => `${page.path} -> ${file}${anchor === null ? "" : `#${anchor}`}`);
}

test("every link between the documents leads to a file, and to a heading that it has", () => {
  assert.deepEqual(
    PAGES.flatMap((page) => deadLinks(page, PAGES)),
    [],
  );
  const planted = { path: "a.md", text: "# The log\n[b](#the-log) [c](#the-run) [d](gone.md)" };
  assert.deepEqual(deadLinks(planted, [planted]), ["a.md -> a.md#the-run", "a.md -> gone.md"]);
});

test("a document that npm packs links to what is packed with it", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  const isPacked = (path: string): boolean =>
    path === "README.md" || files.some((file) => path === file || path.startsWith(`${file}/`));
  const pages = PAGES.filter(({ path }) => isPacked(path));
  assert.ok(pages.length >= 5, "too few pages seen");
  const dead = pages.flatMap((page) =>
    linksOf(page)
      .filter(({ file }) => !isPacked(file))
      .map(({ file }) => `${page.path} -> ${file}: write it as text, or add it to "files"`),
  );
  assert.deepEqual(dead, []);
});

test("decisions are numbered without a gap, each number once", () => {
  const decisions = PAGES.filter(({ path }) => /^docs\/adr\/\d/.test(path));
  assert.ok(decisions.length >= 30, "too few decisions seen");
  const numbers = decisions.map(({ path }) => Number(path.slice("docs/adr/".length).slice(0, 4)));
  assert.deepEqual(
    numbers,
    decisions.map((_, index) => index + 1),
  );
  const headings = decisions.filter(
    ({ path, text }) => !text.startsWith(`# ${path.slice("docs/adr/".length).slice(0, 4)} · `),
  );
  assert.deepEqual(
    headings.map(({ path }) => path),
    [],
    "a decision begins with `# NUMBER · What was decided`",
  );
});

test("every decision that is cited exists", () => {
  const sources = ["src", "test", "bench", "scripts"].flatMap(sourceFiles);
  const cited = [...PAGES, ...sources].flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:ADR |adr\/)(\d{1,4})\b/g)].map(([, number = ""]) => ({
      path,
      number: number.padStart(4, "0"),
    })),
  );
  assert.ok(cited.length >= 50, "too few citations seen");
  assert.deepEqual(
    cited
      .filter(({ number }) => !PAGES.some((page) => page.path.startsWith(`docs/adr/${number}-`)))
      .map(({ path, number }) => `${path}: ${number}`),
    [],
  );
});
