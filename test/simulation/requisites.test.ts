/**
 * Random webs in which anything may be a page to one and a requisite to another, crawled in virtual
 * time: whatever comes first, every page is a page, every requisite is fetched, and nothing is asked
 * for twice.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import { urlOf } from "../support/agent/virtual-web.ts";
import type { TablePage } from "../support/lab/table-web.ts";

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

/** The pages: what links lead to within the host of the seed, in this many steps. */
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

/** What they need; among requisites, only style sheets are read for more. */
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

/** Crawls a web written down as nodes; a page is slow when it is named so. */
async function crawlNodes(
  nodes: Readonly<Record<string, Partial<Node> & { readonly status?: number }>>,
  settings: readonly string[],
  slow: readonly string[] = [],
): Promise<{ readonly asked: readonly string[]; readonly pages: number }> {
  const answers = Object.fromEntries(
    Object.entries(nodes).map(([name, { status = 200, ...node }]) => {
      const whole = { isSheet: false, links: [], requisites: [], ...node };
      return [name, { ...answerOf(whole), status }];
    }),
  );
  const { pages, summary } = await crawlVirtually({
    ...{ graph: {}, answers, seeds: ["a/0"] },
    settings: ["parse.requisites=true", "politeness.hostDelay=10ms", ...settings],
    delayMsOf: (page) => (slow.includes(page) ? 5000 : 0),
  });
  return { asked: [...pages].sort(), pages: summary.pages };
}

test("a sheet at the end of a long chain is read when a page names it itself", async () => {
  const chain = [1, 2, 3, 4, 5, 6].map((step) => {
    return [`a/s${step}`, { isSheet: true, requisites: [`a/s${step + 1}`] }];
  });
  const nodes = {
    "a/0": { links: ["b/late"], requisites: ["a/s1"] },
    "b/late": { requisites: ["a/s5"] },
    ...Object.fromEntries(chain),
  };
  const { asked } = await crawlNodes(nodes, [], ["b/late"]);
  // By the first page s5 is the last; by the second one s6 and s7 follow, which is a 404.
  assert.deepEqual(asked, [
    ...["a/0", "a/s1", "a/s2", "a/s3", "a/s4", "a/s5", "a/s6", "a/s7", "b/late"],
  ]);
});

test("an image that turns out to be nearer to a page is not read for requisites", async () => {
  const nodes = {
    "a/0": { links: ["b/late"], requisites: ["a/s1"] },
    "a/s1": { isSheet: true, requisites: ["a/frame"] },
    "a/frame": { requisites: ["a/image"] },
    "a/image": {},
    "b/late": { requisites: ["a/frame"] },
  };
  const { asked } = await crawlNodes(nodes, [], ["b/late"]);
  assert.deepEqual(asked, ["a/0", "a/frame", "a/s1", "b/late"]);
});

test("a host that was put aside is asked for requisites that are found later", async () => {
  const nodes = {
    "a/0": { links: ["a/1", "a/2"], requisites: ["b/slow-sheet"] },
    "a/1": {},
    "a/2": {},
    "b/slow-sheet": { isSheet: true, requisites: ["a/image"] },
    "a/image": {},
  };
  const { asked, pages } = await crawlNodes(nodes, ["limits.pages=1"], ["b/slow-sheet"]);
  assert.deepEqual(asked, ["a/0", "a/image", "b/slow-sheet"]);
  assert.equal(pages, 1);
});

test("hosts that were put aside are taken back when a page comes to nothing", async () => {
  const nodes = {
    // While b/gone is asked for, which takes long, a/1 leads to c/1.
    "a/0": { links: ["b/gone", "a/1"] },
    "b/gone": { status: 404 },
    "a/1": { links: ["c/1"] },
    "c/1": {},
  };
  const { asked, pages } = await crawlNodes(nodes, ["limits.pages=3"], ["b/gone"]);
  assert.deepEqual(asked, ["a/0", "a/1", "b/gone", "c/1"]);
  assert.equal(pages, 3);
});

test("requisites do not count for the pages of their host", async () => {
  const nodes = {
    "a/0": { links: ["a/1"], requisites: ["a/x", "a/y", "a/z"] },
    ...{ "a/1": {}, "a/x": {}, "a/y": {}, "a/z": {} },
  };
  const { asked } = await crawlNodes(nodes, ["limits.pagesPerHost=2"]);
  assert.deepEqual(asked, ["a/0", "a/1", "a/x", "a/y", "a/z"]);
});

test("an image that its page also links to is fetched with the page, even at the limit", async () => {
  const nodes = { "a/0": { links: ["a/x", "a/1"], requisites: ["a/x"] }, "a/x": {}, "a/1": {} };
  const { asked, pages } = await crawlNodes(nodes, ["limits.pages=1"]);
  assert.deepEqual([asked, pages], [["a/0", "a/x"], 1]);
});
