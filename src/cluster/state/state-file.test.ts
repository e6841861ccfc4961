import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../base/random/index.ts";
import { Kernel, SimDisk } from "../../lab/simulator/index.ts";
import { StateFile } from "./state-file.ts";

test("D1: changes share a write, and each is told when it is durable", () => {
  const kernel = new Kernel({ seed: "state" });
  const disk = new SimDisk(new SeededRandom("state"));
  const storage = disk.mount(kernel.clock);
  let state = 0;
  let writes = 0;
  const file = new StateFile({
    ...{ storage, clock: kernel.clock, name: "s", retryMs: 10 },
    bytes: () => {
      writes += 1;
      return Uint8Array.of(state);
    },
    trouble: (error) => assert.fail(error.message),
  });
  const saved: number[] = [];
  for (const next of [1, 2, 3, 4]) {
    state = next;
    file.changed();
    file.whenSaved(() => saved.push(next));
  }
  assert.equal(saved.length, 0);
  kernel.pass(1000);
  assert.deepEqual(saved, [1, 2, 3, 4]);
  assert.equal(writes, 2);
  file.whenSaved(() => saved.push(5));
  assert.equal(saved.length, 5, "nothing is left to be written");
  state = 6;
  file.changed();
  state = 7;
  file.changed();
  file.whenSaved(() => disk.crash());
  kernel.pass(1000);
  let found: number | undefined;
  disk.mount(kernel.clock).readWhole("s", (_error, bytes) => {
    found = bytes?.[0];
  });
  kernel.pass(1000);
  assert.equal(found, 7, "the write that was under way did not have it");
});

test("a write that fails is made again, and told of once", () => {
  const kernel = new Kernel({ seed: "full" });
  const storage = new SimDisk(new SeededRandom("full")).mount(kernel.clock);
  const { replace } = storage;
  let failures = 3;
  const troubles: string[] = [];
  const failing = Object.create(storage, {
    replace: {
      value: (...call: Parameters<typeof replace>) => {
        failures -= 1;
        if (failures < 0) replace.apply(storage, call);
        else kernel.clock.after(1, () => call[2]({ code: "STORAGE_FULL" } as never));
      },
    },
  });
  const file = new StateFile({
    ...{ storage: failing, clock: kernel.clock, name: "s", retryMs: 10 },
    bytes: () => Uint8Array.of(1),
    trouble: ({ code }) => troubles.push(code),
  });
  const saved: string[] = [];
  file.changed();
  file.whenSaved(() => saved.push("before"));
  kernel.pass(5);
  file.whenSaved(() => saved.push("after the first failure"));
  kernel.pass(1000);
  assert.deepEqual(saved, ["before", "after the first failure"]);
  assert.deepEqual(troubles, ["STORAGE_FULL"]);
});
