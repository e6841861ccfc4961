/**
 * Claim, not reached yet: where politeness is the limit, agents of two sites crawl at least four fifths as fast
 * over a link with a round trip of 80 ms, on which one segment in a hundred stalls for 200 to 800 ms, as without
 * the link: turns at addresses that both sites visit wait for it.
 *
 * Whole crawls of the synthetic web, by agents that are processes with a `nats-server` each, every other one at
 * the other site: at once (through a link that takes no time), with the delay alone, and with stalls too. Each
 * must get every page. Compared is the time from the beginning of the crawl to its end as the agents tell it, so
 * joining, turns at addresses that both sites visit, and the last words of all are in it. How many pages there
 * are must not differ.
 * `node bench/cluster-sites.ts [--agents 4] [--pages 1200] [--delay 500] [--rounds 3]
 * [--only "80 ms"] [--quick]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DemoWeb } from "../src/cli/demo/demo-web.ts";
import type { Slowness } from "../src/lab/link/index.ts";
import { changedProfile, PROFILES } from "../src/lab/simweb/index.ts";
import { localFlags } from "../test/scenario/agent-processes.ts";
import { FAR, TwoSites } from "../test/scenario/site-agents.ts";
import { shareOf } from "./support/crawl-cost.ts";

const PROMISED = 0.8;
const { values: given } = parseArgs({
  options: {
    agents: { type: "string" },
    pages: { type: "string" },
    delay: { type: "string" },
    rounds: { type: "string" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});
const usual = { agents: "4", pages: "1200", delay: "500", rounds: "3" };
const QUICK = { agents: "2", pages: "200", delay: "200", rounds: "1" };
const values = { ...usual, ...(given.quick ? QUICK : {}), ...given };
const AGENTS = Number(values.agents);
const PAGES = Number(values.pages);
const DELAY_MS = Number(values.delay);
const HOSTS = 40;

const WAYS: readonly (readonly [name: string, slowness: Slowness])[] = [
  ["no delay", { oneWayMs: 0, stallShare: 0, stallMs: [0, 0] }],
  ["80 ms", { ...FAR, stallShare: 0 }],
  ["80 ms and stalls", FAR],
];

/** Hosts of one size, some of which share an address. */
const profile = changedProfile(PROFILES.plain, {
  hosts: {
    ...{ count: HOSTS, pages: PAGES, pagesMax: Math.ceil((1.5 * PAGES) / HOSTS) },
    ...{ aliases: 0.3, slow: 0, dead: 0 },
  },
  pages: { medianBytes: 4000 },
});

interface Crawled {
  readonly pages: number;
  readonly rate: number;
  readonly stalls: number;
  readonly bytes: number;
}

async function crawl(slowness: Slowness): Promise<Crawled> {
  const web = await DemoWeb.open({ profile, seed: "sites" });
  const folder = mkdtempSync(join(tmpdir(), "bench-sites-"));
  const flags = [
    ...["--allow-private", "--lanes", "1", "--scope", "any", "--min-free-disk", "0"],
    ...["--delay", `${DELAY_MS}ms`, "--ip-delay", `${DELAY_MS / 2}ms`, "--no-dashboard"],
    ...["--set", `dns.servers=['127.0.0.1:${web.facts.dnsPort}']`],
  ];
  const sites = new TwoSites(folder, { own: localFlags(flags), slowness });
  try {
    const started = await sites.start(AGENTS, [...flags, web.facts.seed]);
    const ends = await Promise.all(started.map((agent) => agent.ended(0)));
    // Whoever did not hear from all in the end counts fewer pages.
    const end = ends.toSorted((one, other) => other.pages - one.pages)[0];
    if (end === undefined) throw new Error("There were no agents.");
    const { links } = sites;
    return {
      ...{ pages: end.pages, rate: end.pages / end.seconds },
      stalls: links.reduce((sum, link) => sum + link.stalls, 0),
      bytes: links.reduce((sum, link) => sum + link.passedBytes, 0),
    };
  } finally {
    await sites.close();
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const rates = new Map<string, number[]>();
for (let round = 1; round <= Number(values.rounds); round += 1) {
  for (const [name, slowness] of round % 2 === 1 ? WAYS : WAYS.toReversed()) {
    if (given.only !== undefined && given.only !== name) continue;
    const { pages, rate, stalls, bytes } = await crawl(slowness);
    rates.set(name, [...(rates.get(name) ?? []), rate]);
    console.log(
      `round ${round}, ${name}: ${pages} pages, ${rate.toFixed(2)} a second; ` +
        `${(bytes / pages).toFixed(0)} bytes a page and ${stalls} stalls on links; load ` +
        `${loadavg()[0]?.toFixed(0)}`,
    );
  }
}
const direct = shareOf(rates.get("no delay") ?? [], 0.5);
for (const [name, each] of given.only === undefined ? rates : []) {
  const ratio = shareOf(each, 0.5) / direct;
  const verdict = ratio >= PROMISED ? "kept" : "BROKEN";
  console.log(
    `${name}: ${shareOf(each, 0.5).toFixed(2)} pages/s, ${ratio.toFixed(3)} of that without delay ` +
      `(${PROMISED}: ${verdict})`,
  );
}
