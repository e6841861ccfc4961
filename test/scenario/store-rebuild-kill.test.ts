/**
 * Real processes of `store verify --rebuild` that are killed at random moments, and begun again until one
 * ends: then nothing is wrong with the directory, the crawl goes on, and the web says that each page was
 * fetched and stored.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readRebuildState } from "../../src/agent/verify/rebuild-state.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { type DemoJudgement, DemoWeb } from "../../src/cli/demo/demo-web.ts";
import { run } from "../../src/cli/shell/run.ts";
import {
  changedProfile,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
} from "../../src/lab/simweb/index.ts";
import { noteOf } from "../../src/store/archive/index.ts";
import { crawlInto, type EndedCrawl } from "../support/agent/crawl-rig.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const RUNS = isFull ? 30 : 3;
const KILLS_MAX = 3;
/** A rebuild of so few pages makes about so many changes to the files of its directory; most when it replays. */
const CHANGES = { all: 220, beforeReplay: 40 };
/** Of this process's event loop, after the last change that is waited for. */
const TURNS_MAX = 3000;
const PAGES = { part: 30, whole: 10_000 };
const TINY: ProfileChanges = { hosts: { count: 10, pages: 90 } };

interface Damage {
  readonly name: string;
  readonly profile: ProfileName;
  readonly harm: (folder: string, random: Random) => void;
}

const lose =
  (...names: readonly string[]): Damage["harm"] =>
  (folder) => {
    for (const name of names) rmSync(join(folder, name), { recursive: true });
  };

/** Other bytes somewhere in the middle of the first file of a folder, or of the file itself. */
const spoil =
  (...names: readonly string[]): Damage["harm"] =>
  (folder, random) => {
    for (const name of names) {
      const path = join(folder, name);
      const [first = ""] = name.includes(".") ? [] : readdirSync(path).sort();
      const bytes = readFileSync(join(path, first));
      const at = Math.floor(bytes.length * (0.3 + random.below(60) / 100));
      bytes.fill(0x5a, at, at + 8);
      writeFileSync(join(path, first), bytes);
    }
  };

const DAMAGES: readonly Damage[] = [
  { name: "all is lost", profile: "plain", harm: lose("crawl.db", "frontier", "links") },
  { name: "archive and log damaged", profile: "plain", harm: spoil("warc", "logs/crawl.log") },
  { name: "crawl.db damaged", profile: "realistic", harm: spoil("crawl.db") },
  { name: "crawl.db lost", profile: "realistic", harm: lose("crawl.db") },
  { name: "frontier lost", profile: "plain", harm: lose("frontier") },
  { name: "links and index lost", profile: "plain", harm: lose("links", "index") },
  { name: "links damaged", profile: "plain", harm: spoil("links/graph/log.log") },
  { name: "archive damaged", profile: "realistic", harm: spoil("warc") },
];

/** Resolves when files of a folder have changed this often, and some turns later. */
function changed(folder: string, times: number, turns: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let changesLeft = times;
    let turnsLeft = turns;
    const turn = (): void => {
      turnsLeft -= 1;
      if (turnsLeft < 0) resolve();
      else setImmediate(turn);
    };
    watch(folder, { recursive: true, signal }, () => {
      changesLeft -= 1;
      if (changesLeft === 0) turn();
    });
  });
}

/** In which phase of the rebuild its process was killed; null if it ended before. */
async function killRebuild(folder: string, random: Random): Promise<string | null> {
  const over = new AbortController();
  const times = 1 + random.below(random.below(2) === 0 ? CHANGES.all : CHANGES.beforeReplay);
  const moment = changed(folder, times, random.below(TURNS_MAX), over.signal);
  const rebuild = new TrobarProcess(["store", "verify", "--rebuild", "-q", "-o", folder]);
  await Promise.race([moment, rebuild.end()]);
  rebuild.kill("SIGKILL");
  const code = await rebuild.end();
  over.abort();
  assert.ok(rebuild.signal === "SIGKILL" || code === 0, rebuild.stderr);
  return rebuild.signal === null ? null : (readRebuildState(folder)?.phase ?? "none");
}

/** What a command says, which ends well. */
async function answerOf(...argv: readonly string[]): Promise<Record<string, unknown>> {
  const terminal = new RecordedTerminal();
  const code = await run([...argv, "--json", "-q"], terminal);
  assert.equal(code, 0, `${argv.join(" ")}: ${terminal.written}${terminal.said}`);
  return terminal.rows()[0] as Record<string, unknown>;
}

/** Each page is in the archive once, and only those were fetched again whose bodies it did not have. */
function assertNothingLost({ verdict, archive }: DemoJudgement, { lines }: EndedCrawl): void {
  const lost = lines.filter((line) => noteOf(line, "lost") !== null).length;
  const { again } = verdict.fetches;
  assert.ok(again <= lost, `${again} pages fetched again, ${lost} lost`);
  const sins = verdict.sins.filter(({ sin }) => sin !== "fetched-again");
  assertFlawless({ verdict: { ...verdict, sins, overlap: 0 }, archive });
}

/** The phases in which it was killed. */
async function killedRun(damage: Damage, seed: string): Promise<readonly string[]> {
  const random = new SeededRandom(seed);
  const small = changedProfile(PROFILES[damage.profile], SMALL);
  const web = await DemoWeb.open({ profile: changedProfile(small, TINY), seed });
  const folder = mkdtempSync(join(tmpdir(), "trobar-rebuild-kill-"));
  const argv = ["crawl", "--json", "-q", "-o", folder, ...flagsFor(web.facts), web.facts.seed];
  const settings = ["--set", "parse.language=false", "-n"];
  const phases: string[] = [];
  try {
    await crawlInto(folder, [...argv, ...settings, String(PAGES.part)]);
    damage.harm(folder, random);
    for (let left = KILLS_MAX; left > 0; left -= 1) {
      const phase = await killRebuild(folder, random);
      if (phase !== null) phases.push(phase);
    }
    const rebuilt = await answerOf("store", "verify", "--rebuild", "-o", folder);
    const clean = await answerOf("store", "verify", "-o", folder);
    assert.equal(clean["waiting"], rebuilt["waiting"]);
    const last = await crawlInto(folder, [...argv, ...settings, String(PAGES.whole)]);
    assert.equal(last.code, 0, last.terminal.said);
    await answerOf("store", "verify", "-o", folder);
    assertNothingLost(await judgeCrawl(web, folder, { seeds: [web.facts.seed] }), last);
    return phases;
  } finally {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a rebuild that is killed at random moments loses no page", async (context) => {
  const phases: string[] = [];
  for (let number = 0; number < RUNS; number += 1) {
    const damage = DAMAGES[number % DAMAGES.length] as Damage;
    const seed = `rebuild ${number}`;
    context.diagnostic(`seed ${seed}: ${damage.name}`);
    phases.push(...(await killedRun(damage, seed)));
  }
  const counts = Object.groupBy(phases, (phase) => phase);
  const told = Object.entries(counts).map(([phase, { length = 0 } = []]) => `${phase} ${length}`);
  context.diagnostic(`${RUNS} runs, ${phases.length} kills (${told.join(", ")})`);
});
