/**
 * How much agents say to each other about URLs and pages while nothing goes wrong. All figures are counts of
 * a simulated network: the same on every machine.
 *
 * The bound on what is sent for a page does not name the number of agents. With more agents more links are
 * foreign, up to all of them, and fewer share a batch; so figures grow towards the bound, and stay there.
 */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Outbox } from "../../src/cluster/delivery/outbox.ts";
import { type ClusterMix, ClusterTrial, mixNamed, optionsOf } from "../../src/lab/agents/index.ts";
import { runOnce } from "../../src/lab/simulator/index.ts";

const LIMITS = { stepsMax: 2_000_000, virtualMsMax: 600_000 };
const CALM = mixNamed("calm") as ClusterMix;
const CLUSTERS = [2, 4, 8, 16];
const PAGES = 192;

interface Sent {
  readonly agents: number;
  readonly trial: ClusterTrial;
  /** URLs that agents were told, by who has told them: `a0 http://…`. */
  readonly told: readonly string[];
}

const outboxes = new Map<Outbox, number>();
const runs: readonly Sent[] = CLUSTERS.map(crawled);

function crawled(agents: number): Sent {
  let made: ClusterTrial | null = null;
  const append = mock.method(Outbox.prototype, "append");
  const { failure } = runOnce(
    {
      build: (kernel) => {
        const drawn = optionsOf(CALM, { agents, spares: 0 }, kernel.random.fork("options"));
        const web = { ...drawn.web, robots: false, hosts: PAGES / 4, pagesPerHost: 4 };
        const plain = { lanes: 1, robots: "ignore", waitsForAll: true, depthMax: null } as const;
        const delays = { hostDelayMs: 300, addressDelayMs: 50 };
        made = new ClusterTrial(kernel, { ...drawn, ...plain, ...delays, web });
        return made;
      },
      ...{ limits: LIMITS, checkEvery: 500 },
    },
    "1",
    [],
  );
  const told = append.mock.calls.map(({ this: teller, arguments: [entry] }) => {
    assert.equal(entry.kind, "url", "no host changes hands");
    return `${numberOf(teller as Outbox)} ${entry.kind === "url" ? `${entry.high} ${entry.low}` : ""}`;
  });
  append.mock.restore();
  const trial = made as unknown as ClusterTrial;
  assert.equal(failure, null, `${agents} agents: ${failure?.message}`);
  assert.equal(trial.world.fetchCount, PAGES, "every page is fetched once");
  return { agents, trial, told };
}

/** An outbox belongs to one agent and one receiver. */
function numberOf(outbox: Outbox): number {
  const number = outboxes.get(outbox) ?? outboxes.size;
  outboxes.set(outbox, number);
  return number;
}

/** The distinct links of an agent's pages that lead to hosts of others; seeds are found by all. */
function foreignLinks({ trial, agents }: Sent): number {
  const { fetches, web } = trial.world;
  const owners = new Map<string, string>();
  for (const [url, [visit]] of fetches) owners.set(new URL(url).host, visit?.agent ?? "");
  const found = new Map<string, Set<string>>();
  for (let agent = 0; agent < agents; agent += 1) found.set(`a${agent}`, new Set(web.seeds));
  for (const [url, [visit]] of fetches) {
    for (const link of web.linksOf(url)) found.get(visit?.agent ?? "")?.add(link);
  }
  let foreign = 0;
  for (const [agent, links] of found) {
    foreign += [...links].filter((link) => owners.get(new URL(link).host) !== agent).length;
  }
  return foreign;
}

function linksOf({ trial }: Sent): number {
  const { fetches, web } = trial.world;
  return [...fetches.keys()].reduce((sum, url) => sum + new Set(web.linksOf(url)).size, 0);
}

function sent({ trial }: Sent, ...kinds: readonly string[]): number {
  return kinds.reduce((sum, kind) => sum + (trial.messages.get(`cluster.${kind}`) ?? 0), 0);
}

test("U1: without faults one URL is sent for each distinct foreign link of an agent, and no other", () => {
  for (const run of runs) {
    assert.equal(
      new Set(run.told).size,
      run.told.length,
      `${run.agents} agents tell nothing twice`,
    );
    assert.equal(run.told.length, foreignLinks(run), `${run.agents} agents`);
  }
});

test("U3: what is sent of URLs for a page is bounded by its links, not by the number of agents", () => {
  for (const run of runs) {
    const { agents, told, trial } = run;
    const seeds = agents * trial.world.web.seeds.length;
    assert.ok(told.length <= linksOf(run) + seeds, `${agents} agents`);
    // A batch and its acknowledgement, each batch with one entry at least.
    const messages = sent(run, "url");
    assert.ok(messages <= 2 * told.length, `${agents} agents: ${messages} for ${told.length} URLs`);
    console.log(
      `${agents} agents: ${(told.length / PAGES).toFixed(2)} URLs and ${(messages / PAGES).toFixed(2)} ` +
        `messages with URLs per page`,
    );
  }
});

test("A1: what is sent of addresses for a page does not depend on the number of agents", () => {
  for (const run of runs) {
    // To ask and be granted, to end and be heard, and to be told that others want the address too.
    const messages = sent(run, "slot.request", "slot.end", "slot.shared");
    assert.ok(messages <= 6 * PAGES, `${run.agents} agents: ${messages} for ${PAGES} pages`);
    console.log(
      `${run.agents} agents: ${(messages / PAGES).toFixed(2)} messages of slots per page`,
    );
  }
});
