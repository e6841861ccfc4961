/**
 * Judges a crawl that was killed and went on until it ended: by the log of the web, and by its archive
 * as another program reads it. What the crawl itself says is compared with these.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { run } from "../../../src/cli/shell/run.ts";
import { RecordedTerminal } from "../cli/recorded-terminal.ts";
import { recordsIn } from "../formats/warcio.ts";
import type { TableHost, TablePage } from "../lab/table-web.ts";
import type { CrawledWeb, EndedCrawl } from "./crawl-rig.ts";
import { assertPolite } from "./polite-visits.ts";
import { isPage, isRobots, placeOf, type RepeatedRequests } from "./repeated-requests.ts";

export interface KilledCrawl {
  readonly web: CrawledWeb;
  /** All that must be fetched, by its place (`a.test/x`). */
  readonly pages: ReadonlyMap<string, TablePage>;
  /** Those that are fetched and not in the archive; none by default. */
  readonly isUnstored?: ((place: string) => boolean) | undefined;
  /** Only so many pages are to be fetched, whichever; by default all. */
  readonly pagesMax?: number | undefined;
  /** Files with rows of pages, of which each must have one, once; none by default. */
  readonly rowFiles?: readonly string[] | undefined;
  /** The run that ended. */
  readonly last: EndedCrawl;
  /** How long its hosts are left alone between two visits, by whichever process. */
  readonly hostDelayMs: number;
  /** What may have been asked for more than once; null if that is judged elsewhere. */
  readonly repeats: RepeatedRequests | null;
  /** What may be asked for again although the web had answered; nothing by default. */
  readonly mayRepeat?: ((place: string) => boolean) | undefined;
  /** How the crawl was killed, for messages. */
  readonly what: string;
}

/** The pages of a web by their places, but for robots.txt. */
export function pagesOf(hosts: Readonly<Record<string, TableHost>>): Map<string, TablePage> {
  const all = Object.entries(hosts).flatMap(([host, { pages = {} }]) =>
    Object.entries(pages).map(([path, page]) => [host + path, page] as const),
  );
  return new Map(all.filter(([place]) => !isRobots(place)));
}

/** Coverage 1, each page once in the archive and in the index, nothing asked for again without need, nor too soon. */
export async function assertNothingLost(crawl: KilledCrawl): Promise<void> {
  const { web, pages, last, what, isUnstored = () => false } = crawl;
  assert.equal(last.code, 0, what);
  crawl.repeats?.check(what, crawl.mayRepeat);
  assertPolite(web, { hostDelayMs: crawl.hostDelayMs, addressDelayMs: 0 }, what);
  const asked = new Set(web.asked.filter((place) => !isRobots(place)));
  const records = await archivedIn(last.folder);
  const beside = records.map(({ url }) => placeOf(url)).filter((place) => !isPage(place));
  assertSame(beside, [...new Set(beside)], `${what}: robots.txt files and sitemaps in the archive`);
  const archived = records.filter(({ url }) => !isRobots(url));
  const places = archived.map(({ url }) => placeOf(url));
  const wanted = crawl.pagesMax === undefined ? [...pages.keys()] : limited(crawl, places);
  if (crawl.pagesMax === undefined) assertSame([...asked], wanted, `${what}: pages asked for`);
  const stored = wanted.filter((place) => !isUnstored(place));
  assertSame(places.filter(isPage), stored.filter(isPage), `${what}: pages in the archive`);
  for (const { url, type, block } of archived) {
    const body = Buffer.from(pages.get(placeOf(url))?.body ?? "");
    const isWhole = type !== "response" || block.subarray(block.length - body.length).equals(body);
    assert.ok(isWhole, `${what}: the body of ${url}`);
  }
  const indexed = indexedIn(last.folder).map(placeOf);
  assertSame(indexed, wanted.filter(isPage), `${what}: rows of the page index`);
  if (crawl.rowFiles !== undefined) {
    const rows = crawl.rowFiles.flatMap(rowsIn).map(placeOf);
    assertSame(rows, wanted.filter(isPage), `${what}: rows of pages`);
  }
  const verified = await answerTo(["store", "verify", "-q"], crawl);
  const stats = await answerTo(["store", "stats"], crawl);
  // `verify` counts the links that pages have, and nothing that was written twice.
  if (stats["links"] !== null) assert.equal(stats["links"], verified["links"], `${what}: links`);
}

async function answerTo(
  command: readonly string[],
  { last, what }: KilledCrawl,
): Promise<Record<string, unknown>> {
  const terminal = new RecordedTerminal();
  const code = await run([...command, "--json", "-o", last.folder], terminal);
  assert.equal(code, 0, `${what}: ${terminal.written}${terminal.said}`);
  return terminal.rows()[0] as Record<string, unknown>;
}

/** What is in the archive, if it is as many pages as there may be, redirects apart. */
function limited({ pages, pagesMax, web, what }: KilledCrawl, places: readonly string[]): string[] {
  const asked = new Set(web.asked);
  for (const place of places) {
    assert.ok(pages.has(place) && asked.has(place), `${what}: ${place} was not asked for`);
  }
  const whole = places.filter((place) => (pages.get(place)?.status ?? 200) === 200);
  assert.equal(whole.length, pagesMax, `${what}: pages in the archive`);
  return [...new Set(places)];
}

/** Each of them once; says which are missing, and which are too many. */
function assertSame(found: readonly string[], wanted: readonly string[], what: string): void {
  const left = [...found];
  const missing = wanted.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  assert.deepEqual({ missing, superfluous: left }, { missing: [], superfluous: [] }, what);
}

interface ArchivedPage {
  readonly url: string;
  readonly type: string;
  readonly block: Buffer;
}

/** The answers as another reader finds them. */
async function archivedIn(folder: string): Promise<ArchivedPage[]> {
  const found: ArchivedPage[] = [];
  for (const name of filesIn(join(folder, "warc"))) {
    assert.ok(!name.endsWith(".open"), `${name} has not got its name`);
    for (const { type, fields, block } of await recordsIn(
      readFileSync(join(folder, "warc", name)),
    )) {
      const url = fields.get("WARC-Target-URI") ?? "";
      const isAnswer = /^(?:response|revisit|metadata)$/.test(type);
      if (isAnswer) found.push({ url, type, block });
    }
  }
  return found;
}

/** None if there is no such folder. */
export function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** URLs of the rows in a file of JSON lines. */
function rowsIn(path: string): string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
  assert.ok(text === "" || text.endsWith("\n"), `${path} ends with a whole row`);
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { readonly url: string }).url);
}

function indexedIn(folder: string): string[] {
  const database = new DatabaseSync(join(folder, "crawl.db"), { readOnly: true });
  try {
    const rows = database.prepare("SELECT url FROM pages").all();
    return rows.map((row) => String(row["url"]));
  } finally {
    database.close();
  }
}
