/** All backgrounds, each tested against the contract. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ThreadBackground } from "../../src/base/background/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { backgroundSuite, REAL_WORLD } from "../../src/lab/conformance/index.ts";
import { SimBackground, SimDisk } from "../../src/lab/simulator/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";

backgroundSuite("the background thread", async () => {
  const storageRoot = mkdtempSync(join(tmpdir(), "trobar-background-"));
  return {
    world: REAL_WORLD,
    background: new ThreadBackground({ storageRoot, clock: new SystemClock() }),
    storage: new DiskStorage(storageRoot),
    dispose: () => rm(storageRoot, { recursive: true }),
  };
});

backgroundSuite("the simulated background", async () => {
  const clock = new SimulatedTime();
  const random = new SeededRandom("calm");
  const disk = new SimDisk(random);
  return {
    world: simulatedWorld(clock),
    background: new SimBackground({ clock, random, disk }),
    storage: disk.mount(clock),
    dispose: async () => {},
  };
});
