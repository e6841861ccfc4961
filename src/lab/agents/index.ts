/**
 * Simulated agents that share a crawl: made of the very modules that a crawl ships (ring, membership, custody,
 * delivery, logs, frontier), in one thread, on disks and a network that misbehave as a seed says, with a
 * small web instead of the real one. A judge who believes only the web and the disks says whether every
 * page was had, none was visible twice, no host was visited by two at once, and the crawl came to its end.
 *
 * `ClusterTrial` is a world for one schedule of faults (`search` of the simulator plans, runs and shrinks
 * them); `planClusterFaults` draws one. `SimAgent` is one life of an agent; what an agent must do for
 * custody, with frontier and store, is `SimHoldings`.
 *
 * Read `cluster-trial.ts` first, then `sim-agent.ts`.
 */
export { CLUSTER_FAULTS, type ClusterFaultPlan, planClusterFaults } from "./cluster-faults.ts";
export { ClusterTrial, type ClusterTrialOptions } from "./cluster-trial.ts";
