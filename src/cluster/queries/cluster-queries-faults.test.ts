/** Q2, Q3 with agents that crash, and messages that are lost, doubled, late: nothing is said twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../base/random/index.ts";
import { Rig } from "./cluster-queries.fixture.ts";

const RUNS = process.env["TROBAR_FULL"] === "1" ? 2000 : 100;

function tryStream(seed: string): number {
  const random = new SeededRandom(seed);
  const ids = ["a", "b", "c", "d"].slice(0, 2 + random.below(3));
  const rig = new Rig(ids, seed, {
    ...{ lossRatio: 0.15, duplicateRatio: 0.1, reorderRatio: 0.4, lateRatio: 0.1, lateMsMax: 900 },
  });
  const { kernel, cluster } = rig.peers;
  for (const id of ids) {
    const length = random.below(12);
    rig.store(id).items = Array.from({ length }, (_, at) => `${id} ${at}`);
  }
  for (const id of ids.slice(1)) {
    if (random.below(3) > 0) continue;
    kernel.schedule(random.below(2000), () => {
      kernel.schedule(random.below(5000), cluster.takeDown(id));
    });
  }
  const seen: string[] = [];
  let cursor = "";
  let missing = 0;
  // Read in pieces, as by somebody who stops and goes on with the cursor.
  for (let piece = 0; piece < 40; piece += 1) {
    const { items, last } = rig.readStream("a", "", cursor, 1 + random.below(6));
    seen.push(...items);
    cursor = last?.cursor ?? cursor;
    missing += last?.missing.length ?? 0;
    if (last?.from === null && last.missing.length === 0) break;
  }
  const all = ids.flatMap((id) => rig.store(id).items);
  assert.deepEqual(seen.toSorted(), all.toSorted());
  for (const id of ids) {
    assert.deepEqual(
      seen.filter((item) => item.startsWith(id)),
      rig.store(id).items,
    );
  }
  return missing;
}

test("Q3: with its cursor a stream gives everything once, whoever was missing for a while", () => {
  let missing = 0;
  for (let seed = 0; seed < RUNS; seed += 1) {
    try {
      missing += tryStream(String(seed));
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  assert.ok(missing > 0, "somebody was missing in some of them");
});
