/**
 * Real crawls on a small real disk that is filled again and again at random moments. Each time the crawl
 * stops taking work and says so; then there is room again, or it is stopped, or killed, and started once
 * more on the full disk before there is room. The web's own log and the archive judge.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { RepeatedRequests } from "../support/agent/repeated-requests.ts";
import { Ballast } from "../support/base/ballast.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { assertWhole, DISK_WEB, diskCrawlArgs } from "./disk-crawls.ts";

const DISK_MIB = 48;
const isFullTest = process.env["TROBAR_FULL"] === "1";
const CRAWLS = isFullTest ? 10 : 1;
/** What happens each time when the disk is full. */
const ENDS = isFullTest ? (["room", "stop", "kill", "room"] as const) : (["kill", "room"] as const);

async function crawlOnSmallDisk(
  web: CrawledWeb,
  disk: string,
  random: SeededRandom,
): Promise<void> {
  const out = join(disk, "out");
  const ballast = new Ballast(disk);
  const start = (): TrobarProcess =>
    new TrobarProcess([...diskCrawlArgs(web, out, 1 + random.below(3)), "--json"]);
  const repeats = new RepeatedRequests(web);
  let crawl = start();
  for (const then of ENDS) {
    await Promise.race([web.requests(web.entries.length + 5 + random.below(30)), crawl.end()]);
    // What is answered from now on is perhaps not written any more.
    const fullAtMs = web.nowMs;
    ballast.fill();
    // The room of files that are removed meanwhile is taken too.
    const filling = setInterval(() => ballast.fill(), 20);
    const told = crawl.stderr.length;
    await crawl.said("_FULL", told);
    clearInterval(filling);
    if (then !== "room") {
      crawl.kill(then === "stop" ? "SIGTERM" : "SIGKILL");
      assert.equal(await crawl.end(), then === "stop" ? 4 : null, crawl.stderr);
      repeats.killed(out, fullAtMs);
      ballast.fill();
      const early = start();
      assert.equal(await early.end(), 4, early.stderr);
      assert.match(early.stderr, /disk is full|no room|No space|no space/);
    }
    ballast.remove();
    if (then !== "room") crawl = start();
  }
  assert.equal(await crawl.end(), 0, crawl.stderr);
  await assertWhole(web, out, repeats);
}

test("a crawl on a disk that is full again and again loses no page, however it is ended", {
  skip: needsSmallDisks(),
}, async () => {
  for (let at = 0; at < CRAWLS; at += 1) {
    const seed = freshSeed();
    const disk = makeSmallDisk(DISK_MIB);
    try {
      await withWeb(DISK_WEB, (web) => crawlOnSmallDisk(web, disk, new SeededRandom(seed)));
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    } finally {
      removeSmallDisk(disk);
    }
  }
});
