import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  assertSame,
  drawRecord,
  RunRig,
  sorted,
  type TestRecord,
  textOf,
} from "../../../test/support/base/run-rig.ts";
import { SeededRandom } from "../random/index.ts";
import type { RunStackMarks } from "./index.ts";
import { splitStacks } from "./split-stacks.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

/** Ranges of equal size. */
const partsOf =
  (parts: number) =>
  (high: number): number =>
    Math.floor((high / 2 ** 32) * parts);

function split(rig: RunRig, from: readonly RunStackMarks[], parts: number): RunStackMarks[] {
  const { storage } = rig.machine;
  const folders = Array.from({ length: parts }, (_none, part) => `${parts}/${part}`);
  const options = { ...rig.format, storage, from, folders, partOf: partsOf(parts) };
  return [...rig.machine.result<readonly RunStackMarks[]>((done) => splitStacks(options, done))];
}

/** What each owner has: of each key the newest record. */
function contents(
  rig: RunRig,
  stacks: readonly RunStackMarks[],
  among: readonly TestRecord[],
): string[][] {
  return stacks.map(({ runs }) => {
    const found = new Map<string, string>();
    for (const mark of runs) {
      for (const text of rig.find(rig.open(mark), among)) {
        found.set(text.split(" ", 2).join(" "), text);
      }
    }
    return [...found.values()].sort();
  });
}

test("records keep their owner by range, and the newest stays the newest, however often they move", () => {
  const counts = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 0, maxLength: 5 });
  const lanes = fc.integer({ min: 1, max: 7 });
  fc.assert(
    fc.property(fc.nat(), counts, lanes, lanes, (seed, sizes, first, second) => {
      const random = new SeededRandom(seed);
      const rig = new RunRig(seed, 2, 64);
      const levels = sizes.map((size) =>
        Array.from({ length: size }, () => drawRecord(random, 2, 2 ** 12)),
      );
      const runs = levels.map((records, at) => rig.write(`old/run-${at + 1}`, records));
      const all = sorted(levels.flatMap(sorted));
      let stacks: readonly RunStackMarks[] = [{ runs, nextNumber: runs.length + 1 }];
      for (const parts of [first, second, 1]) {
        stacks = split(rig, stacks, parts);
        const partOf = partsOf(parts);
        const expected = stacks.map((_stack, part) =>
          all
            .filter(({ high }) => partOf(high) === part)
            .map(textOf)
            .sort(),
        );
        for (const [part, content] of contents(rig, stacks, all).entries()) {
          assertSame(content, expected[part] ?? []);
        }
        for (const stack of stacks) {
          assert.ok(stack.runs.length <= sizes.length, "there are no more runs than before");
          assert.ok(stack.runs.every(({ count }) => count > 0));
          assert.equal(stack.nextNumber, stack.runs.length + 1);
        }
      }
    }),
    { numRuns: isFull ? 200 : 15 },
  );
});

test("what is in the folders of new owners is replaced, and old runs stay", () => {
  const random = new SeededRandom("replaced");
  const rig = new RunRig("replaced", 0, 64);
  const draw = (): TestRecord[] =>
    Array.from({ length: 500 }, () => drawRecord(random, 0, 2 ** 12));
  const [before, after] = [draw(), draw()];
  const old = rig.write("2/0/run-1", before);
  const stack = { runs: [rig.write("old/run-1", after)], nextNumber: 2 };
  const stacks = split(rig, [stack], 2);
  assert.equal(stacks[0]?.runs[0]?.name, old.name);
  const all = [...before, ...after];
  assertSame(contents(rig, stacks, all).flat().sort(), sorted(after).map(textOf).sort());
  assertSame(contents(rig, [stack], all).flat(), sorted(after).map(textOf).sort());
});

test("a damaged run is not copied", () => {
  const rig = new RunRig("damaged", 0, 64);
  const random = new SeededRandom("damaged");
  const run = rig.write(
    "old/run-1",
    Array.from({ length: 500 }, () => drawRecord(random, 0, 2 ** 12)),
  );
  const { storage } = rig.machine;
  const missing = { runs: [{ ...run, name: "old/run-2" }], nextNumber: 3 };
  const options = { ...rig.format, storage, folders: ["new"], partOf: () => 0 };
  const outcome = rig.machine.outcome((done) => splitStacks({ ...options, from: [missing] }, done));
  assert.equal(outcome.error?.code, "RUN_DAMAGED");
});
