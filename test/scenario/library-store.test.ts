/** `openCrawl`: questions of a program about a crawl that runs, has ended, or is damaged. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crawl, openCrawl } from "../../src/index.ts";
import { openSite, treeSite } from "./loopback-site.ts";

function temporary(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), "trobar-library-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a program asks for pages, answers, text, links and counts", async (t) => {
  const out = join(temporary(t), "crawl");
  await using site = await openSite(treeSite(6));
  await (await crawl({ ...site.options, out, store: { text: true } })).finished();
  await using stored = await openCrawl(out);
  assert.deepEqual(stored.faults, []);

  const pages = [];
  for await (const page of stored.pages()) pages.push(page);
  assert.equal(pages.length, 7);
  const [first, second] = pages;
  assert(first !== undefined && second !== undefined);
  assert.deepEqual([first.url, first.title, first.depth], [site.url, "Page 0", 0]);

  const rest = [];
  for await (const page of stored.pages({ after: second.cursor })) rest.push(page.url);
  assert.deepEqual(
    rest,
    pages.slice(2).map(({ url }) => url),
  );
  const wrong = stored.pages({ after: "zzz-1" });
  await assert.rejects(wrong.next(), { code: "USAGE_BAD_ARGUMENT" });

  for (const filter of ["URLMatchesRegex(.*p[12])", ({ url = "" }) => /p[12]$/.test(url)]) {
    const chosen = [];
    for await (const { url } of stored.pages({ filter })) chosen.push(url.slice(-2));
    assert.deepEqual(chosen.sort(), ["p1", "p2"]);
  }
  await assert.rejects(stored.pages({ filter: "Nonsense(" }).next(), { code: "FILTER_INVALID" });

  const page = await stored.get(`${site.url}p2#top`);
  assert(page !== null);
  assert.equal(await stored.get(new URL("/none", site.url)), null);
  const answer = await stored.answer(page);
  assert.match(answer?.statusLine ?? "", /^HTTP\/1\.1 200/);
  assert.match(answer?.request ?? "", /^GET \/p2 HTTP\/1\.1\r\n/);
  assert.ok(answer?.headers.some(([name]) => name === "Content-Type"));
  assert.match(Buffer.from((await stored.body(page)) ?? []).toString(), /^<title>Page 2</);
  for (const known of [page, second]) {
    assert.match((await stored.text(known))?.text ?? "", /This is page/);
  }
  const links = await stored.links(page);
  assert.deepEqual(
    links?.map(({ url, text }) => [url, text]),
    [5, 6].map((n) => [`${site.url}p${n}`, `page ${n}`]),
  );
  const sources = [];
  for await (const { url } of stored.linksTo(`${site.url}p5`)) sources.push(url);
  assert.deepEqual(sources, [page.url]);
  const stats = await stored.stats();
  assert.deepEqual([stats.pages, stats.status, stats.links], [7, { 200: 7 }, 6]);
});

test("a running crawl is followed until the signal is given", async (t) => {
  const out = join(temporary(t), "crawl");
  await using site = await openSite(treeSite(6));
  const run = await crawl({ ...site.options, out });
  const stopping = new AbortController();
  await using stored = await openCrawl(out);
  const summary = run.finished();
  const seen: string[] = [];
  for await (const { url } of stored.pages({ follow: true, signal: stopping.signal })) {
    seen.push(url);
    if (seen.length === 7) stopping.abort();
  }
  assert.equal(new Set(seen).size, 7);
  assert.equal((await summary).pages, 7);
});

test("what is damaged is said, and a directory without a crawl is refused", async (t) => {
  const folder = temporary(t);
  const out = join(folder, "crawl");
  await using site = await openSite(treeSite(0));
  await (await crawl({ ...site.options, out })).finished();
  const [archive = ""] = readdirSync(join(out, "warc"));
  truncateSync(join(out, "warc", archive), 10);
  await using stored = await openCrawl(out);
  const page = await stored.get(site.url);
  assert(page !== null);
  await assert.rejects(stored.answer(page), { code: "STORE_RECORD_DAMAGED" });
  await assert.rejects(openCrawl(folder), /DIRECTORY_|crawl/);
});
