import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";
import { LaneGroup } from "./lane-group.ts";
import type { LaneStart, LaneState } from "./lane-messages.ts";
import type { LaneProxy } from "./lane-proxy.ts";
import { SharedNumbers } from "./shared-limits.ts";

/** Lanes that note what they are ordered, and answer with what the test says. */
function rig(count: number, answer: (lane: number, name: string, round: number) => unknown) {
  const time = new SimulatedTime();
  const journal: string[] = [];
  const rounds = new Map<string, number>();
  const lanes = Array.from({ length: count }, (_, number) => {
    const order = (name: string, input: unknown, done: Done<unknown>): void => {
      const round = (rounds.get(`${number} ${name}`) ?? 0) + 1;
      rounds.set(`${number} ${name}`, round);
      journal.push(`${number} ${name}${typeof input === "boolean" ? ` ${input}` : ""}`);
      const reply = answer(number, name, round);
      time.after(1, () => {
        if (reply instanceof CrawlError) done(reply, undefined);
        else done(null, reply);
      });
    };
    const close = (): void => void journal.push(`${number} gone`);
    return { number, order, close, opened: Promise.resolve() } as unknown as LaneProxy;
  });
  const settle = (): readonly string[] => {
    while (time.step());
    return journal.splice(0);
  };
  return { group: new LaneGroup(time, lanes), lanes, settle };
}

test("all lanes are paused, resumed and cancelled, not only one", () => {
  const { group, settle } = rig(3, () => null);
  group.pause(true);
  assert.deepEqual(settle(), ["0 pause true", "1 pause true", "2 pause true"]);
  group.pause(false);
  assert.deepEqual(settle(), ["0 pause false", "1 pause false", "2 pause false"]);
  group.cancel();
  assert.deepEqual(settle(), ["0 cancel", "1 cancel", "2 cancel"]);
});

test("a place that was put back wakes those that lack one, and nobody else", () => {
  const { group, lanes, settle } = rig(4, () => null);
  const numbers = new SharedNumbers(SharedNumbers.memory(4), 4);
  for (const lane of [0, 1, 3]) numbers.setLacking(lane, true);
  group.wakeLacking(lanes[1] as LaneProxy, numbers);
  assert.deepEqual(settle(), ["0 pump", "3 pump"]);
});

test("lanes have ended when two rounds agree that nothing is on its way between them", () => {
  const sent = [0, 2, 3, 3];
  const received = [0, 1, 3, 3];
  const { group, settle } = rig(2, (lane, name, round): LaneState | null => {
    if (name !== "end") return null;
    const [all, taken] = [sent[round - 1] ?? 3, received[round - 1] ?? 3];
    return { isIdle: true, sent: lane === 0 ? all : 0, received: lane === 0 ? 0 : taken };
  });
  const ends: unknown[] = [];
  group.end((error) => ends.push(error));
  assert.equal(settle().length, 2 * 4, "in the third nothing is on its way, in the fourth still");
  assert.deepEqual(ends, [null]);
});

test("a lane that has died is not waited for", () => {
  const death = new CrawlError("INTERNAL_LANE", "It ended.");
  const state: LaneState = { isIdle: true, sent: 0, received: 0 };
  const { group, settle } = rig(2, (lane) => (lane === 1 ? death : state));
  const ends: unknown[] = [];
  group.end((error) => ends.push(error));
  settle();
  assert.deepEqual(ends, [death]);
});

test("seeds that lanes refuse are told by their texts", async () => {
  const { group, settle } = rig(2, (lane) => (lane === 0 ? [null, "scope"] : ["port"]));
  const start = (...seeds: readonly string[]): LaneStart => ({ seeds }) as unknown as LaneStart;
  const refused = group.addSeeds([start("a", "b"), start("c")]);
  settle();
  const expected = [
    ["b", "scope"],
    ["c", "port"],
  ];
  assert.deepEqual([...(await refused)].sort(), expected);
});

test("what lanes report when they are closed is what they reported last", async () => {
  const { group, settle } = rig(2, (lane, name, round) =>
    name === "start" ? null : { open: 10 * lane + round },
  );
  const failures: unknown[] = [];
  await Promise.all([group.opened(), Promise.resolve().then(settle).then(settle)]);
  const closing = group.close((error) => failures.push(error));
  assert.deepEqual(settle(), ["0 close", "1 close", "0 gone", "1 gone"]);
  await closing;
  assert.deepEqual(
    group.reports.map(({ open }) => open),
    [1, 11],
  );
  assert.deepEqual([group.living, failures], [[], []]);
});
