/** `trobar store get|list|stream|links|stats` on crawls that have ended. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { run } from "../../src/cli/shell/run.ts";
import { type EndedCrawl, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;

const SITE: Hosts = () => ({
  "a.test": {
    pages: {
      "/": {
        headers: [HTML],
        body:
          "<title>Début</title><p>Bonjour.<a href='/b?x=1' rel=next>b</a><a href='/same'>s</a>" +
          "<a href='/again'>g</a><a href='/moved'>m</a><a href='/secret'>q</a><a href='/gone'>n</a>" +
          "<a href='/packed'>p</a><a href='/escape'>e</a>",
      },
      "/b?x=1": { headers: [HTML], body: "<title>B</title><p>second page <a href='/'>up</a>" },
      "/same": { headers: [HTML], body: "<title>one</title>body" },
      "/again": { headers: [HTML], body: "<title>one</title>body" },
      "/moved": { status: 301, reason: "Moved", headers: [["Location", "/same"]] },
      "/secret": { headers: [HTML], body: '<meta name="robots" content="noarchive"><p>x' },
      "/packed": {
        headers: [HTML, ["Content-Encoding", "gzip"]],
        body: gzipSync("<title>packed</title>unpacked"),
      },
      "/escape": { headers: [["Content-Type", "text/plain"]], body: "red \u001b[31m\ttab\nline" },
    },
  },
});

interface Asked {
  readonly code: number;
  readonly terminal: RecordedTerminal;
}

async function store(
  { folder }: Pick<EndedCrawl, "folder">,
  args: readonly string[],
  terminal: RecordedTerminal = new RecordedTerminal(),
): Promise<Asked> {
  const [command = "", ...rest] = args;
  const code = await run(["store", command, "-o", folder, ...rest], terminal);
  return { code, terminal };
}

test("the body of a page is written decoded, as it came, or with its head", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const packed = web.url("a.test/packed");
    const decoded = await store(crawl, ["get", packed]);
    assert.deepEqual([decoded.code, decoded.terminal.said], [0, ""]);
    assert.equal(decoded.terminal.written, "<title>packed</title>unpacked");
    const raw = await store(crawl, ["get", packed, "--raw"]);
    assert.notEqual(raw.terminal.written, decoded.terminal.written);
    const headed = await store(crawl, ["get", packed, "--headers"]);
    assert.match(headed.terminal.written, /^HTTP\/1\.1 200 .*\r\n(?:.+\r\n)+\r\n<title>packed/);
    const both = [web.url("a.test/same"), web.url("a.test/again")];
    const list = new RecordedTerminal({ input: [`# two\n\n${both.join("\n")}\n`] });
    await store(crawl, ["get", "-i", "-"], list);
    assert.equal(list.written, "<title>one</title>body".repeat(2), "a revisit has its original");
  });
});

test("a page that is not there, or has no body, gives exit code 6 and says why", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const never = await store(crawl, ["get", web.url("a.test/never")]);
    assert.equal(never.code, 6);
    assert.equal(never.terminal.written, "");
    assert.match(never.terminal.said, /never" is not in this crawl/);
    const secret = await store(crawl, ["get", web.url("a.test/secret")]);
    assert.equal(secret.code, 6);
    assert.match(secret.terminal.said, /noarchive/);
    const known = await store(crawl, ["get", web.url("a.test/secret"), "--json"]);
    assert.deepEqual([known.code, known.terminal.rows()[0]?.["status"]], [0, 200]);
    const links = await store(crawl, ["links", web.url("a.test/never")]);
    assert.equal(links.code, 6);
    const moved = await store(crawl, ["get", web.url("a.test/moved")]);
    assert.match(moved.terminal.said, /redirects to .*\/same/);
  });
});

test("a terminal is sent nothing that it would obey", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const live = new RecordedTerminal({ isOutLive: true });
    await store(crawl, ["get", web.url("a.test/escape"), "--headers"], live);
    assert.ok(live.written.endsWith("red \\x1b[31m\ttab\nline"), live.written);
    assert.ok(!live.written.includes("\u001b"));
    const binary = new RecordedTerminal({ isOutLive: true });
    await store(crawl, ["get", web.url("a.test/packed"), "--raw"], binary);
    assert.equal(binary.written, "");
    assert.match(binary.said, /not text .*write it to a file/);
  });
});

test("pages are listed as a table, JSON lines or CSV, all or those a filter accepts", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const table = await store(crawl, ["list"]);
    const [head = "", ...rows] = table.terminal.written.trimEnd().split("\n");
    assert.match(head, /^status {2}type/);
    assert.equal(rows.length, crawl.lines.length);
    assert.ok(rows.some((row) => /301 .*\/moved {2}-> .*\/same/.test(row)));
    const json = await store(crawl, ["list", "--json", "--text", "--links"]);
    const pages = json.terminal.rows();
    assert.deepEqual(
      pages.map(({ url }) => url),
      crawl.lines.map(({ url }) => url),
    );
    const first = pages.find(({ url }) => url === web.url("a.test/"));
    assert.match(String(first?.["text"]), /Bonjour/);
    assert.equal((first?.["links"] as unknown[] | undefined)?.length, 8);
    const csv = await store(crawl, ["list", "--format", "csv", "--filter", "StatusIs(404)"]);
    const lines = csv.terminal.written.trimEnd().split("\r\n");
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", /^url,status,.*,length,requisite$/);
    assert.match(lines[1] ?? "", /\/gone,404,/);
  });
});

test("a stream goes on after any cursor, and takes no cursor of another crawl", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const all = (await store(crawl, ["stream", "--json"])).terminal.rows();
    assert.equal(all.length, crawl.lines.length);
    for (const [index, { cursor }] of all.entries()) {
      const rest = await store(crawl, ["stream", "--json", "--after", String(cursor)]);
      assert.deepEqual(rest.terminal.rows(), all.slice(index + 1));
    }
    const other = await web.crawl(["a.test/"], ["-n", "1"]);
    const cursor = String(all[0]?.["cursor"]);
    for (const wrong of [cursor.replace(/^./, (c) => (c === "0" ? "1" : "0")), "7", "x-1"]) {
      const refused = await store(other, ["stream", "--json", "--after", wrong]);
      assert.equal(refused.code, 2);
      assert.match(refused.terminal.said, /not a cursor of this crawl/);
    }
    const csv = await store(crawl, ["stream", "--format", "csv"]);
    assert.match(csv.terminal.written.split("\r\n")[1] ?? "", new RegExp(`,${cursor}$`));
    const list = new RecordedTerminal({ input: [`${web.url("a.test/same")}\nno.test\n`] });
    const listed = await store(crawl, ["stream", "--json", "-i", "-"], list);
    assert.equal(listed.code, 6);
    assert.deepEqual(
      list.rows().map(({ url }) => url),
      [web.url("a.test/same")],
    );
    const urls = ["a.test/same", "a.test/gone"].map((path) => web.url(path));
    const some = await store(crawl, ["stream", ...urls, "--filter", "StatusIs(404)", "--json"]);
    assert.deepEqual([some.code, some.terminal.rows().map(({ url }) => url)], [0, urls.slice(1)]);
    const last = String(all.at(-2)?.["cursor"]);
    const after = await store(crawl, ["stream", "--format", "csv", "--after", last]);
    assert.equal(after.terminal.written.trimEnd().split("\r\n").length, 1, "no second head");
    const bare = await store(crawl, ["get", web.url("a.test/").replace("http://", ""), "--json"]);
    assert.equal(bare.terminal.rows()[0]?.["url"], web.url("a.test/"), "http is tried after https");
  });
});

test("links are found from both ends, with and without a link graph", async () => {
  await withWeb(SITE, async (web) => {
    for (const args of [[], ["--set", "store.links=false"]]) {
      const crawl = await web.crawl(["a.test/"], args);
      const out = await store(crawl, ["links", web.url("a.test/"), "--json"]);
      const links = out.terminal.rows();
      assert.equal(links.length, 8);
      const next = { url: web.url("a.test/b?x=1"), kind: "a", rel: "next", text: "b" };
      assert.deepEqual(links[0], next);
      const into = await store(crawl, ["links", web.url("a.test/"), "--in", "--json"]);
      const up = { url: web.url("a.test/b?x=1"), kind: "a", rel: "", text: "up" };
      assert.deepEqual(into.terminal.rows(), [up]);
      const never = await store(crawl, ["links", "--in", web.url("a.test/never")]);
      assert.equal(never.code, 6);
    }
  });
});

test("statistics count pages, hosts, bytes and links", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const { terminal } = await store(crawl, ["stats", "--json"]);
    const [stats] = terminal.rows();
    assert.deepEqual(Object.keys(stats ?? {}), [
      ...["pages", "hosts", "bytes", "links", "status", "mime", "language", "depth"],
    ]);
    assert.deepEqual([stats?.["pages"], stats?.["hosts"]], [crawl.lines.length, 1]);
    assert.deepEqual(stats?.["status"], { "200": 7, "301": 1, "404": 1 });
    assert.deepEqual(stats?.["depth"], { "0": 1, "1": 8 });
    const shown = await store(crawl, ["stats"]);
    assert.match(shown.terminal.written, /^pages {2}9\nhosts {2}1\n/);
  });
});

test("mistakes are told all at once, with exit code 2", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], ["-n", "1"]);
    const list = await store(crawl, ["list", "--format", "tabel", "--filter", "StatusIs(x", "y"]);
    assert.equal(list.code, 2);
    assert.match(list.terminal.said, /3 mistakes:/);
    assert.match(list.terminal.said, /Did you mean table\?/);
    const stream = await store(crawl, ["stream", "-i", "missing", "--follow", "--text"]);
    assert.match(stream.terminal.said, /3 mistakes:/);
    const get = await store(crawl, ["get"]);
    assert.deepEqual([get.code, /needs more/.test(get.terminal.said)], [2, true]);
    for (const name of ["get", "list", "stream", "links", "stats"]) {
      const help = new RecordedTerminal();
      assert.equal(await run(["store", name, "--help"], help), 0);
      assert.match(help.written, new RegExp(`trobar store ${name}`));
    }
  });
});

test("what is left of a damaged directory is found, and the damage is told", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const victim = crawl.lines.find(({ url }) => url.endsWith("/b?x=1"));
    const place = victim?.place;
    assert.ok(place);
    const path = join(crawl.folder, place.file);
    const bytes = readFileSync(path);
    bytes.fill(0xff, place.offset + 20, place.offset + 40);
    writeFileSync(path, bytes);
    const flipped = await store(crawl, ["get", web.url("a.test/b?x=1")]);
    assert.equal(flipped.code, 4);
    assert.match(flipped.terminal.said, /cannot be read: .*store verify/);
    assert.equal((await store(crawl, ["get", web.url("a.test/same")])).code, 0);
    truncateSync(path, place.offset + 10);
    const cut = await store(crawl, ["get", web.url("a.test/b?x=1")]);
    assert.equal(cut.code, 4);
    assert.match(cut.terminal.said, /ends before it/);
    const listed = await store(crawl, ["list", "--json"]);
    assert.equal(listed.terminal.rows().length, crawl.lines.length);
    const logs = join(crawl.folder, "logs");
    const log = join(logs, readdirSync(logs).find((name) => /^crawl.*\.log$/.test(name)) ?? "");
    const text = readFileSync(log, "latin1");
    const at = text.indexOf(" 301 ");
    writeFileSync(log, `${text.slice(0, at)} 302 ${text.slice(at + 5)}`, "latin1");
    const torn = await store(crawl, ["list", "--json"]);
    assert.equal(torn.terminal.rows().length, crawl.lines.length - 1);
    assert.match(torn.terminal.said, /crawl log is damaged/);
    rmSync(logs, { recursive: true });
    for (const command of [["list"], ["get", web.url("a.test/")], ["stats"], ["stream"]]) {
      const missing = await store(crawl, command);
      assert.equal(missing.code, 4);
      assert.match(missing.terminal.said, /it is missing.*--warc DIR/);
    }
  });
});
