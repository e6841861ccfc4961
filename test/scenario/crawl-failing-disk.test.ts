/**
 * Real crawls on a real disk that becomes read-only while they run, as file systems do that have found an
 * error, and on one whose quota is used up. From the first the crawl ends, and says so; the same command is
 * refused as long as nothing can be written, and goes on afterwards. For the second it waits.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { RepeatedRequests } from "../support/agent/repeated-requests.ts";
import { Ballast } from "../support/base/ballast.ts";
import { type FileSystem, LoopDisk, needsLoopDisks } from "../support/base/loop-disk.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { assertWhole, DISK_WEB, diskCrawlArgs } from "./disk-crawls.ts";

const isFullTest = process.env["TROBAR_FULL"] === "1";
const QUOTA_MIB = 48;
/** What was written longer ago has been synced: that is done every 150 ms. */
const UNSYNCED_MS = 500;
const CRAWLS = isFullTest ? 10 : 1;
/** How often the disk fails in each of them. */
const FAILURES = isFullTest ? 3 : 2;

interface Trial {
  readonly web: CrawledWeb;
  readonly disk: LoopDisk;
  /** The crawl directory. */
  readonly out: string;
  /** Is told of the end of each crawl but the last. */
  readonly repeats: RepeatedRequests;
  readonly random: SeededRandom;
  readonly start: () => TrobarProcess;
}

/** Crawls onto disks of a kind. The trial starts crawls until one ends by itself. */
async function onDisks(kind: FileSystem, tried: (trial: Trial) => Promise<void>): Promise<void> {
  for (let at = 0; at < CRAWLS; at += 1) {
    const seed = freshSeed();
    const random = new SeededRandom(seed);
    const disk = new LoopDisk(kind);
    const out = join(disk.root, "out");
    try {
      await withWeb(DISK_WEB, async (web) => {
        // Each lane is a thread, which takes as long to start as a process.
        const lanes = (): number => 1 + random.below(isFullTest ? 3 : 2);
        const start = (): TrobarProcess =>
          new TrobarProcess([...diskCrawlArgs(web, out, lanes()), "--json"]);
        const repeats = new RepeatedRequests(web);
        await tried({ web, disk, out, repeats, random, start });
        await assertWhole(web, out, repeats);
      });
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    } finally {
      disk.remove();
    }
  }
}

/** Resolves some requests later, or when the crawl has ended. */
async function someRequests({ web, random }: Trial, crawl: TrobarProcess): Promise<void> {
  await Promise.race([web.requests(web.entries.length + 5 + random.below(40)), crawl.end()]);
}

test(
  "a crawl whose disk becomes read-only ends, says so, and goes on when it can be written",
  {
    skip: needsLoopDisks("ext4"),
  },
  () =>
    onDisks("ext4", async (trial) => {
      const { web, disk, repeats, start } = trial;
      for (let at = 0; at < FAILURES; at += 1) {
        const crawl = start();
        await someRequests(trial, crawl);
        // What was not yet on the disk is lost as well.
        const durableAtMs = web.nowMs - UNSYNCED_MS;
        disk.fail();
        assert.equal(await crawl.end(), 4, crawl.stderr);
        assert.match(crawl.stderr, /EROFS|EIO|read-only/);
        disk.mend();
        repeats.killed(null, durableAtMs);
        disk.setReadOnly(true);
        const early = start();
        assert.equal(await early.end(), 4, early.stderr);
        assert.match(early.stderr, /read-only/);
        disk.setReadOnly(false);
      }
      const last = start();
      assert.equal(await last.end(), 0, last.stderr);
    }),
);

test(
  "a crawl whose quota is used up waits, and goes on by itself when there is room",
  {
    skip: needsLoopDisks("btrfs"),
  },
  () =>
    onDisks("btrfs", async (trial) => {
      const { disk, out, repeats, start, web } = trial;
      disk.quotaBytes = QUOTA_MIB * 1024 * 1024;
      const ballast = new Ballast(disk.root);
      let crawl = start();
      let fullAtMs = web.nowMs;
      for (let at = 0; at < FAILURES; at += 1) {
        await someRequests(trial, crawl);
        fullAtMs = web.nowMs;
        ballast.fill();
        // The room of files that are removed meanwhile is taken too.
        const filling = setInterval(() => ballast.fill(), 20);
        const isWaiting = await waits(crawl);
        clearInterval(filling);
        if (!isWaiting) repeats.killed(out, fullAtMs);
        const other = diskCrawlArgs(web, join(disk.root, "other"), 1);
        const early = new TrobarProcess([...other, "--json"]);
        assert.equal(await early.end(), 4, early.stderr);
        assert.match(early.stderr, /quota|no room/);
        ballast.remove();
        if (isWaiting) continue;
        crawl = start();
      }
      // It may meet the quota in the moment before there is room.
      if ((await crawl.end()) !== 0 && crawl.signal === "SIGBUS") {
        repeats.killed(out, fullAtMs);
        crawl = start();
      }
      assert.equal(await crawl.end(), 0, crawl.stderr);
    }),
);

/**
 * Whether a crawl says that it waits for room. On such a disk SQLite may meet a quota where the system can
 * only end the process, however careful it is: then the next one goes on.
 */
async function waits(crawl: TrobarProcess): Promise<boolean> {
  const told = crawl.stderr.length;
  try {
    await crawl.said("_FULL", told);
    return true;
  } catch (error) {
    if (crawl.signal !== "SIGBUS") throw error;
    return false;
  }
}
