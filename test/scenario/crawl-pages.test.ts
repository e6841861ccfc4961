/** `--pages`: each page as a line of data while the crawl runs, beside the archive. */
import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { run } from "../../src/cli/shell/run.ts";
import type { PageRow } from "../../src/store/export/index.ts";
import { type CrawledWeb, crawlLines, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { BUILT_PROGRAM, TrobarProcess } from "../support/cli/trobar-process.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;

const OUTCOMES = (port: number) => ({
  "a.test": {
    pages: {
      "/": {
        headers: [HTML],
        body:
          '<html lang="fr"><title>Début — "un"</title><p>Bonjour <b>tout</b> le monde.' +
          '<a href="/gone" rel="x">Gone &amp; lost</a><a href="/moved">m</a><a href="/same">s</a>' +
          `<a href="/again">g</a><a href="/cut">c</a><a href="http://dead.test:${port}/">d</a>` +
          '<a href="/secret">q</a>',
      },
      "/moved": { status: 301, reason: "Moved", headers: [["Location", "/same"] as const] },
      "/same": { headers: [HTML], body: "<title>one</title>body" },
      "/again": { headers: [HTML], body: "<title>one</title>body" },
      "/cut": { headers: [HTML], body: `<title>cut</title>${"x".repeat(5000)}` },
      "/secret": { headers: [HTML], body: '<meta name="robots" content="noarchive"><p>x' },
    },
  },
  "dead.test": { dns: { failure: "no-such-name" as const } },
});

async function crawl(
  web: CrawledWeb,
  args: readonly string[],
  terminal = new RecordedTerminal(),
): Promise<{ code: number; terminal: RecordedTerminal; folder: string }> {
  const folder = join(web.folder, "out");
  const argv = ["crawl", ...web.flags, "-q", "-o", folder, ...args, web.url("a.test/")];
  return { code: await run(argv, terminal), terminal, folder };
}

function rowsOf(text: string): Map<string, PageRow> {
  assert.ok(text.endsWith("\n"));
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as PageRow);
  return new Map(rows.map((row) => [placeOf(row.url), row]));
}

function placeOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return hostname + pathname;
}

test("every outcome that has a row has its line, with its place in the archive", async () => {
  await withWeb(OUTCOMES, async (web) => {
    const file = join(web.folder, "pages.jsonl");
    const args = ["--scope", "any", "--pages", file, "--set", "fetch.maxBody=1000"];
    const { code, folder } = await crawl(web, args);
    assert.equal(code, 0);
    const rows = rowsOf(readFileSync(file, "utf8"));
    const lines = await crawlLines(folder);
    assert.equal(rows.size, 8);
    const port = Number(new URL(web.url("a.test/")).port);
    const row = (name: string): PageRow => rows.get(name) as PageRow;
    assert.deepEqual(
      { ...row("a.test/"), fetchedAt: "", digest: "", warc: "", offset: 0, length: 0 },
      {
        ...{ url: web.url("a.test/"), status: 200, mime: "text/html", charset: "utf-8" },
        bytes: Buffer.byteLength(OUTCOMES(port)["a.test"].pages["/"].body),
        ...{ depth: 0, via: null, title: 'Début — "un"', language: row("a.test/").language },
        ...{ fetchedAt: "", digest: "", simhash: null, duplicateOf: null, nearDuplicateOf: null },
        ...{ redirectTo: null, truncated: null, error: null, warc: "", offset: 0, length: 0 },
      },
    );
    assert.equal(row("a.test/gone").status, 404);
    assert.equal(row("a.test/gone").via, web.url("a.test/"));
    assert.deepEqual(
      [row("a.test/moved").status, row("a.test/moved").redirectTo],
      [301, web.url("a.test/same")],
    );
    const originals = [row("a.test/same"), row("a.test/again")].map(
      ({ duplicateOf }) => duplicateOf,
    );
    assert.equal(originals.filter((original) => original === null).length, 1);
    assert.deepEqual([row("a.test/cut").truncated, row("a.test/cut").bytes], ["length", 1000]);
    const dead = row("dead.test/");
    assert.deepEqual([dead.status, dead.warc, dead.digest], [0, null, null]);
    assert.equal(dead.error, lines.find(({ url }) => url === dead.url)?.result);
    for (const line of lines) {
      const { warc, offset, length, digest } = row(placeOf(line.url));
      const place = warc === null ? null : { file: `warc/${warc}`, offset, lengthBytes: length };
      assert.deepEqual([place, digest], [line.place, line.digest], line.url);
    }
  });
});

test("--text and --links add the text and the links, and nothing else has them", async () => {
  await withWeb(OUTCOMES, async (web) => {
    const file = join(web.folder, "pages.jsonl.gz");
    await crawl(web, ["-n", "1", "--pages", file, "--text", "--links"]);
    const page = rowsOf(gunzipSync(readFileSync(file)).toString()).get("a.test/") as PageRow;
    assert.match(page.text ?? "", /^Bonjour tout le monde\./);
    assert.equal(page.links?.length, 7);
    assert.deepEqual(page.links?.[0], {
      ...{ url: web.url("a.test/gone"), kind: "a", rel: "x", text: "Gone & lost" },
    });
  });
});

test("CSV has a header line and one record for each page", async () => {
  await withWeb(OUTCOMES, async (web) => {
    const file = join(web.folder, "pages.csv");
    const extract = [
      "--extract",
      "word=p b",
      "--extract",
      "to[]=a@href",
      "--extract",
      "price=.price",
    ];
    await crawl(web, ["-n", "1", "--pages", file, "--markdown", ...extract]);
    const [header, page, ...rest] = readFileSync(file, "utf8").split("\r\n");
    assert.match(header ?? "", /^url,status,mime,.*,length,markdown,word,to,price$/);
    assert.match(page ?? "", /,tout,"\[""\/gone"",""\/moved"",.*\]",$/, "fields by CSS selectors");
    assert.match(page ?? "", /,"?Bonjour/);
    assert.ok(page?.startsWith(`${web.url("a.test/")},200,text/html,utf-8,`));
    assert.ok(page?.includes('"Début — ""un"""'));
    assert.deepEqual(rest, [""]);
  });
});

test("on standard output there are the pages alone, and the summary is on standard error", async () => {
  await withWeb(OUTCOMES, async (web) => {
    const { code, terminal } = await crawl(web, ["--pages", "-"]);
    assert.equal(code, 0);
    assert.equal(rowsOf(terminal.written).size, 7);
    assert.match(terminal.said, /^Finished: /m);
  });
});

test("what --pages cannot do is refused before anything is begun", async () => {
  await withWeb(OUTCOMES, async (web) => {
    const taken = join(web.folder, "taken.jsonl");
    writeFileSync(taken, "mine\n");
    const refused = async (args: readonly string[], said: RegExp): Promise<void> => {
      const { code, terminal, folder } = await crawl(web, args);
      assert.equal(code, 2, args.join(" "));
      assert.match(terminal.said, said);
      assert.ok(!existsSync(folder), "nothing is left in the way");
    };
    await refused(["--pages", "-", "--json"], /both want standard output/);
    await refused(["--pages", "pages.txt"], /\.jsonl, \.csv/);
    await refused(["--pages", taken], /exists already/);
    await refused(
      ["--pages", join(web.folder, "no", "x.csv")],
      /folder that does not exist\. Make the folder first\.\n$/,
    );
    await refused(["--text"], /--text needs --pages/);
    await refused(["--markdown"], /--markdown needs --pages/);
    assert.equal(readFileSync(taken, "utf8"), "mine\n");
    assert.deepEqual(web.asked, []);
    assert.equal((await crawl(web, ["--pages", taken, "--fresh", "--yes"])).code, 0);
    assert.equal(rowsOf(readFileSync(taken, "utf8")).size, 7);
  });
});

/** Pages whose lines are far more than a pipe and the writer hold together. */
const LONG = () => {
  const names = Array.from({ length: 60 }, (_, index) => `/${index}`);
  const text = `<p>${"many words make a long line ".repeat(8000)}`;
  const pages = Object.fromEntries(names.map((name) => [name, { body: text + name }]));
  return { "a.test": { pages: { "/": linking(...names), ...pages } } };
};

/** A crawl whose pages go into a pipe that is not read yet. */
function piped(web: CrawledWeb): ChildProcessByStdio<null, Readable, Readable> {
  const argv = ["crawl", ...web.flags, "-o", join(web.folder, "out"), "--text", "--pages", "-"];
  return spawn(process.execPath, [BUILT_PROGRAM, ...argv, web.url("a.test/")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

test("a reader that is late makes the crawl wait, and nothing is missing", async () => {
  await withWeb(LONG, async (web) => {
    const child = piped(web);
    child.stderr.resume();
    const ended = once(child, "close");
    await web.requests(15);
    const pieces: Buffer[] = [];
    for await (const piece of child.stdout) pieces.push(piece);
    assert.equal((await ended)[0], 0);
    const rows = rowsOf(Buffer.concat(pieces).toString());
    assert.equal(rows.size, 61);
    for (const [name, { text }] of rows) {
      if (name !== "a.test/") assert.equal(text?.length, 28 * 8000 + name.length - "a.test".length);
    }
  });
});

test("a reader that goes away ends the crawl gracefully, and what was fetched is kept", async () => {
  await withWeb(LONG, async (web) => {
    const child = piped(web);
    let said = "";
    child.stderr.on("data", (piece) => {
      said += piece;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    assert.equal((await once(child, "close"))[0], 130);
    assert.match(said, /PAGES_READER_GONE/);
    assert.match(said, /^Stopped: nobody reads its pages any more/m);
    const lines = await crawlLines(join(web.folder, "out"));
    assert.ok(lines.length > 0 && lines.length < 61);
    assert.ok(lines.every(({ place }) => place !== null));
  });
});

/** This takes the five seconds of grace in real time. */
const slowTest = process.env["TROBAR_FULL"] === "1" ? test : () => undefined;

void slowTest("an interruption does not wait for a reader that has stopped", async () => {
  await withWeb(LONG, async (web) => {
    const child = piped(web);
    child.stderr.resume();
    const ended = once(child, "close");
    await web.requests(15);
    child.kill("SIGINT");
    await once(child, "exit");
    child.stdout.resume();
    assert.equal((await ended)[0], 130);
  });
});

test("the crawl waits for a full disk under --pages, and no line is lost", {
  skip: needsSmallDisks(),
}, async () => {
  const disk = makeSmallDisk();
  const names = Array.from({ length: 40 }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(
    names.map((name) => [name, { body: `<p>${"long text ".repeat(2000)}${name}` }]),
  );
  const hosts = () => ({ "a.test": { pages: { "/": linking(...names), ...pages } } });
  try {
    await withWeb(hosts, async (web) => {
      writeFileSync(join(disk, "ballast"), new Uint8Array(900_000));
      const file = join(disk, "pages.jsonl");
      const folder = join(web.folder, "out");
      const args = ["-o", folder, "--text", "--pages", file, web.url("a.test/")];
      const child = new TrobarProcess(["crawl", ...web.flags, ...args]);
      await child.said('"code":"PAGES_FULL"');
      rmSync(join(disk, "ballast"));
      assert.equal(await child.end(), 0, child.stderr);
      assert.equal(rowsOf(readFileSync(file, "utf8")).size, 41);
      assert.equal((await crawlLines(folder)).length, 41);
    });
  } finally {
    removeSmallDisk(disk);
  }
});
