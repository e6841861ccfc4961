/** Exports that other programs open: Parquet by DuckDB, WACZ by unzip and warcio, words, graphs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { run } from "../../src/cli/shell/run.ts";
import { type EndedCrawl, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { recordsIn } from "../support/formats/warcio.ts";
import { needsProgram } from "../support/requirement.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;

const SITE: Hosts = () => ({
  "www.site.co.uk": {
    pages: {
      "/": {
        headers: [HTML],
        body: '<title>Home</title><p>apple pear apple <a href="/two?q=1">2</a><a href="/old">o</a>',
      },
      "/two?q=1": {
        headers: [HTML],
        body: '<title>Two</title><p>Äpfel pear <a href="/">home</a><a href="/">again</a><a href="/gone">g</a>',
      },
      "/old": { status: 301, reason: "Moved", headers: [["Location", "/two?q=1"]] },
    },
  },
});

/** Exports into a folder of its own and gives the path of the result. */
async function exporting(
  format: string,
  use: (path: string, crawl: EndedCrawl) => Promise<void>,
): Promise<void> {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["www.site.co.uk/"]);
    const to = join(mkdtempSync(join(tmpdir(), "trobar-export-test-")), "result");
    const terminal = new RecordedTerminal();
    const argv = ["store", "export", format, "-o", crawl.folder, "--to", to, "-q"];
    assert.equal(await run(argv, terminal), 0, terminal.said);
    for (const left of [".part", ".part.json", ".part.runs"]) {
      assert.equal(existsSync(to + left), false, left);
    }
    await use(to, crawl);
    rmSync(join(to, ".."), { recursive: true });
  });
}

const linesOf = (path: string): string[] => readFileSync(path, "utf8").trimEnd().split("\n");

test("DuckDB reads the Parquet file by Common Crawl's columns", async () => {
  await exporting("parquet", async (path, crawl) => {
    const connection = await (await DuckDBInstance.create()).connect();
    const query = async (sql: string) =>
      (
        await connection.runAndReadAll(sql.replace("PAGES", `read_parquet('${path}')`))
      ).getRowObjectsJson();
    assert.equal((await query("select * from PAGES")).length, crawl.lines.length);
    const [home] = await query(
      "select url_host_registered_domain, url_host_name_reversed, url_host_tld, fetch_status," +
        " url_path, content_mime_type, subset, crawl, warc_record_offset, warc_record_length," +
        " epoch_ms(fetch_time) as at_ms, content_digest from PAGES" +
        " where url_path = '/' and url_query is null",
    );
    const line = crawl.lines.find(({ url }) => new URL(url).pathname === "/");
    assert.deepEqual(home, {
      url_host_registered_domain: "site.co.uk",
      url_host_name_reversed: "uk.co.site.www",
      url_host_tld: "uk",
      fetch_status: 200,
      url_path: "/",
      content_mime_type: "text/html",
      subset: "warc",
      crawl: home?.["crawl"],
      warc_record_offset: String(line?.place?.offset),
      warc_record_length: String(line?.place?.lengthBytes),
      at_ms: String(line?.atMs),
      content_digest: line?.digest?.slice("sha1:".length),
    });
    const [moved] = await query(
      "select fetch_redirect, subset from PAGES where fetch_status = 301",
    );
    assert.match(String(moved?.["fetch_redirect"]), /\/two\?q=1$/);
    assert.equal(moved?.["subset"], "crawldiagnostics");
  });
});

test("a WACZ is a ZIP file with the archive, its index, its pages and true digests", {
  skip: needsProgram("unzip"),
}, async () => {
  await exporting("wacz", async (path, crawl) => {
    assert.equal(spawnSync("unzip", ["-t", path]).status, 0);
    const file = (name: string): Buffer => spawnSync("unzip", ["-p", path, name]).stdout;
    const manifest = JSON.parse(file("datapackage.json").toString());
    assert.equal(manifest.wacz_version, "1.1.1");
    assert.match(manifest.mainPageUrl, /site\.co\.uk/);
    const digest = JSON.parse(file("datapackage-digest.json").toString());
    assert.equal(digest.hash, sha256(file("datapackage.json")));
    for (const { path: name, hash, bytes } of manifest.resources) {
      assert.deepEqual([sha256(file(name)), file(name).length], [hash, bytes], name);
    }
    const archives = manifest.resources.filter((one: { path: string }) =>
      one.path.startsWith("archive/"),
    );
    const records = [];
    for (const { path: name } of archives) records.push(...(await recordsIn(file(name))));
    assert.equal(
      records.filter(({ type }) => type !== "warcinfo").length,
      [...crawl.records, ...crawl.robotsRecords].filter(({ type }) => type !== "warcinfo").length,
    );
    const index = gunzipSync(file("indexes/index.cdx.gz")).toString().trimEnd().split("\n");
    assert.deepEqual(index, index.toSorted());
    assert.match(index[0] ?? "", /^uk,co,site:\d+\)\/ \d{14} \{/);
    const [meta, first] = file("indexes/index.idx").toString().split("\n");
    assert.match(meta ?? "", /^!meta 0 \{/);
    const block = JSON.parse(first?.slice(first.indexOf("{")) ?? "");
    const bytes = file("indexes/index.cdx.gz").subarray(block.offset, block.offset + block.length);
    assert.equal(sha256(bytes), block.digest);
    const [head, ...pages] = file("pages/pages.jsonl").toString().trimEnd().split("\n");
    assert.equal(JSON.parse(head ?? "").format, "json-pages-1.0");
    const titles = pages.map((page) => JSON.parse(page).title);
    assert.deepEqual(titles.sort(), ["Home", "Two"]);
  });
});

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

test("words are sorted by term, with the pages they are in", async () => {
  await exporting("words", async (path) => {
    const lines = linesOf(path);
    const input = `${lines.join("\n")}\n`;
    assert.equal(spawnSync("sort", ["-c"], { input, env: { LC_ALL: "C" } }).status, 0);
    const apple = lines.filter((line) => line.startsWith("apple\t"));
    assert.deepEqual(
      apple.map((line) => line.replace(/http:\S+/, "URL")),
      ["apple\tURL\t2"],
    );
    assert.equal(lines.filter((line) => line.startsWith("pear\t")).length, 2);
    assert.ok(lines.some((line) => line.startsWith("äpfel\t")));
  });
});

test("the graph has an arc for each link between pages, and for each redirect", async () => {
  await exporting("graph", async (path, crawl) => {
    const urls = linesOf(join(path, "urls.txt"));
    assert.deepEqual(new Set(urls), new Set(crawl.lines.map(({ url }) => url)));
    const name = (id: string): string => new URL(urls[Number(id)] ?? "").pathname;
    const arcs = linesOf(join(path, "arcs.txt")).map((arc) => arc.split(" ").map(name).join(" > "));
    assert.deepEqual(arcs.sort(), [
      "/ > /old",
      "/ > /two",
      "/old > /two",
      "/two > /",
      "/two > /gone",
    ]);
    const [count, ...lists] = readFileSync(join(path, "graph.graph-txt"), "utf8").split("\n");
    assert.equal(count, String(urls.length));
    assert.equal(lists.length, urls.length + 1);
    assert.equal(lists[urls.findIndex((url) => url.endsWith("/old"))]?.split(" ").length, 1);
  });
});
