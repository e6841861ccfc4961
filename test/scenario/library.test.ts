/** The library: crawls that run in the process of a program, and the ways to take their pages. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type CrawlSummary, crawl, type Page, type StorePage } from "../../src/index.ts";
import { openSite, treeSite } from "./loopback-site.ts";

function temporary(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), "trobar-library-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function leftovers(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`trobar-run-${process.pid}-`));
}

test("a loop gets every page with its fields and content, and ends with the crawl", async () => {
  await using site = await openSite(treeSite(20));
  const run = await crawl({ ...site.options, text: true, links: true, markdown: true });
  const pages = new Map<string, Page>();
  for await (const page of run.pages()) {
    assert.match(page.content, /^<title>Page/);
    assert.equal(page.body.length, page.bytes);
    assert.match(page.text ?? "", /of a small site/);
    assert.match(page.markdown ?? "", /of a small site/);
    pages.set(page.url, page);
  }
  assert.equal(pages.size, 21);
  const page = pages.get(`${site.url}p2`);
  assert.equal(page?.status, 200);
  assert.equal(page?.title, "Page 2");
  assert.equal(page?.depth, 1);
  assert.equal(page?.via, site.url);
  assert.equal(page?.header("content-type"), "text/html");
  assert.deepEqual(
    page?.links?.map(({ url }) => url),
    [`${site.url}p5`, `${site.url}p6`],
  );
  const summary = run.summary();
  assert.deepEqual([summary.state, summary.reason, summary.pages], ["finished", "exhausted", 21]);
  assert.deepEqual(leftovers(), []);
});

test("JSON shows the fields of a page and nothing else", async () => {
  await using site = await openSite(treeSite(0));
  const run = await crawl(site.options);
  for await (const page of run.pages()) {
    const shown = JSON.parse(JSON.stringify(page)) as Record<string, unknown>;
    assert.equal(Object.keys(shown).length, 20);
    assert.equal(shown["url"], site.url);
  }
});

test("leaving the loop early stops the crawl and removes its directory", async () => {
  await using site = await openSite(treeSite(5000));
  const run = await crawl(site.options);
  let count = 0;
  for await (const _page of run.pages()) {
    count += 1;
    if (count === 3) break;
  }
  const { state, reason } = run.summary();
  assert.deepEqual([state, reason], ["stopped", "signal"]);
  assert.ok(site.asked.length < 5000);
  assert.deepEqual(leftovers(), []);
});

test("an exception in the loop stops the crawl and is passed on", async () => {
  await using site = await openSite(treeSite(5000));
  const run = await crawl(site.options);
  const loop = async (): Promise<void> => {
    for await (const page of run.pages()) throw new Error(`cannot use ${page.title}`);
  };
  await assert.rejects(loop(), /cannot use Page 0/);
  assert.equal(run.summary().state, "stopped");
});

test("a slow loop holds up the crawl", async () => {
  await using site = await openSite(treeSite(3000));
  const run = await crawl({ ...site.options, fetch: { ...site.options.fetch, concurrency: 4 } });
  const pages = run.pages();
  await pages.next();
  // While nobody asks for the next page the crawl comes to a standstill: two looks see the same.
  let before = -1;
  while (before !== site.asked.length) {
    before = site.asked.length;
    await new Promise<void>((resolve) => {
      let turns = 2000;
      const turn = (): void => {
        turns -= 1;
        if (turns === 0) resolve();
        else setImmediate(turn);
      };
      turn();
    });
  }
  assert.ok(before < 1000, `${before} pages were fetched for a reader of one`);
  await pages.return();
});

test("a handler may add links, several pages at once, and the crawl waits for it", async () => {
  await using site = await openSite((path) =>
    path.startsWith("/hidden") || path === "/" ? `<title>${path}</title>` : null,
  );
  const seen: string[] = [];
  const run = await crawl({
    ...site.options,
    handler: async (page) => {
      await new Promise<void>((resolve) => setImmediate(resolve));
      seen.push(page.url);
      const next = seen.length;
      return next > 5 ? undefined : [`/hidden/${next}`, "mailto:nobody@example.org"];
    },
  });
  const summary = await run.finished();
  assert.equal(seen.length, 6);
  assert.deepEqual([summary.reason, summary.pages], ["exhausted", 6]);
  assert.deepEqual(new Set(site.asked), new Set(seen.map((url) => new URL(url).pathname)));
});

test("links that a handler adds pass scope, limits and filters like any other", async () => {
  await using site = await openSite(treeSite(2));
  const run = await crawl({
    ...site.options,
    limits: { depth: 1 },
    filters: { schedule: 'not PathStartsWith("/p2")' },
    handler: () => ["http://other.example/", "/p9", "/p2"],
  });
  const summary = await run.finished();
  assert.deepEqual(site.asked.toSorted(), ["/", "/p1", "/p9"]);
  assert.ok((summary.refused["scope"] ?? 0) > 0);
  assert.ok((summary.refused["depth"] ?? 0) > 0);
});

test("a handler that fails ends the crawl, and the error names the page", async () => {
  await using site = await openSite(treeSite(3));
  const cause = new Error("no such table");
  const run = await crawl({
    ...site.options,
    handler: () => {
      throw cause;
    },
  });
  const failing = {
    code: "HANDLER_FAILED",
    message: new RegExp(`${site.url}.*no such table`),
    cause,
  };
  await assert.rejects(run.finished(), failing);
  assert.equal(run.summary().state, "stopped");
});

test("or it goes on, and the errors are told one by one", async () => {
  await using site = await openSite(treeSite(3));
  const told: string[] = [];
  const run = await crawl({
    ...site.options,
    handlerErrors: "continue",
    onTrouble: ({ code }) => told.push(code),
    handler: async () => Promise.reject(new Error("no")),
  });
  assert.equal((await run.finished()).pages, 4);
  assert.deepEqual(told, Array(4).fill("HANDLER_FAILED"));
});

test("an abort signal stops the crawl, and a signal that is aborted already starts none", async () => {
  await using site = await openSite(treeSite(5000));
  const stopping = new AbortController();
  const run = await crawl({ ...site.options, signal: stopping.signal });
  let count = 0;
  for await (const _page of run.pages()) {
    count += 1;
    stopping.abort();
  }
  assert.equal(count, 1);
  assert.equal(run.summary().reason, "signal");
  await assert.rejects(crawl({ ...site.options, signal: AbortSignal.abort() }), {
    name: "AbortError",
  });
});

test("a program that only waits for the end needs no loop, and keeps what it names", async (t) => {
  const folder = temporary(t);
  await using site = await openSite(treeSite(7));
  const progress: CrawlSummary[] = [];
  const out = join(folder, "crawl");
  const run = await crawl({ ...site.options, out, onProgress: (one) => progress.push(one) });
  const summary = await run.finished();
  assert.equal(summary.pages, 8);
  assert.deepEqual(progress.at(-1), summary);
  assert.ok(existsSync(join(out, "crawl.json")));
  const continued = await (await crawl({ ...site.options, out })).finished();
  assert.deepEqual([continued.pages, continued.fetches], [8, summary.fetches], "nothing was left");
  const { seeds, ...others } = site.options;
  const unnamed = await (await crawl({ ...others, out })).finished();
  assert.deepEqual(
    [unnamed.pages, unnamed.fetches],
    [8, summary.fetches],
    "the seeds are recorded",
  );
  const further = new URL("/further", seeds?.[0]);
  await assert.rejects(crawl({ ...others, out, seeds: [further] }), {
    code: "CONFIG_INVALID",
    message: /not among the seeds of the crawl in this directory: add it with the option add: true/,
  });
  const added = await (await crawl({ ...others, out, seeds: [further], add: true })).finished();
  assert.deepEqual([added.fetches, added.status["404"]], [summary.fetches + 1, 1]);
  const again = await crawl({ ...site.options, out, fresh: true });
  assert.equal((await again.finished()).pages, 8);
});

test("pages that failed come too, with their code", async () => {
  await using site = await openSite(() => null);
  const run = await crawl({
    ...site.options,
    seeds: [...(site.options.seeds ?? []), "http://127.0.0.1:9/"],
    fetch: { ...site.options.fetch, retries: 0 },
    politeness: { ...site.options.politeness, robots: "ignore" },
  });
  const failed: [number, string | null][] = [];
  for await (const { status, error } of run.pages()) failed.push([status, error]);
  assert.deepEqual(failed.sort(), [
    [0, "FETCH_CONNECT_FAILED"],
    [404, null],
  ]);
});

test("pages are taken once, and their content while they are held", async () => {
  await using site = await openSite(treeSite(1));
  const run = await crawl(site.options);
  const kept: Page[] = [];
  for await (const page of run.pages()) kept.push(page);
  assert.throws(() => kept[0]?.body, { code: "USAGE_PAGE_OVER" });
  await assert.rejects(run.pages().next(), { code: "USAGE_BAD_ARGUMENT" });
});

test("rows have fields of one's own, by selectors and pushed", async (t) => {
  const file = join(temporary(t), "rows.jsonl");
  await using site = await openSite(treeSite(2));
  const run = await crawl({
    ...site.options,
    pages: file,
    extract: { price: ".price", "to[]": "a@href", none: ".none" },
    handler: (page) => {
      if (page.depth === 0) for (const { text } of page.$$("a")) page.push({ leadsTo: text });
    },
  });
  await run.finished();
  const rows = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const [one, two, three, four] = rows.map(({ price, to, none, leadsTo }) => [
    price,
    to,
    none,
    leadsTo,
  ]);
  assert.deepEqual(one, ["0.50", ["/p1", "/p2"], null, "page 1"]);
  assert.deepEqual(two, ["0.50", ["/p1", "/p2"], null, "page 2"]);
  assert.deepEqual([three, four].map((row) => row?.[0]).sort(), ["1.50", "2.50"]);
  assert.deepEqual(three?.slice(1), [[], null, undefined]);
});

test("CSV has its columns from the beginning", async (t) => {
  const file = join(temporary(t), "rows.csv");
  await using site = await openSite(treeSite(0));
  const options = { ...site.options, pages: file, extract: { price: ".price" }, fields: ["note"] };
  const run = await crawl({ ...options, handler: (page) => page.push({ note: "=1+1" }) });
  await run.finished();
  const [head = "", row = ""] = readFileSync(file, "utf8").split("\r\n");
  assert.match(head, /,length,price,note$/);
  assert.match(row, /,0\.50,'=1\+1$/);
  const bad = await crawl({
    ...{ ...options, fresh: true },
    handler: (page) => page.push({ other: 1 }),
  });
  await assert.rejects(bad.finished(), /columns of CSV are fixed/);
});

test("an object stands in for the store of a crawl", async () => {
  await using site = await openSite(treeSite(3));
  const calls: string[] = [];
  const store = {
    text: true,
    put: async (page: StorePage) => {
      const body = Buffer.from((await page.body()) ?? []).toString();
      calls.push(`${page.title} ${/of a small site/.test(page.text ?? "")} ${body.length}`);
      assert.equal(body.length, page.bytes);
    },
    flush: () => void calls.push("flush"),
    close: () => void calls.push("close"),
  };
  const summary = await (await crawl({ ...site.options, store: { kind: store } })).finished();
  assert.deepEqual([summary.reason, summary.pages], ["exhausted", 4]);
  const titles = calls.filter((call) => call.startsWith("Page")).map((call) => call.slice(0, 11));
  assert.deepEqual(titles.sort(), ["Page 0 true", "Page 1 true", "Page 2 true", "Page 3 true"]);
  assert.deepEqual(calls.slice(-2), ["flush", "close"]);
});
