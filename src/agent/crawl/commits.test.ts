import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import { Commits } from "./commits.ts";

const EVERY_MS = 10_000;

class Rig {
  readonly time = new SimulatedTime();
  /** When commits began. */
  readonly begunAtMs: number[] = [];
  readonly #ends: Acknowledge[] = [];
  readonly commits = new Commits({
    configuration: configured(`store.checkpoint=${EVERY_MS}ms`),
    clock: this.time,
    services: () => ({
      ...{ index: null, rows: null, duplicates: { retry: () => undefined } },
      ...{ links: { memory: null, graph: null }, store: { flush: () => undefined } as never },
    }),
    commit: (done) => {
      this.begunAtMs.push(this.time.nowMs());
      this.#ends.push(done);
    },
    metFull: () => undefined,
    committed: () => undefined,
  });

  /** The commit that is under way ends well. */
  end(): void {
    this.#ends.shift()?.(null);
  }
}

test("a commit that is wanted soon begins in a turn of its own, and once", () => {
  const { commits, time, begunAtMs } = new Rig();
  commits.start();
  commits.soon();
  assert.deepEqual(begunAtMs, [], "whoever wants it may be in the middle of something");
  commits.soon();
  while (begunAtMs.length === 0) assert.ok(time.step());
  assert.deepEqual(begunAtMs, [0]);
});

test("no commit begins while one is under way; the next comes in its time", () => {
  const rig = new Rig();
  const { commits, time, begunAtMs } = rig;
  commits.start();
  commits.soon();
  while (begunAtMs.length === 0) assert.ok(time.step());
  commits.soon();
  rig.end();
  while (begunAtMs.length === 1) assert.ok(time.step());
  assert.deepEqual(begunAtMs, [0, EVERY_MS]);
  commits.stop();
  rig.end();
  commits.soon();
  time.settle();
  assert.equal(begunAtMs.length, 2);
});
