/** The link graph of a crawl: every link of every page, found from both ends. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answered } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type FetchableUrl, LinkResolver } from "../../src/formats/url/index.ts";
import { readConfiguration } from "../../src/rules/config/index.ts";
import { CrawlDirectory, fingerprintKeyBytes } from "../../src/store/directory/index.ts";
import type { PageRow, RowLink } from "../../src/store/export/index.ts";
import { type LinkedPage, type LinksIn, LinkView } from "../../src/store/links/index.ts";
import { type CrawledWeb, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;

/** A page of host a links to some of its others, to host b, and to what is not crawled. */
const HOSTS: Hosts = (port) => ({
  "a.test": {
    pages: Object.fromEntries(
      Array.from({ length: 40 }, (_, page) => [
        page === 0 ? "/" : `/${page}`,
        {
          headers: [HTML],
          body:
            `<title>${page}</title><a href="/${page + 1}" rel="next">número ${page + 1}</a>` +
            `<a href="/${(page * 7) % 40}#part">x</a><area href="//b.test:${port}/">` +
            '<a href="mailto:a@b.test">m</a><a href="https://elsewhere.test/">out</a>',
        },
      ]),
    ),
  },
  "b.test": { pages: { "/": { headers: [HTML], body: "<p>No link." } } },
});

async function crawl(web: CrawledWeb, args: readonly string[]) {
  const folder = join(web.folder, "out");
  const file = join(web.folder, "pages.jsonl");
  const flags = [...web.flags, "-q", "-o", folder, "--pages", file, "--links", ...args];
  const terminal = new RecordedTerminal();
  const code = await run(["crawl", ...flags, web.url("a.test/")], terminal);
  assert.equal(code, 0, terminal.said);
  const rows = readFileSync(file, "utf8").trimEnd().split("\n");
  return { folder, rows: rows.map((line) => JSON.parse(line) as PageRow) };
}

function viewOf(folder: string): LinkView {
  const identity = CrawlDirectory.identityOf(folder);
  const reading = readConfiguration({});
  assert(reading.ok);
  const { url: rules } = reading.configuration;
  const resolver = new LinkResolver({
    fingerprintKey: fingerprintKeyBytes(identity),
    ...{ shards: identity.shards, rules, urlLengthMax: 2048 },
  });
  return new LinkView({
    storage: new DiskStorage(folder),
    folder: "links/graph",
    fingerprintOf: (url) => {
      const link = resolver.resolve(url, resolver.base(url as FetchableUrl));
      return typeof link === "string" ? null : link;
    },
  });
}

async function linksTo(view: LinkView, url: string): Promise<RowLink[]> {
  const links: RowLink[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const some = await answered<LinksIn>((done) => view.linksTo(url, from, done));
    links.push(...some.links);
    after = some.next;
  }
  return links;
}

function sorted(links: readonly RowLink[]): string[] {
  return links.map((link) => JSON.stringify(link)).sort();
}

/** As a crawl compares URLs: the fragment does not count. */
function withoutPart(url: string): string {
  return url.split("#")[0] ?? "";
}

test("the graph has the links of every page, and finds every page that links to another", async () => {
  await withWeb(HOSTS, async (web) => {
    const { folder, rows } = await crawl(web, []);
    const view = viewOf(folder);
    const answers = rows.filter(({ status }) => status === 200);
    assert.equal(answers.length, 40);
    const all = answers.flatMap(({ url: source, links }) =>
      (links ?? [])
        .filter(({ url }) => !url.startsWith("mailto:"))
        .map((link) => ({ ...link, url: withoutPart(link.url), source })),
    );
    for (const { url } of answers) {
      const page = await answered<LinkedPage | null>((done) => view.linksOf(url, done));
      const written = (page?.links ?? []).map((link) => ({ ...link, url: withoutPart(link.url) }));
      const own = all.filter(({ source }) => source === url);
      assert.deepEqual(
        sorted(written),
        sorted(own.map(({ url: to, kind, rel, text }) => ({ url: to, kind, rel, text }))),
      );
    }
    for (const target of new Set(all.map(({ url }) => url))) {
      const leading = all.filter(({ url }) => url === target);
      assert.deepEqual(
        sorted(await linksTo(view, target)),
        sorted(leading.map(({ source, kind, rel, text }) => ({ url: source, kind, rel, text }))),
      );
    }
    assert.equal((await linksTo(view, web.url("b.test/"))).length, 40);
    const counts = await answered<{ links: number }>((done) => view.counts(done));
    assert.equal(counts.links, all.length);
  });
});

test("links that may not be followed are in the graph all the same", async () => {
  await withWeb(HOSTS, async (web) => {
    const args = ["--set", "filters.follow=not StatusIs(200)", "--set", "store.compression=none"];
    const { folder, rows } = await crawl(web, args);
    assert.equal(rows.length, 1);
    const view = viewOf(folder);
    const page = await answered<LinkedPage | null>((done) =>
      view.linksOf(web.url("a.test/"), done),
    );
    assert.equal(page?.links.length, 4);
  });
});

test("without store.links there is no graph", async () => {
  await withWeb(HOSTS, async (web) => {
    const { folder } = await crawl(web, ["--set", "store.links=false"]);
    assert.equal(existsSync(join(folder, "links")), false);
  });
});
