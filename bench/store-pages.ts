/**
 * Claim: keeping a page of about 25 kB (digest, request and response record, archive file, line of
 * the crawl log) costs little beyond the compression of its body. The reference is bare `gzipSync`
 * of the same bodies at the same level in the same run. Both are counted in processor time of the
 * whole process; the last row has the system's work for writing and syncing the files in it. `node bench/store-pages.ts [rounds]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SeededRandom } from "../src/base/random/index.ts";
import type { Body } from "../src/base/seams/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { changedProfile, GeneratedWeb, PROFILES } from "../src/lab/simweb/index.ts";
import { type FetchedPage, openPageStore, type PageStore } from "../src/store/archive/index.ts";

const ROUNDS = Number(process.argv[2] ?? 15);
const PAGES = 400;
const LEVEL = 3;
const root = mkdtempSync(join(tmpdir(), "trobar-store-bench-"));

function bodies(): Uint8Array[] {
  const profile = changedProfile(PROFILES.plain, { pages: { medianBytes: 25_000, spread: 0 } });
  const web = new GeneratedWeb({ profile, seed: "store", port: 80 });
  return Array.from({ length: PAGES }, (_, index) => {
    const host = index % web.hostCount;
    const slot = Math.floor(index / web.hostCount) % web.model.hosts.size(host);
    const { hostname, pathname } = new URL(web.model.url(host, slot));
    const request = { host: hostname, method: "GET", target: pathname, headers: [] };
    return web.respond({ ...request, earlierTries: 0 }).body;
  });
}

function pageOf(number: number, bytes: Uint8Array): FetchedPage {
  const body: Body = { bytes, lengthBytes: bytes.length, read: () => {}, release: () => {} };
  return {
    url: `http://host${number % 300}.example/section/page-${number}.html`,
    fetchedAtMs: 1_700_000_000_000 + number,
    address: "192.0.2.1",
    request: {
      head:
        `GET /section/page-${number}.html HTTP/1.1\r\nHost: host${number % 300}.example\r\n` +
        "User-Agent: Trobar/1.0.0 (+https://example.org/)\r\n\r\n",
      protocol: "http/1.1",
    },
    response: {
      status: 200,
      reason: "OK",
      headers: [
        ["Content-Type", "text/html; charset=utf-8"],
        ["Date", "Sat, 31 Jan 2026 12:00:00 GMT"],
      ],
    },
    body,
    sha1: null,
    truncatedBy: null,
    keep: "whole",
    crawl: {
      ...{ depth: 3, via: `http://host${number % 300}.example/`, mime: "text/html" },
      ...{ durationMs: 120, attempt: 1, notes: [["links", "30"]] },
    },
  };
}

function opened(): Promise<PageStore> {
  return new Promise((resolve, reject) =>
    openPageStore(
      {
        ...{ name: "bench", agent: "agent-1", warcBytesMax: 2 ** 30, about: [] },
        encoding: { compression: "gzip", level: LEVEL },
        ...{ storage: new DiskStorage(root), clock: new SystemClock() },
        random: new SeededRandom("store bench"),
      },
      (error, store) => (error === null ? resolve(store) : reject(error)),
    ),
  );
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const typical = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 2] ?? Number.NaN;

const pages = bodies().map((bytes) => Buffer.from(bytes));
const store = await opened();
const inMemory: number[] = [];
const durable: number[] = [];
const bare: number[] = [];
let number = 0;
for (let round = 0; round <= ROUNDS; round += 1) {
  // Every body is new to the archive, as most pages are.
  for (const [index, page] of pages.entries()) page.write(`${round} ${index} `, 20, "latin1");
  const begin = cpuMs();
  for (const bytes of pages) {
    number += 1;
    if (store.tryStore(pageOf(number, bytes)) !== null) continue;
    await new Promise<void>((resolve) => store.whenRoom(resolve));
    number -= 1;
  }
  const kept = cpuMs();
  await new Promise<unknown>((resolve) => store.commit(resolve));
  const middle = cpuMs();
  for (const bytes of pages) gzipSync(bytes, { level: LEVEL });
  const end = cpuMs();
  if (round === 0) continue;
  inMemory.push(kept - begin);
  durable.push(middle - begin);
  bare.push(end - middle);
}
await new Promise<unknown>((resolve) => store.close(resolve));
rmSync(root, { recursive: true });
const perPage = (values: readonly number[]): string =>
  `${(typical(bare) / typical(values)).toFixed(2)} of bare gzip's speed, ` +
  `${((typical(values) * 1000) / PAGES).toFixed(0)} microseconds of processor a page`;
console.log(`bare gzip       ${perPage(bare)}`);
console.log(`kept in memory  ${perPage(inMemory)}`);
console.log(`made durable    ${perPage(durable)}`);
