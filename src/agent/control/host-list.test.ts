import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { HostView } from "../../frontier/front/index.ts";
import { type HostPage, type HostQuery, listHosts, mergePages, queryOfLane } from "./host-list.ts";

/** Hosts `h0` to `hn`; of every seven the third has the most pages. */
function frontierOf(count: number, away = -1) {
  const at = (number: number) =>
    ({
      ...{ host: `h${number}.example`, number, state: number % 3 === 0 ? "idle" : "politeness" },
      ...{ pages: (number * 5) % 7, queued: count - number },
    }) as unknown as HostView;
  return {
    hosts: {
      count,
      at,
      isAway: (number: number) => number === away,
      changed: [],
      find: () => null,
      look: () => null,
    },
  };
}

const ALL: HostQuery = { match: null, state: null, sort: "found", after: null, limit: 10 };

/** All pages of a list, as the numbers of their hosts. */
async function pagesOf(count: number, query: Partial<HostQuery>): Promise<number[][]> {
  const time = new SimulatedTime();
  const pages: number[][] = [];
  let after: HostQuery["after"] = null;
  do {
    const listing = listHosts(frontierOf(count), time, { ...ALL, ...query, after });
    let isOver = false;
    void listing.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await null;
      time.step();
    }
    const { hosts, next } = await listing;
    pages.push(hosts.map(({ number }) => number));
    after = next;
  } while (after !== null);
  return pages;
}

test("hosts are listed in the order in which they were met, a page at a time", async () => {
  assert.deepEqual(await pagesOf(0, {}), [[]]);
  assert.deepEqual(await pagesOf(7, { limit: 3 }), [[0, 1, 2], [3, 4, 5], [6]]);
  assert.deepEqual(await pagesOf(6, { limit: 3 }), [
    [0, 1, 2],
    [3, 4, 5],
  ]);
});

test("hosts are chosen by part of their name and by their state", async () => {
  assert.deepEqual(await pagesOf(40, { match: "h3", limit: 5 }), [
    [3, 30, 31, 32, 33],
    [34, 35, 36, 37, 38],
    [39],
  ]);
  assert.deepEqual(await pagesOf(10, { state: "idle" }), [[0, 3, 6, 9]]);
});

test("hosts are sorted by pages or by what is queued, the largest first, each once", async () => {
  const pages = await pagesOf(15, { sort: "pages", limit: 4 });
  assert.deepEqual(pages[0], [4, 11, 1, 8]);
  assert.deepEqual(
    pages.flat().toSorted((one, other) => one - other),
    Array.from({ length: 15 }, (_, at) => at),
  );
  const queued = await pagesOf(5000, { sort: "queued", limit: 1000 });
  assert.deepEqual(
    queued.flat(),
    Array.from({ length: 5000 }, (_, at) => at),
  );
});

test("a host that is with another agent is not listed here", async () => {
  const { hosts } = await listHosts(frontierOf(4, 2), new SimulatedTime(), ALL);
  assert.deepEqual(
    hosts.map(({ number }) => number),
    [0, 1, 3],
  );
});

/** The numbers of three lanes' hosts, as `lane.number`, page by page. */
async function pagesOfLanes(query: Partial<HostQuery>): Promise<string[][]> {
  const counts = [5, 0, 9];
  const pages: string[][] = [];
  let after: HostQuery["after"] = null;
  do {
    const whole = { ...ALL, ...query, after };
    const found: HostPage[] = [];
    for (const [lane, count] of counts.entries()) {
      const asked = queryOfLane(whole, lane, found);
      const page =
        asked === null
          ? { hosts: [], places: [], next: null }
          : await listHosts(frontierOf(count), new SimulatedTime(), asked);
      found.push({ ...page, hosts: page.hosts.map((view) => ({ ...view, lane })) });
    }
    const { hosts, next } = mergePages(found, whole);
    pages.push(hosts.map((view) => `${(view as HostView & { lane: number }).lane}.${view.number}`));
    after = next;
  } while (after !== null);
  return pages;
}

test("the hosts of several lanes are one list, each of them once", async () => {
  const every = [
    ...Array.from({ length: 5 }, (_, at) => `0.${at}`),
    ...Array.from({ length: 9 }, (_, at) => `2.${at}`),
  ];
  for (const limit of [1, 4, 5, 14, 100]) {
    assert.deepEqual((await pagesOfLanes({ limit })).flat(), every, `in pages of ${limit}`);
    for (const sort of ["pages", "queued"] as const) {
      const sorted = await pagesOfLanes({ limit, sort });
      assert.deepEqual(sorted.flat().toSorted(), every, `by ${sort} in pages of ${limit}`);
      assert.ok(sorted.every((page) => page.length <= limit));
    }
  }
  const [first = []] = await pagesOfLanes({ limit: 4, sort: "pages" });
  assert.deepEqual(first, ["0.4", "2.4", "0.1", "2.1"]);
});
