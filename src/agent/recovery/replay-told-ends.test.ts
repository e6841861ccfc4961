/** In a rebuild the frontier knows every page that has ended before any link is offered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pageOf, StoreRig } from "../../../test/support/store/store-rig.ts";
import { Replay } from "./replay.ts";

test("all pages that have ended are told first, as the frontier has room, and then replayed as told", async () => {
  const rig = new StoreRig("replay of told ends");
  rig.open();
  const { crawl } = pageOf(1);
  const repeated = { ...crawl, notes: [["retry"]] as const };
  const robots = { ...crawl, depth: 0, via: null, notes: [["robots"]] as const };
  rig.put(pageOf(1));
  rig.put(pageOf(4, { url: "http://h1.example/robots.txt", crawl: robots }));
  rig.put(pageOf(2, { crawl: repeated }));
  rig.put(pageOf(3));
  rig.close();
  const said: string[] = [];
  let room = 1;
  const replay: Replay = new Replay({
    ...{ storage: rig.machine.storage, from: 0, countsOnly: false, takesSitemaps: false },
    past: {
      ended: (line, ticket) => {
        room -= 1;
        assert.equal(line.url, ticket.url);
        said.push(`told ${ticket.url}`);
      },
      isFull: () => room === 0,
      over: () => said.push("all told"),
    },
    isOwn: () => true,
    fingerprintOf: (url) => ({ high: 1, low: url.length }),
    keyOf: (url) => url,
    ...{ noted: () => undefined, lost: () => undefined, rests: () => undefined },
    tried: ({ url }) => said.push(`tried ${url}`),
    ready: () => undefined,
    failed: (error) => assert.fail(error),
  });
  replay.start();
  for (let turn = 0; turn < 2000 && !replay.isOver; turn += 1) {
    rig.machine.time.step();
    await setImmediate();
    // Whoever asks for the next one has seen that there is room.
    if (turn % 100 === 0) room = 1;
    const next = replay.next();
    if (next?.kind === "page") {
      assert.ok(next.page.isTold);
      said.push(`replayed ${next.errand.ticket.url}`);
    }
  }
  const [one, two, three] = [1, 2, 3].map((number) => pageOf(number).url);
  assert.deepEqual(said, [
    ...[`told ${one}`, `told ${three}`, "all told"],
    ...[`replayed ${one}`, `tried ${two}`, `replayed ${three}`],
  ]);
});
