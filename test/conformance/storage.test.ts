/** All storages, each tested against the contract. */

import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DISK_CALLS } from "../../src/base/storage/disk-calls.ts";
import { DIRECT_CALLS, type DiskCalls, DiskStorage } from "../../src/base/storage/index.ts";
import {
  type FailingStorageSubject,
  failingStorageSuite,
  fullStorageSuite,
  REAL_WORLD,
  storageSuite,
} from "../../src/lab/conformance/index.ts";
import { SimDisk } from "../../src/lab/simulator/index.ts";
import { failingCalls } from "../support/base/failing-calls.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";

storageSuite("the disk storage", async () => onDisk(temporaryFolder()));
failingStorageSuite("the disk storage", async () => onDisk(temporaryFolder()));
storageSuite("the disk storage with direct calls", async () =>
  onDisk(temporaryFolder(), DIRECT_CALLS),
);
failingStorageSuite("the disk storage with direct calls", async () =>
  onDisk(temporaryFolder(), DIRECT_CALLS),
);
storageSuite("the simulated storage", async () => simulated());
failingStorageSuite("the simulated storage", async () => simulated());
fullStorageSuite("the simulated storage", async () => simulated(1_000_000));

const skip = needsSmallDisks();
if (skip === false) fullStorageSuite("the disk storage", async () => onSmallDisk());
else test("the disk storage on a full disk", { skip });

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "trobar-storage-"));
}

function onDisk(root: string, system: DiskCalls = DISK_CALLS): FailingStorageSubject {
  const faults = { callsLeft: -1 };
  const calls = failingCalls(system, faults);
  return {
    world: REAL_WORLD,
    storage: new DiskStorage(root, calls),
    restart: async () => new DiskStorage(root, calls),
    failNext: () => {
      faults.callsLeft = 0;
    },
    close: () => rm(root, { recursive: true }),
  };
}

function simulated(capacityBytes: number = 2 ** 40): FailingStorageSubject {
  const time = new SimulatedTime();
  const disk = new SimDisk(new SeededRandom("conformance"));
  disk.capacityBytes = capacityBytes;
  const storage = disk.mount(time);
  return {
    world: simulatedWorld(time),
    storage,
    // Stricter than a real restart: only what the contract calls durable is still there.
    restart: async () => {
      disk.crash();
      return disk.mount(time);
    },
    failNext: () => {
      const next = disk.calls + 1;
      disk.failWhen = (call) => call.number === next;
    },
    close: async () => undefined,
  };
}

function onSmallDisk(): FailingStorageSubject {
  const root = makeSmallDisk();
  return { ...onDisk(root), close: async () => removeSmallDisk(root) };
}
