/** All databases, each tested against the contract. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDatabase } from "../../src/base/database/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { databaseSuite, REAL_WORLD } from "../../src/lab/conformance/index.ts";
import { SimDatabase, SimDatabaseDisk } from "../../src/lab/simulator/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";

databaseSuite("the SQLite database", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trobar-database-"));
  const clock = new SystemClock();
  return {
    world: REAL_WORLD,
    open: (options, done) =>
      SqliteDatabase.open({ ...options, path: join(folder, "test.db"), clock }, done),
    dispose: () => rm(folder, { recursive: true }),
  };
});

databaseSuite("the simulated database", async () => {
  const time = new SimulatedTime();
  const disk = new SimDatabaseDisk();
  const random = new SeededRandom("calm");
  return {
    world: simulatedWorld(time),
    open: (options, done) => SimDatabase.open({ ...options, disk, clock: time, random }, done),
    dispose: async () => {},
  };
});
