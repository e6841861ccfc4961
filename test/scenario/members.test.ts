/** Agents that share a crawl, in one process: what each fetches, and when all of it is over. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import { archiveRecords, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { again, HOSTS_COUNT, LINKED, MemberRig, openAll, PAGES, runAll } from "./member-rig.ts";

for (const agents of [1, 2, 4]) {
  test(`${agents} agents fetch every page once, and end together`, async () => {
    await withWeb(LINKED, async (web) => {
      const rig = new MemberRig(web);
      const members = await openAll(rig, agents);
      const ends = await runAll(members, [web.url("h0.test/0")]);
      assert.deepEqual(rig.troubles, []);
      assert.deepEqual(
        ends.map(({ state, reason }) => `${state} ${reason}`),
        ends.map(() => "finished exhausted"),
      );
      assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
      assert.equal(new Set(web.asked).size, HOSTS_COUNT * PAGES);
      assert.equal(
        ends.reduce((sum, { pages }) => sum + pages, 0),
        HOSTS_COUNT * PAGES,
      );
      assertOwnFiles(rig.folderOf("a0"));
    });
  });
}

/** Every file of an agent but its lock is known to be Trobar's, so that `--fresh` removes it. */
function assertOwnFiles(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((name) => name !== "crawl.lock");
  assert.deepEqual(files.sort(), [...CrawlDirectory.filesOf(folder)].sort());
}

test("B2: an agent joins in mid-crawl, and no page is fetched twice", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, ["politeness.hostDelay=300ms"]);
    const founder = await rig.open("a0", { founds: true });
    const end = founder.run();
    await founder.member.seed([web.url("h0.test/0")]);
    await web.requests(30);
    const joiner = await rig.open("a1", { founds: false });
    const ends = await Promise.all([end, joiner.run()]);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(again(web.asked), []);
    assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
    assert.ok((ends[1]?.pages ?? 0) > 0, "the joiner has a share");
  });
});

test("D2: an agent that was stopped in mid-crawl, and once more while it opened, goes on where it was", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, ["politeness.hostDelay=20ms", "cluster.giveUpAfter=20s"]);
    const members = await openAll(rig, 2);
    const [first, second] = members.map((member) => member.run());
    await members[0]?.member.seed([web.url("h0.test/0")]);
    await web.requests(40);
    members[1]?.crawl.life.stop();
    assert.equal((await second)?.reason, "signal");
    const stopped = rig.open("a1", { founds: false, left: new AbortController() });
    await assert.rejects(stopped, { code: "CLUSTER_UNMET" });
    const back = await rig.open("a1", { founds: false });
    const ends = await Promise.all([first, back.run()]);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(
      ends.map((end) => end?.reason),
      ["exhausted", "exhausted"],
    );
    assert.deepEqual(again(web.asked), []);
    assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
  });
});

for (const migrate of [true, false]) {
  const where = migrate
    ? "takes its pages to the others"
    : "keeps its pages, and others know of them";
  test(`L1: an agent that leaves in mid-crawl ${where}`, async () => {
    await withWeb(LINKED, async (web) => {
      // Nobody is given up because a busy machine makes it seem dead.
      const settings = ["politeness.hostDelay=100ms", "cluster.giveUpAfter=20s"];
      const rig = new MemberRig(web, [...settings, `store.migrate=${migrate}`]);
      const [first, second] = await openAll(rig, 2);
      const ends = [first?.run(), second?.run()];
      await first?.member.seed([web.url("h0.test/0")]);
      await web.requests(60);
      await new Promise<void>((left) => second?.member.node.membership.leave(left));
      second?.crawl.life.stop();
      const [end, gone] = await Promise.all(ends);
      assert.deepEqual(rig.troubles, []);
      assert.equal(end?.reason, "exhausted");
      assert.deepEqual(again(web.asked), []);
      assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
      assert.ok((gone?.pages ?? 0) > 0);
      const records = archiveRecords(rig.folderOf("a0"));
      const bodies = records.filter(({ type }) => type === "response" || type === "revisit");
      const had = HOSTS_COUNT * PAGES - (migrate ? 0 : (gone?.pages ?? 0));
      assert.equal(bodies.length, had);
    });
  });
}

test("M1: a limit on pages is that of the whole crawl, and reached exactly", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, ["limits.pages=37"]);
    const members = await openAll(rig, 3);
    const ends = await runAll(members, [web.url("h0.test/0")]);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(
      ends.map(({ reason, limit }) => `${reason} ${limit}`),
      ends.map(() => "limit pages"),
    );
    assert.equal(
      ends.reduce((sum, { pages }) => sum + pages, 0),
      37,
    );
    assert.equal(web.asked.length, 37);
  });
});

test("U6: a limit of depth counts the shortest way, whoever has found it", async () => {
  const near: Record<string, number> = { "h0.test/0": 0 };
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, ["limits.depth=2"]);
    const ends = await runAll(await openAll(rig, 3), [web.url("h0.test/0")]);
    assert.deepEqual(rig.troubles, []);
    assert.equal(ends.length, 3);
    for (let depth = 0; depth < 2; depth += 1) {
      for (const [page] of Object.entries(near).filter(([, at]) => at === depth)) {
        for (const to of linksOf(page)) near[to] ??= depth + 1;
      }
    }
    assert.deepEqual([...web.asked].sort(), Object.keys(near).sort());
  });
});

test("a seed that redirects to the host of another agent widens the scope of all", async () => {
  const pages = ["/1", "/2", "/3"];
  const hosts: Hosts = (port) => ({
    "a.test": {
      pages: { "/": { status: 301, headers: [["Location", `http://www.b.test:${port}/1`]] } },
    },
    "www.b.test": {
      pages: Object.fromEntries(
        pages.map((page) => [page, linking(...pages, `http://c.test:${port}/`)]),
      ),
    },
  });
  await withWeb(hosts, async (web) => {
    for (const agents of [1, 4]) {
      const rig = new MemberRig(web, ["scope=host", `name=with${agents}`], `${agents}`);
      await runAll(await openAll(rig, agents), [web.url("a.test/")]);
      assert.deepEqual(rig.troubles, []);
    }
    const once = ["a.test/", ...pages.map((page) => `www.b.test${page}`)];
    assert.deepEqual([...web.asked].sort(), [...once, ...once].sort());
  });
});

test("a robots.txt that redirects to the host of another agent is fetched by that agent", async () => {
  const COUNT = 8;
  const RULES = "User-agent: *\nDisallow: /private";
  // Of each pair the one has the rules of the other, and nothing else leads to it.
  const hosts: Hosts = (port) =>
    Object.fromEntries(
      Array.from({ length: COUNT }, (_, at) => {
        const there = `http://www${at}.test:${port}/robots.txt`;
        const next = `http://h${(at + 1) % COUNT}.test:${port}/`;
        const moved = { status: 301, headers: [["Location", there]] as const };
        const pages = { "/": linking(next, "/private/x"), "/private/x": { body: "secret" } };
        return [
          [`h${at}.test`, { pages: { ...pages, "/robots.txt": moved } }],
          [`www${at}.test`, { pages: { "/robots.txt": { body: RULES } } }],
        ] as const;
      }).flat(),
    );
  await withWeb(hosts, async (web) => {
    const rig = new MemberRig(web);
    const ends = await runAll(await openAll(rig, 3), [web.url("h0.test/")]);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(
      ends.map(({ reason }) => reason),
      ends.map(() => "exhausted"),
    );
    const pages = Array.from({ length: COUNT }, (_, at) => `h${at}.test/`);
    assert.deepEqual([...web.asked].sort(), pages);
    const files = web.entries.filter(({ isRobots }) => isRobots).map(({ host }) => host);
    assert.equal(new Set(files).size, 2 * COUNT);
    assert.equal(files.length, 2 * COUNT);
  });
});

test("an agent takes the times between signs of life from those that it joins", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web);
    const [founder, joiner] = await Promise.all([
      rig.open("a0", { founds: true, expect: 2 }),
      rig.open("a1", { founds: false, isPlain: true }),
    ]);
    const { cluster } = joiner.crawl.configuration;
    assert.deepEqual([cluster.heartbeat, cluster.deadAfter], [50, 500]);
    await runAll([founder, joiner], [web.url("h0.test/0")]);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(again(web.asked), []);
    assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
  });
});

test("A1: an address that hosts of several agents share rests between their visits", async () => {
  const DELAY_MS = 30;
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, [`politeness.ipDelay=${DELAY_MS}ms`]);
    await runAll(await openAll(rig, 3), [web.url("h0.test/0")]);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(again(web.asked), []);
    assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
    const visits = web.entries.toSorted((one, other) => one.startMs - other.startMs);
    for (const [at, visit] of visits.entries()) {
      const last = visits[at - 1];
      if (last === undefined) continue;
      assert.ok(visit.startMs - last.endMs >= DELAY_MS - 2, `${last.target} ${visit.target}`);
    }
  });
});

/** As `LINKED` has them. */
function linksOf(place: string): readonly string[] {
  const [, host = 0, page = 0] = (/^h(\d+)\.test\/(\d+)$/.exec(place) ?? []).map(Number);
  const others = [1, 2, 3].map((step) => {
    const other = (host * 3 + page * 5 + step) % HOSTS_COUNT;
    return `h${other}.test/${(page * step + 1) % PAGES}`;
  });
  return [...others, `h${host}.test/${(page + 1) % PAGES}`];
}
