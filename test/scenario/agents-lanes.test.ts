/** An agent is killed again and again, and goes on with another number of lanes each time. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { archiveRecords, withWeb } from "../support/agent/crawl-rig.ts";
import { needsProgram } from "../support/requirement.ts";
import { AgentProcesses, localFlags, QUICK, withoutLanes } from "./agent-processes.ts";
import { HOSTS_COUNT, LINKED, PAGES } from "./member-rig.ts";

const skip = needsProgram("nats-server");
const DELAY = "120ms";
/** Of the agent that is killed, in each of its lives. */
const LIVES = [2, 3, 1, 2];
/** What was in flight when it was killed: a visit of each host at most. */
const LOST_MAX = (LIVES.length - 1) * HOSTS_COUNT;

describe("agents with several lanes", { skip }, () => {
  test("D2: what a killed agent had is not lost, whatever lanes it goes on with", async () => {
    await withWeb(LINKED, async (web) => {
      const flags = withoutLanes(web.flags);
      const crawl = [
        ...flags,
        "--delay",
        DELAY,
        "--scope",
        "any",
        "--set",
        "store.checkpoint=150ms",
      ];
      const agents = new AgentProcesses(web.folder, localFlags(flags));
      try {
        const seed = web.url("h0.test/0");
        const founder = agents.start("a0", [
          ...[...QUICK, ...crawl, "--lanes", "2", "--expect", "2", seed],
        ]);
        const joining = ["--join", await founder.address()];
        let last = agents.start("a1", [...joining, "--lanes", `${LIVES[0]}`]);
        let asked = 0;
        for (const lanes of LIVES.slice(1)) {
          await web.requests(asked + 20);
          last.kill("SIGKILL");
          await last.end();
          asked = web.entries.length;
          last = agents.start("a1", [...joining, "--lanes", `${lanes}`]);
        }
        for (const agent of [founder, last]) {
          const { reason, agents: count, coverage, missing } = await agent.ended(0);
          assert.deepEqual([reason, count, coverage, missing], ["exhausted", 2, 1, []]);
        }
        const all = HOSTS_COUNT * PAGES;
        assert.equal(new Set(web.asked).size, all);
        assert.ok(web.asked.length - all <= LOST_MAX, `${web.asked.length} fetches`);
        const archived = ["a0", "a1"].flatMap((id) => archiveRecords(agents.folderOf(id)));
        const had = archived.filter(({ type }) => type === "response" || type === "revisit");
        assert.equal(new Set(had.map(({ targetUri }) => targetUri)).size, all);
      } finally {
        agents.close();
      }
    });
  });
});
