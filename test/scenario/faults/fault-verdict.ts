/** How a crawl ends that had faults, and what the web says of it. */
import assert from "node:assert/strict";
import type { CrawlSummary } from "../../../src/agent/index.ts";
import type { FaultCluster } from "./fault-cluster.ts";

export interface Allowances {
  /** Sins that the protocol allows while agents do not see each other. */
  readonly sins?: readonly string[];
  /** Whether a page may be in the archives of two agents, of which one is shown. */
  readonly copies?: boolean;
}

/** In words, for the record. */
export type Outcome = string;

/** All agents end together, when nothing is left; then the web judges. */
export async function ended(cluster: FaultCluster, allowed: Allowances = {}): Promise<Outcome> {
  const count = cluster.running.size;
  const summaries = await Promise.all([...cluster.running.values()].map((agent) => agent.ended(0)));
  for (const { state, reason, agents, coverage, missing } of summaries) {
    assert.deepEqual(
      { state, reason, agents, coverage, missing },
      { state: "finished", reason: "exhausted", agents: count, coverage: 1, missing: [] },
    );
  }
  return await judged(cluster, allowed, summaries[0]);
}

/** Agents that stay are idle at last; each page is shown once by all of them together. Then they are stopped. */
export async function stopped(cluster: FaultCluster, allowed: Allowances = {}): Promise<Outcome> {
  const [through = ""] = cluster.running.keys();
  await cluster.until(() => cluster.areIdle(through));
  const shown = (await cluster.ask(through, "store", "list")) ?? [];
  const urls = shown.map(({ url }) => String(url));
  assert.deepEqual(
    urls.filter((url, at) => urls.indexOf(url) !== at),
    [],
    "each page is shown once",
  );
  await cluster.tell(through, "stop");
  const summaries = await Promise.all(
    [...cluster.running.values()].map((agent) => agent.ended(130)),
  );
  const outcome = await judged(cluster, allowed, summaries[0]);
  assert.ok(urls.length >= cluster.web.facts.due, `${urls.length} pages are shown`);
  return outcome;
}

async function judged(
  cluster: FaultCluster,
  { sins = [], copies = false }: Allowances,
  summary: CrawlSummary | undefined,
): Promise<Outcome> {
  const { web, losses, agents } = cluster;
  const lostKeys = losses.keys(await web.requests());
  const { verdict, archive } = await web.judge(agents.merged(), { ...cluster.manners, lostKeys });
  const ofArchive = copies ? ["superfluous-record"] : [];
  assert.deepEqual(
    verdict.sins.filter(({ sin }) => !sins.includes(sin)),
    [],
  );
  assert.deepEqual([verdict.coverage, verdict.overlap], [1, 0]);
  assert.deepEqual(
    archive.sins.filter(({ sin }) => !ofArchive.includes(sin)),
    [],
  );
  assert.equal(archive.stored, archive.due);
  const { pages, fetches } = verdict;
  return (
    `${pages.due} pages, ${fetches.refetchesOfLost} again where ${lostKeys.length} might have been, ` +
    `balance ${summary?.balance}` +
    verdict.sins.map(({ sin, count }) => `, ${sin} ${count}`).join("")
  );
}
