import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryPort } from "../../../test/support/topology/memory-ports.ts";
import { CrawlError } from "../../base/errors/index.ts";
import {
  type Call,
  type Notice,
  ThreadAnswerer,
  ThreadCaller,
  type ThreadControl,
} from "./control.ts";

const PATIENCE_MS = 100;

function opened(control: Partial<ThreadControl> = {}) {
  const time = new SimulatedTime();
  const [steering, steered] = MemoryPort.pair<Call, Notice>(time, 1);
  const heard: string[] = [];
  const caller = new ThreadCaller(steering, {
    ...{ clock: time, thread: "parsing", patienceMs: PATIENCE_MS },
    report: ({ code, message }) => heard.push(`reported ${code} ${message}`),
    failed: ({ code, message }) => heard.push(`failed ${code} ${message}`),
    finished: () => heard.push("finished"),
  });
  const answerer = new ThreadAnswerer(steered);
  answerer.serve({ ping: () => undefined, ...control } as ThreadControl);
  /** Lets virtual time pass until the promise has settled. */
  const settled = async <Value>(answer: Promise<Value>): Promise<Value> => {
    await pass(time, time.nowMs() + 10);
    return await answer;
  };
  return { time, caller, answerer, heard, settled };
}

test("calls are carried out over there, each with its own answer", async () => {
  const asked: unknown[] = [];
  const { caller, settled } = opened({
    async changeSettings(id, values) {
      asked.push(id, [...values]);
    },
    connectors: () => [{ id: "urls", type: "url", capacity: 3, length: 1, dropped: 0 }],
  });
  const [, connectors] = await settled(
    Promise.all([
      caller.call("changeSettings", "parser", new Map([["depth", 3]])),
      caller.call("connectors"),
    ]),
  );
  assert.deepEqual(asked, ["parser", [["depth", 3]]]);
  assert.equal(connectors[0]?.length, 1);
});

test("an error comes back with its code, and one without a code gets one", async () => {
  const { caller, settled } = opened({
    async suspend(id) {
      throw id === "a" ? new CrawlError("TOPOLOGY_REFUSED", "no", {}) : new RangeError("odd");
    },
  });
  await assert.rejects(settled(caller.call("suspend", "a")), { code: "TOPOLOGY_REFUSED" });
  await assert.rejects(settled(caller.call("suspend", "b")), { code: "INTERNAL_UNIT" });
});

test("events are told without being asked for", async () => {
  const { time, answerer, heard } = opened();
  answerer.report(new CrawlError("INTERNAL_UNIT", "one item", {}));
  answerer.failed(new CrawlError("INTERNAL_UNIT", "all", {}));
  answerer.finished();
  time.settle();
  assert.deepEqual(heard, [
    "reported INTERNAL_UNIT one item",
    "failed INTERNAL_UNIT all",
    "finished",
  ]);
});

test("what is asked of a dead thread, before or after, is refused with the cause of its death", async () => {
  const { caller } = opened({ suspend: () => new Promise(() => undefined) });
  const before = caller.call("suspend", "a");
  caller.die(new CrawlError("TOPOLOGY_THREAD_ENDED", "gone", {}));
  await assert.rejects(before, { code: "TOPOLOGY_THREAD_ENDED" });
  await assert.rejects(caller.call("units"), { code: "TOPOLOGY_THREAD_ENDED" });
});

test("arguments that cannot be copied reject the call", async () => {
  const { caller } = opened();
  const values = new Map([["score", () => 1]]);
  await assert.rejects(caller.call("changeSettings", "a", values), { name: "DataCloneError" });
});

/** Lets virtual time pass, with what follows from each event. */
async function pass(time: SimulatedTime, untilMs: number): Promise<void> {
  while (time.nowMs() < untilMs && time.step()) {
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve();
  }
}

test("an answer may take any time while the thread is heard of", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { caller, time, settled } = opened({ suspend: () => promise });
  const answer = caller.call("suspend", "a");
  await pass(time, 20 * PATIENCE_MS);
  assert.ok(time.nowMs() >= 20 * PATIENCE_MS);
  assert.ok(!caller.isStuck);
  resolve();
  await settled(answer);
  time.settle();
  assert.ok(time.nowMs() < 21 * PATIENCE_MS, "nobody is watched who is asked for nothing");
});

test("a thread that is silent for too long refuses, until it is heard of again", async () => {
  let isSilent = true;
  const time = new SimulatedTime();
  const [steering, steered] = MemoryPort.pair<Call, Notice>(time, 1);
  const caller = new ThreadCaller(steering, {
    ...{ clock: time, thread: "parsing", patienceMs: PATIENCE_MS },
    ...{ report: () => undefined, failed: () => undefined, finished: () => undefined },
  });
  const calls: Call[] = [];
  const answer = ({ number }: Call): void => {
    steered.post({ kind: "answered", number, value: null });
  };
  steered.listen((call) => {
    if (isSilent) calls.push(call);
    else answer(call);
  });
  const refusals = ["a", "b"].map((id) =>
    assert.rejects(caller.call("suspend", id), (thrown: CrawlError) => {
      assert.equal(thrown.code, "TOPOLOGY_THREAD_STUCK");
      assert.match(thrown.message, /thread parsing .* not answered for 100 ms/);
      return true;
    }),
  );
  await pass(time, PATIENCE_MS / 2);
  assert.ok(!caller.isStuck);
  await pass(time, PATIENCE_MS);
  await Promise.all(refusals);
  assert.ok(caller.isStuck);
  time.settle();
  const posted = calls.length;
  await assert.rejects(caller.call("units"), { code: "TOPOLOGY_THREAD_STUCK" });
  time.settle();
  assert.equal(calls.length, posted, "what was refused is not carried out later");
  isSilent = false;
  for (const call of calls) answer(call);
  time.settle();
  assert.ok(!caller.isStuck);
  const again = caller.call("suspend", "a");
  await pass(time, time.nowMs() + 10);
  await again;
});
