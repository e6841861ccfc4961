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

function opened(control: Partial<ThreadControl> = {}) {
  const time = new SimulatedTime();
  const [steering, steered] = MemoryPort.pair<Call, Notice>(time, 1);
  const heard: string[] = [];
  const caller = new ThreadCaller(steering, {
    report: ({ code, message }) => heard.push(`reported ${code} ${message}`),
    failed: ({ code, message }) => heard.push(`failed ${code} ${message}`),
    finished: () => heard.push("finished"),
  });
  const answerer = new ThreadAnswerer(steered);
  answerer.serve(control as ThreadControl);
  /** Lets virtual time pass until the promise has settled. */
  const settled = async <Value>(answer: Promise<Value>): Promise<Value> => {
    for (let turn = 0; turn < 5; turn += 1) {
      time.settle();
      await Promise.resolve();
    }
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
