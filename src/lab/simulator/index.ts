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
 * Words of this module:
 * - *conditions*: what the network is like: delays, loss, doubling, late messages
 * - *partition*: some nodes cut off from all others, both ways
 * - *clog*: the messages of a node held back for a while and then delivered in a burst
 * - *drift*: how much faster or slower than true time a node's clocks run
 * - *sector*: 512 bytes of a disk, of which a crash keeps all, none, or a torn part
 * - *zombie*: a paused process that wakes up in a world that has moved on
 * - *trial*: one simulated world with what must hold in it, made afresh for every run
 * - *shrink*: to leave out and shorten faults while the schedule still fails in the same way
 * - *regression*: a run that failed once, kept with its schedule and repeated first
 *
 * Read `kernel/kernel.ts` first, then `kernel/life.ts` and `network/sim-node.ts`, then `search/run.ts`
 * and `search/explore.ts`; the toy counter in `test/simulation` shows it all at work.
 */

export { SimBackground } from "./disk/sim-background.ts";
export { SimDatabase } from "./disk/sim-database.ts";
export { SimDatabaseDisk } from "./disk/sim-database-disk.ts";
export { SimDatabases } from "./disk/sim-databases.ts";
export { CALM_DISK, type DiskCall, type DiskSpeed, SimDisk } from "./disk/sim-disk.ts";
export { SimStorage } from "./disk/sim-storage.ts";
export { HeldBody } from "./fetch/held-body.ts";
export { SimFetcher } from "./fetch/sim-fetcher.ts";
export type { WebScript, WebStep } from "./fetch/web-script.ts";
export { Kernel } from "./kernel/kernel.ts";
export type { Life } from "./kernel/life.ts";
export type { Conditions } from "./network/conditions.ts";
export { clogMs, SimCluster } from "./network/sim-cluster.ts";
export { type Exploration, type Explored, explore } from "./search/explore.ts";
export type { Regression } from "./search/failure.ts";
export { type Fault, planFaults, type Schedule } from "./search/fault.ts";
export { type RunPlan, runOnce, type Trial } from "./search/run.ts";
export { STANDARD_FAULTS } from "./search/standard-faults.ts";
export { simulatedWorld } from "./simulated-world.ts";
