/**
 * What must be so when a crawl has ended that was killed again and again. The site says what had to be
 * fetched; the archive, the crawl log, the rows of the database and the link graph are compared with it.
 */
import assert from "node:assert/strict";
import type { CrawlSummary } from "../../src/agent/index.ts";
import type { Row } from "../../src/base/seams/index.ts";
import type { Kernel, SimDisk } from "../../src/lab/simulator/index.ts";
import {
  type FoundLine,
  type FoundRecord,
  isBeside,
  isFinal,
  isLast,
  linesOn,
  recordsOn,
} from "./agent-archive.ts";
import { linksOn } from "./agent-links.ts";
import type { AgentPlan } from "./agent-plan.ts";
import type { AgentRequests } from "./agent-requests.ts";
import { isUnreachable, type Site } from "./agent-site.ts";
import { type ExpectedPage, RETRIES, truthOf } from "./agent-truth.ts";

export interface JudgedCrawl {
  readonly plan: AgentPlan;
  readonly site: Site;
  readonly disk: SimDisk;
  readonly kernel: Kernel;
  readonly requests: AgentRequests;
  readonly summary: CrawlSummary;
  readonly seeds: readonly string[];
}

export async function checkEnd(crawl: JudgedCrawl): Promise<void> {
  const { plan, site, disk, kernel, requests, summary, seeds } = crawl;
  const truth = truthOf(site, { ...plan, seeds });
  const all = linesOn(disk);
  const lines = all.filter(isLast);
  const done = new Set(lines.map(({ url }) => url));
  assert.equal(done.size, lines.length, "no page has two lines");
  for (const url of requests.counts.keys()) {
    assert.ok(truth.has(url) || isBeside(url), `${url} may be asked for`);
  }
  checkCoverage(crawl, truth, lines);
  for (const line of lines) checkLine(line, truth.get(line.url));
  const records = recordsOn(disk);
  checkRecords(truth, done, records);
  checkBeside(crawl, all, records);
  const rows = disk.database("crawl.db").rowsAfter("pages", null, 1_000_000);
  checkRows(rows, lines);
  checkDepths(plan, truth, rows);
  checkTwins(lines, rows);
  checkCounts(summary, truth, all);
  assert.deepEqual(
    disk.fileNames().filter((name) => name.endsWith(".open")),
    [],
    "archive files have their names",
  );
  checkGraph(site, done, truth, await linksOn(disk, kernel));
}

/** What the summary counts is what the lines tell. */
function checkCounts(
  { pages, fetches, status }: CrawlSummary,
  truth: ReadonlyMap<string, ExpectedPage>,
  all: readonly FoundLine[],
): void {
  const lines = all.filter(isLast);
  const counted = lines.filter(({ url }) => truth.get(url)?.isCounted).length;
  assert.equal(pages, counted, "the summary counts the pages");
  const tries = all.filter(({ url, notes }) => !isBeside(url) && !notes.includes("unfetched"));
  assert.equal(fetches, tries.length, "the summary counts the fetches");
  const answers: Record<string, number> = {};
  for (const { result } of lines.filter(({ result }) => /^\d+$/.test(result))) {
    answers[result] = (answers[result] ?? 0) + 1;
  }
  assert.deepEqual({ ...status }, answers, "the summary counts the answers");
}

/** A robots.txt or a sitemap has one last line, with one record if it was answered, and few tries before. */
function checkBeside(
  { site, requests }: JudgedCrawl,
  all: readonly FoundLine[],
  records: readonly FoundRecord[],
): void {
  const beside = [...requests.counts.keys()].filter(isBeside);
  for (const url of beside) {
    const lines = all.filter((line) => line.url === url);
    const last = lines.filter(isFinal);
    const answers = last.filter(({ result }) => /^\d+$/.test(result)).length;
    assert.ok(last.length <= 1, `${url} has one last line`);
    const kept = records.filter((record) => record.url === url).length;
    assert.equal(kept, answers, `${url} has one record`);
    const { hostname, pathname } = new URL(url);
    const robots = pathname === "/robots.txt" ? site.hosts.get(hostname)?.robots : undefined;
    if (robots !== undefined && isUnreachable(robots) && last.length > 0) {
      assert.equal(lines.length, RETRIES + 1, `${url} was tried as often as is due`);
    }
  }
}

/** Everything that can be reached has its line, or as many pages as are wanted. */
function checkCoverage(
  { plan, summary }: JudgedCrawl,
  truth: ReadonlyMap<string, ExpectedPage>,
  lines: readonly FoundLine[],
): void {
  const { pagesMax } = plan;
  const all = [...truth.values()];
  const wanted = all.filter(({ isCounted }) => isCounted).length;
  const counted = lines.filter(({ url }) => truth.get(url)?.isCounted).length;
  assert.equal(summary.state, "finished");
  if (pagesMax !== null && pagesMax <= wanted) {
    assert.equal(counted, pagesMax, "there are as many pages as are wanted");
    return;
  }
  const done = new Set(lines.map(({ url }) => url));
  const missing = all.filter(({ url }) => !done.has(url)).map(({ url }) => url);
  assert.deepEqual(missing, [], "every page was fetched");
}

function checkLine({ url, result }: FoundLine, expected: ExpectedPage | undefined): void {
  assert.ok(expected !== undefined, `${url} has a line for a reason`);
  const { status } = expected;
  if (status !== null) assert.equal(result, String(status), url);
  else assert.match(result, /^FETCH_/, url);
}

function checkRecords(
  truth: ReadonlyMap<string, ExpectedPage>,
  done: ReadonlySet<string>,
  records: readonly FoundRecord[],
): void {
  const found = new Map<string, FoundRecord[]>();
  for (const record of records) found.set(record.url, [...(found.get(record.url) ?? []), record]);
  for (const [url, all] of found) {
    if (isBeside(url)) continue;
    assert.ok(done.has(url), `${url} has a record and no line`);
    assert.ok(truth.get(url)?.record !== "none", `${url} has a record`);
    assert.equal(all.length, 1, `${url} has one record`);
  }
  for (const url of done) {
    const { record, page } = truth.get(url) as ExpectedPage;
    const kind = found.get(url)?.[0]?.kind ?? "none";
    if (page.kind === "twin") assert.match(kind, /^(?:response|revisit)$/, url);
    else assert.equal(kind, record, url);
  }
  const twins = records.filter(({ url }) => truth.get(url)?.page.kind === "twin");
  const first = twins.filter(({ kind }) => kind === "response");
  if (twins.length > 0) assert.equal(first.length, 1, "one of the twins has the body");
  for (const { kind, url, refersTo } of twins) {
    if (kind === "revisit") assert.equal(refersTo, first[0]?.url, url);
  }
}

/** The rows are the last lines of pages, each once. */
function checkRows(rows: readonly Row[], pages: readonly FoundLine[]): void {
  const urls = (all: readonly string[]): string[] => [...all].sort();
  assert.deepEqual(
    urls(rows.map(({ url }) => String(url))),
    urls(pages.map(({ url }) => url)),
    "every page has its row, once",
  );
  const byUrl = new Map(rows.map((row) => [String(row["url"]), row]));
  for (const { url, place, result } of pages) {
    const { warc, offset, length, status } = byUrl.get(url) as Row;
    const isPlaced = warc !== null && warc !== undefined && warc !== "";
    assert.equal(isPlaced ? `${warc}@${offset}+${length}` : "-", place, `the row of ${url}`);
    if (/^\d+$/.test(result)) assert.equal(Number(status), Number(result), `the row of ${url}`);
  }
}

/** With a limit on depth, rows have the depths of the shortest paths, unless pages on these are left out. */
function checkDepths(
  { depthMax, pagesMax }: AgentPlan,
  truth: ReadonlyMap<string, ExpectedPage>,
  rows: readonly Row[],
): void {
  if (depthMax === null || pagesMax !== null) return;
  for (const { url, depth } of rows) {
    const least = truth.get(String(url))?.depth ?? null;
    if (least !== null) assert.equal(depth, least, `the depth of ${url}`);
  }
}

/** Which of the twins is the first is the same everywhere. */
function checkTwins(lines: readonly FoundLine[], rows: readonly Row[]): void {
  const twins = lines.filter(({ url }) => new URL(url).pathname.startsWith("/t"));
  const noted = ({ notes }: FoundLine): string | null =>
    notes.find((note) => note.startsWith("duplicate:"))?.slice("duplicate:".length) ?? null;
  const first = twins.filter((line) => noted(line) === null);
  if (twins.length > 0) assert.equal(first.length, 1, "one of the twins is no duplicate");
  const byUrl = new Map(rows.map((row) => [String(row["url"]), row]));
  for (const twin of twins) {
    const original = noted(twin);
    const row = byUrl.get(twin.url)?.["duplicate_of"] ?? "";
    if (original !== null) assert.equal(original, first[0]?.url, twin.url);
    assert.equal(row === "" ? null : row, original, `the row of ${twin.url}`);
  }
}

function checkGraph(
  site: Site,
  done: ReadonlySet<string>,
  truth: ReadonlyMap<string, ExpectedPage>,
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const url of done) {
    const page = site.pages.get(url);
    if (page === undefined || page.kind === "image" || page.kind === "redirect") continue;
    // Pages that are not archived too: their answers are kept until a checkpoint knows them.
    if (truth.get(url)?.status !== 200) continue;
    for (const link of page.links) {
      assert.ok(graph.get(url)?.has(link), `the graph has the link from ${url} to ${link}`);
    }
  }
  for (const url of graph.keys()) {
    assert.ok(done.has(url) || isBeside(url), `${url} is in the graph for a reason`);
  }
}
