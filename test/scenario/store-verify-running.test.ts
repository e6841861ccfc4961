/** A checkpoint that is replaced while it is checked: what is wrong with files of an older one is not told. */
import assert from "node:assert/strict";
import { copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CheckedSaved, checkSaved } from "../../src/agent/verify/check-saved.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import { ProblemList } from "../../src/store/query/index.ts";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";

const SITE = () => ({
  "a.test": { pages: { "/": linking("/1", "/2"), "/1": { body: "one" }, "/2": { body: "two" } } },
});
const QUEUE = "frontier/queues/pushes.log";

interface Looked {
  readonly checked: CheckedSaved | "replaced" | null;
  readonly problems: readonly string[];
  readonly tries: number;
}

/** Checks a crawl; before each try `meanwhile` is called with its number. */
async function look(folder: string, meanwhile: (at: number) => void): Promise<Looked> {
  const problems = new ProblemList();
  let tries = 0;
  const urls = () => {
    tries += 1;
    meanwhile(tries);
    return { seen: () => {}, waits: () => {}, dropped: () => {} };
  };
  const configuration = CrawlDirectory.configurationOf(folder);
  const { crawl } = CrawlDirectory.identityOf(folder);
  const storage = new DiskStorage(folder);
  const parts = { storage, configuration, crawl, urls, keep: () => Promise.resolve() };
  const checked = await checkSaved(parts, problems);
  return {
    checked,
    problems: problems.kept.map(({ file, problem }) => `${file}: ${problem}`),
    tries,
  };
}

test("files that are gone with a checkpoint that is replaced are not told of as missing", async () => {
  await withWeb(SITE, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["-n", "1"]);
    const database = join(folder, "crawl.db");
    copyFileSync(database, `${database}.1`);
    await crawlInto(folder, ["crawl", ...web.flags, "-q", "-n", "2", "-o", folder]);
    copyFileSync(database, `${database}.0`);
    /** Each checkpoint takes the place of the other. */
    const replace = (at: number): void => copyFileSync(`${database}.${at % 2}`, database);
    const queue = join(folder, QUEUE);
    const away = `${queue}.away`;
    const whole = await look(folder, () => {});
    assert.deepEqual([whole.problems, whole.tries], [[], 1]);

    renameSync(queue, away);
    const damaged = await look(folder, () => {});
    assert.ok(damaged.problems.length > 0, "the checkpoint is still the same");
    assert.equal(damaged.tries, 1);

    const running = await look(folder, (at) => {
      if (at === 3) renameSync(away, queue);
      else replace(at);
    });
    assert.deepEqual([running.problems, running.tries], [[], 3]);
    assert.ok(running.checked !== null && running.checked !== "replaced");

    renameSync(queue, away);
    const always = await look(folder, replace);
    assert.deepEqual([always.problems, always.checked], [[], "replaced"]);
  });
});
