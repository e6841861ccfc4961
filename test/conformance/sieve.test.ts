/** All sieves, each tested against the contract. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ThreadBackground } from "../../src/base/background/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { MemorySieve, openDiskSieve, type Sieve } from "../../src/frontier/sieve/index.ts";
import {
  REAL_WORLD,
  type SieveOpening,
  type SieveSubject,
  sieveSuite,
} from "../../src/lab/conformance/index.ts";
import { SimBackground, SimDisk } from "../../src/lab/simulator/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";

/** What an offer costs in the memory of a sieve on disk. */
const OFFER_BYTES = 320 / 7;

sieveSuite("the sieve in memory", async () => {
  const clock = new SimulatedTime();
  return {
    world: simulatedWorld(clock),
    random: new SeededRandom("memory"),
    open: async ({ listener, marks, withDepth, batchOffers }) =>
      new MemorySieve({ clock, listener, marks, withDepth, offersMax: batchOffers }),
    dispose: async () => {},
  };
});

for (const [name, smallKeysMax] of [
  ["the sieve on a simulated disk", 0],
  ["the same while it is small", 1_000_000],
  ["the same as it grows", 20],
] as const) {
  sieveSuite(name, () => onSimulatedDisk(smallKeysMax));
}

async function onSimulatedDisk(smallKeysMax: number): Promise<SieveSubject> {
  const clock = new SimulatedTime();
  const random = new SeededRandom("simulated");
  const disk = new SimDisk(random);
  const world = simulatedWorld(clock);
  return {
    world,
    random,
    open: ({ batchOffers, ...rest }: SieveOpening) =>
      world.answer<Sieve>((answered) => {
        const storage = disk.mount(clock);
        const background = new SimBackground({ clock, random, disk });
        const memoryBytes = Math.ceil(batchOffers * OFFER_BYTES);
        const options = { clock, storage, background, random, folder: "sieve", memoryBytes };
        openDiskSieve({ ...options, smallKeysMax, ...rest }, (error, sieve) => {
          if (error !== null) throw error;
          answered(sieve);
        });
      }),
    dispose: async () => {},
  };
}

sieveSuite("the sieve on disk", async () => {
  const storageRoot = mkdtempSync(join(tmpdir(), "trobar-sieve-"));
  const clock = new SystemClock();
  const random = new SeededRandom("disk");
  const storage = new DiskStorage(storageRoot);
  const background = new ThreadBackground({ storageRoot, clock });
  return {
    world: REAL_WORLD,
    random,
    open: ({ batchOffers, ...rest }: SieveOpening) =>
      new Promise<Sieve>((resolve, reject) => {
        const memoryBytes = Math.ceil(batchOffers * OFFER_BYTES);
        const options = { clock, storage, background, random, folder: "sieve", memoryBytes };
        openDiskSieve({ ...options, smallKeysMax: 20, ...rest }, (error, sieve) => {
          if (error === null) resolve(sieve);
          else reject(error);
        });
      }),
    dispose: async () => {
      await new Promise<void>((resolve) => background.close(resolve));
      await rm(storageRoot, { recursive: true });
    },
  };
});
