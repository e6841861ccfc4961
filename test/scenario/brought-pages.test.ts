/**
 * A crawl directory into which pages of another agent were brought: `verify` finds nothing, and all of it is
 * made again from archive and crawl log.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Crawl } from "../../src/agent/crawl/crawl.ts";
import { openCrawl } from "../../src/agent/crawl/open-crawl.ts";
import { laneFinder } from "../../src/agent/lanes/lane-finder.ts";
import type { CrawlError } from "../../src/base/errors/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { entryOf, ticketIn } from "../../src/holdings/index.ts";
import type { Configuration } from "../../src/rules/config/index.ts";
import { CrawlDirectory, fingerprintKeyBytes } from "../../src/store/directory/index.ts";
import {
  bring,
  crawlWithStore,
  exhausted,
  storeOf,
  type TakenPage,
  takeAll,
} from "../support/agent/shipped-crawls.ts";
import { urlOf } from "../support/agent/virtual-web.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { configured } from "../support/rules/configured.ts";

const GRAPH = { "a/0": ["a/1", "a/2", "a/9", "b/0"], "a/1": ["b/1"], "a/2": [], "a/3": ["a/0"] };
const NOARCHIVE = {
  body: '<meta name="robots" content="noarchive"><a href="/3">3</a>',
  headers: [["Content-Type", "text/html"]] as const,
};

async function pagesOfA(withBody: boolean): Promise<TakenPage[]> {
  let pages: TakenPage[] = [];
  const options = { graph: GRAPH, answers: { "a/2": NOARCHIVE }, seeds: ["a/0"] };
  await crawlWithStore("sender", { ...options, settings: ["scope=host"] }, async (running) => {
    await exhausted(running);
    pages = await takeAll(running, withBody);
    running.crawl.life.stop();
  });
  return pages;
}

/** The same in a crawl with another secret. */
function withKey(
  page: TakenPage,
  configuration: Configuration,
  fingerprintKey: Uint8Array,
): TakenPage {
  const ticket = ticketIn(page.entry);
  const finder = laneFinder({ configuration, fingerprintKey, lanes: 1 });
  const key = finder.resolve(ticket.url) ?? assert.fail("it is a URL here too");
  return { ...page, entry: entryOf({ ...ticket, ...key }) };
}

async function ask(...args: readonly string[]): Promise<Record<string, unknown>> {
  const terminal = new RecordedTerminal();
  const code = await run(args, terminal);
  assert.equal(code, 0, `${terminal.written}${terminal.said}`);
  return terminal.rows()[0] as Record<string, unknown>;
}

for (const withBody of [true, false]) {
  const how = withBody ? "with their bodies" : "without them";
  test(`a directory to which pages were brought ${how} is sound, and is made again`, async () => {
    const pages = await pagesOfA(withBody);
    const folder = mkdtempSync(join(tmpdir(), "brought-pages-"));
    const path = join(folder, "crawl");
    try {
      const clock = new SystemClock();
      const reports: CrawlError[] = [];
      // Nothing is in its scope, so that nothing is fetched.
      const configuration = configured("scope=host", "lanes=1", "contact=me@example.org");
      const crawl = (await openCrawl({
        ...{ configuration, folder: path, clock, stays: true, startOver: null, version: "0.0.0" },
        goOn: (recorded) => recorded,
        report: (error) => reports.push(error),
      })) as Crawl;
      const ended = crawl.life.run();
      await crawl.life.begun;
      const key = fingerprintKeyBytes(CrawlDirectory.identityOf(path));
      const store = storeOf(crawl, { storage: new DiskStorage(path), id: "taker", key });
      const here = pages.map((page) => withKey(page, configuration, key));
      for (const page of here) await bring({ store }, page);
      for (const page of here) assert.ok(await bring({ store }, page));
      crawl.life.stop();
      await ended;
      assert.deepEqual(reports, []);
      const verified = await ask("store", "verify", "--json", "-o", path);
      assert.deepEqual([verified["problems"], verified["lines"]], [[], pages.length]);
      assert.ok(Number(verified["links"]) > 4, "links of pages without bodies are kept too");
      const rebuilt = await ask("store", "verify", "--rebuild", "--json", "-o", path);
      assert.deepEqual(rebuilt["lostUrls"], [urlOf("a/2")], "nobody has that body");
      const again = await ask("store", "verify", "--json", "-o", path);
      assert.deepEqual([again["problems"], again["links"]], [[], verified["links"]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
