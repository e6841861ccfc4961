import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { type ClusterReport, type PeersSought, untilThere } from "./peers-wait.ts";

const NOT_RUNNING = new CrawlError("CONTROL_NOT_RUNNING", "It is not running.");

/** What each look shows; the last one goes on. */
type Looks = readonly (ClusterReport | CrawlError | null)[];

function reportOf(active: number): ClusterReport {
  const member = { standing: "alive", inRing: true, status: { state: "active" } };
  const members = Array.from({ length: active }, () => member);
  return { members, missing: [], views: 1 } as unknown as ClusterReport;
}

/** A clock on which what is waited for comes at once. */
function hastyClock(): Clock {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    after: (delayMs: number, fire: () => void) => {
      nowMs += delayMs;
      queueMicrotask(fire);
      return { cancel: () => undefined };
    },
  } as unknown as Clock;
}

function sought(looks: Looks, told: string[]): PeersSought {
  let at = 0;
  return {
    clock: hastyClock(),
    interrupted: new Promise(() => undefined),
    look: async () => {
      const seen = looks[Math.min(at, looks.length - 1)] ?? null;
      at += 1;
      return seen;
    },
    absent: ({ code }) => void told.push(code),
  };
}

test("agents that are not there yet are waited for, and that is said once", async () => {
  const told: string[] = [];
  const missing = new CrawlError("DIRECTORY_MISSING", "There is no crawl.");
  const looks = [missing, NOT_RUNNING, null, reportOf(1), NOT_RUNNING, reportOf(1), reportOf(2)];
  const report = await untilThere(2, sought(looks, told));
  assert.deepEqual([report?.members.length, told], [2, ["DIRECTORY_MISSING"]]);
});

test("a crawl that nobody starts is not waited for, but one that is starting is", async () => {
  const absent = sought([NOT_RUNNING], []);
  await assert.rejects(untilThere(1, absent), { code: "CONTROL_NOT_RUNNING" });
  assert.equal(absent.clock.nowMs(), 60_000);
  const long: Looks = [...Array.from({ length: 1000 }, () => null), reportOf(1)];
  assert.ok((await untilThere(1, sought(long, []))) !== null);
});

test("who does not want to wait any longer need not", async () => {
  const looking = { ...sought([null], []), interrupted: Promise.resolve() };
  assert.equal(await untilThere(1, looking), null);
});
