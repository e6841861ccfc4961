/** A crawl is asked and changed through its API while it runs. */
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { ApiClient } from "./api-client.ts";

/** Each page leads to the next, for ever. */
const ENDLESS = new Proxy(
  {},
  { get: (_target, path) => linking(`${String(path)}x`), has: () => true },
);

test("a crawl is watched, paused, given seeds, resumed and stopped through its API", async () => {
  await withWeb(
    () => ({ "a.test": { pages: ENDLESS }, "b.test": { pages: { "/": linking() } } }),
    async (web) => {
      const folder = join(web.folder, "api");
      const args = ["crawl", ...web.flags, "--json", "--quiet", "-o", folder, web.url("a.test/")];
      const ended = crawlInto(folder, args);
      await web.requests(5);
      const api = new ApiClient(folder);
      for (const file of [api.tokenFile, join(folder, "api.json")]) {
        assert.equal(statSync(file).mode & 0o777, 0o600, file);
      }
      const control = async (action: string, more: object = {}): Promise<CrawlSummary> => {
        const { status, body } = await api.ask("POST", "/control", { action, ...more });
        assert.equal(status, 200);
        return body as CrawlSummary;
      };
      assert.deepEqual((await api.get("/health")).body, { status: "ok" });
      assert.equal(((await api.get("/status")).body as CrawlSummary).state, "running");
      assert.equal((await control("pause")).state, "paused");
      const seeds = [web.url("b.test/"), web.url("a.test/"), "nonsense:"];
      const added = (await api.ask("POST", "/seeds", { seeds })).body as {
        readonly seeds: readonly { readonly fate: string }[];
      };
      assert.deepEqual(
        added.seeds.map(({ fate }) => fate),
        ["added", "known", "invalid"],
      );
      assert.equal((await control("resume")).state, "running");
      await web.requests(web.entries.length + 10);
      assert.equal((await control("stop", { immediate: true })).state, "stopped");
      const { code, summary } = await ended;
      assert.equal(code, 130);
      assert.equal(summary?.reason, "signal");
      assert.ok(web.asked.includes("b.test/"), "the seed was fetched");
      assert.equal(ApiClient.isThere(folder), false);
      assert.ok(!existsSync(api.tokenFile));
      // What was added is part of the crawl: it needs no flag to be continued with it.
      const again = await crawlInto(folder, [...args, "-n", "1", web.url("b.test/")]);
      assert.equal(again.code, 0, again.terminal.said);
    },
  );
});

test("a port that was asked for and is taken ends the command before anything is made", async () => {
  await withWeb(
    () => ({ "a.test": { pages: { "/": linking() } } }),
    async (web) => {
      const folder = join(web.folder, "taken");
      const { port } = new URL(web.url("a.test/"));
      const flags = [...web.flags, "--json", "--quiet", "-o", folder];
      const refused = async (setting: string, told: RegExp): Promise<void> => {
        const args = ["crawl", ...flags, "--set", setting, web.url("a.test/")];
        const { code, terminal } = await crawlInto(folder, args);
        assert.equal(code, 2);
        assert.match(terminal.said, told);
        assert.ok(!existsSync(folder));
      };
      await refused(`api.port=${port}`, /cannot listen on 127\.0\.0\.1 port \d+: another process/);
      await refused("api.host=0.0.0.0", /api\.token names no file/);
      await refused("api.token=/nowhere", /api\.token cannot be used: "\/nowhere" does not exist/);
      await refused("api.tls={cert: /no, key: /no}", /api\.tls\.cert "\/no" does not exist/);
    },
  );
});

for (const lanes of ["1", "2"]) {
  test(`a crawl that stays begins without seeds and takes them as they come: ${lanes} lanes`, async () => {
    const pages = { "/": linking("/next"), "/next": linking() };
    await withWeb(
      () => ({ "a.test": { pages }, "b.test": { pages } }),
      async (web) => {
        const folder = join(web.folder, "stays");
        const settled = [
          "crawl",
          ...web.flags,
          "--json",
          "--quiet",
          "--lanes",
          lanes,
          "-o",
          folder,
        ];
        const ended = crawlInto(folder, [...settled, "--stay"]);
        const api = await ApiClient.opened(folder);
        for (const [at, host] of ["a.test", "b.test"].entries()) {
          const asked = web.requests(web.entries.length + 3);
          const { status } = await api.ask("POST", "/seeds", { seeds: [web.url(`${host}/`)] });
          assert.equal(status, 200);
          await asked;
          // What lanes have done is heard of a moment later.
          const summary = await api.statusWhen(
            ({ idle, pages }) => (idle["seeds"] ?? 0) > 0 && pages >= 2 * (at + 1),
          );
          assert.deepEqual([summary.state, summary.pages], ["running", 2 * (at + 1)]);
        }
        await api.ask("POST", "/control", { action: "stop" });
        const { code, summary } = await ended;
        assert.deepEqual([code, summary?.state, summary?.pages], [130, "stopped", 4]);
      },
    );
  });
}
