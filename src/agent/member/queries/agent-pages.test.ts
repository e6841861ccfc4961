/** Queries of a cluster, answered from archive files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { answer, withArchives } from "../../../../test/support/store/archives.ts";
import { isCrawlError } from "../../../base/errors/index.ts";
import { answered } from "../../../base/seams/index.ts";
import type { Place } from "../../../cluster/messages/index.ts";
import type { ItemsPart, PagePart, Query, Whereabouts } from "../../../cluster/queries/index.ts";
import { answerFrom } from "../../control/ask-crawl.ts";
import { AgentPages } from "./agent-pages.ts";
import { readPage } from "./page-message.ts";
import {
  type HostItem,
  hostsQuery,
  itemIn,
  type LinkItem,
  PAGE_QUERIES,
  type PageItem,
  pagesQuery,
  wholeQuery,
} from "./page-queries.ts";

const B: Place = { id: "b", generation: 1 };
const C: Place = { id: "c", generation: 1 };

/** The pages `one` to `nine`, each of which links to `one`; `two` is hidden behind the copy of b. */
async function withPages(
  use: (pages: AgentPages) => Promise<void>,
  fetchedAt: (() => string) | null = null,
): Promise<void> {
  const names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  await withArchives(async (rig) => {
    const records = names.map((name) =>
      gzipSync(answer(name, `<title>${name}</title><a href="/one">${"x".repeat(50)}</a>`)),
    );
    const view = await rig.open([rig.file("a.warc.gz", Buffer.concat(records))]);
    const find: typeof view.find = async (url) => {
      const row = await view.find(url);
      return row === null || fetchedAt === null ? row : { ...row, fetchedAt: fetchedAt() };
    };
    const pages = new AgentPages({
      view: { find, record: (row) => view.record(row) },
      id: view.id,
      pages: {
        ask: async (kind, asked) => (await answerFrom(view, { kind, ...asked } as never)) as never,
      },
      holdersOf: (url, done) => done(url.endsWith("/ten") ? [C, B] : []),
      hiddenBy: async (url) => (url.endsWith("/two") ? B : null),
      explain: async () => null,
      hosts: async ({ after, limit }) => {
        const numbers = [0, 1, 2, 3, 4].slice((after?.number ?? -1) + 1).slice(0, limit);
        const places = numbers.map((number) => ({ value: 0, lane: 0, number }));
        return {
          hosts: numbers.map((number) => ({ host: `h${number}` }) as never),
          places,
          next: null,
        };
      },
      close: () => view.close(),
    });
    await use(pages);
    await pages.close();
  });
}

function urlOf(name: string): string {
  return `http://a.test/${name}`;
}

test("hosts are told part by part, up to one more than are wanted", async () => {
  await withPages(async (pages) => {
    const query = hostsQuery({ match: null, state: null, sort: "found", limit: 2 });
    const ask = (cursor: string, bytesMax: number): Promise<ItemsPart> =>
      answered((done) => pages.items(query, cursor, bytesMax, done));
    const hostsIn = ({ items }: ItemsPart): unknown[] =>
      items.map((bytes) => (itemIn<HostItem>(bytes) as HostItem).view.host);
    const all = await ask("", 10_000);
    assert.deepEqual([hostsIn(all), all.isEnd], [["h0", "h1", "h2"], true]);
    const part = await ask("", 1);
    assert.deepEqual([hostsIn(part), part.isEnd], [["h0"], false]);
    assert.deepEqual(hostsIn(await ask(part.cursor, 10_000)), ["h1", "h2", "h3"]);
  });
});

test("Q1: a page is here, or where somebody says to have it, or where the visible copy is", async () => {
  await withPages(async (pages) => {
    const where = (name: string): Promise<Whereabouts> =>
      answered((done) => pages.whereIs(urlOf(name), done));
    assert.deepEqual(await where("one"), { kind: "here" });
    assert.deepEqual(await where("two"), { kind: "elsewhere", place: B });
    assert.deepEqual(await where("ten"), { kind: "elsewhere", place: C });
    assert.deepEqual(await where("eleven"), { kind: "absent" });
  });
});

test("Q1: a page is sent part by part, also while others ask for many more", async () => {
  await withPages(async (pages) => {
    const part = (name: string, from: number): Promise<PagePart | null> =>
      answered((done) => pages.readPage(urlOf(name), from, 100, done));
    assert.equal(await part("eleven", 0), null);
    const parts: Uint8Array[] = [];
    let total = Number.POSITIVE_INFINITY;
    for (let from = 0; from < total; from += 100) {
      const next = (await part("one", from)) ?? assert.fail("it is here");
      assert.equal(next.stamp, "2026-01-01T00:00:00.000Z");
      parts.push(next.bytes);
      total = next.totalBytes;
      for (const name of ["three", "four", "five", "six", "seven"]) await part(name, 0);
    }
    const page = readPage(Buffer.concat(parts));
    assert.ok(!isCrawlError(page) && page.outcome.kind === "record");
    assert.equal(page.row.url, urlOf("one"));
    assert.match(Buffer.from(page.outcome.record.payload).toString(), /^<title>one/);
  });
});

test("Q1: whoever begins anew gets the page as it is by now; whoever goes on gets the one it began", async () => {
  let looks = 0;
  const fetchedAt = (): string => {
    looks += 1;
    return `${looks}`;
  };
  await withPages(async (pages) => {
    const stamp = async (from: number): Promise<string | undefined> =>
      (await answered<PagePart | null>((done) => pages.readPage(urlOf("one"), from, 100, done)))
        ?.stamp;
    const first = await stamp(0);
    assert.equal(await stamp(100), first);
    const second = await stamp(0);
    assert.notEqual(second, first);
    assert.equal(await stamp(100), second);
  }, fetchedAt);
});

/** All items, read in parts of this length. */
async function all<Item>(pages: AgentPages, query: Query, bytesMax: number): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor = "", isEnd = false; !isEnd; ) {
    const part: ItemsPart = await answered((done) => pages.items(query, cursor, bytesMax, done));
    for (const item of part.items) found.push(JSON.parse(Buffer.from(item).toString()));
    ({ cursor, isEnd } = part);
  }
  return found;
}

const VISIBLE = ["one", "three", "four", "five", "six", "seven", "eight", "nine"];

test("Q2: pages and links come part by part, the hidden copy never, and nothing twice", async () => {
  await withPages(async (pages) => {
    const nameOf = ({ url }: { url: string }): string => url.slice(urlOf("").length);
    const wanted = { prefix: "", filter: null, text: false, links: false };
    for (const bytesMax of [1, 1000, 1_000_000]) {
      const listed = await all<PageItem>(pages, pagesQuery(wanted), bytesMax);
      assert.deepEqual(
        listed.map(({ page }) => nameOf(page)),
        VISIBLE,
        `${bytesMax}`,
      );
      const linksIn = { what: PAGE_QUERIES.linksIn, argument: urlOf("one") };
      const linked = await all<LinkItem>(pages, linksIn, bytesMax);
      assert.deepEqual(
        linked.map(({ link }) => link && nameOf(link)),
        VISIBLE,
        `${bytesMax}`,
      );
    }
    assert.deepEqual(await all(pages, { what: "what-else", argument: "" }, 100), []);
  });
});

test("Q2: agents choose pages by their beginning and by a filter, with text and links", async () => {
  await withPages(async (pages) => {
    const wanted = {
      ...{ prefix: urlOf("f"), filter: "URLMatchesRegex(.*e)", text: true, links: true },
    };
    const [item, ...more] = await all<PageItem>(pages, pagesQuery(wanted), 1000);
    assert.equal(more.length, 0);
    assert.equal(item?.page.url, urlOf("five"));
    assert.equal(item.page.text, "x".repeat(50));
    assert.deepEqual(
      item.page.links?.map(({ url }) => url),
      [urlOf("one")],
    );
  });
});

test("Q2: the links of a page, and a whole page, are told by whoever shows it", async () => {
  await withPages(async (pages) => {
    const links = (name: string): Promise<LinkItem[]> =>
      all(pages, { what: PAGE_QUERIES.linksOut, argument: urlOf(name) }, 100);
    assert.deepEqual(
      (await links("one")).map(({ link }) => link?.url ?? null),
      [null, urlOf("one")],
    );
    assert.deepEqual(await links("two"), [], "its copy is hidden");
    assert.deepEqual(await links("ten"), []);
    const whole = async (name: string): Promise<string> => {
      const pieces: Uint8Array[] = [];
      for (let cursor = "", isEnd = false; !isEnd; ) {
        const query = wholeQuery({ url: urlOf(name), text: true, links: false });
        const part: ItemsPart = await answered((done) => pages.items(query, cursor, 70, done));
        pieces.push(...part.items);
        ({ cursor, isEnd } = part);
      }
      return Buffer.concat(pieces).toString();
    };
    assert.equal(JSON.parse(await whole("one")).text, "x".repeat(50));
    assert.equal(await whole("two"), "");
  });
});

test("Q2: what is told in pieces is of one version, also if others ask and the page changes", async () => {
  let version = 1;
  const text = (): string => `version ${version} `.repeat(20);
  const pages = new AgentPages({
    ...{ view: { find: async () => ({}) as never, record: async () => ({}) as never }, id: "d" },
    pages: { ask: async () => ({ url: urlOf("one"), text: text() }) as never },
    ...{ holdersOf: () => undefined, hiddenBy: async () => null, explain: async () => null },
    hosts: async () => assert.fail("nobody asks for hosts"),
    close: async () => undefined,
  });
  const query = wholeQuery({ url: urlOf("one"), text: true, links: false });
  const part = (cursor: string): Promise<ItemsPart> =>
    answered((done) => pages.items(query, cursor, 100, done));
  const rest = async (first: ItemsPart): Promise<string> => {
    const pieces = [...first.items];
    for (let { cursor, isEnd } = first; !isEnd; ) {
      const next = await part(cursor);
      pieces.push(...next.items);
      ({ cursor, isEnd } = next);
    }
    return JSON.parse(Buffer.concat(pieces).toString()).text;
  };
  const first = await part("");
  const before = text();
  version = 2;
  const second = await part("");
  assert.equal(await rest(first), before, "as it was for whoever has begun before");
  assert.equal(await rest(second), text());
  for (version = 3; version < 8; version += 1) await part("");
  await assert.rejects(rest(first), { code: "CLUSTER_ANSWER_MISSING" }, "it is not kept any more");
});

test("Q2: a page with very much text, or very many links, is listed without them, and says so", async () => {
  const much = "x".repeat(128 * 1024);
  const rows = [
    { url: urlOf("one"), title: "one", text: much },
    { url: urlOf("two"), title: "two", text: "little", links: [{ url: much, text: "" }] },
    { url: urlOf("three"), text: much.slice(1000), links: [] },
    { url: urlOf("four"), title: much },
  ];
  const pages = new AgentPages({
    ...{ view: { find: async () => null, record: async () => ({}) as never }, id: "d" },
    pages: {
      ask: async () =>
        ({ pages: rows, cursors: ["d-1", "d-2"], end: "d-4", cursor: null }) as never,
    },
    ...{ holdersOf: () => undefined, hiddenBy: async () => null, explain: async () => null },
    hosts: async () => assert.fail("nobody asks for hosts"),
    close: async () => undefined,
  });
  const wanted = { prefix: "", filter: null, text: true, links: true };
  assert.deepEqual(await all<PageItem>(pages, pagesQuery(wanted), 1_000_000), [
    { at: "1", page: { url: urlOf("one"), title: "one" }, isCut: true },
    { at: "2", page: { url: urlOf("two"), title: "two" }, isCut: true },
    { at: "4", page: rows[2] },
    { at: "4", page: rows[3] },
  ]);
});
