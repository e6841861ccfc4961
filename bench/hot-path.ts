/**
 * Claim: a page costs at most 450 microseconds of processor time. Measured is the
 * hot path, each page and each stage of it, in one thread, without any framework.
 * docs/performance.md has the table and what was learnt from it; a change that adds work per page
 * reports its cost here.
 *
 *     node bench/hot-path.ts [rounds] [visits]
 *
 * How it is measured. A fixed list of pages of about 25 kB is fetched from the synthetic web, which
 * runs in another process (on core 0, this one on core 1, where there is `taskset`): visits of four
 * pages, each over one connection, 64 visits at a time. A run does all stages up to one of them; the
 * next run does one stage more. What a stage *adds* is the difference between the two, in processor
 * time of this process (user and system, all its threads, garbage collection included), for each
 * page. The whole is the last run, so the additions sum up to it by definition. The check on them is
 * the column *alone*: the same stage by itself, over and over, on pages that lie in memory. It is
 * smaller where caches are warm and no garbage of others is collected. Runs of all stages are
 * interleaved in rounds, and of the rounds the lower quartile counts: other work on the machine
 * comes and goes, and can only add. On a busy machine differences of 20 microseconds say nothing.
 */
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { promises as dns } from "node:dns";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { FetchRequest } from "../src/base/seams/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { PooledSpool } from "../src/fetch/body/index.ts";
import { HttpFetcher } from "../src/fetch/client/index.ts";
import { openLanguageIdentifier } from "../src/formats/language/index.ts";
import type { ParsedPage } from "../src/parse/page/index.ts";
import { type Answer, HotPath, STAGES, type Stage } from "./support/hot-path-stages.ts";
import { printTable } from "./support/hot-path-table.ts";
import { MAKES, type Make, startWeb, type ToldWeb, type Visit } from "./support/hot-path-web.ts";

const PAGES_EACH = 4;
const VISITS_AT_ONCE = 64;
const BODY_BYTES = 128 * 1024 * 1024;
const HELD_PAGES = 100;
/** Rounds for the compiler. */
const WARM_UP = 2;

const LIMITS: FetchRequest["limits"] = {
  connectTimeoutMs: 10_000,
  headerTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  totalTimeoutMs: 120_000,
  bytesPerSecondMin: 1,
  headerBytesMax: 65_536,
  bodyBytesMax: 10 * 1024 * 1024,
};

/** The fetcher adds the host. */
const REQUEST_HEADERS: FetchRequest["headers"] = [
  ["User-Agent", "Trobar/0.1 (+https://example.org/crawler)"],
  ["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"],
  ["Accept-Encoding", "gzip, br"],
];

class Client {
  readonly #web: ToldWeb;
  readonly #fetcher: HttpFetcher;
  readonly #resolver = new dns.Resolver();
  readonly #path: HotPath;

  constructor(web: ToldWeb, path: HotPath) {
    this.#web = web;
    this.#path = path;
    const clock = new SystemClock();
    this.#fetcher = new HttpFetcher({
      clock,
      spool: new PooledSpool({
        memoryBytes: BODY_BYTES,
        storage: new DiskStorage(tmpdir()),
        clock,
      }),
      mayConnect: () => null,
      keepAliveMs: 5000,
      connectionsMax: VISITS_AT_ONCE,
      idleConnectionsMax: VISITS_AT_ONCE,
      http2: false,
      insecure: false,
      proxy: null,
      cookies: false,
    });
    this.#resolver.setServers([`127.0.0.1:${web.dnsPort}`]);
  }

  /** All visits, up to a stage; microseconds of processor time for each page. */
  async run(last: Stage): Promise<number> {
    const { visits } = this.#web;
    let next = 0;
    const started = process.cpuUsage();
    const worker = async (): Promise<void> => {
      while (next < visits.length) {
        const visit = visits[next++] as Visit;
        const [address = ""] = await this.#resolver.resolve4(visit.host);
        if (last !== "resolve")
          await this.#visit(visit, address, (one) => this.#path.work(one, last));
      }
    };
    await Promise.all(Array.from({ length: VISITS_AT_ONCE }, worker));
    this.#path.flush();
    return spentSince(started) / visits.length / PAGES_EACH;
  }

  /** Some pages, kept in memory. */
  async hold(count: number): Promise<Answer[]> {
    const held: Answer[] = [];
    for (const visit of this.#web.visits.slice(0, Math.ceil(count / PAGES_EACH))) {
      const [address = ""] = await this.#resolver.resolve4(visit.host);
      await this.#visit(visit, address, (answer) => {
        const bytes = Uint8Array.prototype.slice.call(answer.body.bytes);
        const body = { bytes, lengthBytes: bytes.length, read: () => {}, release: () => {} };
        held.push({ ...answer, body });
      });
    }
    return held;
  }

  /** The pages of a visit, one after the other, by callbacks: a page costs no promise. */
  #visit(visit: Visit, address: string, take: (answer: Answer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const fetchFrom = (index: number): void => {
        const url = visit.urls[index];
        if (url === undefined) {
          this.#fetcher.closeIdle(visit.host);
          resolve();
          return;
        }
        const request = { url, address, headers: REQUEST_HEADERS, limits: LIMITS };
        this.#fetcher.fetch(request, (outcome) => {
          if (outcome.kind !== "fetched") {
            reject(new Error(`${url}: ${outcome.kind}`));
            return;
          }
          const { status, reason, headers, body } = outcome;
          take({ url, address, status, reason, headers, requestHeaders: REQUEST_HEADERS, body });
          body.release();
          fetchFrom(index + 1);
        });
      };
      fetchFrom(0);
    });
  }
}

function spentSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return user + system;
}

/** Stages by themselves, on pages that lie in memory. */
function aloneWorks(
  path: HotPath,
  held: readonly Answer[],
  parsed: readonly ParsedPage[],
): Map<string, (index: number) => void> {
  const answerAt = (index: number): Answer => held[index] as Answer;
  const bytesAt = (index: number): Uint8Array => answerAt(index).body.bytes as Uint8Array;
  const pageAt = (index: number): ParsedPage => parsed[index] as ParsedPage;
  return new Map([
    ["extract", (index) => path.extract(answerAt(index))],
    ["digests", (index) => path.digest(answerAt(index))],
    ["parse", (index) => path.parse(answerAt(index), () => {})],
    ["links", (index) => path.follow(answerAt(index), pageAt(index))],
    ["archive", (index) => void path.archive(answerAt(index), pageAt(index).payloadSha1)],
    ["log", (index) => path.logLine(answerAt(index), pageAt(index), 0)],
    ["gzip 3", (index) => void gzipSync(bytesAt(index), { level: 3 })],
    ["gzip 1", (index) => void gzipSync(bytesAt(index), { level: 1 })],
    ["zstd 3", (index) => void zstdCompressSync(bytesAt(index))],
    ["language", (index) => void identifier.identify(pageAt(index).text)],
    ["SHA-1", (index) => void hash("sha1", bytesAt(index), "buffer")],
  ]);
}

function aloneOnce(work: (index: number) => void, pages: number): number {
  const started = process.cpuUsage();
  for (let index = 0; index < pages; index += 1) work(index);
  return spentSince(started) / pages;
}

/** Pins this process to the last core and gives the one for the server; null where it cannot. */
function pinned(): number | null {
  const cores = cpus().length;
  if (cores < 2) return null;
  const own = spawnSync("taskset", ["-acp", String(cores - 1), String(process.pid)]);
  return own.status === 0 ? 0 : null;
}

async function measure(make: Make, rounds: number, visits: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hot-path-"));
  const { web, child } = await startWeb(make, { core: pinned(), visits, pagesEach: PAGES_EACH });
  try {
    const path = await HotPath.open(folder);
    const client = new Client(web, path);
    const held = await client.hold(HELD_PAGES);
    const parsed: ParsedPage[] = [];
    for (const answer of held) path.parse(answer, (page) => parsed.push(page));
    const works = aloneWorks(path, held, parsed);
    const added = new Map<Stage, number[]>(STAGES.map((stage) => [stage, []]));
    const alone = new Map<string, number[]>([...works.keys()].map((name) => [name, []]));
    for (let round = -WARM_UP; round < rounds; round += 1) {
      for (const stage of STAGES) {
        const microseconds = await client.run(stage);
        if (round >= 0) added.get(stage)?.push(microseconds);
      }
      for (const [name, work] of works) {
        const microseconds = aloneOnce(work, held.length);
        if (round >= 0) alone.get(name)?.push(microseconds);
      }
    }
    await path.close();
    console.log(`\n${describe(make, parsed, held)}\n`);
    printTable(added, alone);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

/** What the pages are like. */
function describe(make: Make, parsed: readonly ParsedPage[], held: readonly Answer[]): string {
  const mean = (numbers: readonly number[]): string =>
    (numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toFixed(0);
  return (
    `${make}: ${mean(held.map(({ body }) => body.lengthBytes))} bytes a page, of which ` +
    `${mean(parsed.map(({ text }) => text.length))} are text, ` +
    `${mean(parsed.map(({ links }) => links.length))} links`
  );
}

const identifier = await openLanguageIdentifier();
const [rounds = "9", visits = "100"] = process.argv.slice(2);
for (const make of MAKES) await measure(make, Number(rounds), Number(visits));
