/**
 * The directory of a crawl of any size of the endless web of `tree-web.ts`, made without fetching: the
 * archive and the crawl log are written by the crawler's own store, as if the pages had been fetched in
 * the order of their numbers, and `trobar store verify --rebuild` makes all else from them.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import { answered, type Body } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { MIB } from "../../src/base/units/index.ts";
import { readConfiguration } from "../../src/rules/config/index.ts";
import { type FetchedPage, openPageStore, type PageStore } from "../../src/store/archive/index.ts";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import {
  TREE_HEADERS,
  type TreeWeb,
  treeBody,
  treeDepth,
  treeParent,
  treeUrl,
} from "./tree-web.ts";

const WARC_BYTES = 256 * MIB;
const COMMIT_PAGES = 10_000;
const PAGES_PER_MS = 1;

export interface GrownCrawl extends TreeWeb {
  readonly path: string;
  readonly pages: number;
}

/** Writes archive and crawl log; what derives from them is not there yet. */
export async function growArchive(crawl: GrownCrawl): Promise<void> {
  const { path, pages } = crawl;
  const given = [
    ...[`seeds=["${treeUrl(0, crawl)}"]`, "scope=any", "store.warcSize=256MiB", "lanes=1"],
    ...['fetch.allowAddresses=["0.0.0.0/0"]', "fetch.ports=any", "politeness.robots=ignore"],
    ...["politeness.hostDelay=0s", "politeness.ipDelay=0s", "fetch.concurrency=64"],
  ];
  const flags = given.map((text, at) => ({ kind: "assignment" as const, ordinal: at + 1, text }));
  const reading = readConfiguration({ flags });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  const directory = CrawlDirectory.create(path, {
    ...{ configuration: reading.configuration, version: "bench", capacity: 1, createdAtMs: 0 },
    random: new SeededRandom(1),
  });
  try {
    await write(crawl, directory.identity.agent);
  } finally {
    directory.close();
  }
  if (pages < 1) throw new Error("a grown crawl has a page");
}

async function write(crawl: GrownCrawl, agent: string): Promise<void> {
  const storage = new DiskStorage(crawl.path);
  await answered((done) => storage.prepare(done));
  const store = await answered<PageStore>((done) =>
    openPageStore(
      {
        ...{ storage, clock: new SystemClock(), random: new SeededRandom(2), name: "grown", agent },
        ...{ encoding: { compression: "gzip", level: 1 }, about: [], warcBytesMax: WARC_BYTES },
      },
      done,
    ),
  );
  for (let number = 0; number < crawl.pages; number += 1) {
    const page = fetched(number, crawl);
    while (store.tryStore(page) === null) {
      await new Promise<void>((resolve) => store.whenRoom(resolve));
    }
    if (number % COMMIT_PAGES === 0) await answered((done) => store.commit(done));
  }
  await answered((done) => store.close(done));
}

function fetched(number: number, web: TreeWeb): FetchedPage {
  const bytes = Buffer.from(treeBody(number, web));
  const url = treeUrl(number, web);
  const parent = treeParent(number);
  const { host, hostname, pathname } = new URL(url);
  const body: Body = { bytes, lengthBytes: bytes.length, read: () => {}, release: () => {} };
  return {
    ...{ url, fetchedAtMs: 1_700_000_000_000 + number * PAGES_PER_MS, address: hostname },
    request: { head: `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, protocol: "http/1.1" },
    response: {
      ...{ status: 200, reason: "OK" },
      headers: [...TREE_HEADERS, ["Content-Length", String(bytes.length)]],
    },
    ...{ body, sha1: null, truncatedBy: null, keep: "whole" },
    crawl: {
      ...{ depth: treeDepth(number), via: parent === null ? null : treeUrl(parent, web) },
      ...{ mime: "text/html", durationMs: 1, attempt: 1, notes: [] },
    },
  };
}
