/**
 * Whole crawls by agents of two sites: what goes from one site to the other goes over a slow link. Nothing
 * is set for that, and the web that they crawl judges them as if they were at one site.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import { SlowLink } from "../../src/lab/link/index.ts";
import { changedProfile, PROFILES, type ProfileChanges } from "../../src/lab/simweb/index.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";
import { needsProgram } from "../support/requirement.ts";
import { AdvertisingServer } from "./advertising-server.ts";
import { type AgentProcess, AgentProcesses, localFlags } from "./agent-processes.ts";

const skip = needsProgram("nats-server");
const isFull = process.env["TROBAR_FULL"] === "1";
/** A round trip of 80 ms, and what a lost packet costs. */
const FAR = { oneWayMs: 40, stallShare: 0.01, stallMs: [200, 800] } as const;
const HALF: ProfileChanges = { ...SMALL, hosts: { ...SMALL.hosts, count: 12, pages: 90 } };

class TwoSites {
  readonly agents: AgentProcesses;
  readonly links: SlowLink[] = [];
  readonly #server: AdvertisingServer;
  readonly #started: AgentProcess[] = [];

  constructor(folder: string, own: readonly string[]) {
    this.agents = new AgentProcesses(folder, own);
    this.#server = new AdvertisingServer(join(folder, "bin"));
  }

  /** Every other agent is at the other site. Each joins one of its own site directly, and one of the other. */
  async start(count: number, founding: readonly string[]): Promise<readonly AgentProcess[]> {
    for (let at = 0; at < count; at += 1) {
      const near = at < 2 ? [] : [await this.#address(at - 2)];
      const far = at < 1 ? [] : [this.links[at - 1]?.address ?? ""];
      const join = [...near, ...far].join(",");
      await this.#start(at, at === 0 ? [...founding, "--expect", `${count}`] : ["--join", join]);
    }
    return this.#started;
  }

  async #start(at: number, args: readonly string[]): Promise<void> {
    let address = "";
    const link = await SlowLink.open({
      ...{ clock: new SystemClock(), random: new SeededRandom(`link of ${at}`), slowness: FAR },
      to: () => address,
    });
    this.links.push(link);
    const agent = this.agents.start(`a${at}`, args, this.#server.environment(link.address));
    this.#started.push(agent);
    address = await agent.address();
  }

  #address(at: number): Promise<string> {
    return this.#started[at]?.address() ?? assert.fail("it was started before");
  }

  async close(): Promise<void> {
    this.agents.close();
    await Promise.all(this.links.map((link) => link.close()));
  }
}

async function crawl(count: number, changes: ProfileChanges, context: TestContext): Promise<void> {
  const profile = changedProfile(PROFILES.realistic, changes);
  const web = await DemoWeb.open({ profile, seed: `two sites ${count}` });
  const folder = mkdtempSync(join(tmpdir(), "trobar-sites-"));
  const flags = flagsFor(web.facts);
  const sites = new TwoSites(folder, localFlags(flags));
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
