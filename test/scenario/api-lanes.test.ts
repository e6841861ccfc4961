/** A crawl with several lanes is asked and changed as one, through its API. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { ApiClient } from "./api-client.ts";

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => `${name}.test`);
const PAGES = { "/": linking("/1", "/2"), "/1": linking(), "/2": linking() };

interface Host {
  readonly host: string;
  readonly queued: number;
  readonly state: string;
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

test("hosts, units and settings of several lanes are shown and changed as one", async () => {
  const hosts = () => Object.fromEntries(NAMES.map((name) => [name, { pages: PAGES }]));
  await withWeb(hosts, async (web) => {
    const folder = join(web.folder, "lanes");
    const flags = [...web.flags, "--ignore-robots", "--lanes", "3", "--delay", "1h"];
    const seeds = NAMES.map((name) => web.url(`${name}/`));
    const ended = crawlInto(folder, [
      "crawl",
      ...flags,
      "--json",
      "--quiet",
      "-o",
      folder,
      ...seeds,
    ]);
    await web.requests(NAMES.length);
    const api = new ApiClient(folder);
    const get = async <Body>(path: string): Promise<Body> => {
      const { status, body } = await api.get(path);
      assert.equal(status, 200, JSON.stringify(body));
      return body as Body;
    };
    // All first pages have been processed.
    for (let pages = 0; pages < NAMES.length; ) ({ pages } = await get<CrawlSummary>("/status"));
    const listed: Host[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const after: string = cursor === "" ? "" : `&after=${cursor}`;
      const page = await get<{ hosts: Host[]; cursor: string | null }>(`/hosts?limit=3${after}`);
      listed.push(...page.hosts);
      cursor = page.cursor;
    }
    assert.deepEqual(listed.map(({ host }) => host).toSorted(), NAMES);
    assert.ok(listed.every(({ queued }) => queued === 2));
    const block = await api.ask("PATCH", "/hosts/c.test", { block: true, purge: true });
    assert.deepEqual(block.body, {
      ...{ host: "c.test", known: true, blocked: true, delayMs: 3_600_000, purged: 2, queued: 0 },
    });
    assert.equal((await get<Host>("/hosts/c.test")).state, "blocked");
    const { units } = await get<{ units: { id: string; instances: number }[] }>("/topology");
    assert.equal(units.find(({ id }) => id === "parser")?.instances, 3);
    // What is divided among lanes is shown and given as a whole.
    const change = { key: "fetch.concurrency", value: "7" };
    const changed = (await api.ask("PATCH", "/settings", change)).body as { settings: Setting[] };
    assert.deepEqual(
      changed.settings.map(({ key, value }) => [key, value]),
      [["fetch.concurrency", "7"]],
    );
    const wrong = await api.ask("PATCH", "/settings", { key: "fetch.concurrency", value: "x" });
    assert.equal(wrong.status, 400);
    const { settings } = await get<{ settings: Setting[] }>("/units/steering/settings");
    assert.equal(settings.find(({ key }) => key === "fetch.concurrency")?.value, "7");
    const query = new URLSearchParams({ url: web.url("a.test/1") });
    const { state } = await get<{ state: string }>(`/explain?${query}`);
    assert.equal(state, "queued");
    const { status, body } = await api.get("/metrics");
    assert.equal(status, 200);
    assert.match(String(body), /^trobar_pages_total 8$/m);
    const headers = { Authorization: `Bearer ${api.token}` };
    const listening = await fetch(`${api.url}/api/v1/events`, { headers });
    const heard = listening.text();
    // The limit is lowered below what there is, which ends the crawl.
    await api.ask("PATCH", "/settings", { key: "limits.pages", value: "5" });
    const { summary } = await ended;
    assert.deepEqual([summary?.state, summary?.limit], ["finished", "pages"]);
    // Whoever listens hears how it ended, and that it did.
    assert.match(await heard, /event: state\ndata: \{"state":"finished","reason":"limit"/);
  });
});
