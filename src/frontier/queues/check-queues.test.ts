import assert from "node:assert/strict";
import { test } from "node:test";
import { driven, QueuesRig } from "../../../test/support/frontier/queues-rig.ts";
import { checkQueues } from "./check-queues.ts";

const FOLDER = "frontier/queues";

/** Queues of five hosts of which some records are in bundles, some in journals, and some taken. */
function filled(order: "fifo" | "lifo"): QueuesRig {
  const rig = new QueuesRig({ seed: `check ${order}`, order });
  rig.open();
  for (let round = 0; round < 40; round += 1) {
    for (let queue = 0; queue < 5; queue += 1) rig.push(queue, 5 + ((round + queue) % 40), 0);
    if (round % 3 === 0) rig.pull(round % 5, 2);
    rig.settle();
  }
  rig.checkpoint();
  rig.settle();
  return rig;
}

async function check(rig: QueuesRig, order: "fifo" | "lifo") {
  const { marks } = rig;
  assert.ok(marks !== null && marks.bundles.length > 0, "some records are in bundles");
  const found = new Map<number, string[]>();
  const problems: string[] = [];
  const count = await driven(
    rig,
    checkQueues(
      { storage: rig.machine.storage, folder: FOLDER, order, marks },
      {
        record: (host, record) => {
          found.set(host, [...(found.get(host) ?? []), Buffer.from(record).toString()]);
        },
        problem: (file, _at, problem) => problems.push(`${file}: ${problem}`),
      },
    ),
  );
  return { found, problems, count };
}

for (const order of ["fifo", "lifo"] as const) {
  test(`every record that waits is found, ${order}`, async () => {
    const rig = filled(order);
    const { found, problems, count } = await check(rig, order);
    assert.deepEqual(problems, []);
    let due = 0;
    for (const [queue, records] of rig.model) {
      due += records.length;
      assert.deepEqual(
        (found.get(queue) ?? []).sort(),
        records.map(({ text }) => text).sort(),
        `queue ${queue}`,
      );
    }
    assert.equal(count, due);
  });
}

test("bits that are altered in the files are told", async () => {
  for (const file of ["pushes.", "takes.", "bundle-"]) {
    let told = 0;
    const rig = filled("fifo");
    const { disk } = rig.machine;
    const names = disk.fileNames().filter((name) => name.startsWith(`${FOLDER}/${file}`));
    for (const name of names) {
      const bits = 8 * (disk.contentOf(name)?.length ?? 0);
      for (let bit = 0; bit < bits; bit += 211) {
        disk.flipBit(name, bit);
        told += (await check(rig, "fifo")).problems.length > 0 ? 1 : 0;
        disk.flipBit(name, bit);
      }
    }
    assert.ok(told > 5, `${file}: told ${told} times`);
  }
});
