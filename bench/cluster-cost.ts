/**
 * Claim: a page costs an agent in a cluster of four at most 15 % more processor time than a crawl alone.
 *
 * The cluster and a crawl by one process run at the same time, on webs of the same kind with as many hosts for
 * each agent, so that whatever else the machine does is in both. Politeness is the limit. Each round compares
 * what both used in the same seconds, user and system time of all threads, when they are warm: code is compiled
 * until an agent has had some thousand pages. Servers (`nats-server`) are printed apart.
 * `node bench/cluster-cost.ts [--agents 4] [--hosts 50] [--delay 1s] [--warm 2000] [--seconds 30] [--rounds 7]
 * [--quick]`
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { BenchCluster } from "./support/cluster/bench-cluster.ts";
import { type Window, watchFor } from "./support/cluster/cluster-window.ts";
import { shareOf, spreadOf } from "./support/crawl-cost.ts";

const PROMISED = 1.15;
const START_SECONDS_MAX = 600;
const QUICK = { hosts: "10", warm: "100", seconds: "10", rounds: "1" };

const { values: given } = parseArgs({
  options: {
    agents: { type: "string", default: "4" },
    delay: { type: "string", default: "1s" },
    hosts: { type: "string" },
    warm: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});
const usual = { hosts: "50", warm: "2000", seconds: "30", rounds: "7" };
const values = { ...usual, ...(given.quick ? QUICK : {}), ...given };
const agents = Number(values.agents);
const hosts = Number(values.hosts);
const warm = Number(values.warm);

async function started(count: number): Promise<BenchCluster> {
  const flags = ["--delay", values.delay, "--lanes", "1"];
  const share = Math.max(1, count);
  const web = { hosts: hosts * share, pageBytes: 25_000, delayMs: 0 };
  return await BenchCluster.start({ agents: count, flags, web });
}

function rate({ pages, seconds }: Window): string {
  return `${(pages / seconds).toFixed(0)} pages/s`;
}

const clusters: BenchCluster[] = [];
try {
  for (const count of [agents, 0]) clusters.push(await started(count));
  await Promise.all(
    clusters.map((cluster) => {
      const share = Math.max(1, cluster.plan.agents);
      return cluster.until(({ visits }) => visits >= warm * share, START_SECONDS_MAX);
    }),
  );
  const ratios: number[] = [];
  const servers: number[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const [ours, alone] = (await watchFor(Number(values.seconds), clusters)) as [Window, Window];
    ratios.push(ours.agentsMicros / alone.agentsMicros);
    servers.push(ours.serversMicros);
    console.log(
      `round ${round}: ${agents} agents ${rate(ours)}, ${ours.agentsMicros.toFixed(0)} µs a page; alone ` +
        `${rate(alone)}, ${alone.agentsMicros.toFixed(0)} µs; ratio ${ratios.at(-1)?.toFixed(3)}; servers ` +
        `${ours.serversMicros.toFixed(0)} µs; ${ours.told.toFixed(2)} URLs told and ` +
        `${ours.sent.toFixed(2)} messages sent a page; load ${loadavg()[0]?.toFixed(0)}`,
    );
  }
  const verdict = shareOf(ratios, 0.5) <= PROMISED ? "kept" : "BROKEN";
  console.log(`agent by alone: ${spreadOf(ratios, 3)}; promised ${PROMISED} (${verdict})`);
  console.log(`servers, µs a page of all agents: ${spreadOf(servers, 0)}`);
} finally {
  await Promise.all(clusters.map((cluster) => cluster.close()));
}
