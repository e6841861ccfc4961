import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { IdleWaves } from "./idle-waves.ts";

function rig(lanes: number, stays = false) {
  const log = { asked: 0, over: 0 };
  const waves = new IdleWaves({
    lanes,
    ask: () => {
      log.asked += 1;
    },
    over: () => {
      log.over += 1;
      return !stays;
    },
  });
  return { waves, log };
}

test("two equal waves in which all are idle end the crawl", () => {
  const { waves, log } = rig(2);
  waves.idle(0);
  assert.equal(log.asked, 0);
  waves.idle(1);
  assert.equal(log.asked, 1);
  waves.answered(0, { isIdle: true, sent: 3, received: 1 });
  waves.answered(1, { isIdle: true, sent: 1, received: 3 });
  assert.deepEqual([log.asked, log.over], [2, 0]);
  waves.answered(1, { isIdle: true, sent: 1, received: 3 });
  waves.answered(0, { isIdle: true, sent: 3, received: 1 });
  assert.deepEqual([log.asked, log.over], [2, 1]);
});

test("a wave that balances by chance does not end the crawl if the next one differs", () => {
  const { waves, log } = rig(3);
  for (const lane of [0, 1, 2]) waves.idle(lane);
  // The first has answered before it was sent something; what it sent on was counted by the second.
  waves.answered(0, { isIdle: true, sent: 0, received: 0 });
  waves.answered(1, { isIdle: true, sent: 0, received: 1 });
  waves.answered(2, { isIdle: true, sent: 1, received: 0 });
  assert.deepEqual([log.asked, log.over], [2, 0]);
  waves.answered(0, { isIdle: true, sent: 1, received: 1 });
  waves.answered(1, { isIdle: true, sent: 0, received: 1 });
  waves.answered(2, { isIdle: true, sent: 1, received: 0 });
  assert.deepEqual([log.asked, log.over], [3, 0]);
});

test("a lane that is busy is asked again only when it says that it is idle", () => {
  const { waves, log } = rig(2);
  waves.idle(0);
  waves.idle(1);
  waves.answered(0, { isIdle: true, sent: 1, received: 0 });
  waves.answered(1, { isIdle: false, sent: 0, received: 1 });
  assert.equal(log.asked, 1);
  waves.idle(0);
  assert.equal(log.asked, 1);
  waves.idle(1);
  assert.equal(log.asked, 2);
});

/** Lanes that send batches at random; every batch is taken after some while. */
function simulate(lanes: number, choices: readonly number[]): { over: boolean; wasWrong: boolean } {
  const sent = Array.from({ length: lanes }, () => 0);
  const received = Array.from({ length: lanes }, () => 0);
  const busy = Array.from({ length: lanes }, () => true);
  const underWay: number[] = [];
  const questions: number[] = [];
  let isOver = false;
  let wasWrong = false;
  const waves = new IdleWaves({
    lanes,
    ask: () => questions.push(...busy.keys()),
    over: () => {
      isOver = true;
      wasWrong = busy.some(Boolean) || underWay.length > 0;
      return true;
    },
  });
  const act = (choice: number): void => {
    const lane = choice % lanes;
    const kind = Math.floor(choice / lanes) % 4;
    if (kind === 0 && busy[lane] === true) {
      sent[lane] = (sent[lane] ?? 0) + 1;
      underWay.push((lane + 1 + Math.floor(choice / 16)) % lanes);
    } else if (kind === 1 && busy[lane] === true) {
      busy[lane] = false;
      waves.idle(lane);
    } else if (kind === 2 && underWay.length > 0) {
      const [to = 0] = underWay.splice(choice % underWay.length, 1);
      received[to] = (received[to] ?? 0) + 1;
      busy[to] = true;
    } else if (questions.length > 0) {
      const [asked = 0] = questions.splice(choice % questions.length, 1);
      const state = { sent: sent[asked] ?? 0, received: received[asked] ?? 0 };
      waves.answered(asked, { isIdle: busy[asked] === false, ...state });
    }
  };
  for (const choice of choices) if (!isOver) act(choice);
  // Nothing more is sent: it must come to its end.
  for (let step = 0; step < 10_000 && !isOver; step += 1) {
    if (underWay.length > 0) act(2 * lanes);
    else if (busy.includes(true)) act(lanes + busy.indexOf(true));
    else act(3 * lanes);
  }
  return { over: isOver, wasWrong };
}

test("whatever lanes send one another, the end is seen, and never too early", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(1000), { maxLength: 200 }),
      (lanes, choices) => {
        assert.deepEqual(simulate(lanes, choices), { over: true, wasWrong: false });
      },
    ),
  );
});

test("a crawl that stays is asked again after a lane was busy once more", () => {
  const { waves, log } = rig(2, true);
  const bothIdle = (): void => {
    for (const lane of [0, 1]) waves.answered(lane, { isIdle: true, sent: 0, received: 0 });
  };
  for (const lane of [0, 1]) waves.idle(lane);
  bothIdle();
  bothIdle();
  assert.deepEqual([log.asked, log.over], [2, 1]);
  // It was given a seed, and is done with it.
  waves.idle(1);
  assert.deepEqual([log.asked, log.over], [3, 1]);
  bothIdle();
  assert.deepEqual([log.asked, log.over], [4, 1], "two waves again");
  bothIdle();
  assert.deepEqual([log.asked, log.over], [4, 2]);
});

test("a lane that becomes idle after its answer, before others have answered, is not forgotten", () => {
  const { waves, log } = rig(2);
  for (const lane of [0, 1]) waves.idle(lane);
  waves.answered(0, { isIdle: false, sent: 0, received: 1 });
  waves.idle(0);
  waves.answered(1, { isIdle: true, sent: 1, received: 0 });
  assert.deepEqual([log.asked, log.over], [2, 0]);
});
