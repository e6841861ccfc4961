/**
 * The simulator: many nodes in one thread, with virtual time, a network, disks and clocks that
 * misbehave, all of it decided by one seed.
 *
 * The *kernel* holds virtual time and the events to come. A *node* is a machine on which a process
 * is started, crashed, paused and started again; each of its *lives* has a clock, chance and a
 * transport that end with it, while disks are kept outside and stay. Code under test is given
 * these through the seams and cannot tell them from the real ones.
 *
 * A *schedule* is a list of timed faults, planned from a seed, as plain data. `explore` runs many
 * of them: it builds a world for each, lets the faults strike, checks after every event, and when
 * a check fails makes the schedule as small as it can and reports it with the trace of the last
 * events and the command that repeats it. The same seed always gives the same run.
 *
 * ```ts
 * const cluster = new SimCluster(kernel, { lossRatio: 0.03 });
 * cluster.add("n1", (life, transport) => new Agent({ clock: life.clock, transport, … }));
 * cluster.strike({ kind: "crash", nodes: ["n1"], atMs: 0, durationMs: 500, parameters: {} });
 * kernel.runUntil(() => agreed(), { stepsMax: 100_000, virtualMsMax: 60_000 });
 * ```
 *
 * Read `kernel.ts` first, then `life.ts` and `sim-node.ts`, then `run.ts` and `explore.ts`; the
 * toy counter in `test/simulation` shows it all at work.
 */
export type { Conditions } from "./conditions.ts";
export { type Exploration, type Explored, explore } from "./explore.ts";
export type { Regression } from "./failure.ts";
export { type Fault, planFaults, type Schedule } from "./fault.ts";
export { HeldBody } from "./held-body.ts";
export { Kernel } from "./kernel.ts";
export type { Life } from "./life.ts";
export { type RunPlan, runOnce, type Trial } from "./run.ts";
export { SimBackground, type SimBackgroundOptions } from "./sim-background.ts";
export { SimCluster } from "./sim-cluster.ts";
export { SimDatabase, type SimDatabaseOptions } from "./sim-database.ts";
export { SimDatabaseDisk } from "./sim-database-disk.ts";
export {
  CALM_DISK,
  type DiskCall,
  type DiskCallKind,
  type DiskSpeed,
  SimDisk,
} from "./sim-disk.ts";
export { SimFetcher, type SimFetcherOptions, type WebScripts } from "./sim-fetcher.ts";
export { SimStorage } from "./sim-storage.ts";
export { simulatedWorld } from "./simulated-world.ts";
export { STANDARD_FAULTS } from "./standard-faults.ts";
export type { WebScript, WebStep } from "./web-script.ts";
