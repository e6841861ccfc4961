import assert from "node:assert/strict";
import { test } from "node:test";
import { FetchLease } from "./fetch-lease.ts";

class Rig {
  nowMs = 1000;
  wallMs = 5_000_000;
  readonly memory = FetchLease.memory();
  readonly node = new FetchLease(this.memory, this.#clock(0));
  /** Its clock began 300 ms later. */
  readonly lane = new FetchLease(this.memory, this.#clock(300), 300);

  #clock(lateMs: number) {
    return { nowMs: () => this.nowMs - lateMs, wallMs: () => this.wallMs };
  }

  pass(ms: number, wallMs = ms): void {
    this.nowMs += ms;
    this.wallMs += wallMs;
  }
}

test("B5: visits begin while the node puts the lease forward, and not after it slept", () => {
  const time = new Rig();
  const { lane, node } = time;
  assert.equal(lane.mayFetch, false, "nothing was said yet");
  node.renew(100, true);
  assert.deepEqual([lane.mayFetch, lane.hasTokens], [true, true]);
  time.pass(99);
  assert.equal(lane.mayFetch, true);
  time.pass(1);
  assert.equal(lane.mayFetch, false);
  node.renew(100, false);
  assert.deepEqual([lane.mayFetch, lane.hasTokens], [true, false]);
  // The machine slept, and its monotonic clock stood still.
  time.pass(0, 3_600_000);
  assert.equal(lane.mayFetch, false);
});

test("a node that may not fetch ends the lease at once", () => {
  const { lane, node } = new Rig();
  node.renew(1000, true);
  node.renew(0, true);
  assert.equal(lane.mayFetch, false);
});
