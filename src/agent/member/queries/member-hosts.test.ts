/** The hosts of several agents as one list. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Query, StreamBatch } from "../../../cluster/queries/index.ts";
import type { HostSort, HostsFound } from "../../control/host-list.ts";
import { MemberHosts } from "./member-hosts.ts";
import { readHostsWanted } from "./page-queries.ts";

const CRAWL = "0123456789abcdef";
const AGENTS = ["a", "b", "c"];
const HOSTS = 4;

/** Each agent has four hosts; those of the later agents have more pages. The last one may be silent. */
function batchesOf({ argument }: Query, cursor: string, silent: string | null): StreamBatch[] {
  const { sort, limit } = readHostsWanted(argument);
  const positions = JSON.parse(cursor) as Readonly<Record<string, string>>;
  const answers = AGENTS.filter((agent) => agent !== silent).map((agent, at) => {
    const items = Array.from({ length: HOSTS }, (_, number) => {
      const pages = sort === "found" ? 0 : (HOSTS - number) * 10 + at;
      return { at: `${pages}.0.${number}`, view: { host: `${agent}${number}`, pages } };
    });
    const before = positions[`${agent}.1`];
    const rest = items.slice(items.findIndex((item) => item.at === before) + 1);
    const bytes = rest.slice(0, limit + 1).map((item) => Buffer.from(JSON.stringify(item)));
    return {
      from: { id: agent, generation: 1 },
      items: bytes,
      omitted: 0,
      cursor: "{}",
      missing: [],
    };
  });
  const missing = silent === null ? [] : [{ place: { id: silent, generation: 1 }, why: "dead" }];
  const end = { from: null, items: [], omitted: 0, cursor: "{}", missing: missing as never };
  return [...answers.toReversed(), end];
}

function hostsOf(silent: string | null = null): MemberHosts {
  const stream = (query: Query, cursor: string) => {
    const batches = batchesOf(query, cursor, silent);
    return {
      next: (done: (batch: StreamBatch) => void) => done(batches.shift() as StreamBatch),
      close: () => undefined,
    };
  };
  return new MemberHosts({ crawl: CRAWL, queries: { stream: stream as never } });
}

/** All pages of a list of this length. */
async function pagesOf(sort: HostSort, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const found: HostsFound = await hostsOf().list({
      match: null,
      state: null,
      sort,
      after,
      limit,
    });
    for (const { host, agent } of found.hosts) assert.ok(agent !== null && host.startsWith(agent));
    pages.push(found.hosts.map(({ host }) => host));
    after = found.cursor;
  } while (after !== null);
  return pages;
}

test("hosts of several agents are listed page by page, each once", async () => {
  const sorted = ["c0", "b0", "a0", "c1", "b1", "a1", "c2", "b2", "a2", "c3", "b3", "a3"];
  for (const limit of [1, 5, 12, 100]) {
    assert.deepEqual((await pagesOf("pages", limit)).flat(), sorted, `by ${limit}`);
    assert.deepEqual((await pagesOf("found", limit)).flat().sort(), sorted.toSorted());
  }
  assert.deepEqual(
    (await pagesOf("pages", 5)).map(({ length }) => length),
    [5, 5, 2],
  );
});

test("who has not answered is named, and what is not a cursor is refused", async () => {
  const asked = { match: null, state: null, sort: "pages", limit: 20 } as const;
  const { hosts, missing } = await hostsOf("b").list({ ...asked, after: null });
  assert.deepEqual([hosts.length, missing], [8, [{ agent: "b", why: "dead" }]]);
  for (const after of ["nonsense", `${CRAWL.slice(0, 8)}~a.1:x`]) {
    await assert.rejects(hostsOf().list({ ...asked, after }), { code: "API_BAD_REQUEST" });
  }
});
