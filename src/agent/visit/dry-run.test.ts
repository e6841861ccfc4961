import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type VirtualCrawlOptions,
  virtualNetwork,
} from "../../../test/support/agent/virtual-crawl.ts";
import { driven } from "../../../test/support/agent/virtual-driver.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import { dryRun } from "./dry-run.ts";

async function tried(options: VirtualCrawlOptions) {
  const kernel = new Kernel({ seed: "dry" });
  const { configuration, network, pages, askedAtMs } = await virtualNetwork(options, kernel);
  const seeds = await driven(
    kernel,
    dryRun({
      ...{ configuration, network, clock: kernel.clock, version: "0.0.0" },
      ...{ importModule: importFrom("."), tried: () => undefined },
    }),
  );
  const gaps = pages.flatMap((page, at) => {
    const last = pages.findLastIndex((one, before) => before < at && hostOf(one) === hostOf(page));
    return last === -1 ? [] : [(askedAtMs[at] ?? 0) - (askedAtMs[last] ?? 0)];
  });
  return { seeds, pages, gaps };
}

function hostOf(page: string): string {
  return page.slice(0, page.indexOf("/"));
}

const WEB: VirtualCrawlOptions = {
  graph: { "a/0": ["a/1", "a/private"], "a/1": [], "a/2": [], "b/0": [] },
  seeds: ["a/0", "a/1", "a/2", "b/0"],
  settings: ["politeness={robots: obey, hostDelay: 2s, crawlDelayMax: 20s}"],
};

test("seeds of one host are tried one after the other, with its delay between them", async () => {
  const { seeds, gaps } = await tried(WEB);
  assert.deepEqual(
    seeds.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.ok(gaps.length >= 5 && Math.min(...gaps) >= 2000, gaps.join());
});

test("what its robots.txt asks for holds between seeds too, up to the bound", async () => {
  for (const [asked, delayMs] of [
    [7, 7000],
    [60, 20_000],
  ] as const) {
    const body = `User-agent: *\nCrawl-delay: ${asked}\nDisallow: /private`;
    const settings = [...(WEB.settings ?? []), "politeness.crawlDelayOver=cap"];
    const seeds = ["a/0", "a/1", "a/2"];
    const answers = { "a/robots.txt": { body } };
    const { gaps } = await tried({ ...WEB, seeds, settings, answers });
    assert.ok(gaps.length >= 5 && Math.min(...gaps) >= delayMs, gaps.join());
  }
});

test("no more than twenty sitemaps of a robots.txt are fetched", async () => {
  const maps = Array.from({ length: 30 }, (_, at) => `Sitemap: http://a.example/map${at}.txt`);
  const { pages, seeds } = await tried({
    ...{ ...WEB, seeds: ["a/0"], settings: [...(WEB.settings ?? []), "sitemaps=true"] },
    answers: { "a/robots.txt": { body: maps.join("\n") } },
  });
  const fetched = new Set(pages.filter((page) => page.includes("map")));
  assert.deepEqual([fetched.size, seeds[0]?.sitemaps.length], [20, 20]);
});
