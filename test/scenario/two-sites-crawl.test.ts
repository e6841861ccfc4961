/**
 * Whole crawls by agents of two sites: what goes from one site to the other goes over a slow link. Nothing
 * is set for that, and the web that they crawl judges them as if they were at one site.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import type { SlowLink } from "../../src/lab/link/index.ts";
import { changedProfile, PROFILES, type ProfileChanges } from "../../src/lab/simweb/index.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";
import { needsProgram } from "../support/requirement.ts";
import { localFlags } from "./agent-processes.ts";
import { FAR, TwoSites } from "./site-agents.ts";

const skip = needsProgram("nats-server");
const isFull = process.env["TROBAR_FULL"] === "1";
const HALF: ProfileChanges = { ...SMALL, hosts: { ...SMALL.hosts, count: 12, pages: 90 } };

async function crawl(count: number, changes: ProfileChanges, context: TestContext): Promise<void> {
  const profile = changedProfile(PROFILES.realistic, changes);
  const web = await DemoWeb.open({ profile, seed: `two sites ${count}` });
  const folder = mkdtempSync(join(tmpdir(), "trobar-sites-"));
  const flags = flagsFor(web.facts);
  const sites = new TwoSites(folder, { own: localFlags(flags), slowness: FAR });
  try {
    const started = await sites.start(count, [...flags, web.facts.seed]);
    const ends = await Promise.all(started.map((agent) => agent.ended(0)));
    for (const end of ends) {
      assert.deepEqual([end.reason, end.agents, end.coverage], ["exhausted", count, 1]);
    }
    const all = sites.agents.merged();
    const { verdict, archive } = await judgeCrawl(web, all, { seeds: [web.facts.seed] });
    // Each agent refers to bodies in its own archive, and not to those of others.
    const sins = archive.sins.filter(({ sin }) => sin !== "stored-twice");
    assertFlawless({ verdict, archive: { ...archive, sins, clean: sins.length === 0 } });
    const sum = (of: (link: SlowLink) => number): number =>
      sites.links.reduce((total, link) => total + of(link), 0);
    assert.ok(sum(({ passedBytes }) => passedBytes) > 10_000, "they have talked over the links");
    context.diagnostic(
      `${ends[0]?.pages} pages, ${ends[0]?.pagesPerSecond} a second; ` +
        `${sum(({ passedBytes }) => passedBytes)} bytes and ${sum(({ stalls }) => stalls)} stalls`,
    );
  } finally {
    await sites.close();
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("two sites crawl a web as one, once and politely, by host and by address", {
  skip,
}, () => {
  test("one agent at each", (context) => crawl(2, HALF, context));
  if (isFull) test("two agents at each", (context) => crawl(4, SMALL, context));
});
