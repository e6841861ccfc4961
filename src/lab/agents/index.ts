/**
 * Simulated agents that share a crawl: made of the very modules that a crawl ships (ring, membership, custody,
 * delivery, logs, frontier), in one thread, on disks and a network that misbehave as a seed says, with a
 * small web instead of the real one. Judges who believe only the web and the disks say whether every
 * page was had, none was visible twice, no host was visited by two at once, nothing was fetched again that
 * need not be, and the crawl came to its end.
 *
 * `ClusterTrial` is a world for one schedule of faults (`search` of the simulator plans, runs and shrinks
 * them); `CLUSTER_MIXES` says which faults strike together. `SimAgent` is one life of an agent; what an
 * agent must do for custody, with frontier and store, is `SimHoldings`.
 *
 * Read `cluster-trial.ts` first, then `sim-agent.ts`.
 */
export { planClusterFaults } from "./cluster-faults.ts";
export {
  CLUSTER_MIXES,
  type ClusterMix,
  type ClusterSize,
  mixNamed,
  optionsOf,
  scheduleOf,
  USUAL_SIZE,
} from "./cluster-mixes.ts";
export { ClusterStudy, type MixTally, type StudyFailure } from "./cluster-study.ts";
export { ClusterTrial, type ClusterTrialOptions } from "./cluster-trial.ts";
export { CAUSES, type Cause } from "./fetch-causes.ts";
export { strikeNewcomers } from "./newcomers.ts";
