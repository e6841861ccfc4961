import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../../base/random/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { FrontierStatus } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { RandomWalk } from "./random-walk.ts";

type Graph = Readonly<Record<string, readonly string[]>>;

/** A frontier without politeness: steps are taken in the order in which they were offered. */
class Walkers {
  readonly waiting: Ticket[] = [];
  readonly visits: Ticket[] = [];
  readonly counts = { pages: 0 };
  readonly walk: RandomWalk;
  refused = 0;

  constructor(seeds: readonly string[], walkersMax = 100, seed = "walk") {
    this.walk = new RandomWalk({
      frontier: {
        offer: (ticket) => this.waiting.push(ticket),
        status: () => ({ refused: { robots: this.refused } }) as unknown as FrontierStatus,
      },
      random: new SeededRandom(seed),
      ...{ counts: this.counts, walkersMax },
    });
    for (const url of seeds) this.walk.addSeed(url as FetchableUrl);
    this.walk.keepUp();
  }

  /** Walks until this many pages were visited, or no walker is left. */
  visit(graph: Graph, pagesMax: number): string[] {
    for (let step = this.waiting.shift(); step !== undefined; step = this.waiting.shift()) {
      this.visits.push(step);
      this.counts.pages += 1;
      if (this.counts.pages === pagesMax) break;
      this.walk.arrive(step);
      const way = { depth: step.depth + 1, via: step.url, redirects: 0 };
      for (const link of graph[step.url] ?? []) this.walk.consider(link as FetchableUrl, way);
      const next = this.walk.goOn(step, false);
      if (next !== null) this.waiting.push(next);
      this.walk.ended();
      this.walk.keepUp();
    }
    return this.visits.map(({ url }) => url);
  }
}

const GRAPH: Graph = {
  home: ["news", "shop", "about"],
  news: ["home", "news", "story"],
  shop: ["home", "about", "about"],
  about: ["home"],
  story: [],
};

/** The share of each page among the steps of an endless walk, by repeated multiplication. */
function stationary(graph: Graph, seed: string): Map<string, number> {
  let shares = new Map([[seed, 1]]);
  for (let round = 0; round < 200; round += 1) {
    const next = new Map<string, number>();
    const give = (page: string, share: number): void => {
      next.set(page, (next.get(page) ?? 0) + share);
    };
    for (const [page, share] of shares) {
      const links = graph[page] ?? [];
      give(seed, links.length === 0 ? share : 0.15 * share);
      for (const link of links) give(link, (0.85 * share) / links.length);
    }
    shares = next;
  }
  return shares;
}

test("a long walk visits each page as often as the walk's equations say", () => {
  const steps = 40_000;
  const visits = new Walkers(["home"]).visit(GRAPH, steps);
  for (const [page, share] of stationary(GRAPH, "home")) {
    const seen = visits.filter((visit) => visit === page).length / steps;
    assert.ok(Math.abs(seen - share) < 0.015, `${page}: ${seen} instead of ${share}`);
  }
});

const page = fc.nat(9).map(String);
const graphs = fc.array(fc.array(page, { maxLength: 4 }), { minLength: 10, maxLength: 10 });

test("a walker goes where a link leads, or another one begins at a seed", () => {
  fc.assert(
    fc.property(graphs, fc.array(page, { minLength: 1, maxLength: 4 }), (lists, seeds) => {
      const graph: Graph = Object.fromEntries(lists.entries());
      const walkers = new Walkers(seeds);
      walkers.visit(graph, 300);
      assert.equal(walkers.waiting.length, seeds.length - 1, "and the one on the last page");
      const lastOf = new Map<number, Ticket>();
      for (const step of walkers.visits) {
        const before = lastOf.get(step.high);
        lastOf.set(step.high, step);
        if (before === undefined) assert.ok(step.depth === 0 && seeds.includes(step.url));
        else {
          assert.ok(graph[before.url]?.includes(step.url));
          assert.deepEqual([step.depth, step.via], [before.depth + 1, before.url]);
        }
      }
    }),
  );
});

function walked(seeds: readonly string[], steps: number): { visits: Ticket[]; walking: number } {
  const walkers = new Walkers(seeds);
  walkers.visit(GRAPH, steps);
  return { visits: walkers.visits, walking: walkers.waiting.length + 1 };
}

test("no two steps are the same to the frontier", () => {
  const { visits } = walked(["home", "news", "shop"], 3000);
  assert.equal(new Set(visits.map(({ high, low }) => `${high}/${low}`)).size, 3000);
});

test("there are as many walkers as seeds, but no more than connections", () => {
  assert.equal(walked(["home", "news", "shop"], 500).walking, 3);
  assert.equal(new Walkers(["home", "news", "shop"], 2).waiting.length, 2);
});

test("the same random seed gives the same walk, and another seed another walk", () => {
  const walk = (seed: string): string[] => new Walkers(["home"], 1, seed).visit(GRAPH, 200);
  assert.deepEqual(walk("one"), walk("one"));
  assert.notDeepEqual(walk("one"), walk("two"));
});

test("where each walker goes does not depend on which of them is faster", () => {
  const pathsOf = (visits: readonly Ticket[]): string[] =>
    [0, 1].map((walker) =>
      visits.flatMap(({ high, url }) => (high === walker ? [url] : [])).join(),
    );
  const turns = new Walkers(["home", "news"]);
  turns.visit(GRAPH, 100);
  const oneAfterTheOther = new Walkers(["home", "news"]);
  oneAfterTheOther.waiting.reverse();
  oneAfterTheOther.visit(GRAPH, 100);
  assert.deepEqual(pathsOf(turns.visits), pathsOf(oneAfterTheOther.visits));
});

test("when every start has been in vain, no walker begins any more", () => {
  const walkers = new Walkers(["home", "news"]);
  let starts = 0;
  while (walkers.waiting.length > 0) {
    starts += walkers.waiting.length;
    walkers.refused += walkers.waiting.splice(0).length;
    walkers.walk.keepUp();
  }
  assert.equal(starts, 102);
});
