/**
 * Fairness in virtual time: what an honest host gets beside hosts that answer as slowly as the limits
 * let them, compared with what it gets alone. Frontier, lane and crawl are the real ones.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import type { Graph } from "../support/frontier/graph-crawl.ts";

const IS_FULL = process.env["TROBAR_FULL"] === "1";
const SLOTS = IS_FULL ? 500 : 40;
const HOSTILE = 5 * SLOTS;
/** Just below `fetch.headerTimeout`. */
const SLOW_MS = 19_000;
const SECONDS = 60;

interface Attack {
  readonly name: string;
  readonly hostOf: (at: number) => string;
  readonly addressOf: (at: number) => string;
}

const ATTACKS: readonly Attack[] = [
  {
    name: "hosts of their own domains in one network",
    hostOf: (at) => `slow${at}`,
    addressOf: (at) => `2001:db8:1::${(at + 1).toString(16)}`,
  },
  {
    name: "hosts of one domain, each in a network of its own",
    hostOf: (at) => `h${at}.farm`,
    addressOf: (at) => `203.${at >> 8}.${at & 255}.1`,
  },
  {
    name: "hosts of their own domains, each in a network of its own",
    hostOf: (at) => `slow${at}`,
    addressOf: (at) => `203.${at >> 8}.${at & 255}.1`,
  },
];

function graphOf(hosts: readonly string[], pages: number): Graph {
  const graph: Record<string, string[]> = {};
  for (const host of hosts) {
    for (let page = 0; page < pages; page += 1) graph[`${host}/${page}`] = [`${host}/${page + 1}`];
  }
  return graph;
}

/** How many pages of each kind were asked for in a minute. */
async function pagesOf({ hostOf, addressOf }: Attack, honest: number, hostile: number) {
  const hosts = Array.from({ length: hostile }, (_, at) => hostOf(at));
  const addresses = new Map(hosts.map((host, at) => [host, addressOf(at)]));
  const friends = Array.from({ length: honest }, (_, at) => `honest${at}`);
  const { pages } = await crawlVirtually({
    graph: { ...graphOf(hosts, 80), ...graphOf(friends, 80) },
    seeds: [...hosts, ...friends].map((host) => `${host}/0`),
    addressOf: (host) => addresses.get(host) ?? `198.51.100.${host.slice("honest".length)}`,
    delayMsOf: (page) => (page.startsWith("honest") ? 0 : SLOW_MS),
    settings: [
      ...["fetch.headerTimeout=20s", "politeness.ipDelay=250ms", `limits.time=${SECONDS}s`],
      ...[`fetch.concurrency=${SLOTS}`, "frontier.memory=64Mi"],
    ],
  });
  const ofHonest = pages.filter((page) => page.startsWith("honest")).length;
  return { honest: ofHonest, hostile: pages.length - ofHonest };
}

for (const attack of ATTACKS) {
  test(`an honest host keeps half of its pages beside ${attack.name} that answer slowly`, async () => {
    const alone = await pagesOf(attack, 1, 0);
    const beside = await pagesOf(attack, 1, HOSTILE);
    const ratio = beside.honest / alone.honest;
    assert.ok(alone.honest > SECONDS / 2, `${alone.honest} pages alone`);
    assert.ok(ratio >= 0.5, `${beside.honest} of ${alone.honest} pages`);
  });
}

test("slow hosts of one network may have every connection when no other host wants one", async () => {
  const [attack] = ATTACKS as [Attack];
  const { hostile } = await pagesOf(attack, 0, HOSTILE);
  const begun = SLOTS * Math.floor((SECONDS * 1000) / SLOW_MS);
  assert.ok(hostile >= begun * 0.95, `${hostile} of ${begun}`);
});
