/**
 * Whole crawls in virtual time on a disk of which one call fails: the first, the second, and so on, until
 * a crawl makes no such call any more. Either the crawl does without, or it ends with an error of the disk
 * that says what to do; the next run goes on, and every page is stored once. The same in a run that
 * replays what a killed one did.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunningCrawl } from "../../src/agent/crawl/running-crawl.ts";
import type { CrawlError } from "../../src/base/errors/index.ts";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { EXIT, exitCodeOf } from "../../src/cli/shell/exit-code.ts";
import type { SimDisk } from "../../src/lab/simulator/index.ts";
import { isAboutPage, isFinal } from "../../src/store/archive/index.ts";
import { INDEX_FILE } from "../../src/store/index/index.ts";
import { storedOn, treeOfPages } from "../support/agent/virtual-archive.ts";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import { urlOf } from "../support/agent/virtual-web.ts";

const isFullTest = process.env["TROBAR_FULL"] === "1";
const GRAPH = treeOfPages(5, 10);
const ALL = Object.keys(GRAPH).sort();

interface Case {
  readonly lanes: number;
  /** Which call fails, counted from the start of its run. */
  readonly call: number;
  /** Whether it is a call to the database. */
  readonly isDatabase: boolean;
  /** Whether the run replays what one did that was killed after so many events; null if it is the first. */
  readonly killedAfter: number | null;
}

/** Whether the call was made. */
async function crawlFailing(tried: Case): Promise<boolean> {
  const what = JSON.stringify(tried);
  const { lanes, call, isDatabase, killedAfter } = tried;
  const faulty = killedAfter === null ? 0 : 1;
  let disk: SimDisk | null = null;
  let isMade = false;
  let databaseCalls = 0;
  let failed: RunningCrawl | null = null;
  const crawl = await crawlVirtually({
    ...{ graph: GRAPH, seeds: ["h0/0"], seed: `killed after ${killedAfter}` },
    settings: ["politeness.hostDelay=50ms", "store.checkpoint=700ms", `lanes=${lanes}`],
    kills: killedAfter === null ? [] : [{ steps: killedAfter, isPower: false }],
    // A failure of the database that the faulty run has not met is met by the next one.
    furtherRuns: isDatabase ? 2 : 1,
    beforeRun: (run, made) => {
      disk = made;
      const first = made.calls;
      const database = made.database(INDEX_FILE);
      made.failWhen = () => false;
      if (run === faulty + 1) isMade ||= isDatabase && database.calls >= databaseCalls + call;
      if (run !== faulty) return;
      databaseCalls = database.calls;
      if (isDatabase) database.failCall(call, "DATABASE_FAILED");
      else {
        made.failWhen = ({ number }) => {
          isMade ||= number === first + call;
          return number === first + call;
        };
      }
    },
    controlled: (made) => {
      failed ??= made;
    },
  });
  assert.ok(disk !== null);
  assert.equal(crawl.summary.state, "finished", what);
  for (const error of crawl.reports) refuseUnclear(error, what);
  const failure = (failed as RunningCrawl | null)?.life.failure ?? null;
  if (failure !== null) refuseUnclear(failure, what);
  const lines = crawl.lines.filter((line) => isAboutPage(line) && isFinal(line));
  assert.equal(lines.length, ALL.length, what);
  assert.deepEqual([...new Set(crawl.pages)].sort(), ALL, what);
  assert.deepEqual(storedOn(disk), ALL.map(urlOf).sort(), what);
  return isMade;
}

/** An error of the disk has a code of it and says what to do. */
function refuseUnclear(error: CrawlError, what: string): void {
  assert.equal(exitCodeOf(error.code), EXIT.disk, `${what}: ${error.code} ${error.message}`);
}

const seed = freshSeed();

/** Every call in the full tests; else some, others in each run of the tests. */
for (const { name, lanes, killedAfter, isDatabase, stride } of [
  { name: "disk, one lane", lanes: 1, killedAfter: null, isDatabase: false, stride: 29 },
  { name: "disk, two lanes", lanes: 2, killedAfter: null, isDatabase: false, stride: 71 },
  { name: "disk, a replay", lanes: 1, killedAfter: 700, isDatabase: false, stride: 29 },
  {
    name: "disk, a replay in two lanes",
    lanes: 2,
    killedAfter: 900,
    isDatabase: false,
    stride: 71,
  },
  { name: "database, one lane", lanes: 1, killedAfter: null, isDatabase: true, stride: 11 },
  { name: "database, a replay", lanes: 1, killedAfter: 700, isDatabase: true, stride: 5 },
]) {
  test(`whichever call fails, no page is lost: ${name} (seed ${seed})`, async (context) => {
    const step = isFullTest ? 1 : stride;
    let call = 1 + new SeededRandom(`${seed} ${name}`).below(step);
    let calls = 0;
    for (; await crawlFailing({ lanes, call, killedAfter, isDatabase }); call += step) calls += 1;
    context.diagnostic(`${calls} calls failed, one in each crawl; a crawl makes about ${call}`);
    assert.ok(calls > 1, "there were too few calls");
  });
}
