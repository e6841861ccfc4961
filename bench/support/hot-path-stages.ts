/**
 * The work on one page, stage by stage, by the crawler's own modules and nothing in between: what is
 * measured is the floor on which everything else is built.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Log, openLog } from "../../src/base/log/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Body, Header } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { type EncodingName, encodingOfLabel } from "../../src/formats/charset/index.ts";
import { PageParser } from "../../src/formats/html/index.ts";
import { parseContentType } from "../../src/formats/http/index.ts";
import { type FetchableUrl, LinkResolver } from "../../src/formats/url/index.ts";
import {
  recordId,
  requestRecord,
  responseRecord,
  WarcEncoder,
} from "../../src/formats/warc/index.ts";
import { base32 } from "../../src/formats/warc/payload-digest.ts";
import { KeyedBlocks } from "../../src/parse/digest/index.ts";
import {
  LinkFollower,
  type LinkTaker,
  type ParsedPage,
  Parsing,
} from "../../src/parse/page/index.ts";
import { PageDigests } from "../../src/parse/page/page-digests.ts";
import { readConfiguration } from "../../src/rules/config/index.ts";

/** In the order of a page's way; each one is done on top of those before it. */
export const STAGES = [
  "resolve",
  "fetch",
  "extract",
  "digests",
  "parse",
  "links",
  "archive",
  "log",
] as const;
export type Stage = (typeof STAGES)[number];

/** An answer as the stages after the fetch have it. */
export interface Answer {
  readonly url: string;
  readonly address: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  readonly requestHeaders: readonly Header[];
  readonly body: Body;
}

const CRAWL_KEY: Uint8Array = Buffer.from("sixteen bytes ok");
const FLUSH_BYTES = 1024 * 1024;
const COMMIT_PAGES = 512;

export class HotPath {
  readonly #parser: PageParser;
  readonly #digests: PageDigests;
  readonly #parsing: Parsing;
  readonly #follower: LinkFollower;
  readonly #encoder = new WarcEncoder({ compression: "gzip", level: null });
  readonly #random = new SeededRandom("hot path");
  readonly #log: Log;
  readonly #warc: number;
  readonly #taker: LinkTaker;
  readonly #warcinfoId: string;
  /** As the store has it: records are copied into a chunk, which is written when it is full. */
  readonly #pending = new Uint8Array(FLUSH_BYTES);
  #pendingBytes = 0;
  #warcBytes = 0;
  #pages = 0;
  /** A checksum of everything, so that no work is optimised away. */
  checksum = 0;
  links = 0;

  static async open(folder: string): Promise<HotPath> {
    const random = new SeededRandom("log");
    const storage = new DiskStorage(folder);
    const log = await new Promise<Log>((resolve, reject) => {
      openLog({ storage, name: "crawl", framing: "line", random }, (error, opened) => {
        if (error === null) resolve(opened.log);
        else reject(error);
      });
    });
    return new HotPath(folder, log);
  }

  private constructor(folder: string, log: Log) {
    const reading = readConfiguration({});
    if (!reading.ok) throw new Error("The defaults are not legal.");
    const { parse, limits } = reading.configuration;
    const near = { blocks: new KeyedBlocks(CRAWL_KEY), crawlKey: CRAWL_KEY, near: true };
    this.#log = log;
    this.#warc = openSync(join(folder, "pages.warc.gz"), "w");
    this.#warcinfoId = recordId(this.#random);
    this.#parser = new PageParser({ text: true });
    this.#digests = new PageDigests(near);
    this.#parsing = new Parsing({
      // The text is asked for, so that its cost and that of naming its language are seen.
      settings: { ...parse, text: true },
      linksMax: limits.linksPerPage,
      urlLengthMax: limits.urlLength,
      robotsToken: "trobar",
      crawlKey: CRAWL_KEY,
      clock: new SystemClock(),
      language: null,
    });
    const hashing = { fingerprintKey: CRAWL_KEY, shards: 64, urlLengthMax: limits.urlLength };
    this.#follower = new LinkFollower(new LinkResolver(hashing));
    this.#taker = {
      take: (link) => {
        this.checksum ^= link.high ^ link.low ^ link.href.length;
        this.links += 1;
      },
      refused: () => {},
    };
  }

  /** Does everything up to and including a stage. */
  work(answer: Answer, last: Stage): void {
    this.#pages += 1;
    if (last === "fetch" || last === "resolve") return;
    if (last === "extract") this.extract(answer);
    else if (last === "digests") this.digest(answer);
    else {
      this.parse(answer, (page) => {
        if (last === "parse") return;
        this.follow(answer, page);
        if (last === "links") return;
        const at = this.archive(answer, page.payloadSha1);
        if (last === "log") this.logLine(answer, page, at);
      });
    }
  }

  /** Charset, links, text, without a listener. */
  extract({ body, headers }: Answer): void {
    const page = this.#parser.read(bytesOf(body), {
      headerEncoding: headerEncoding(headers),
    });
    this.checksum ^= page.links.length ^ page.text.length;
  }

  /** The same with both digests. */
  digest({ body, headers }: Answer): void {
    const digests = this.#digests;
    digests.begin();
    const source = { headerEncoding: headerEncoding(headers), sink: digests };
    this.checksum ^= this.#parser.read(bytesOf(body), source).text.length;
    digests.finish(undefined);
    this.checksum ^= digests.stripped?.low ?? 0;
  }

  /** The same through the module `parse`, with SHA-1 of the body, headers and directives. */
  parse(answer: Answer, parsed: (page: ParsedPage) => void): void {
    this.#parsing.parse({ url: answer.url, headers: answer.headers }, answer.body, parsed);
  }

  /** URL, key, shard and fingerprint of every link. */
  follow(answer: Answer, page: ParsedPage): void {
    this.#follower.follow({ url: answer.url as FetchableUrl, depth: 1, parsed: page }, this.#taker);
  }

  /** Request and response as gzip members, into a file; says where the response is. */
  archive(answer: Answer, sha1: Uint8Array): number {
    const { url, address: ipAddress, status, reason, headers } = answer;
    const random = this.#random;
    const capture = { url, dateMs: Date.now(), ipAddress, warcinfoId: this.#warcinfoId };
    const [requestId, id] = [recordId(random), recordId(random)];
    const { host, target } = askedFor(url);
    const sent: readonly Header[] = [["Host", host], ...answer.requestHeaders];
    const lines = sent.map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
    this.#append(requestRecord({ ...capture, id: requestId, head, concurrentTo: id }));
    const at = this.#warcBytes;
    const body = bytesOf(answer.body);
    const payloadDigest = `sha1:${base32(sha1)}`;
    const response = { ...capture, id, head: { status, reason, headers }, body, payloadDigest };
    this.#append(responseRecord(response));
    return at;
  }

  /** A line for people, framed with its checksum, into a log that is synced now and then. */
  logLine(answer: Answer, page: ParsedPage, warcAt: number): void {
    const { status, url, body, address } = answer;
    const date = new Date().toISOString();
    const line =
      `${date} ${status} ${body.lengthBytes} ${url} 1 - ${page.media} ` +
      `sha1:${base32(page.payloadSha1)} 12 0 ${address} pages.warc.gz ${warcAt}`;
    const position = this.#log.tryAppend(Buffer.from(line, "latin1"));
    if (position === null) throw new Error("The log is behind.");
    if (this.#pages % COMMIT_PAGES === 0) this.#commit();
  }

  /** Writes what waits. */
  flush(): void {
    writeSync(this.#warc, this.#pending, 0, this.#pendingBytes);
    this.#pendingBytes = 0;
  }

  async close(): Promise<void> {
    this.flush();
    closeSync(this.#warc);
    await new Promise<void>((resolve) => this.#log.commit(() => resolve()));
    await new Promise<void>((resolve) => this.#log.close(() => resolve()));
  }

  get warcBytes(): number {
    return this.#warcBytes;
  }

  #append(record: ReturnType<typeof responseRecord>): void {
    const bytes = this.#encoder.encode(record);
    if (this.#pendingBytes + bytes.length > FLUSH_BYTES) this.flush();
    this.#pending.set(bytes, this.#pendingBytes);
    this.#pendingBytes += bytes.length;
    this.#warcBytes += bytes.length;
  }

  #commit(): void {
    this.#log.commit((error) => {
      if (error !== null) throw error;
    });
  }
}

function askedFor(url: string): { host: string; target: string } {
  const hostAt = url.indexOf("//") + 2;
  const pathAt = url.indexOf("/", hostAt);
  return { host: url.slice(hostAt, pathAt), target: url.slice(pathAt) };
}

function bytesOf(body: Body): Uint8Array {
  if (body.bytes === null) throw new Error("Bodies of the bench lie in memory.");
  return body.bytes;
}

function headerEncoding(headers: readonly Header[]): EncodingName | undefined {
  return encodingOfLabel(parseContentType(headers[0]?.[1]).charset);
}
