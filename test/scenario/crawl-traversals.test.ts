import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { run } from "../../src/cli/shell/run.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-traversals-"));
after(() => rmSync(folder, { recursive: true }));
for (const [name, links] of [
  ["1", ["2", "3"]],
  ["2", ["1", "4"]],
  ["3", ["1"]],
  ["4", ["1"]],
] as const) {
  const anchors = links.map((link) => `<a href="${link}.html">page ${link}</a>`);
  writeFileSync(join(folder, `${name}.html`), `<title>Page ${name}</title>${anchors.join(" ")}`);
}
const SEED = pathToFileURL(join(folder, "1.html")).href;

async function crawl(
  name: string,
  flags: readonly string[],
): Promise<{ code: number; out: string }> {
  const out = join(folder, name);
  const line = ["crawl", SEED, "--out", out, "--json", "--quiet", ...flags];
  return { code: await run(line, new RecordedTerminal()), out };
}

function pagesIn(out: string): string[] {
  const lines = readFileSync(join(out, "logs", "crawl.log"), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => /(\d)\.html /.exec(line)?.[1] ?? "");
}

test("--set frontier.traversal=depth-first crawls all there is", async () => {
  const flags = ["--set", "frontier.traversal=depth-first", "--set", "frontier.memory=1Mi"];
  const { code, out } = await crawl("depth-first", flags);
  assert.equal(code, 0);
  assert.deepEqual(pagesIn(out).sort(), ["1", "2", "3", "4"]);
});

test("--set frontier.traversal=random-walk crawls up to the limit", async () => {
  const flags = ["--set", "frontier.traversal=random-walk", "--limit", "20"];
  const { code, out } = await crawl("walk", flags);
  assert.equal(code, 0);
  assert.equal(pagesIn(out).length, 20);
  // Pages that were visited again have one row and one set of links, and are found by their URLs.
  const found = async (...args: string[]) => {
    const terminal = new RecordedTerminal();
    const ended = await run(["store", ...args, "--json", "-o", out], terminal);
    return { ended, rows: terminal.rows() };
  };
  const { pages } = (await found("stats")).rows[0] ?? {};
  assert.equal(pages, new Set(pagesIn(out)).size);
  const seed = await found("links", SEED);
  assert.deepEqual([seed.ended, seed.rows.length], [0, 2]);
  assert.equal((await found("verify")).ended, 0);
});

test("a random walk without a limit, and a score that is not there, end with 2", async () => {
  const walk = await crawl("endless", ["--set", "frontier.traversal=random-walk"]);
  assert.equal(walk.code, 2);
  const score = ["--set", "frontier.traversal=priority", "--set", "frontier.score=./no-score.js"];
  assert.equal((await crawl("no-score", score)).code, 2);
});
