/**
 * Crawl directories with files that are whole and do not belong there: those of another crawl, older
 * copies, or none. A crawl goes on only if it ends as it should; else it is refused with words that say
 * what to do, and a rebuild helps. The web's own log says which pages were fetched.
 */
import assert from "node:assert/strict";
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import {
  archiveRecords,
  type CrawledWeb,
  type Hosts,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const PAGES = 20;

/** A tree in which each page leads back to the first. */
const SITE: Hosts = () => {
  const pages = Array.from({ length: PAGES }, (_, number) => {
    const next = [2 * number + 1, 2 * number + 2].filter((child) => child < PAGES);
    const links = linking("/0", ...next.map((child) => `/${child}`));
    return [`/${number}`, { body: `${links.body}<p>page ${number}` }] as const;
  });
  return { "a.test": { pages: Object.fromEntries(pages) } };
};

/** The same with texts that are long enough to be compared. */
const LONG_SITE: Hosts = (port) => {
  const { pages = {} } = SITE(port)["a.test"] ?? {};
  const long = Object.entries(pages).map(([path, page]) => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at}x${path.slice(1)}`).join(" ");
    return [path, { ...page, body: `${page.body} ${words}` }] as const;
  });
  return { "a.test": { pages: Object.fromEntries(long) } };
};

async function ask(args: readonly string[]) {
  const terminal = new RecordedTerminal();
  const code = await run([...args, "-q", "--json"], terminal);
  const [found = {}] = terminal.rows();
  return { code, said: terminal.said, found };
}

class Mixed {
  readonly #web: CrawledWeb;

  constructor(web: CrawledWeb) {
    this.#web = web;
  }

  argv(folder: string, ...more: readonly string[]): string[] {
    return ["crawl", ...this.#web.flags, ...more, "-o", folder, this.#web.url("a.test/0")];
  }

  folder(name: string): string {
    return join(this.#web.folder, name);
  }

  /** A crawl that rests, with so many pages. */
  async resting(name: string, pages: number): Promise<string> {
    const ended = await ask(this.argv(this.folder(name), "-n", String(pages)));
    assert.equal(ended.code, 0, ended.said);
    return this.folder(name);
  }

  /** One that was killed long after its only checkpoint. */
  async killed(name: string): Promise<string> {
    const flags = ["-n", "1000", "--delay", "20ms", "--set", "store.checkpoint=1h"];
    const crawl = new TrobarProcess(this.argv(this.folder(name), ...flags));
    await Promise.race([this.#web.requests(this.#web.entries.length + 10), crawl.end()]);
    crawl.kill("SIGKILL");
    await crawl.end();
    return this.folder(name);
  }

  /** It is refused for this reason, `verify` finds something, and after a rebuild all is as it should be. */
  async assertRebuilt(folder: string, reason: RegExp): Promise<void> {
    const verified = await ask(["store", "verify", "-o", folder]);
    assert.equal(verified.code, 4, verified.said);
    const refused = await ask(this.argv(folder, "-n", "1000"));
    assert.equal(refused.code, 4, refused.said);
    assert.match(refused.said, reason);
    assert.match(refused.said, /store verify --rebuild/);
    const rebuilt = await ask(["store", "verify", "--rebuild", "-o", folder]);
    assert.equal(rebuilt.code, 0, rebuilt.said);
    const ended = await ask(this.argv(folder, "-n", "1000"));
    assert.equal(ended.code, 0, ended.said);
    this.assertEachOnce(folder);
    const clean = await ask(["store", "verify", "-o", folder]);
    assert.deepEqual(clean.found["problems"], []);
  }

  /** It goes on, and says what is wrong. */
  async assertToldOf(folder: string, what: RegExp): Promise<void> {
    const verified = await ask(["store", "verify", "-o", folder]);
    assert.equal(verified.code, 4, verified.said);
    const ended = await ask(this.argv(folder, "-n", "1000"));
    assert.equal(ended.code, 0, ended.said);
    assert.match(ended.said, what);
    this.assertEachOnce(folder);
  }

  assertEachOnce(folder: string): void {
    const answers = archiveRecords(folder).filter(({ type }) => type === "response");
    const urls = answers.map(({ targetUri }) => targetUri);
    assert.deepEqual([new Set(urls).size, urls.length], [PAGES, PAGES]);
  }
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test("a crawl does not go on with the identity, or the checkpoint, of another", async () => {
  await withWeb(SITE, async (web) => {
    const mixed = new Mixed(web);
    const folder = await mixed.resting("own", 9);
    const other = await mixed.resting("other", 9);
    const withDatabase = mixed.folder("with-database");
    cpSync(folder, withDatabase, { recursive: true });
    copyFileSync(join(other, "crawl.json"), join(folder, "crawl.json"));
    await mixed.assertRebuilt(folder, /belongs to another crawl/);
    rmSync(join(withDatabase, "frontier"), { recursive: true });
    cpSync(join(other, "frontier"), join(withDatabase, "frontier"), { recursive: true });
    copyFileSync(join(other, "crawl.db"), join(withDatabase, "crawl.db"));
    await mixed.assertRebuilt(withDatabase, /belongs to another crawl/);
  });
});

test("a crawl that was killed does not go on without the answers that it would replay", async () => {
  await withWeb(SITE, async (web) => {
    const mixed = new Mixed(web);
    const folder = await mixed.killed("killed");
    const [name = ""] = readdirSync(join(folder, "warc"));
    rmSync(join(folder, "warc", name));
    await mixed.assertRebuilt(folder, /cannot be read again from warc\/.*If the file was moved/);
  });
});

test("a damaged line that a checkpoint knows costs no other line", async () => {
  await withWeb(SITE, async (web) => {
    const mixed = new Mixed(web);
    const folder = await mixed.resting("resting", 9);
    const path = join(folder, "logs/crawl.log");
    const lines = readFileSync(path);
    flip(path, 20);
    const on = await ask(mixed.argv(folder, "-n", "1000"));
    assert.equal(on.code, 0, on.said);
    const kept = readFileSync(path).subarray(0, lines.length);
    assert.deepEqual(kept.subarray(21), lines.subarray(21));
    mixed.assertEachOnce(folder);
  });
});

test("a crawl that was killed does not go on with the crawl log of another", async () => {
  await withWeb(SITE, async (web) => {
    const mixed = new Mixed(web);
    const folder = await mixed.resting("own", 3);
    await mixed.killed("own");
    const other = await mixed.resting("other", 5);
    await mixed.killed("other");
    rmSync(join(folder, "logs"), { recursive: true });
    cpSync(join(other, "logs"), join(folder, "logs"), { recursive: true });
    await mixed.assertRebuilt(folder, /not the one that it knows|cannot be read again/);
  });
});

test("tables of duplicates that are those of another crawl are noticed", async () => {
  await withWeb(LONG_SITE, async (web) => {
    const mixed = new Mixed(web);
    const folder = await mixed.resting("own", 9);
    // Its fingerprints have another key, all else is the same.
    const other = await mixed.resting("other", 9);
    for (const table of ["near", "texts"]) {
      const changed = mixed.folder(`with-${table}`);
      cpSync(folder, changed, { recursive: true });
      const runs = runsIn(join(folder, "frontier", table));
      assert.ok(runs.length > 0, table);
      assert.deepEqual(runsIn(join(other, "frontier", table)), runs, table);
      for (const name of runs) {
        copyFileSync(join(other, "frontier", table, name), join(changed, "frontier", table, name));
      }
      if (table === "texts") await mixed.assertRebuilt(changed, /it is another run/);
      else await mixed.assertToldOf(changed, /NEAR_RUN_DAMAGED.*it is another run/);
    }
  });
});

/** Files of a folder and those below it, but for logs. */
function runsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => /run/.test(name))
    .sort();
}
