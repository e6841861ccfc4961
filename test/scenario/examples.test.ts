import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { run } from "../../src/cli/run.ts";
import { RecordedTerminal } from "../support/recorded-terminal.ts";
import { crawlVirtually } from "../support/virtual-crawl.ts";

/** What each example does when it is tried as its head says. */
const TRIALS: Readonly<Record<string, () => Promise<void>>> = {
  "01-configuration.yaml": async () => {
    const terminal = await trobar("inspect config --json --config examples/01-configuration.yaml");
    const keys = JSON.parse(terminal.written);
    assert.equal(keys["limits.pages"].value, 10_000);
    assert.equal(keys["politeness.hostDelay"].value, 2000);
    assert.match(keys["filters.schedule"].value, /DuplicateSegmentsLessThan\(3\)/);
  },
  "02-filter-atom.js": async () => {
    const filter = "./examples/02-filter-atom.js#YearBetween(2020,2026)";
    const urls = "https://example.org/2024/05/news.html https://example.org/1999/old.html";
    const terminal = await trobar(`inspect filter --json ${filter} ${urls}`);
    assert.deepEqual(
      terminal.rows().map((row) => row["accepts"]),
      [true, false],
    );
  },
  "03-score.js": async () => {
    const { pages, reports } = await crawlVirtually({
      graph: { "a/": ["a/x/y/z", "a/x?q=1", "a/x/y", "a/x"], "a/x": ["a/w"] },
      seeds: ["a/"],
      settings: ["frontier.traversal=priority", "frontier.score=./examples/03-score.js"],
    });
    assert.deepEqual(pages, ["a/", "a/x", "a/w", "a/x/y", "a/x/y/z", "a/x?q=1"]);
    assert.deepEqual(reports, []);
  },
};

async function trobar(line: string): Promise<RecordedTerminal> {
  const terminal = new RecordedTerminal();
  const code = await run(line.split(" "), terminal);
  assert.equal(code, 0, terminal.said);
  return terminal;
}

test("every example is tried", () => {
  const examples = readdirSync("examples").filter((name) => name !== "README.md");
  assert.deepEqual(examples.sort(), Object.keys(TRIALS).sort());
});

for (const [name, trial] of Object.entries(TRIALS)) test(`the example ${name} works`, trial);
