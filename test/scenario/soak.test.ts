/**
 * A crawl that goes on for long, of a web that does not end: memory, handles and the delay of its event
 * loop stay where they are. Ten minutes with TROBAR_FULL=1; otherwise just long enough to see that it
 * is measured.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { changedProfile, openGeneratedWeb, PROFILES } from "../../src/lab/simweb/index.ts";
import { loopbackFlags } from "../support/agent/crawl-rig.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { SOAK_FILE, type SoakSample } from "./soak-probe.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const SECONDS = isFull ? 600 : 3;
const CONNECTIONS = 64;
/** Connections that wait for another request: `fetch.idleConnections`. */
const IDLE_CONNECTIONS = 100;
const DELAY_MS_MAX = 50;
/** By how much the last quarter of the time may be above the one before. */
const GROWTH_MAX = 1.1;

const PROBE = pathToFileURL(join(import.meta.dirname, "soak-probe.ts")).href;

async function soak(folder: string): Promise<{ summary: CrawlSummary; samples: SoakSample[] }> {
  const profile = changedProfile(PROFILES.scale, {
    hosts: { count: 500, pages: 2_000_000, pagesMax: 20_000 },
    pages: { medianBytes: 2000, spread: 0.5, bytesMax: 20_000 },
  });
  const web = await openGeneratedWeb({ profile, seed: "soak", clock: new SystemClock() });
  const file = join(folder, "samples");
  const child = new TrobarProcess(
    [
      ...["crawl", ...loopbackFlags(web.dnsPort), "--json", "-o", join(folder, "crawl")],
      ...["--scope", "any", "-c", String(CONNECTIONS), "--max-time", `${SECONDS}s`],
      ...["--set", "fetch.ports=any", "--set", "limits.pagesPerHost=~"],
      ...["--set", `fetch.idleConnections=${IDLE_CONNECTIONS}`],
      // However busy the machine is, nothing fails here.
      ...["--set", "dns.timeout=60s", "--set", "fetch.connectTimeout=60s"],
      ...["--set", "fetch.headerTimeout=60s", "--set", "fetch.idleTimeout=60s"],
      ...web.web.seeds(20),
    ],
    { NODE_OPTIONS: `--import ${PROBE}`, [SOAK_FILE]: file },
  );
  const code = await child.end();
  await web.close();
  assert.equal(code, 0, child.stderr);
  const samples = readFileSync(file, "utf8").trim().split("\n");
  return {
    summary: JSON.parse(child.stdout),
    samples: samples.map((line) => JSON.parse(line) as SoakSample),
  };
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

/** Both halves of the second half: in the first, tables and caches fill. */
function halves(samples: readonly SoakSample[]): [SoakSample[], SoakSample[]] {
  const settled = samples.slice(Math.floor(samples.length / 2));
  const middle = Math.floor(settled.length / 2);
  return [settled.slice(0, middle), settled.slice(middle)];
}

test("a crawl that goes on and on holds no more than before, and no turn takes long", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-soak-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const { summary, samples } = await soak(folder);
  assert.deepEqual([summary.reason, summary.errors], ["limit", {}]);
  assert.ok(summary.pages > 0 && samples.length > 0, "there was something to measure");
  const [before, after] = halves(samples);
  const delaysMs = [...before, ...after].flatMap((each) => each.delaysMs);
  const late = delaysMs.toSorted((one, two) => one - two)[Math.floor(0.99 * delaysMs.length)] ?? 0;
  const of = (part: "heldBytes" | "handles", half: readonly SoakSample[]): number =>
    meanOf(half.map((each) => each[part]));
  context.diagnostic(
    `${summary.pages} pages; held ${(of("heldBytes", before) / 2 ** 20).toFixed(1)}, then ` +
      `${(of("heldBytes", after) / 2 ** 20).toFixed(1)} MiB; handles ${of("handles", before).toFixed(0)}, ` +
      `then ${of("handles", after).toFixed(0)}; delay p99 ${late.toFixed(1)} ms`,
  );
  if (!isFull) return;
  assert.ok(late < DELAY_MS_MAX, `one tick in a hundred was ${late} ms late`);
  for (const part of ["heldBytes", "handles"] as const) {
    const [one, two] = [of(part, before), of(part, after)];
    assert.ok(two <= one * GROWTH_MAX, `${part} grew from ${one} to ${two}`);
  }
  const most = Math.max(...samples.map(({ handles }) => handles));
  assert.ok(most < CONNECTIONS + IDLE_CONNECTIONS + 100, `${most} handles`);
});
