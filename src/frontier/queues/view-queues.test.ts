import assert from "node:assert/strict";
import { test } from "node:test";
import { driven, QueuesRig } from "../../../test/support/frontier/queues-rig.ts";
import { viewQueue } from "./view-queues.ts";

test("queues are seen from outside as they are at the checkpoint, in bundles and journals", async () => {
  const rig = new QueuesRig({ seed: "view", order: "fifo" });
  rig.open();
  for (let round = 0; round < 40; round += 1) {
    for (let queue = 0; queue < 5; queue += 1) rig.push(queue, 5 + ((round + queue) % 40), 0);
    if (round % 3 === 0) rig.pull(round % 5, 2);
    rig.settle();
  }
  rig.checkpoint();
  rig.settle();
  const { marks, model } = rig;
  assert.ok(marks !== null && marks.bundles.length > 0, "some records are in bundles");
  for (let queue = 0; queue < 6; queue += 1) {
    const seen: readonly Buffer[] = await driven(
      rig,
      viewQueue(rig.machine.storage, "frontier/queues", marks, queue),
    );
    const texts = (model.get(queue) ?? []).map(({ text }) => text);
    assert.deepEqual(seen.map(String), texts);
  }
});
