/** What a crawl does with a directory that it finds, and what it leaves in it. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { folderFor } from "../../src/cli/crawl/crawl.ts";
import { run } from "../../src/cli/shell/run.ts";
import { findOwnFiles } from "../../src/store/directory/own-files.ts";
import { type CrawledWeb, crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const SITE = () => ({ "a.test": { pages: { "/": linking("/b"), "/b": { body: "<p>b" } } } });

const SLOW = () => ({ "a.test": { pages: { "/": { body: "<p>slow", delayMs: 60_000 } } } });

interface Attempt {
  readonly seed?: string;
  readonly args?: readonly string[];
  readonly terminal?: RecordedTerminal;
}

function attempt(web: CrawledWeb, folder: string, { seed, args = [], terminal }: Attempt = {}) {
  const common = [...web.flags, "--json", "-q", "-o", folder, ...args];
  const argv = ["crawl", ...common, "--", web.url(seed ?? "a.test/")];
  return crawlInto(folder, argv, terminal);
}

function identity(folder: string): string {
  return readFileSync(join(folder, "crawl.json"), "utf8");
}

test("without a terminal to ask on, --fresh removes nothing unless --yes is given", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    assert.equal((await attempt(web, folder)).code, 0);
    writeFileSync(join(folder, "warc", "index.cdxj"), "");
    const notes = ["notes.txt", "frontier/sieve/notes.txt", "spool/notes.txt"];
    for (const name of notes) writeFileSync(join(folder, name), "mine");
    const before = identity(folder);
    const refused = await attempt(web, folder, { args: ["--fresh"] });
    assert.equal(refused.code, 2);
    assert.match(refused.terminal.said, /--yes/);
    assert.equal(identity(folder), before);
    assert.equal(refused.lines.length, 2);
    const old = readdirSync(join(folder, "warc"));
    const again = await attempt(web, folder, { args: ["--fresh", "--yes"] });
    assert.equal(again.code, 0, again.terminal.said);
    for (const name of notes) assert.equal(readFileSync(join(folder, name), "utf8"), "mine");
    const common = readdirSync(join(folder, "warc")).filter((name) => old.includes(name));
    assert.deepEqual(common, ["index.cdxj"]);
  });
});

test("on a terminal --fresh asks, unless the crawl has no recorded answer", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const asked = async (answer: string, seed?: string) => {
      const terminal = new RecordedTerminal({ canAsk: true });
      terminal.answer = answer;
      return await attempt(web, folder, { args: ["--fresh"], terminal, ...(seed && { seed }) });
    };
    const failed = await asked("n", "nowhere.test/");
    assert.equal(failed.code, 5, failed.terminal.said);
    assert.ok(failed.lines.length > 0, "the failure is in the log");
    assert.doesNotMatch((await asked("n")).terminal.said, /Remove/);
    const declined = await asked("n");
    assert.deepEqual([declined.code, declined.lines.length], [2, 2]);
    assert.match(declined.terminal.said, /Remove the crawl/);
    assert.equal((await asked("y")).code, 0);
  });
});

test("a first attempt that had no answer does not block the corrected second", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    assert.equal((await attempt(web, folder, { seed: "nowhere.test/" })).code, 5);
    const second = await attempt(web, folder);
    assert.equal(second.code, 0, second.terminal.said);
    assert.ok(second.lines.every(({ url }) => url.includes("a.test")));
    const third = await attempt(web, folder);
    assert.deepEqual([third.code, third.summary?.pages, third.lines.length], [0, 2, 2]);
  });
});

test("without a seed, an attempt that had no answer begins again with its own, and with those added", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    assert.equal((await attempt(web, folder, { seed: "nowhere.test/" })).code, 5);
    const terminal = new RecordedTerminal();
    assert.equal(await run(["seed", web.url("a.test/"), "-o", folder], terminal), 0, terminal.said);
    // The name server and the allowed addresses of the web are settings that were recorded.
    const second = await crawlInto(folder, ["crawl", "--json", "-q", "-o", folder]);
    assert.equal(second.code, 0, second.terminal.said);
    assert.deepEqual([second.summary?.pages, second.summary?.hosts], [2, 2]);
    assert.ok(!existsSync(join(folder, "orders.json")));
  });
});

test("a crawl that is interrupted while it is being opened ends in order, and goes on", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const terminal = new RecordedTerminal();
    let wasThere: boolean | null = null;
    terminal.untilInterrupted = async () => {
      wasThere ??= existsSync(folder);
    };
    const first = await attempt(web, folder, { terminal });
    assert.deepEqual([first.code, wasThere], [130, false]);
    const second = await crawlInto(folder, ["crawl", "--json", "-q", "-o", folder]);
    assert.deepEqual([second.code, second.summary?.pages], [0, 2], second.terminal.said);
  });
});

test("an archive whose crawl log is lost is not removed", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const log = join(folder, "logs", "crawl.log");
    assert.equal((await attempt(web, folder)).code, 0);
    const archived = readdirSync(join(folder, "warc"));
    const losses = [
      () => writeFileSync(log, "x".repeat(2000)),
      () => rmSync(log),
      () => rmSync(join(folder, "logs"), { recursive: true }),
    ];
    for (const lose of losses) {
      lose();
      for (const seeds of [[], [web.url("a.test/")], [web.url("b.test/")]]) {
        const terminal = new RecordedTerminal();
        const code = await run(["crawl", ...web.flags, "-q", "-o", folder, ...seeds], terminal);
        assert.ok([0, 2, 4].includes(code), `${code}: ${terminal.said}`);
        const kept = readdirSync(join(folder, "warc")).filter((name) => archived.includes(name));
        assert.deepEqual(kept, archived);
      }
    }
  });
});

test("an archive file of another crawl that is still open keeps the old crawl whole", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    await attempt(web, folder);
    const open = join(folder, "warc", "other-20260101000000000-00000-another.warc.gz.open");
    writeFileSync(open, "");
    const before = readdirSync(folder, { recursive: true }).sort();
    const refused = await attempt(web, folder, { args: ["--fresh", "--yes"] });
    assert.equal(refused.code, 2);
    assert.match(refused.terminal.said, /in the way/);
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
  });
});

test("a second process on a directory ends with 3, with or without --fresh", async () => {
  await withWeb(SLOW, async (web) => {
    const folder = join(web.folder, "out");
    const first = new TrobarProcess(["crawl", ...web.flags, "-o", folder, web.url("a.test/")]);
    await web.requests(2);
    const codes = [[], ["--fresh"], ["--fresh", "--yes"]].map(
      async (args) => (await attempt(web, folder, { args })).code,
    );
    assert.deepEqual(await Promise.all(codes), [3, 3, 3]);
    assert.ok(existsSync(join(folder, "crawl.json")));
    first.kill("SIGKILL");
    await first.end();
  });
});

test("every file of a crawl with all parts switched on counts as Trobar's own", async () => {
  const keys = ["sitemaps=true", "frontier.memory=16Mi", "store.refused=true"];
  const parts = ["-d", "9", ...keys.flatMap((key) => ["--set", key])];
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const { code, terminal } = await attempt(web, folder, { args: parts });
    assert.equal(code, 0, terminal.said);
    const { agent } = JSON.parse(identity(folder));
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("crawl.lock"));
    const names = files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    assert.ok(names.length > 10, "the crawl has left files");
    assert.deepEqual(
      [...findOwnFiles(folder, { name: "crawl", agent }).files].sort(),
      names.sort(),
    );
  });
});

test("the default directory is named after the host, and the port where it is unusual", () => {
  assert.equal(folderFor("https://example.org/a"), "crawl-example.org");
  assert.equal(folderFor("https://example.org:443/a"), "crawl-example.org");
  assert.equal(folderFor("http://localhost:8080/"), "crawl-localhost-8080");
  assert.equal(folderFor("http://[::1]:8080/"), "crawl-1--8080");
  assert.equal(folderFor("file:///srv/site/"), "crawl-files");
});
