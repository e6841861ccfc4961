/** All host queues, each tested against the contract. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Storage } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import {
  type DiskHostQueues,
  MemoryHostQueues,
  openDiskHostQueues,
  type QueueOrder,
} from "../../src/frontier/queues/index.ts";
import { resultOf, succeed } from "../../src/lab/conformance/ask.ts";
import { REAL_WORLD, type World } from "../../src/lab/conformance/index.ts";
import { SimulatedMachine } from "../support/lab/simulated-machine.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";
import { type HostQueuesSubject, hostQueuesSuite } from "./host-queues-suite.ts";

hostQueuesSuite("the queues in memory", async (order) => {
  const clock = new SimulatedTime();
  const queues = new MemoryHostQueues(clock, order);
  return { world: simulatedWorld(clock), queues, end: async () => undefined };
});

hostQueuesSuite("the queues on a simulated disk", async (order, memoryBytes) => {
  const { time, storage } = new SimulatedMachine("host queues");
  const world = simulatedWorld(time);
  const queues = await onDisk(world, storage, order, memoryBytes);
  return { world, queues, end: async () => undefined };
});

hostQueuesSuite("the queues on disk", async (order, memoryBytes): Promise<HostQueuesSubject> => {
  const root = mkdtempSync(join(tmpdir(), "trobar-queues-"));
  const queues = await onDisk(REAL_WORLD, new DiskStorage(root), order, memoryBytes);
  const end = async (): Promise<void> => {
    if (!queues.isClosed) await succeed(REAL_WORLD, (done) => queues.close(done));
    await rm(root, { recursive: true });
  };
  return { world: REAL_WORLD, queues, end };
});

function onDisk(
  world: World,
  storage: Storage,
  order: QueueOrder,
  memoryBytes: number,
): Promise<DiskHostQueues> {
  const random = new SeededRandom("host queues");
  const report = (error: Error): void => {
    throw error;
  };
  const options = { storage, random, folder: "queues", order, memoryBytes, marks: null, report };
  return resultOf<DiskHostQueues>(world, (done) => openDiskHostQueues(options, done));
}
