/** Clusters of agents under faults of agents, disks, clocks and the network. */
import { CLUSTER_MIXES } from "../../src/lab/agents/index.ts";
import { tryLeft, tryMix } from "./cluster-trials.ts";

for (const mix of CLUSTER_MIXES) if (mix.has.length === 0) tryMix(mix, import.meta.url);
tryLeft();
