/**
 * Random webs in which anything may be a page to one and a requisite to another, crawled in virtual
 * time: whatever comes first, every page is a page, every requisite is had, and nothing is asked for
 * twice.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/random/index.ts";
import type { Random } from "../../src/seams/index.ts";
import type { TablePage } from "../support/table-web.ts";
import { crawlVirtually, urlOf } from "../support/virtual-crawl.ts";

const RUNS = process.env["TROBAR_FULL"] === "1" ? 600 : 40;
const STEPS_MAX = 5;

interface Node {
  readonly isSheet: boolean;
  readonly links: readonly string[];
  readonly requisites: readonly string[];
}

type Web = ReadonlyMap<string, Node>;

function webOf(random: Random): Web {
  const names = Array.from({ length: 24 }, (_, index) => `${index % 3 === 0 ? "b" : "a"}/${index}`);
  names[0] = "a/0";
  const some = (most: number): string[] =>
    Array.from({ length: random.below(most) }, () => names[random.below(names.length)] as string);
  return new Map(
    names.map((name, index) => {
      const isSheet = index > 0 && random.below(3) === 0;
      return [name, { isSheet, links: isSheet ? [] : some(4), requisites: some(3) }];
    }),
  );
}

function answerOf({ isSheet, links, requisites }: Node): TablePage {
  if (isSheet) {
    const body = requisites.map((to) => `a{b:url(${urlOf(to)})}`).join("\n");
    return { headers: [["Content-Type", "text/css"]], body };
  }
  const images = requisites.map((to) => `<img src="${urlOf(to)}">`);
  return { body: [...links.map((to) => `<a href="${urlOf(to)}">x</a>`), ...images].join("\n") };
}

/** The pages: what links lead to within the host of the seed, in so many steps. */
function pagesOf(web: Web, depthMax: number): Set<string> {
  let pages = new Set(["a/0"]);
  for (let depth = 0; depth < depthMax; depth += 1) {
    const next = [...pages].flatMap((page) => web.get(page)?.links ?? []);
    const grown = new Set([...pages, ...next.filter((page) => page.startsWith("a/"))]);
    if (grown.size === pages.size) break;
    pages = grown;
  }
  return pages;
}

/** What they need: of requisites only sheets are read for more. */
function requisitesOf(web: Web, pages: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  let step = [...pages].flatMap((page) => web.get(page)?.requisites ?? []);
  for (let steps = 1; steps <= STEPS_MAX && step.length > 0; steps += 1) {
    for (const name of step) found.add(name);
    const sheets = step.map((name) => web.get(name)).filter((node) => node?.isSheet === true);
    step = [...new Set(sheets.flatMap((node) => node?.requisites ?? []))];
  }
  return new Set([...found].filter((name) => !pages.has(name)));
}

for (const depthMax of [Number.POSITIVE_INFINITY, 3]) {
  const limit = depthMax === 3 ? ["limits.depth=3"] : [];
  test(`a requisite never hides a page, nor the reverse (${limit[0] ?? "no depth limit"})`, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const random = new SeededRandom(`requisites ${run}`);
      const web = webOf(random);
      const slow = new Set([...web.keys()].filter(() => random.below(2) === 0));
      const answers = Object.fromEntries([...web].map(([name, node]) => [name, answerOf(node)]));
      const traversal = random.below(2) === 0 ? "breadth-first" : "global-breadth-first";
      const { pages, summary, reports } = await crawlVirtually({
        ...{ graph: {}, answers, seeds: ["a/0"], seed: `run ${run}` },
        settings: [
          ...["scope=host", "parse.requisites=true", "politeness.hostDelay=10ms"],
          ...[`frontier.traversal=${traversal}`, ...limit],
        ],
        delayMsOf: (page) => (slow.has(page) ? 500 : 0),
      });
      const due = pagesOf(web, depthMax);
      const requisites = requisitesOf(web, due);
      const said = `run ${run}, ${traversal}`;
      assert.deepEqual(reports, [], said);
      assert.deepEqual([...pages].sort(), [...due, ...requisites].sort(), said);
      assert.deepEqual([summary.pages, summary.requisites], [due.size, requisites.size], said);
    }
  });
}

test("with a limit on pages there are exactly as many, and what they need is there", async () => {
  for (let run = 0; run < RUNS; run += 1) {
    const random = new SeededRandom(`limited ${run}`);
    const web = webOf(random);
    const answers = Object.fromEntries([...web].map(([name, node]) => [name, answerOf(node)]));
    const limit = 1 + random.below(6);
    const { pages, summary } = await crawlVirtually({
      ...{ graph: {}, answers, seeds: ["a/0"], seed: `run ${run}` },
      settings: ["scope=host", "parse.requisites=true", `limits.pages=${limit}`],
    });
    const all = pagesOf(web, Number.POSITIVE_INFINITY);
    const isLimited = summary.reason === "limit";
    assert.equal(summary.pages, Math.min(limit, all.size), `run ${run}`);
    assert.equal(new Set(pages).size, pages.length, `run ${run}`);
    assert.equal(isLimited, limit <= all.size, `run ${run}`);
    // What a sheet names may wait as a page already; what the page itself names never does.
    for (const name of web.get("a/0")?.requisites ?? [])
      assert.ok(pages.includes(name), `run ${run}: ${name}`);
  }
});
