/** The directories of agents that rest, read as the one crawl that they share. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { MemberRig, type RunningAgent } from "./member-rig.ts";

const HOSTS_COUNT = 6;
const PAGES = 3;
const ALL = HOSTS_COUNT * PAGES;

/** A ring of hosts, each with a chain of pages; and one that keeps the crawl running for an hour. */
const RING: Hosts = (port) => {
  const hosts = Array.from({ length: HOSTS_COUNT }, (_, host) => {
    const next = `http://h${(host + 1) % HOSTS_COUNT}.test:${port}/0`;
    const pages = Array.from({ length: PAGES }, (_page, page) => {
      return [`/${page}`, linking(next, `/${(page + 1) % PAGES}`)] as const;
    });
    return [`h${host}.test`, { pages: Object.fromEntries(pages) }] as const;
  });
  return { ...Object.fromEntries(hosts), "slow.test": { pages: { "/": linking("/later") } } };
};

const SETTINGS = ["politeness.hosts={slow.test: {hostDelay: 1h}}", "politeness.robots=ignore"];

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(words: readonly string[]): Promise<readonly Row[]> {
  const terminal = new RecordedTerminal();
  assert.equal(await run([...words, "--json"], terminal), 0, `${words}: ${terminal.said}`);
  return terminal.rows();
}

async function urlsIn(folder: string): Promise<readonly string[]> {
  return (await rowsOf(["store", "list", "-o", folder])).map(({ url }) => String(url));
}

/** Asks again and again until these pages are shown, each once. */
async function untilShown({ pages }: RunningAgent, count: number): Promise<void> {
  for (;;) {
    const asked = { prefix: "http://h", after: null, limit: 1000 };
    const found = await pages.ask("pages", asked);
    const urls = found.pages.map(({ url }) => url);
    const isAll = found.missing?.length === 0 && new Set(urls).size === count;
    if (isAll && urls.length === count) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Two agents; one is away until the other has fetched its pages again, and comes back. */
async function withCopies(read: (web: CrawledWeb, folder: string) => Promise<void>): Promise<void> {
  await withWeb(RING, async (web) => {
    const rig = new MemberRig(web, SETTINGS);
    const members = await Promise.all([
      rig.open("1", { founds: true, expect: 2 }),
      rig.open("2", { founds: false }),
    ]);
    const [first, second] = members;
    const ends = members.map((member) => member.run());
    await first.member.seed([web.url("h0.test/0"), web.url("slow.test/")]);
    await untilShown(first, ALL);
    const had = second.control.part().pages;
    rig.cut("2");
    second.crawl.life.stop();
    await ends[1];
    assert.ok(had > 0, "both have pages");
    await untilShown(first, ALL);
    const back = await rig.open("2", { founds: false });
    const end = back.run();
    await untilShown(first, ALL);
    await untilShown(back, ALL);
    await back.control.stop();
    await Promise.all([ends[0], end]);
    assert.deepEqual(rig.troubles, []);
    await read(web, join(rig.folderOf("1"), ".."));
  });
}

test("a page that two agents have is shown once by their directories together", async () => {
  await withCopies(async (_web, folder) => {
    const apart = [
      ...(await urlsIn(join(folder, "1"))),
      ...(await urlsIn(join(folder, "2"))),
    ].filter((url) => url.startsWith("http://h"));
    assert.ok(apart.length > ALL, "no page was fetched again");
    const all = await urlsIn(folder);
    const together = all.filter((url) => url.startsWith("http://h"));
    assert.deepEqual(together.toSorted(), [...new Set(apart)].toSorted());
    const [stats] = await rowsOf(["store", "stats", "-o", folder]);
    const hosts = new Set(all.map((url) => new URL(url).hostname));
    assert.deepEqual([stats?.["pages"], stats?.["hosts"]], [all.length, hosts.size]);
    const [verified] = await rowsOf(["store", "verify", "-q", "-o", folder]);
    assert.equal(verified?.["ok"], true, JSON.stringify(verified));
  });
});
