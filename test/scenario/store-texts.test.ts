/** Texts that a crawl keeps beside its page index: `store.text`, `parse.words`. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import type { PageRow } from "../../src/store/export/index.ts";
import { type EndedCrawl, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;
const KEEP = ["--set", "store.text=true", "--set", "parse.words=true"];

const SITE: Hosts = () => ({
  "a.test": {
    pages: {
      "/": {
        headers: [HTML],
        body:
          '<html lang=fr><title>Début</title><meta name=description content="Tout.">' +
          "<p>Bonjour à tous, à <a href=/b>vous</a> <a href=/secret>s</a> <a href=/image>i</a>",
      },
      "/b": { headers: [HTML], body: "<title>B</title><p>one two two" },
      "/secret": { headers: [HTML], body: '<meta name="robots" content="noarchive"><p>hidden' },
      "/image": { headers: [["Content-Type", "image/png"]], body: "\x89PNG\r\n\x1a\n\0\0" },
    },
  },
});

interface Asked {
  readonly rows: ReadonlyMap<string, PageRow>;
  readonly said: string;
}

async function textsOf({ folder }: Pick<EndedCrawl, "folder">): Promise<Asked> {
  const terminal = new RecordedTerminal();
  const args = ["export", "jsonl", "--text", "-o", folder, "--to", "-"];
  assert.equal(await run(["store", ...args], terminal), 0);
  const lines = terminal.written.split("\n").filter((line) => line !== "");
  const rows = lines.map((line): PageRow => JSON.parse(line));
  return {
    rows: new Map(rows.map((row) => [new URL(row.url).pathname, row])),
    said: terminal.said,
  };
}

/** Where the records of all pages were. */
function withoutArchive({ folder }: EndedCrawl): void {
  rmSync(join(folder, "warc"), { recursive: true });
}

test("texts and words are read from beside the index, without the archive", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], KEEP);
    withoutArchive(crawl);
    const { rows } = await textsOf(crawl);
    const root = rows.get("/");
    assert.match(root?.text ?? "", /^Bonjour à tous, à vous/);
    assert.deepEqual([root?.title, root?.description], ["Début", "Tout."]);
    assert.deepEqual(root?.words, { bonjour: 1, à: 2, tous: 1, vous: 1, s: 1, i: 1 });
    assert.deepEqual(rows.get("/b")?.words, { one: 1, two: 2 });
    assert.equal(rows.get("/secret")?.text, null, "a page that asks not to be archived");
    assert.equal(rows.get("/image")?.text, null);
  });
});

test("what a page declares of itself is kept with its text, where texts are kept", async () => {
  const body =
    "<title>A</title><link rel=canonical href=/a?x=1><link rel=alternate hreflang=fr href=/fr>" +
    "<meta property=article:published_time content='2026-01-02T03:04:05+02:00'>" +
    '<script type="application/ld+json">{"@type":"NewsArticle"}</script><p>text';
  const last = ["Last-Modified", "Sat, 31 Jan 2026 12:00:00 GMT"] as const;
  const link = ["Link", "</de>; rel=alternate; hreflang=de"] as const;
  const root = { headers: [HTML, last, link], body };
  const site: Hosts = () => ({ "a.test": { pages: { "/": root } } });
  await withWeb(site, async (web) => {
    const { rows } = await textsOf(await web.crawl(["a.test/"], KEEP));
    const { canonical, alternates, published, modified, types } = rows.get("/") ?? {};
    assert.deepEqual([canonical, types], [web.url("a.test/a?x=1"), ["NewsArticle"]]);
    assert.deepEqual(alternates, [
      { url: web.url("a.test/de"), language: "de", type: "" },
      { url: web.url("a.test/fr"), language: "fr", type: "" },
    ]);
    assert.deepEqual(
      [published, modified],
      ["2026-01-02T01:04:05.000Z", "2026-01-31T12:00:00.000Z"],
    );
    const words = await textsOf(await web.crawl(["a.test/"], ["--set", "parse.words=true"]));
    assert.deepEqual(words.rows.get("/")?.types, [], "nobody asked");
  });
});

test("without store.text nothing is kept, and texts are read from the archive", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], []);
    assert.equal(existsSync(join(crawl.folder, "texts")), false);
    const { rows } = await textsOf(crawl);
    assert.equal(rows.get("/b")?.text, "one two two");
    assert.equal("words" in (rows.get("/b") ?? {}), false);
  });
});

test("with parse.words alone the words are kept, and the text is not", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], ["--set", "parse.words=true"]);
    const { rows } = await textsOf(crawl);
    assert.deepEqual(
      [rows.get("/b")?.text, rows.get("/b")?.words],
      ["one two two", { one: 1, two: 2 }],
    );
    withoutArchive(crawl);
    assert.equal((await textsOf(crawl)).rows.get("/b")?.text, null);
  });
});

test("words are exported from what was counted", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], KEEP);
    const exported = async (): Promise<string> => {
      const terminal = new RecordedTerminal();
      const args = ["export", "words", "-o", crawl.folder, "--to", "-"];
      assert.equal(await run(["store", ...args], terminal), 0);
      return terminal.written;
    };
    const counted = await exported();
    assert.match(counted, /^two\thttp:\/\/a\.test:\d+\/b\t2$/m);
    rmSync(join(crawl.folder, "texts"), { recursive: true });
    assert.equal(await exported(), counted, "as the archive says");
  });
});

test("damaged texts are told, and read from the archive", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], KEEP);
    const folder = join(crawl.folder, "texts");
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".log"))) {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      for (let at = 0; at < bytes.length; at += 7) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      writeFileSync(path, bytes);
    }
    const { rows, said } = await textsOf(crawl);
    assert.equal(rows.get("/b")?.text, "one two two");
    assert.match(said, /texts of the crawl are damaged/);
  });
});
