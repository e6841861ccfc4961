/** Agents that share a crawl, in one process: what each fetches, and when all of it is over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { MemberRig, runAll } from "./member-rig.ts";

const HOSTS_COUNT = 12;
const PAGES = 8;

/** Every page links to pages of three other hosts, and to the next one of its own. */
const LINKED: Hosts = (port) =>
  Object.fromEntries(
    Array.from({ length: HOSTS_COUNT }, (_, host) => {
      const pages = Array.from({ length: PAGES }, (_page, page) => {
        const others = [1, 2, 3].map((step) => {
          const other = (host * 3 + page * 5 + step) % HOSTS_COUNT;
          return `http://h${other}.test:${port}/${(page * step + 1) % PAGES}`;
        });
        return [`/${page}`, linking(...others, `/${(page + 1) % PAGES}`)] as const;
      });
      return [`h${host}.test`, { pages: Object.fromEntries(pages) }];
    }),
  );

for (const agents of [1, 2, 4]) {
  test(`${agents} agents fetch every page once, and end together`, async () => {
    await withWeb(LINKED, async (web) => {
      const rig = new MemberRig(web);
      const members = await Promise.all(
        Array.from({ length: agents }, (_, at) =>
          rig.open(`a${at}`, { founds: at === 0, expect: agents }),
        ),
      );
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
    });
  });
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

test("D2: an agent that was stopped in mid-crawl goes on where it was", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, ["politeness.hostDelay=20ms", "cluster.giveUpAfter=20s"]);
    const members = await Promise.all(
      ["a0", "a1"].map((id, at) => rig.open(id, { founds: at === 0, expect: 2 })),
    );
    const [first, second] = members.map((member) => member.run());
    await members[0]?.member.seed([web.url("h0.test/0")]);
    await web.requests(40);
    members[1]?.crawl.life.stop();
    assert.equal((await second)?.reason, "signal");
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

/** What was asked for more than once. */
function again(asked: readonly string[]): readonly string[] {
  const counts = Map.groupBy(asked, (one) => one);
  return [...counts].filter(([, times]) => times.length > 1).map(([what]) => what);
}
