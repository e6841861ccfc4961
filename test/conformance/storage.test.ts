/** The storages that exist, each held to the contract. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  type FailingStorageSubject,
  failingStorageSuite,
  fullStorageSuite,
  REAL_WORLD,
  storageSuite,
} from "../../src/conformance/index.ts";
import { SeededRandom } from "../../src/random/index.ts";
import { SimDisk } from "../../src/simulator/index.ts";
import { DISK_CALLS, DiskStorage } from "../../src/storage/index.ts";
import { failingCalls } from "../support/failing-calls.ts";
import { needsProgram, PROGRAM_MISSING } from "../support/requirement.ts";
import { SimulatedTime, simulatedWorld } from "../support/simulated-world.ts";

storageSuite("the disk storage", async () => onDisk(temporaryFolder()));
failingStorageSuite("the disk storage", async () => onDisk(temporaryFolder()));
storageSuite("the simulated storage", async () => simulated());
failingStorageSuite("the simulated storage", async () => simulated());
fullStorageSuite("the simulated storage", async () => simulated(1_000_000));

const unmountable = needsProgram("mount") || mountRefusal();
if (unmountable === false) fullStorageSuite("the disk storage", async () => onSmallDisk());
else test("the disk storage on a full disk", { skip: unmountable });

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "trobar-storage-"));
}

function onDisk(root: string): FailingStorageSubject {
  const faults = { failNext: false };
  const calls = failingCalls(DISK_CALLS, faults);
  return {
    world: REAL_WORLD,
    storage: new DiskStorage(root, calls),
    restart: async () => new DiskStorage(root, calls),
    failNext: () => {
      faults.failNext = true;
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
    // Stricter than a restart need be: only what the contract calls durable is still there.
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
  const root = temporaryFolder();
  mount(root);
  const subject = onDisk(root);
  return {
    ...subject,
    close: async () => {
      spawnSync("umount", ["--lazy", root]);
      await rm(root, { recursive: true });
    },
  };
}

/** Empty when it went well, else what the system said. */
function mount(root: string): string {
  const args = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", root];
  const { status, stderr } = spawnSync("mount", args, { encoding: "utf8" });
  return status === 0 ? "" : stderr.trim();
}

/** Why small disks cannot be made here; false when they can. */
function mountRefusal(): string | false {
  const root = temporaryFolder();
  const said = mount(root);
  if (said !== "") return `${PROGRAM_MISSING}mount, which is there but may not be used: ${said}`;
  spawnSync("umount", [root]);
  return false;
}
