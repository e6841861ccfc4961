/** Pages, links and stories of agents that share a crawl, asked of any of them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LinksAsked, LinksFound, PagesFound } from "../../src/agent/control/ask-crawl.ts";
import { isCrawlError } from "../../src/base/errors/index.ts";
import { CrawledWeb, type Hosts, linking } from "../support/agent/crawl-rig.ts";
import { MemberRig } from "./member-rig.ts";

type Agent = Awaited<ReturnType<MemberRig["open"]>>;
type Pages = Agent["pages"];

const HOSTS_COUNT = 9;
const PAGES = 4;

/** Every page links to the first of all hosts, and to the next one of its own. */
const HOSTS: Hosts = (port) => {
  const firsts = Array.from({ length: HOSTS_COUNT }, (_, host) => `http://h${host}.test:${port}/0`);
  const hosts = firsts.map((_first, host) => {
    const pages = Array.from({ length: PAGES }, (_page, page) => {
      const next = `/${(page + 1) % PAGES}`;
      return [`/${page}`, linking(...firsts, next)] as const;
    });
    return [`h${host}.test`, { pages: Object.fromEntries(pages) }] as const;
  });
  // Keeps the crawl running: one of its pages is due in an hour.
  return { ...Object.fromEntries(hosts), "slow.test": { pages: { "/": linking("/later") } } };
};

const ALL = HOSTS_COUNT * PAGES;
/** Without the slow one. */
const PREFIX = "http://h";

const SETTINGS = [
  ...["politeness.hosts={slow.test: {hostDelay: 1h}}", "politeness.robots=ignore"],
  "cluster.giveUpAfter=60s",
];

/** Three agents that have fetched all that they could, and go on. */
let web: CrawledWeb;
let agents: readonly Agent[] = [];
let ends: readonly Promise<unknown>[] = [];

before(async () => {
  web = await CrawledWeb.open(HOSTS);
  const rig = new MemberRig(web, SETTINGS);
  const opening = [rig.open("a0", { founds: true, expect: 3 })];
  for (const id of ["a1", "a2"]) opening.push(rig.open(id, { founds: false }));
  agents = await Promise.all(opening);
  ends = agents.map((agent) => agent.run());
  await agents[0]?.member.seed([web.url("h0.test/0"), web.url("slow.test/")]);
  while ((await allOf((agents[0] as Agent).pages, 1000)).urls.length < ALL);
});

after(async () => {
  for (const { crawl } of agents) crawl.life.stop();
  await Promise.all(ends);
  await web.close();
});

/** All pages, so many at a time, the next ones asked of the next agent. */
async function allOf(first: Pages, limit: number, others: readonly Pages[] = []) {
  const asked = [first, ...others];
  const urls: string[] = [];
  const cursors: string[] = [];
  let after: string | null = null;
  for (let turn = 0; ; turn += 1) {
    const pages = asked[turn % asked.length] as Pages;
    const found: PagesFound = await pages.ask("pages", { prefix: PREFIX, after, limit });
    urls.push(...found.pages.map(({ url }) => url));
    cursors.push(...found.cursors);
    after = found.cursor;
    if (after === null) return { urls, cursors, missing: found.missing ?? [] };
  }
}

async function codeOf(asked: Promise<unknown>): Promise<string> {
  const thrown = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  return isCrawlError(thrown) ? thrown.code : String(thrown);
}

test("Q1: any agent gives a page and its content, whoever has it", async () => {
  for (const { pages } of agents) {
    for (let host = 0; host < HOSTS_COUNT; host += 1) {
      const url = web.url(`h${host}.test/2`);
      assert.equal((await pages.ask("page", { url }))?.url, url);
      const { page, bytes } = await pages.ask("content", { url });
      assert.equal(page.url, url);
      assert.match(Buffer.from(bytes).toString(), /href="\/3"/);
      const { answer } = await pages.ask("answer", { url });
      assert.match(answer?.statusLine ?? "", /^HTTP\/1.1 200/);
      const whole = await pages.ask("page", { url, text: true, links: true });
      assert.equal(whole?.links?.length, HOSTS_COUNT + 1);
    }
    const nowhere = web.url("h1.test/nowhere");
    assert.equal(await pages.ask("page", { url: nowhere }), null);
    assert.equal(await codeOf(pages.ask("content", { url: nowhere })), "CONTROL_NOT_FOUND");
    assert.equal(await pages.ask("page", { url: "not a URL" }), null);
  }
});

test("Q2: links lead to a page from wherever they were found, and stories are told by who knows", async () => {
  for (const { pages } of agents) {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const asked: LinksAsked = { url: web.url("h3.test/0"), direction: "in", after, limit: 7 };
      const { links, cursor, missing }: LinksFound = await pages.ask("links", asked);
      assert.deepEqual(missing, []);
      found.push(...links.map(({ url }) => url));
      after = cursor;
      if (after === null) break;
    }
    // The last page of the host links to it twice.
    assert.equal(new Set(found).size, HOSTS_COUNT * PAGES);
    const out = { url: web.url("h3.test/3"), direction: "out", after: null, limit: 3 } as const;
    const first = await pages.ask("links", out);
    assert.equal(first.links.length, 3);
    const rest = await pages.ask("links", { ...out, after: first.cursor, limit: 100 });
    assert.equal(rest.links.length, HOSTS_COUNT + 1 - 3);
    const unknown = { ...out, url: web.url("h3.test/nowhere") };
    assert.equal(await codeOf(pages.ask("links", unknown)), "CONTROL_NOT_FOUND");
    const stateOf = async (place: string): Promise<string | undefined> =>
      (await pages.ask("explain", { url: web.url(place), memory: null }))?.state;
    assert.equal(await stateOf("h3.test/0"), "fetched");
    assert.equal(await stateOf("h3.test/nowhere"), "unknown");
    const slow = [await stateOf("slow.test/"), await stateOf("slow.test/later")];
    assert.ok(slow.includes("queued"), `${slow}`);
    assert.equal(await pages.ask("explain", { url: "no url", memory: null }), null);
  }
});

test("Q3: a stream of pages goes on at any agent, and tells each page once", async () => {
  const [first, ...others] = agents.map(({ pages }) => pages);
  assert.ok(first !== undefined);
  const { urls, cursors, missing } = await allOf(first, 5, others);
  assert.equal(urls.length, ALL);
  assert.equal(new Set(urls).size, ALL);
  assert.deepEqual(missing, []);
  const after = cursors[10] ?? null;
  const rest = await others[0]?.ask("pages", { prefix: PREFIX, after, limit: 1000 });
  assert.deepEqual(
    rest?.pages.map(({ url }) => url).toSorted(),
    urls.slice(11).toSorted(),
    "what follows a page of the middle",
  );
  const later = await first.ask("pages", { prefix: PREFIX, after: rest?.end ?? "", limit: 10 });
  assert.deepEqual([later.pages, later.cursor], [[], null]);
  const some = await first.ask("pages", {
    ...{ prefix: web.url("h1.test/"), filter: "URLMatchesRegex(.*[13])", text: true },
    ...{ after: null, limit: 10 },
  });
  assert.equal(some.pages.length, 2);
  assert.equal(typeof some.pages[0]?.text, "string");
  const odd = { prefix: PREFIX, after: "odd~cursor", limit: 1 };
  assert.equal(await codeOf(first.ask("pages", odd)), "API_BAD_REQUEST");
  const bad = { prefix: PREFIX, filter: "Nonsense(", after: null, limit: 1 };
  assert.equal(await codeOf(first.ask("pages", bad)), "FILTER_INVALID");
});

test("Q2: an answer says who is missing from it, and a page that nobody else knows is not denied", async () => {
  const [first, second] = agents;
  assert.ok(first !== undefined && second !== undefined);
  const own = await second.pages.ask("pages", { prefix: PREFIX, after: null, limit: 1000 });
  second.crawl.life.stop();
  await ends[1];
  const { urls, missing } = await allOf(first.pages, 1000);
  assert.deepEqual(
    missing.map(({ agent }) => agent),
    ["a1"],
  );
  assert.ok(urls.length < own.pages.length);
  const gone = own.pages.map(({ url }) => url).find((url) => !urls.includes(url)) ?? "";
  assert.equal(await codeOf(first.pages.ask("page", { url: gone })), "CLUSTER_ANSWER_MISSING");
  assert.equal(
    await codeOf(first.pages.ask("explain", { url: web.url("h0.test/nowhere"), memory: null })),
    "CLUSTER_ANSWER_MISSING",
  );
});
