/** Exports of a crawl that is running, on a full disk, interrupted, and of a damaged directory. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { EXPORT_FORMATS } from "../../src/store/export/index.ts";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const FORMATS = Object.keys(EXPORT_FORMATS);

/** Pages that link to the next ones. */
function chain(count: number, text = ""): Hosts {
  const pages = Array.from({ length: count }, (_, page) => {
    const { body } = linking(`/${page + 1}`, `/${page + 2}`);
    return [page === 0 ? "/" : `/${page}`, { body: `${body}<p>${text} ${page}` }] as const;
  });
  return () => ({ "a.test": { pages: Object.fromEntries(pages) } });
}

async function exporting(
  args: readonly string[],
): Promise<{ code: number; terminal: RecordedTerminal }> {
  const terminal = new RecordedTerminal();
  return { code: await run(["store", "export", ...args, "-q"], terminal), terminal };
}

/** A row without what only the page index knows, which follows the crawl log. */
function withoutFindings(row: Record<string, unknown>): Record<string, unknown> {
  const { language, simhash, ...others } = row;
  return others;
}

test("a running crawl is exported in every format, and goes on", async () => {
  await withWeb(chain(20_000), async (web) => {
    const folder = join(web.folder, "running");
    const crawler = new RecordedTerminal();
    let hasEnded = false;
    const argv = ["crawl", ...web.flags, "-q", "-o", folder, "--json", web.url("a.test/")];
    const crawling = run(argv, crawler).finally(() => {
      hasEnded = true;
    });
    await web.requests(50);
    let rows: Record<string, unknown>[] = [];
    while (rows.length === 0) {
      const { code, terminal } = await exporting(["jsonl", "-o", folder, "--to", "-", "--text"]);
      assert.equal(code, 0, terminal.said);
      rows = terminal.rows();
    }
    for (const format of FORMATS) {
      const to = join(web.folder, `running-${format}`);
      const { code, terminal } = await exporting([format, "-o", folder, "--to", to, "--json"]);
      assert.equal(code, 0, `${format}: ${terminal.said}`);
      const { damaged, written } = terminal.rows()[0] as Record<string, number>;
      assert.equal(damaged, 0, `${format}: ${terminal.said}`);
      if (format !== "wacz") assert.ok(Number(written) > 0, format);
    }
    assert.equal(hasEnded, false, "the crawl is still running");
    crawler.interrupt();
    await crawling;
    const { terminal } = await exporting(["jsonl", "-o", folder, "--to", "-", "--text"]);
    const later = terminal.rows().map(withoutFindings);
    assert.deepEqual(rows.map(withoutFindings), later.slice(0, rows.length));
  });
});

test("a full disk is explained, and leaves no file that looks whole", {
  skip: needsSmallDisks(),
}, async () => {
  const disk = makeSmallDisk();
  try {
    await withWeb(chain(60, "many different words ".repeat(1500)), async (web) => {
      const crawl = await web.crawl(["a.test/"]);
      for (const format of ["jsonl", "csv", "site"]) {
        const to = join(disk, format);
        const extra = format === "site" ? [] : ["--text"];
        writeFileSync(join(disk, "ballast"), new Uint8Array(1_000_000));
        const full = await exporting([format, "-o", crawl.folder, "--to", to, ...extra]);
        assert.equal(full.code, 4, `${format}: ${full.terminal.said}`);
        assert.match(full.terminal.said, /disk is full.*--to.*run the command again/s);
        assert.equal(existsSync(to), false);
        rmSync(`${to}.part`, { recursive: true, force: true });
        rmSync(join(disk, "ballast"));
      }
    });
  } finally {
    removeSmallDisk(disk);
  }
});

test("an interrupted export says what happens next, and ends as a whole one", async () => {
  await withWeb(chain(30), async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const to = join(web.folder, "pages.jsonl");
    const terminal = new RecordedTerminal();
    terminal.interrupt();
    const argv = ["store", "export", "jsonl", "-o", crawl.folder, "--to", to, "-q"];
    assert.equal(await run(argv, terminal), 130);
    assert.match(terminal.said, /interrupted; the same command continues it/);
    assert.equal(existsSync(to), false);
    assert.equal(await run(argv, new RecordedTerminal()), 0);
    assert.equal(readFileSync(to, "utf8").trimEnd().split("\n").length, crawl.lines.length);
  });
});

test("of a damaged directory every format exports what can be read, and says what cannot", async () => {
  await withWeb(chain(30), async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const places = crawl.lines.flatMap(({ place }) => (place === null ? [] : [place]));
    const path = join(crawl.folder, places[0]?.file ?? "");
    const bytes = readFileSync(path);
    for (const { offset } of places.slice(5, 8)) bytes.fill(0, offset + 30, offset + 40);
    writeFileSync(path, bytes);
    for (const format of ["wet", "wat", "site", "markdown", "graph"]) {
      const to = join(web.folder, `damaged-${format}`);
      const { code, terminal } = await exporting([
        format,
        "-o",
        crawl.folder,
        "--to",
        to,
        "--json",
      ]);
      assert.equal(code, 0, terminal.said);
      assert.equal(terminal.rows()[0]?.["damaged"], 3, format);
      assert.equal(terminal.said.match(/left out http/g)?.length, 3);
    }
    rmSync(path);
    for (const format of FORMATS) {
      const to = join(web.folder, `gone-${format}`);
      const { code, terminal } = await exporting([format, "-o", crawl.folder, "--to", to]);
      assert.equal(code, 0, `${format}: ${terminal.said}`);
    }
  });
});

test("what a server said of a page that cannot be read is shown without its control characters", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-export-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const body = [
    ...["HTTP/1.1 200 OK", "Content-Type: text/html"],
    ...["Content-Encoding: evil\u001b[2J\u009b1m\u202e", "", "<p>text"],
  ].join("\r\n");
  const head = [
    ...["WARC/1.1", "WARC-Type: response", "WARC-Date: 2026-01-01T00:00:00Z"],
    ...["WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>"],
    ...["WARC-Target-URI: http://a.test/", "Content-Type: application/http;msgtype=response"],
    `Content-Length: ${Buffer.byteLength(body)}`,
  ].join("\r\n");
  const file = join(folder, "evil.warc");
  writeFileSync(file, `${head}\r\n\r\n${body}\r\n\r\n`);
  for (const format of ["graph", "site", "markdown", "wet"]) {
    const args = [format, "--warc", file, "--to", join(folder, format)];
    const { code, terminal } = await exporting(args);
    assert.equal(code, 0, terminal.said);
    assert.match(terminal.said, /left out http:\/\/a\.test\/: .*evil/, format);
    const obeyed = ["\u001b", "\u009b", "\u202e"].filter((one) => terminal.said.includes(one));
    assert.deepEqual(obeyed, [], JSON.stringify(terminal.said));
  }
});

test("every mistake of a command line is told at once", async () => {
  await withWeb(chain(2), async (web) => {
    const { folder } = await web.crawl(["a.test/"]);
    const bad = ["wacz", "-o", folder, "--text", "--links", "--filter", "x(", "--to", "-"];
    const many = await exporting(bad);
    assert.equal(many.code, 2);
    assert.match(many.terminal.said, /4 mistakes:/);
    assert.match(many.terminal.said, /--text is for jsonl and csv, not for wacz/);
    assert.match(many.terminal.said, /--to -: wacz cannot be written to standard output/);
    const taken = await exporting(["cdxj", "-o", folder, "--links", "--to", web.folder]);
    assert.equal(taken.code, 2);
    assert.match(taken.terminal.said, /2 mistakes:.*--links is for.*is a folder/s);
    const missing = await exporting(["--warc", join(folder, "no"), "--to", web.folder]);
    assert.equal(missing.code, 2);
    assert.match(missing.terminal.said, /2 mistakes:.*does not exist.*needs more/s);
    const terminal = new RecordedTerminal();
    assert.equal(await run(["store", "get", "--json", "--raw", "-o", folder], terminal), 2);
    assert.match(terminal.said, /2 mistakes:.*needs more.*--raw/s);
  });
});
