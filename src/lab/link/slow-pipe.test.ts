import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { SlowPipe } from "./slow-pipe.ts";
import { Transit } from "./transit.ts";

const CALM = { oneWayMs: 40, stallShare: 0, stallMs: [0, 0] } as const;
const MEBIBYTE = 1024 * 1024;

test("a receiver that does not read stops its sender, until it reads", async () => {
  const clock = new SimulatedTime();
  const from = new PassThrough({ highWaterMark: MEBIBYTE });
  let taken = 0;
  const waiting: (() => void)[] = [];
  const to = new Writable({
    write: (bytes: Buffer, _encoding, written) => {
      taken += bytes.length;
      waiting.push(written);
    },
  });
  const transit = new Transit(CALM, new SeededRandom("calm"));
  const pipe = new SlowPipe({ from, to, clock, transit });
  let sent = 0;
  while (!from.isPaused()) {
    from.write(Buffer.alloc(MEBIBYTE));
    sent += MEBIBYTE;
    await turn();
    clock.settle();
    assert.ok(sent <= 8 * MEBIBYTE, "it is stopped");
  }
  assert.equal(
    taken,
    MEBIBYTE,
    "the receiver has the first part, and has not said that it took it",
  );
  from.end();
  while (taken < sent) {
    waiting.shift()?.();
    await turn();
    clock.settle();
  }
  waiting.shift()?.();
  await turn();
  assert.equal(pipe.passedBytes, sent);
});
