/** `trobar store export`: every format, made from a real crawl and read back. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { run } from "../../src/cli/shell/run.ts";
import { cdxjEntry, cdxjLine } from "../../src/formats/warc/index.ts";
import type { PageRow } from "../../src/store/export/index.ts";
import { type EndedCrawl, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { getSurt, recordsIn } from "../support/formats/warcio.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;

const SITE: Hosts = () => ({
  "a.test": {
    pages: {
      "/robots.txt": { headers: [["Content-Type", "text/plain"]], body: "User-agent: *\n" },
      "/": {
        headers: [HTML],
        body:
          '<html lang="fr"><title>Début</title><meta name=description content="all">' +
          '<p>Bonjour tout le monde.<a href="/b?x=1">b</a><a href="/same">s</a>' +
          '<a href="/again">g</a><a href="/moved">m</a><a href="/secret">q</a><a href="/gone">n</a>',
      },
      "/b?x=1": { headers: [HTML], body: "<title>B</title><p>second page" },
      "/same": { headers: [HTML], body: "<title>one</title>body" },
      "/again": { headers: [HTML], body: "<title>one</title>body" },
      "/moved": { status: 301, reason: "Moved", headers: [["Location", "/same"]] },
      "/secret": { headers: [HTML], body: '<meta name="robots" content="noarchive"><p>x' },
    },
  },
});

async function exported(
  crawl: EndedCrawl,
  args: readonly string[],
): Promise<{ code: number; terminal: RecordedTerminal; bytes: Buffer }> {
  const to = join(crawl.folder, "..", `export-${args[0]}`);
  const terminal = new RecordedTerminal();
  const argv = ["store", "export", "-o", crawl.folder, "--to", to, "--replace", "-q", ...args];
  const code = await run(argv, terminal);
  const bytes = code === 0 && !args.includes("-") ? readFileSync(to) : Buffer.alloc(0);
  return { code, terminal, bytes };
}

const lines = (bytes: Buffer): string[] => bytes.toString().trimEnd().split("\n");

test("the index in CDXJ is that of the archive's records, sorted by bytes", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const { code, bytes, terminal } = await exported(crawl, ["cdxj"]);
    assert.equal(code, 0, terminal.said);
    const records = [...crawl.records, ...crawl.robotsRecords];
    const file = lines(bytes)[0]?.match(/"filename":"([^"]+)"/)?.[1] ?? "";
    const expected = records.flatMap((record) => {
      const entry = cdxjEntry(record, file, getSurt);
      return entry === null ? [] : [cdxjLine(entry)];
    });
    const sorted = spawnSync("sort", { input: expected.join("\n"), env: { LC_ALL: "C" } });
    assert.equal(bytes.toString(), sorted.stdout.toString());
    assert.ok(expected.some((line) => line.includes("warc/revisit")));
    assert.ok(expected.some((line) => line.includes("robots.txt")));
  });
});

test("rows have every page, and text and links where they are asked for", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const { bytes, terminal } = await exported(crawl, ["jsonl", "--text", "--links", "--json"]);
    const rows = lines(bytes).map((line) => JSON.parse(line) as PageRow);
    assert.equal(rows.length, crawl.lines.length);
    const [summary] = terminal.rows();
    assert.equal(summary?.["written"], rows.length);
    const row = (path: string) => rows.find(({ url }) => url.endsWith(path)) as PageRow;
    assert.equal(row("/").title, "Début");
    assert.match(row("/").text ?? "", /Bonjour tout le monde/);
    assert.equal(row("/").links?.length, 6);
    assert.equal(row("/again").text, "body", "the body of another record");
    assert.equal(
      row("/again").duplicateOf ?? row("/same").duplicateOf,
      row("/again").duplicateOf === null ? row("/again").url : row("/same").url,
    );
    assert.equal(row("/secret").text, null);
    const csv = await exported(crawl, ["csv", "--filter", "StatusIs(301)"]);
    const [head = "", only = "", ...more] = lines(csv.bytes);
    assert.match(head, /^url,status,/);
    assert.match(only, /\/moved,301,/);
    assert.deepEqual(more, []);
  });
});

test("WET holds the text of pages, as another reader sees it", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], ["--set", "parse.language=true"]);
    const { bytes } = await exported(crawl, ["wet"]);
    const [info, ...texts] = await recordsIn(bytes);
    assert.equal(info?.type, "warcinfo");
    assert.equal(texts.length, 4);
    const first = texts.find(({ fields }) => fields.get("WARC-Target-URI")?.endsWith("/"));
    assert.equal(first?.type, "conversion");
    assert.equal(first?.fields.get("Content-Type"), "text/plain");
    assert.equal(first?.fields.get("WARC-Identified-Content-Language"), "fra");
    assert.match(first?.block.toString() ?? "", /^Début\nBonjour tout le monde/);
    const ids = crawl.records.map(({ fields }) => fields.get("WARC-Record-ID"));
    assert.ok(ids.includes(first?.fields.get("WARC-Refers-To") ?? ""));
  });
});

test("WAT holds the heads of requests and answers, and the links of pages", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const { bytes } = await exported(crawl, ["wat"]);
    const [, ...records] = await recordsIn(bytes);
    const about = crawl.records.filter(({ type }) => /^(?:request|response|revisit)$/.test(type));
    assert.equal(records.length, about.length);
    const wat = records.map(({ block }) => JSON.parse(block.toString()).Envelope);
    const root = wat.find(
      (one) =>
        one["WARC-Header-Metadata"]["WARC-Type"] === "response" &&
        one["WARC-Header-Metadata"]["WARC-Target-URI"].endsWith("/"),
    );
    const http = root["Payload-Metadata"]["HTTP-Response-Metadata"];
    assert.equal(http["Response-Message"].Status, "200");
    assert.equal(http["HTML-Metadata"].Head.Title, "Début");
    assert.deepEqual(http["HTML-Metadata"].Links[0], { path: "A@/href", url: "/b?x=1", text: "b" });
    const requests = wat.filter((one) => one["Payload-Metadata"]["HTTP-Request-Metadata"]);
    assert.equal(requests.length, about.filter(({ type }) => type === "request").length);
  });
});

test("a damaged record is counted and explained, and the rest is exported", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const [victim] = crawl.lines.filter(({ url }) => url.endsWith("/b?x=1"));
    const place = victim?.place;
    assert.ok(place);
    const path = join(crawl.folder, place.file);
    const content = readFileSync(path);
    content.fill(0, place.offset + 20, place.offset + 60);
    writeFileSync(path, content);
    const wet = await exported(crawl, ["wet", "--json"]);
    assert.equal(wet.code, 0);
    assert.equal(wet.terminal.rows()[0]?.["damaged"], 1);
    assert.match(wet.terminal.said, /left out http.*\/b\?x=1: .*broken/);
    assert.equal((await recordsIn(wet.bytes)).length, 4);
    truncateSync(path, place.offset + 10);
    const cdxj = await exported(crawl, ["cdxj", "--json"]);
    const { damaged, written } = cdxj.terminal.rows()[0] as Record<string, number>;
    assert.ok(Number(damaged) > 0 && Number(written) > 0);
  });
});

test("mistakes of the command line are named, with what to do", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const tried = async (args: readonly string[]): Promise<[number, string]> => {
      const terminal = new RecordedTerminal();
      return [await run(["store", "export", ...args], terminal), terminal.said];
    };
    const [unknown, said] = await tried(["jsnl", "-o", crawl.folder]);
    assert.deepEqual([unknown, /Did you mean jsonl/.test(said)], [2, true], said);
    const [missing] = await tried(["jsonl", "-o", join(crawl.folder, "none")]);
    assert.equal(missing, 2);
    const there = join(crawl.folder, "crawl.json");
    const [exists, why] = await tried(["jsonl", "-o", crawl.folder, "--to", there]);
    assert.deepEqual([exists, /--replace/.test(why)], [2, true], why);
    const [bad] = await tried(["jsonl", "-o", crawl.folder, "--filter", "Nonsense()"]);
    assert.equal(bad, 2);
  });
});

test("an export goes to standard output, and is compressed by the ending of its file", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const terminal = new RecordedTerminal();
    const argv = ["store", "export", "jsonl", "-o", crawl.folder, "-q"];
    assert.equal(await run([...argv, "--to", "-"], terminal), 0);
    const to = join(crawl.folder, "pages.jsonl.gz");
    assert.equal(await run([...argv, "--to", to], new RecordedTerminal()), 0);
    assert.equal(gunzipSync(readFileSync(to)).toString(), terminal.written);
    assert.equal(terminal.rows().length, crawl.lines.length);
  });
});
