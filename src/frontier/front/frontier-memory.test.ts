import assert from "node:assert/strict";
import { test } from "node:test";
import { FrontierMemory, type FrontierMemoryParts } from "./frontier-memory.ts";

const holder = (memoryBytes: number) => ({ memoryBytes });

function memoryWith(parts: Partial<FrontierMemoryParts>): FrontierMemory {
  return new FrontierMemory({
    ...{ memoryBytes: 1000, sieveBytes: 100, queueBytes: 200 },
    ...{ sieve: holder(100), queues: holder(200), hosts: [], depths: null },
    states: { heldBytes: 90, robotsBytes: 40 },
    ...parts,
  });
}

test("visit states may take what the tables of hosts and depths leave", () => {
  assert.equal(memoryWith({}).statesBytesMax, 1000);
  const hosts = [holder(100), holder(50)];
  assert.equal(memoryWith({ hosts, depths: holder(30) }).statesBytesMax, 820);
});

test("what sieve and queues hold beyond their shares is taken from the rest, what they leave is not given", () => {
  assert.equal(memoryWith({ sieve: holder(150), queues: holder(10) }).statesBytesMax, 950);
  assert.equal(memoryWith({ sieve: holder(150), queues: holder(260) }).statesBytesMax, 890);
});

test("a quarter is for visit states, however large the tables are", () => {
  assert.equal(memoryWith({ hosts: [holder(5000)] }).statesBytesMax, 250);
});

test("every byte has one owner", () => {
  assert.deepEqual(memoryWith({ hosts: [holder(7), holder(8)], depths: holder(9) }).byOwner, {
    ...{ sieve: 100, queues: 200, hosts: 15, states: 50, robots: 40, depths: 9 },
  });
});
