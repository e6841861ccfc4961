/** Agents are killed at once and started again with their disks: F1 one of them, F3 three of four. */

import { type Fault, isFull, PATIENT } from "./fault.ts";
import type { FaultCluster } from "./fault-cluster.ts";
import { ended, type Outcome } from "./fault-verdict.ts";

export function killAndRestart(count: number): Fault {
  return {
    ...{ agents: isFull ? 4 : count + 1, times: PATIENT },
    strike: (cluster) => kill(cluster, count),
  };
}

async function kill(cluster: FaultCluster, count: number): Promise<Outcome> {
  await cluster.begin();
  const victims = cluster.victims(count);
  await cluster.kill(victims);
  for (const id of victims) cluster.startAgain(id);
  return await ended(cluster);
}
