/** The program of a lane's thread. */
import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { ThreadBackground } from "../../base/background/index.ts";
import { sqliteDatabases } from "../../base/database/index.ts";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import { ThreadPort } from "../../topology/threads/index.ts";
import { openNetwork } from "../crawl/network/crawl-network.ts";
import { type LaneData, openLane } from "./open-lane.ts";

/** What a thread is given when it starts. */
export interface LaneThreadData {
  readonly lane: LaneData;
  /** This lane's ends of the ways to others, by their numbers. */
  readonly ports: ReadonlyMap<number, MessagePort>;
  /** When the desk's clock began, by the wall clock. */
  readonly clockOriginMs: number;
}

const { lane, ports, clockOriginMs }: LaneThreadData = workerData;

if (parentPort !== null) {
  const clock = new SystemClock();
  const root = lane.folder;
  const scratch = new DiskStorage(join(root, "spool", String(lane.number)));
  await answered((done) => scratch.prepare(done));
  const openBackground = (): ThreadBackground => new ThreadBackground({ storageRoot: root, clock });
  const run = await openLane(lane, {
    ...{ clock, clockOffsetMs: performance.timeOrigin - clockOriginMs },
    ...{ storage: new DiskStorage(root), scratch, openBackground, background: openBackground() },
    ...{ databases: sqliteDatabases({ root, clock }), openNetwork },
    importModule: importFrom(".", clock),
    port: new ThreadPort(parentPort),
    ports: new Map(Array.from(ports, ([number, port]) => [number, new ThreadPort(port)])),
  });
  await run.open();
}
