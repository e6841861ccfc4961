/** F6: servers of agents are killed, hang, and are killed all at once; nobody is missed for long. */

import { type Fault, isFull, PATIENT } from "./fault.ts";
import type { FaultCluster } from "./fault-cluster.ts";
import { type Outcome, stopped } from "./fault-verdict.ts";

const PAGES_BETWEEN = 8;

export const loseServers: Fault = {
  agents: isFull ? 4 : 2,
  times: PATIENT,
  flags: ["--stay"],
  strike,
};

async function strike(cluster: FaultCluster): Promise<Outcome> {
  await cluster.begin();
  await cluster.moment();
  const [killed = "", hanging = ""] = cluster.victims(2);
  await lose(cluster, [killed], "SIGKILL");
  await lose(cluster, [hanging], "SIGSTOP");
  await lose(cluster, cluster.ids, "SIGKILL");
  return await stopped(cluster);
}

/** Resolves when all have servers again, and the crawl has gone on. */
async function lose(
  cluster: FaultCluster,
  ids: readonly string[],
  signal: "SIGKILL" | "SIGSTOP",
): Promise<void> {
  const before = ids.map((id) => cluster.agent(id).stderr.length);
  const asked = await cluster.web.pages();
  for (const id of ids) process.kill(cluster.serverOf(id), signal);
  const again = ids.map(async (id, at) => {
    const agent = cluster.agent(id);
    await agent.said(signal === "SIGSTOP" ? "server-hung" : "server-ended", before[at]);
    await agent.said("server-started", before[at]);
  });
  await Promise.all(again);
  await cluster.web.pages(Math.min(asked + PAGES_BETWEEN, cluster.web.facts.due));
}
