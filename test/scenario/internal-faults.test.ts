/**
 * No server can end a crawl: a fault is planted in each of many places that a page passes, all in
 * one crawl. Each ends the page, the robots.txt or the resolution that it meets, and nothing else:
 * every other page is fetched, every fault is kept with its URL and stack, and nothing is left
 * behind.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { CrawlScope } from "../../src/agent/links/crawl-scope.ts";
import { LinkGate } from "../../src/agent/links/link-gate.ts";
import { LinkMemory } from "../../src/agent/links/link-memory.ts";
import { LinkOffers } from "../../src/agent/links/link-offers.ts";
import { SeedWatch } from "../../src/agent/seeds/seed-watch.ts";
import { AnswerReading } from "../../src/agent/visit/answer-reading.ts";
import { Duplicates } from "../../src/agent/visit/duplicates.ts";
import { PageFacts } from "../../src/agent/visit/page-facts.ts";
import { Kernels } from "../../src/base/kernels/index.ts";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { StreamStage } from "../../src/base/zlib/decoding-stage.ts";
import { DecompressorPool } from "../../src/base/zlib/decompressor-pool.ts";
import { PooledSpool } from "../../src/fetch/body/body-spool.ts";
import { ContentDecoder } from "../../src/fetch/body/decoding/content-decoder.ts";
import { SpooledBody } from "../../src/fetch/body/spooled-body.ts";
import { Dialing } from "../../src/fetch/client/connections/connection-dialer.ts";
import { ConnectionPool } from "../../src/fetch/client/connections/connection-pool.ts";
import { HttpConnection } from "../../src/fetch/client/connections/http-connection.ts";
import { Deadlines } from "../../src/fetch/client/exchange/http-deadlines.ts";
import { HttpProgress } from "../../src/fetch/client/exchange/http-progress.ts";
import { RequestWriter } from "../../src/fetch/client/exchange/request-writer.ts";
import { HttpFetcher } from "../../src/fetch/client/http-fetcher.ts";
import { ProtocolFetcher } from "../../src/fetch/client/protocol-fetcher.ts";
import { DnsCache } from "../../src/fetch/dns/dns-cache.ts";
import { DnsResolver } from "../../src/fetch/dns/dns-resolver.ts";
import { AddressPolicy } from "../../src/formats/address/address-policy.ts";
import { PageCollector } from "../../src/formats/html/page-collector.ts";
import { Tokenizer } from "../../src/formats/html/tokens/tokenizer.ts";
import { VisibleText } from "../../src/formats/html/visible-text.ts";
import { AnswerReader } from "../../src/formats/http/answer-reader.ts";
import { RobotRules } from "../../src/formats/robots/robot-rules.ts";
import { LinkResolver } from "../../src/formats/url/index.ts";
import { StreamedRecord } from "../../src/formats/warc/streamed-record.ts";
import { WarcEncoder } from "../../src/formats/warc/warc-encoder.ts";
import { HostFrontier } from "../../src/frontier/front/host-frontier.ts";
import { RecentlySeen } from "../../src/frontier/seen/index.ts";
import { NearIndex } from "../../src/parse/near/near-index.ts";
import { LinkFollower } from "../../src/parse/page/link-follower.ts";
import { PageDigests } from "../../src/parse/page/page-digests.ts";
import { PageReading } from "../../src/parse/page/page-reading.ts";
import { Parsing } from "../../src/parse/page/parsing.ts";
import { PageStore } from "../../src/store/archive/page-store.ts";
import { PayloadTable } from "../../src/store/archive/payload-table.ts";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import type { TableHost, TablePage } from "../support/lab/table-web.ts";

type Owner = { readonly name: string; readonly prototype: object };

/** Classes and their methods, in the order in which a page comes to them. */
const PLACES: readonly (readonly [Owner, string])[] = [
  // Names.
  [DnsResolver, "resolve"],
  [DnsCache, "put"],
  [AddressPolicy, "addressRefusal"],
  // The request, the connection, the answer.
  [ProtocolFetcher, "fetch"],
  [RequestWriter, "write"],
  [ConnectionPool, "take"],
  [ConnectionPool, "open"],
  [ConnectionPool, "released"],
  [Dialing, "opened"],
  [HttpConnection, "send"],
  [HttpConnection, "received"],
  [HttpConnection, "takeHead"],
  [HttpConnection, "takeBody"],
  [HttpConnection, "ended"],
  [AnswerReader, "begin"],
  [AnswerReader, "read"],
  [HttpProgress, "enter"],
  [HttpProgress, "received"],
  [Deadlines, "watch"],
  // The body.
  [PooledSpool, "open"],
  [SpooledBody, "write"],
  [SpooledBody, "end"],
  [SpooledBody, "read"],
  [AnswerReading, "retryAfterMs"],
  [AnswerReading, "decode"],
  [ContentDecoder, "decode"],
  [DecompressorPool, "take"],
  [StreamStage, "run"],
  // The page.
  [Parsing, "parse"],
  [PageReading, "write"],
  [PageReading, "end"],
  [PageDigests, "begin"],
  [Kernels, "digest"],
  [Tokenizer, "write"],
  [PageCollector, "startTag"],
  [VisibleText, "text"],
  [PageFacts, "take"],
  [Duplicates, "seek"],
  [NearIndex, "find"],
  [NearIndex, "tryAdd"],
  // Its links.
  [AnswerReading, "leadsTo"],
  [LinkOffers, "offerLinks"],
  [LinkOffers, "offerRedirect"],
  [LinkOffers, "take"],
  [LinkOffers, "ended"],
  [LinkMemory, "begin"],
  [LinkMemory, "keep"],
  [LinkMemory, "end"],
  [LinkFollower, "follow"],
  [LinkResolver, "resolve"],
  [CrawlScope, "has"],
  [LinkGate, "refusal"],
  [RecentlySeen, "meet"],
  [HostFrontier, "offer"],
  [SeedWatch, "answered"],
  [RobotRules, "allows"],
  [{ name: "RobotRules (static)", prototype: RobotRules }, "of"],
  // Its record.
  [PageStore, "tryStore"],
  [PageStore, "storeSpooled"],
  [PageStore, "tryLog"],
  [PayloadTable, "find"],
  [WarcEncoder, "encode"],
  [Kernels, "deflate"],
  [StreamedRecord, "piece"],
];

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Throws from a method once, at this call of it. */
class Plant {
  readonly name: string;
  hasThrown = false;
  calls = 0;
  readonly #prototype: Record<string, Method>;
  readonly #method: string;
  readonly #original: Method;

  constructor([owner, method]: readonly [Owner, string], atCall: number) {
    this.name = `${owner.name}.${method}`;
    this.#prototype = owner.prototype as Record<string, Method>;
    this.#method = method;
    const original = this.#prototype[method];
    assert(original !== undefined, `there is no ${this.name}`);
    this.#original = original;
    const plant = this;
    this.#prototype[method] = function planted(...args) {
      plant.calls += 1;
      if (plant.calls === atCall) {
        plant.hasThrown = true;
        throw new Error(`planted in ${plant.name};`);
      }
      return original.apply(this, args);
    };
  }

  remove(): void {
    this.#prototype[this.#method] = this.#original;
  }
}

/** What is held when the fetcher is closed, which is when nothing is in flight any more. */
interface Leftovers {
  connectionsInUse: number;
  bodyBytes: number;
}

function watchLeftovers(): { readonly left: Leftovers; readonly end: () => void } {
  const left = { connectionsInUse: -1, bodyBytes: -1 };
  const spools = new Set<PooledSpool>();
  const { close } = HttpFetcher.prototype;
  const { open } = PooledSpool.prototype;
  HttpFetcher.prototype.close = function watched() {
    left.connectionsInUse = this.connectionCount - this.idleConnectionCount;
    left.bodyBytes = [...spools].reduce((sum, { usedBytes }) => sum + usedBytes, 0);
    close.call(this);
  };
  PooledSpool.prototype.open = function watched(...args) {
    spools.add(this);
    return open.apply(this, args);
  };
  const end = (): void => {
    HttpFetcher.prototype.close = close;
    PooledSpool.prototype.open = open;
  };
  return { left, end };
}

const HOSTS = 7;
const PAGES = 10;
const HUGE = Buffer.alloc(1_200_000, "0123456789abcdef<p>");

function pageOf(host: number, number: number): TablePage {
  const text = `<title>${host} ${number}</title><p>${"word ".repeat(40 + number)} of ${host}`;
  const links = linking(`/${(number + 1) % PAGES}`, `/${number}/deeper`, "http://other.test/").body;
  const html = `${links}${text}`;
  switch (number % 5) {
    case 1:
      return {
        headers: [
          ["Content-Type", "text/html"],
          ["Content-Encoding", "gzip"],
        ],
        body: gzipSync(html),
      };
    case 2:
      return { status: 302, headers: [["Location", `/${(number + 1) % PAGES}`]], body: html };
    case 3:
      return { body: html, oddity: "no-length-close" };
    case 4:
      return {
        headers: [["Content-Type", "text/html; charset=windows-1251"]],
        body: `${html} \xe9`,
      };
    default:
      return { body: html };
  }
}

/** Every page is a seed, so that no page depends on another; two of each host are long. */
function hosts(): Record<string, TableHost> {
  const table: Record<string, TableHost> = {};
  for (let host = 0; host < HOSTS; host += 1) {
    const pages: Record<string, TablePage> = {
      "/robots.txt": { body: "User-agent: *\nDisallow: /no" },
      "/huge": { body: Buffer.concat([HUGE, Buffer.from(String(host))]) },
      "/vast": { body: Buffer.concat([HUGE, Buffer.from(`vast ${host}`)]) },
      "/sometimes": { body: "<p>now", first: [{ status: 503 }] },
    };
    for (let number = 0; number < PAGES; number += 1) pages[`/${number}`] = pageOf(host, number);
    table[`h${host}.test`] = { pages };
  }
  return table;
}

interface Fault {
  readonly code: string;
  readonly url: string;
  readonly message: string;
  readonly stack: string;
}

async function crawlPlanted(web: CrawledWeb, seed: string): Promise<void> {
  const random = new SeededRandom(seed);
  const seeds = Object.entries(hosts()).flatMap(([host, { pages = {} }]) =>
    Object.keys(pages).flatMap((path) => (path === "/robots.txt" ? [] : [`${host}${path}`])),
  );
  const watch = watchLeftovers();
  const plants = PLACES.map((place) => new Plant(place, 2 + random.below(4)));
  try {
    const settings = ["fetch.bodyMemory=1Mi", "fetch.concurrency=6", "fetch.retries=9"];
    const flags = settings.flatMap((setting) => ["--set", setting]);
    // With a limit of depth the links of pages are kept.
    const crawl = await web.crawl(seeds, [...flags, "-d", "9"]);
    const context = `seed ${seed}`;
    assert.equal(crawl.code, 0, context);
    assert.deepEqual([crawl.summary?.state, crawl.summary?.reason], ["finished", "exhausted"]);
    const silent = plants.filter(({ hasThrown }) => !hasThrown).map(({ name }) => name);
    assert.deepEqual(silent, [], `${context}: every planted fault is met`);
    const faults = readFileSync(join(crawl.folder, "logs/faults.log"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Fault);
    for (const { name } of plants) {
      const found = faults.find(({ message }) => message.includes(`planted in ${name};`));
      assert.ok(found !== undefined, `${context}: ${name} is in the log of faults`);
      assert.match(found.code, /^INTERNAL_/);
      assert.match(found.stack, /internal-faults\.test\.ts/, "with its stack");
    }
    const faulty = new Set(faults.map(({ url }) => url));
    const had = new Map(crawl.lines.map(({ url, result, notes }) => [url, { result, notes }]));
    for (const url of seeds.map((place) => web.url(place))) {
      const line = had.get(url);
      const isHad = line !== undefined && (line.result === 200 || line.result === 302);
      assert.ok(isHad || faulty.has(url), `${context}: ${url} ended as ${line?.result}`);
    }
    const counted = Object.entries(crawl.summary?.errors ?? {});
    const internal = counted.filter(([code]) => code.startsWith("INTERNAL_"));
    assert.ok(internal.reduce((sum, [, count]) => sum + count, 0) > 0, "the summary counts them");
    assert.deepEqual(watch.left, { connectionsInUse: 0, bodyBytes: 0 }, context);
  } finally {
    for (const plant of plants.reverse()) plant.remove();
    watch.end();
  }
}

const isFull = process.env["TROBAR_FULL"] === "1";
const SEEDS = isFull ? Array.from({ length: 20 }, () => freshSeed()) : ["faults", freshSeed()];

after(() => assert.ok(PLACES.length >= 30));

for (const seed of SEEDS) {
  test(`faults in ${PLACES.length} places end only what they meet (seed ${seed})`, async () => {
    await withWeb(hosts, (web) => crawlPlanted(web, seed));
  });
}
