/**
 * Judges a crawl that was killed and went on until it ended: by the log of the web, and by its archive
 * as another program reads it. What the crawl itself says is compared with these.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { run } from "../../../src/cli/shell/run.ts";
import { RecordedTerminal } from "../cli/recorded-terminal.ts";
import { recordsIn } from "../formats/warcio.ts";
import type { TableHost, TablePage } from "../lab/table-web.ts";
import type { CrawledWeb, EndedCrawl } from "./crawl-rig.ts";

export interface KilledCrawl {
  readonly web: CrawledWeb;
  /** All that must be fetched, by its place (`a.test/x`). */
  readonly pages: ReadonlyMap<string, TablePage>;
  /** Those that are fetched and not in the archive; none by default. */
  readonly isUnstored?: ((place: string) => boolean) | undefined;
  /** Only so many pages are to be fetched, whichever; by default all. */
  readonly pagesMax?: number | undefined;
  /** The run that ended. */
  readonly last: EndedCrawl;
  /** How many requests may have been for nothing. */
  readonly repeatedMax: number;
  /** How the crawl was killed, for messages. */
  readonly what: string;
}

/** The pages of a web by their places, but for robots.txt. */
export function pagesOf(hosts: Readonly<Record<string, TableHost>>): Map<string, TablePage> {
  const all = Object.entries(hosts).flatMap(([host, { pages = {} }]) =>
    Object.entries(pages).map(([path, page]) => [host + path, page] as const),
  );
  return new Map(all.filter(([place]) => !place.endsWith("/robots.txt")));
}

/** Coverage 1, each page once in the archive and in the index, and few requests for nothing. */
export async function assertNothingLost(crawl: KilledCrawl): Promise<void> {
  const { web, pages, last, repeatedMax, what, isUnstored = () => false } = crawl;
  assert.equal(last.code, 0, what);
  const asked = new Set(web.asked);
  const repeated = web.asked.length - asked.size;
  assert.ok(repeated <= repeatedMax, `${what}: ${repeated} requests more than pages`);
  const archived = await archivedIn(last.folder);
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
  const terminal = new RecordedTerminal();
  const verified = await run(["store", "verify", "-q", "-o", last.folder], terminal);
  assert.equal(verified, 0, `${what}: ${terminal.written}${terminal.said}`);
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

/** Sitemaps are fetched and are no pages. */
function isPage(place: string): boolean {
  return !place.endsWith(".xml");
}

function placeOf(url: string): string {
  return url.replace(/^http:\/\/([^:/]*):\d+/, "$1");
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

/** The answers of pages as another reader finds them. */
async function archivedIn(folder: string): Promise<ArchivedPage[]> {
  const found: ArchivedPage[] = [];
  for (const name of readdirSync(join(folder, "warc"))) {
    assert.ok(!name.endsWith(".open"), `${name} has not got its name`);
    for (const { type, fields, block } of await recordsIn(
      readFileSync(join(folder, "warc", name)),
    )) {
      const url = fields.get("WARC-Target-URI") ?? "";
      const isAnswer = /^(?:response|revisit|metadata)$/.test(type);
      if (isAnswer && !url.endsWith("/robots.txt")) found.push({ url, type, block });
    }
  }
  return found;
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
