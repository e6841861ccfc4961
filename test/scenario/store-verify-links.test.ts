/**
 * `trobar store verify` reads the links of all archived pages once more and compares them with the link
 * graph: a sound crawl has no problem, whatever its pages and its settings are, and a graph that says
 * something else of one page is found and made again by `--rebuild`.
 */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ThreadBackground } from "../../src/base/background/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { answered } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import {
  type LinkedPage,
  type LinkGraph,
  LinkLines,
  openLinkGraph,
} from "../../src/store/links/index.ts";
import { pagesIn } from "../../src/store/links/link-text.ts";
import { type LinkBlock, LinkWalk } from "../../src/store/links/walk-links.ts";
import { CrawlKeys } from "../../src/store/query/index.ts";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;

/** Pages whose links are found in different ways. */
const SITE: Hosts = (port) => {
  const same = '<base href="sub/"><a href="x">relative</a> <a href="../2?q=ü#part">two</a>';
  const zipped = '<a href="/1">one</a><img src="/i.png"><link rel=stylesheet href="/s.css">';
  const secret = '<meta name="robots" content="noarchive"><a href="/3">three</a>';
  const urls = `<url><loc>http://a.test:${port}/4</loc></url>`;
  const header = [HTML, ["Refresh", "5; url=/5"], ["Link", "</6>; rel=next"]] as const;
  return {
    "a.test": {
      pages: {
        "/": linking(
          "/1",
          "/d/1",
          "/d/2",
          "/zip",
          "/secret",
          "/refresh",
          "/map.xml",
          "/gone",
          "/r",
        ),
        "/1": { body: "<title>one</title><a href='/1'>self</a><a href='mailto:a@b'>no</a>" },
        "/2": { body: "" },
        "/d/1": { body: same },
        "/d/2": { body: same },
        "/zip": {
          headers: [HTML, ["Content-Encoding", "gzip"]],
          body: gzipSync(zipped),
        },
        "/secret": { body: secret },
        "/refresh": { headers: header, body: "<a href='/1'>\ttab\n and line</a>" },
        "/map.xml": {
          headers: [["Content-Type", "application/xml"]],
          body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
        },
        "/r": { status: 302, headers: [["Location", "/5"]], body: "" },
        "/5": { body: `<iframe src="/1"></iframe><script>var a = "/7/eight.html";</script>` },
        "/s.css": {
          headers: [["Content-Type", "text/css"]],
          body: "a { background: url(/i.png) }",
        },
        "/robots.txt": { body: `Sitemap: http://a.test:${port}/sitemap.xml\n` },
        "/sitemap.xml": {
          headers: [["Content-Type", "application/xml"]],
          body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
        },
      },
    },
  };
};

interface Verdict {
  readonly links: number;
  readonly linkedPages: { readonly compared: number; readonly unknown: number };
  readonly problems: readonly { file: string; url: string | null; problem: string }[];
}

async function verified(folder: string): Promise<Verdict> {
  const terminal = new RecordedTerminal();
  await run(["store", "verify", "--json", "-q", "-o", folder], terminal);
  const [found] = terminal.rows();
  assert.ok(found, terminal.said);
  return found as unknown as Verdict;
}

async function crawlAgain(web: CrawledWeb, folder: string, args: readonly string[]): Promise<void> {
  const terminal = new RecordedTerminal();
  const flags = [...web.flags, "--json", "-q", "-o", folder, ...args, "--", web.url("a.test/")];
  assert.equal(await run(["crawl", ...flags], terminal), 0, terminal.said);
}

const SETTINGS: readonly (readonly string[])[] = [
  [],
  ["--set", "parse.links=[a]"],
  ["--set", "parse.scripts=true", "--set", "limits.linksPerPage=6"],
  ["--page-requisites"],
  ["-d", "1", "--set", "sitemaps=true"],
  ["--set", "filters.parse=not PathEndsWithOneOf(/zip)", "--set", "limits.urlLength=256"],
  ["--set", "filters.follow=not PathEndsWithOneOf(/5)"],
  ["--lanes", "2"],
  ["--set", "politeness.noarchive=ignore", "--set", "store.compression=zstd"],
];

test("the links of archived pages are those of the graph, whatever the settings", async () => {
  await withWeb(SITE, async (web) => {
    for (const args of SETTINGS) {
      const { folder, code, terminal } = await web.crawl(["a.test/"], args);
      assert.equal(code, 0, terminal.said);
      const { problems, linkedPages: compared, links } = await verified(folder);
      const what = args.join(" ");
      assert.deepEqual(problems, [], what);
      assert.ok(compared.compared > 5 && links > 5, `${what}: ${JSON.stringify(compared)}`);
      const isIgnored = what.includes("noarchive=ignore");
      const isPartial = what.includes("filters.follow");
      assert.equal(compared.unknown, isIgnored ? 0 : isPartial ? 2 : 1, `${what}: the secret page`);
    }
  });
});

test("pages that were read by other settings are told apart", async () => {
  await withWeb(SITE, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["-n", "5", "--set", "parse.links=[a]"]);
    await crawlAgain(web, folder, ["-n", "100", "--set", "parse.links=[a, iframe, link]"]);
    const { problems, linkedPages: compared } = await verified(folder);
    assert.deepEqual(problems, []);
    assert.ok(compared.compared > 0 && compared.unknown >= 5, JSON.stringify(compared));
  });
});

test("the graph of a random walk, or of units of the user, is not compared", async () => {
  await withWeb(SITE, async (web) => {
    const walk = ["--set", "frontier.traversal=random-walk", "-n", "12"];
    const { folder } = await web.crawl(["a.test/"], walk);
    const { problems, linkedPages: compared, links } = await verified(folder);
    assert.deepEqual([problems, compared], [[], { compared: 0, unknown: 0 }]);
    assert.ok(links > 0);
  });
});

/** Writes the graph of a crawl anew, with other pages. */
async function changeGraph(
  folder: string,
  change: (pages: readonly LinkedPage[]) => readonly LinkedPage[],
): Promise<void> {
  const storage = new DiskStorage(folder);
  const clock = new SystemClock();
  const background = new ThreadBackground({ storageRoot: folder, clock });
  const configuration = CrawlDirectory.configurationOf(folder);
  const keys = new CrawlKeys(CrawlDirectory.identityOf(folder), configuration);
  const pages = change(await pagesOf(storage));
  rmSync(join(folder, "links/graph"), { recursive: true });
  const random = new SeededRandom("graph");
  const place = { storage, background, random, folder: "links/graph", report: assert.fail };
  const graph = await answered<LinkGraph>((done) => openLinkGraph(place, done));
  for (const { url, links } of pages) {
    const lines = new LinkLines();
    for (const { url: href, text: anchor, ...link } of links) {
      const { high } = keys.fingerprintOf(href) ?? assert.fail(href);
      lines.add({ ...link, href, anchor, high });
    }
    graph.add({ url, ...(keys.fingerprintOf(url) ?? assert.fail(url)) }, lines);
  }
  await answered((done) => graph.flush(done));
  await answered((done) => graph.close(done));
  await new Promise((closed) => background.close(() => closed(null)));
}

async function pagesOf(storage: DiskStorage): Promise<readonly LinkedPage[]> {
  const pages = new Map<string, LinkedPage>();
  const walk = await answered<LinkWalk | null>((done) =>
    LinkWalk.open(storage, "links/graph", done),
  );
  assert.ok(walk);
  for (;;) {
    const blocks = await answered<readonly LinkBlock[] | null>((done) => walk.next(done));
    if (blocks === null) break;
    for (const { text } of blocks)
      for (const page of pagesIn(text ?? "")) pages.set(page.url, page);
  }
  await answered((done) => walk.close(done));
  return [...pages.values()];
}

const NEVER = "http://never.test/";

/** What is done to the links of the page `/1`, and what is found. */
const CHANGES: readonly (readonly [
  name: string,
  change: (page: LinkedPage) => readonly LinkedPage[],
  problem: RegExp,
])[] = [
  ["no change", (page) => [page], /^$/],
  ["no links of a page", () => [], /the links of the page are not there/],
  [
    "fewer links",
    ({ url, links }) => [{ url, links: links.slice(1) }],
    /has 0 links of the page, and the archived page has 1/,
  ],
  [
    "another target",
    ({ url, links }) => [{ url, links: links.map((link) => ({ ...link, url: NEVER })) }],
    /has 1 links of the page, and the archived page has others/,
  ],
  [
    "another text",
    ({ url, links }) => [{ url, links: links.map((link) => ({ ...link, text: "else" })) }],
    /others/,
  ],
  [
    "another kind",
    ({ url, links }) => [{ url, links: links.map((link) => ({ ...link, kind: "area" })) }],
    /others/,
  ],
  ["a page that was never there", (page) => [page, { url: NEVER, links: [] }], /has no page/],
];

test("a graph that says something else of one page is found, and made again", async () => {
  await withWeb(SITE, async (web) => {
    const { folder: sound } = await web.crawl(["a.test/"]);
    for (const [name, change, problem] of CHANGES) {
      const folder = join(web.folder, name.replaceAll(" ", "-"));
      cpSync(sound, folder, { recursive: true });
      const isChanged = ({ url }: LinkedPage): boolean => url === web.url("a.test/1");
      await changeGraph(folder, (pages) =>
        pages.flatMap((page) => (isChanged(page) ? change(page) : [page])),
      );
      const { problems } = await verified(folder);
      if (name === "no change") {
        assert.deepEqual(problems, []);
        continue;
      }
      assert.equal(problems.length, 1, `${name}: ${JSON.stringify(problems)}`);
      const [{ file, url, problem: told } = { file: "", url: "", problem: "" }] = problems;
      assert.match(told, problem, name);
      assert.equal(file, "links/graph/log.log");
      assert.equal(url, name.startsWith("a page") ? NEVER : web.url("a.test/1"), name);
      const rebuilt = new RecordedTerminal();
      assert.equal(await run(["store", "verify", "--rebuild", "-q", "-o", folder], rebuilt), 0);
      assert.deepEqual((await verified(folder)).problems, [], name);
    }
  });
});
