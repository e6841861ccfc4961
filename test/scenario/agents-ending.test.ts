/** Processes of agents around the end of their crawl: one comes as the others end, one is back when all have. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { needsProgram } from "../support/requirement.ts";
import { type AgentProcess, AgentProcesses, localFlags } from "./agent-processes.ts";

const skip = needsProgram("nats-server");
const HOSTS_COUNT = 6;
const PAGES = 3;
const ALL = HOSTS_COUNT * PAGES;

/** Agents that are away are given up soon. */
const TIMES: readonly string[] = [
  ...["cluster.heartbeat=200ms", "cluster.suspectAfter=2s", "cluster.deadAfter=4s"],
  "cluster.giveUpAfter=8s",
].flatMap((setting) => ["--set", setting]);

/** A ring of hosts, each with a chain of pages; and one whose page takes this long. */
function ring(slowMs: number): Hosts {
  return (port) => {
    const hosts = Array.from({ length: HOSTS_COUNT }, (_, host) => {
      const next = `http://h${(host + 1) % HOSTS_COUNT}.test:${port}/0`;
      const pages = Array.from({ length: PAGES }, (_page, page) => {
        return [`/${page}`, linking(next, `/${(page + 1) % PAGES}`)] as const;
      });
      return [`h${host}.test`, { pages: Object.fromEntries(pages) }] as const;
    });
    const slow = { "/": { ...linking(), delayMs: slowMs } };
    return { ...Object.fromEntries(hosts), "slow.test": { pages: slow } };
  };
}

async function withAgents(
  slowMs: number,
  use: (web: CrawledWeb, cluster: AgentProcesses, agents: readonly AgentProcess[]) => Promise<void>,
): Promise<void> {
  await withWeb(ring(slowMs), async (web) => {
    const cluster = new AgentProcesses(join(web.folder, "agents"), localFlags(web.flags));
    const seeds = [web.url("h0.test/0"), web.url("slow.test/")];
    try {
      const founding = [
        ...TIMES,
        ...web.flags,
        "--scope",
        "any",
        "--set",
        "politeness.robots=ignore",
        ...seeds,
      ];
      await use(web, cluster, await cluster.startAll(["a", "b"], founding));
    } finally {
      cluster.close();
    }
  });
}

describe("agents that come as a crawl ends", { skip }, () => {
  test("T2: an agent that joins as the last page is fetched ends with all others", async () => {
    await withAgents(5000, async (web, cluster, [first, second]) => {
      assert.ok(first !== undefined && second !== undefined);
      const third = cluster.start("c", ["--join", await first.address()]);
      const ends = await Promise.all([first, second, third].map((agent) => agent.ended(0)));
      for (const { state, reason } of ends) {
        assert.deepEqual([state, reason], ["finished", "exhausted"]);
      }
      assert.deepEqual(web.asked.toSorted(), [...new Set(web.asked)].toSorted(), "each once");
      assert.equal(web.asked.length, ALL + 1);
    });
  });

  test("T2: an agent that starts again alone, when all have ended, ends and fetches nothing", async () => {
    await withAgents(0, async (web, cluster, agents) => {
      const ends = await Promise.all(agents.map((agent) => agent.ended(0)));
      const [, before] = ends;
      assert.ok(before !== undefined && before.pages === ALL + 1);
      const asked = web.asked.length;
      const end = await cluster.startAgain("b").ended(0);
      assert.deepEqual([end.state, end.reason], ["finished", "exhausted"]);
      assert.equal(web.asked.length, asked, "what others have is not fetched again");
    });
  });
});
