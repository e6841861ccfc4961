/**
 * Agents of a cluster as processes of their own, each with its server, on loopback: the web that they crawl
 * judges them.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import { changedProfile, PROFILES } from "../../src/lab/simweb/index.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";
import { needsProgram } from "../support/requirement.ts";
import { AgentProcesses, localFlags, QUICK, withoutLanes } from "./agent-processes.ts";

const skip = needsProgram("nats-server");

describe("agents crawl a web together, once and politely, and end together", { skip }, () => {
  for (const [agents, lanes] of [
    [2, 2],
    [4, 1],
  ] as const) {
    test(`${agents} agents with ${lanes} lanes each`, async () => {
      const profile = changedProfile(PROFILES.realistic, SMALL);
      const web = await DemoWeb.open({ profile, seed: `agents ${agents}` });
      const folder = mkdtempSync(join(tmpdir(), "trobar-agents-"));
      // Each agent has lanes of its own.
      const flags = withoutLanes(flagsFor(web.facts));
      const own = [...localFlags(flags), "--lanes", `${lanes}`];
      const cluster = new AgentProcesses(folder, own);
      try {
        const ids = Array.from({ length: agents }, (_, at) => `a${at}`);
        const started = await cluster.startAll(ids, [...QUICK, ...flags, web.facts.seed]);
        const summaries = await Promise.all(started.map((agent) => agent.ended(0)));
        for (const summary of summaries) {
          assert.deepEqual([summary.state, summary.reason], ["finished", "exhausted"]);
          assert.deepEqual([summary.agents, summary.missing, summary.coverage], [agents, [], 1]);
          assert.equal(summary.pages, summaries[0]?.pages);
        }
        assertFlawless(await judgeCrawl(web, cluster.merged(), { seeds: [web.facts.seed] }));
      } finally {
        cluster.close();
        await web.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
