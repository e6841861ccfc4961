/** What holds for all agents of a crawl together: its limits, and the delays of addresses that several of them visit. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { assertPolite } from "../support/agent/polite-visits.ts";
import { needsProgram } from "../support/requirement.ts";
import { AgentProcesses, localFlags, QUICK } from "./agent-processes.ts";
import { again, LINKED } from "./member-rig.ts";

const skip = needsProgram("nats-server");
const HOST_DELAY_MS = 60;
const ADDRESS_DELAY_MS = 30;
const PAGES = 25;
const IDS = ["a0", "a1", "a2"];

async function crawled(web: CrawledWeb, more: readonly string[]): Promise<void> {
  const agents = new AgentProcesses(web.folder, localFlags(web.flags));
  try {
    const common = [...QUICK, ...web.flags, "--scope", "any", "--delay", `${HOST_DELAY_MS}ms`];
    const started = await agents.startAll(IDS, [...common, ...more, web.url("h0.test/0")]);
    for (const agent of started) {
      const end = await agent.ended(0);
      const { reason, limit, agents: count, pages } = end;
      assert.deepEqual([reason, limit, count, pages], ["limit", "pages", IDS.length, PAGES]);
    }
  } finally {
    agents.close();
  }
}

describe("agents of a crawl, each a process", { skip }, () => {
  test("fetch as many pages as the crawl may, all told, and take turns at an address", async () => {
    await withWeb(LINKED, async (web) => {
      await crawled(web, ["-n", `${PAGES}`, "--ip-delay", `${ADDRESS_DELAY_MS}ms`]);
      assert.deepEqual([web.asked.length, again(web.asked)], [PAGES, []]);
      const delays = { hostDelayMs: HOST_DELAY_MS, addressDelayMs: ADDRESS_DELAY_MS };
      // All names lead to it.
      assertPolite(web, delays, "three agents", () => "127.0.0.1");
    });
  });
});
