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
