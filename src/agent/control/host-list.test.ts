import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { HostView } from "../../frontier/front/index.ts";
import { type HostQuery, listHosts } from "./host-list.ts";

/** Hosts `h0` to `hn`; of every seven the third has the most pages. */
function frontierOf(count: number) {
  const at = (number: number) =>
    ({
      ...{ host: `h${number}.example`, number, state: number % 3 === 0 ? "idle" : "politeness" },
      ...{ pages: (number * 5) % 7, queued: count - number },
    }) as unknown as HostView;
  return { hosts: { count, at, find: () => null } };
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
