/** Each lane replays what belongs to it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pageOf, StoreRig } from "../../../test/support/store/store-rig.ts";
import { hostOf } from "../../formats/url/index.ts";
import { Replay, type Replayable } from "./replay.ts";

const ROBOTS = "http://h1.example/robots.txt";

/** What a lane replays that has the hosts with this name; two pages and a robots.txt were fetched. */
async function replayedBy(host: string): Promise<readonly string[]> {
  const rig = new StoreRig("replay in lanes");
  rig.open();
  const { crawl } = pageOf(1);
  const robots = { ...crawl, depth: 0, via: null, notes: [["robots"]] as const };
  rig.put(pageOf(4, { url: ROBOTS, crawl: robots }));
  for (const number of [1, 2]) rig.put(pageOf(number));
  rig.close();
  const found: Replayable[] = [];
  let isFailed = false;
  const replay = new Replay({
    ...{
      storage: rig.machine.storage,
      from: 0,
      countsOnly: false,
      past: null,
      takesSitemaps: false,
    },
    isOwn: ({ high }) => high === 1,
    fingerprintOf: (url) => ({ high: hostOf(url) === host ? 1 : 0, low: url.length }),
    keyOf: (url) => url,
    ...{ noted: () => undefined, lost: () => undefined, rests: () => undefined },
    tried: () => undefined,
    ready: () => {
      for (let next = replay.next(); next !== null; next = replay.next()) found.push(next);
    },
    failed: () => {
      isFailed = true;
    },
  });
  replay.start();
  for (let turn = 0; turn < 2000 && !replay.isOver && !isFailed; turn += 1) {
    rig.machine.time.step();
    await setImmediate();
  }
  assert.ok(replay.isOver && !isFailed, "all was read");
  assert.equal(replay.counts.pages + replay.counts.robots, found.length);
  return found.map((each) => (each.kind === "robots" ? each.errand.url : each.errand.ticket.url));
}

test("a lane replays the pages of its hosts, and the robots.txt files of its origins, and no others", async () => {
  assert.deepEqual(await replayedBy("h1.example"), [ROBOTS, pageOf(1).url]);
  assert.deepEqual(await replayedBy("h2.example"), [pageOf(2).url]);
  assert.deepEqual(await replayedBy("h0.example"), []);
});
