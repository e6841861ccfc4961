import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { CLUSTER_MIXES, ClusterTrial, optionsOf, USUAL_SIZE } from "../../lab/agents/index.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import { run } from "../shell/run.ts";
import { type StudyReport, studyText } from "./study-report.ts";

async function simulated(...args: readonly string[]): Promise<RecordedTerminal> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(["simulate", ...args], terminal), 0, terminal.said);
  return terminal;
}

test("schedules are run, mix by mix, and counted", async () => {
  const terminal = await simulated("--faults", "calm,none", "--runs", "3", "--seed", "7", "--json");
  const [result] = terminal.rows();
  assert.ok(result !== undefined);
  assert.equal(result["runs"], 3);
  assert.equal(result["failures"], 0);
  const mixes = result["mixes"] as readonly Record<string, unknown>[];
  assert.deepEqual(
    mixes.map(({ faults, runs }) => [faults, runs]),
    [
      ["calm", 2],
      ["none", 1],
    ],
  );
  for (const mix of mixes) assert.equal(mix["pages"], mix["fetches"], "no page is fetched twice");
});

test("without --json a table is printed, and how many schedules a minute were run", async () => {
  const { written } = await simulated("--faults", "calm", "--runs", "1", "--agents", "2");
  assert.match(written, /^faults +runs +struck +pages/);
  assert.match(written, /\ncalm +1 +0 +52 +52 /);
  assert.match(
    written,
    /1 schedules of 2 agents and 1 that may join, .* a minute\): nothing failed/,
  );
});

test("all mistakes are told at once, with what would be right", async () => {
  const terminal = new RecordedTerminal();
  const line = ["--faults", "dsks,join", "--runs", "0", "--agents", "1", "--sed", "1", "word"];
  assert.equal(await run(["simulate", ...line], terminal), 2);
  assert.equal(terminal.written, "");
  for (const part of [
    /5 mistakes/,
    /did you mean disks\?/,
    /--runs/,
    /--agents/,
    /--sed/,
    /word/,
  ]) {
    assert.match(terminal.said, part);
  }
});

test("what failed is counted in the table", () => {
  const [mix] = CLUSTER_MIXES as [(typeof CLUSTER_MIXES)[number]];
  const failures = [{ seed: "3", check: "coverage", message: "2 of 52 missing" }];
  const counts = { runs: 4, faults: 1, events: 9, pages: 208, fetches: 211, lostSeeds: 5 };
  const again = new Map([["avoidable" as const, 3]]);
  const report: StudyReport = {
    ...{ runs: 4, failures: 1, seconds: 2, agents: 4, spares: 2 },
    tallies: [{ mix, ...counts, again, failures }],
  };
  const text = studyText(report, false);
  assert.match(text, /none +4 +1 +208 +211 +0\.75 +0 +0 +0 +0 +0 +3 +5 +1\n/);
  assert.match(text, /\(120 a minute\): 1 failed/);
});

test("docs/simulate.md has everything that is judged", () => {
  const [mix] = CLUSTER_MIXES as [(typeof CLUSTER_MIXES)[number]];
  const kernel = new Kernel({ seed: "judged" });
  const { always, atEnd } = new ClusterTrial(kernel, optionsOf(mix, USUAL_SIZE, kernel.random));
  const page = readFileSync("docs/simulate.md", "utf8");
  const named = [...page.matchAll(/^- (\*\*.*?): /gm)].flatMap(([, names = ""]) =>
    names.replaceAll("**", "").split(", "),
  );
  const judged = new Set([...Object.keys(always), ...Object.keys(atEnd), "ends", "throws"]);
  assert.deepEqual(named.toSorted(), [...judged].toSorted());
});

test("docs/simulate.md has every mix of faults", () => {
  const page = readFileSync("docs/simulate.md", "utf8");
  const [table = ""] = page.split("\n## What must hold\n");
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(
    named,
    CLUSTER_MIXES.map(({ name }) => name),
  );
});
