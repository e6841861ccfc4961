/**
 * The verdict on an archive: its records, compared with what the web serves and what was due. Every
 * answer is made anew from the web, with the fields of the stored request, and compared byte by
 * byte; nothing that the crawl says about itself is trusted.
 */
import {
  type HttpMessage,
  parseHttpBlock,
  type ReadRecord,
  sha1Digest,
  verifyRecord,
} from "../../../formats/warc/index.ts";
import type { CrawlTruth, PageKey } from "../truth/crawl-truth.ts";
import type { SyntheticWeb, WebResponse } from "../web/synthetic-web.ts";
import { bodyProblem, headProblem, mayBeCut, recordNeed } from "./archive-expectation.ts";
import { type SinExample, SinList, type SinReport } from "./sin.ts";

export interface ArchiveVerdict {
  readonly clean: boolean;
  /** Pages that must have a record, and those that have one. */
  readonly due: number;
  readonly stored: number;
  readonly records: {
    readonly responses: number;
    readonly revisits: number;
    readonly requests: number;
    readonly others: number;
  };
  readonly sins: readonly SinReport[];
}

interface Exchange {
  readonly record: ReadRecord;
  readonly key: PageKey;
  readonly host: string;
  readonly target: string;
}

interface Revisit {
  readonly what: string;
  readonly digest: string;
  readonly original: string;
}

/** By now every temporary error has passed. */
const TRIES = 1_000_000;

export class ArchiveExaminer {
  readonly #web: SyntheticWeb;
  readonly #truth: CrawlTruth;
  readonly #sins = new SinList();
  readonly #counts = { responses: 0, revisits: 0, requests: 0, others: 0 };
  readonly #stored = new Set<PageKey>();
  /** Where each good body was stored, by its digest. */
  readonly #placeOfBody = new Map<string, string>();
  readonly #revisits: Revisit[] = [];
  /** A response that waits for its request, which stands before or after it. */
  #held: Exchange | null = null;
  #request: ReadRecord | null = null;

  constructor(web: SyntheticWeb, truth: CrawlTruth) {
    this.#web = web;
    this.#truth = truth;
  }

  /** Records in the order of their files. */
  see(record: ReadRecord): void {
    const { block, payload } = verifyRecord(record);
    if (block === "wrong" || payload === "wrong") {
      this.damaged(record.targetUri ?? record.type, "its digest is wrong");
    }
    switch (record.type) {
      case "response":
      case "revisit":
        this.#release();
        this.#held = this.#exchangeOf(record);
        if (this.#request !== null && isRequestOf(this.#request, record)) this.#release();
        break;
      case "request":
        this.#counts.requests += 1;
        this.#request = record;
        if (this.#held !== null && isRequestOf(record, this.#held.record)) this.#release();
        break;
      case "metadata":
        this.#counts.others += 1;
        this.#seeMetadata(record);
        break;
      default:
        this.#counts.others += 1;
    }
  }

  /** Bytes of a file that are not a record, or a record that contradicts itself. */
  damaged(what: string, detail: string): void {
    this.#sins.add("damaged-record", () => ({ what, detail }));
  }

  finish(): ArchiveVerdict {
    this.#release();
    for (const revisit of this.#revisits) this.#judgeRevisit(revisit);
    let due = 0;
    let stored = 0;
    for (const key of this.#truth.dueKeys()) {
      if (!this.#isRecordDue(key)) continue;
      due += 1;
      if (this.#stored.has(key)) stored += 1;
      else this.#sins.add("missing-record", () => ({ what: key, detail: "no record of it" }));
    }
    const sins = this.#sins.reports();
    return { clean: sins.length === 0, due, stored, records: { ...this.#counts }, sins };
  }

  #exchangeOf(record: ReadRecord): Exchange | null {
    const { targetUri } = record;
    const url = URL.parse(targetUri ?? "");
    if (url === null || !/^https?:$/.test(url.protocol)) {
      this.#superfluous(targetUri ?? "a record", "it has no address of a page");
      return null;
    }
    const { hostname: host, pathname, search } = url;
    const target = pathname + search;
    return { record, host, target, key: this.#truth.keyOf(host, target) };
  }

  /** Judges the response that was held back, with its request if that has come. */
  #release(): void {
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    const isRevisit = held.record.type === "revisit";
    this.#counts[isRevisit ? "revisits" : "responses"] += 1;
    if (held.target === "/robots.txt" || this.#standing(held) === "robots") return;
    const stored = parseHttpBlock(held.record.block);
    if (stored === null) {
      this.damaged(held.record.targetUri ?? "", "its block is no answer of HTTP");
      return;
    }
    const response = this.#serve(held, stored);
    this.#judgeHead(held, stored, response);
    if (isRevisit) this.#noteRevisit(held, response);
    else this.#judgeBody(held, stored, response);
  }

  #standing(held: Exchange): string {
    const { key } = held;
    const what = held.record.targetUri ?? key;
    const standing = this.#truth.standingOf(key);
    if (standing.kind === "robots") return standing.kind;
    if (standing.kind === "forbidden") this.#superfluous(what, `forbidden: ${standing.reason}`);
    else if (standing.kind === "unknown") this.#superfluous(what, "nothing leads to it");
    else if (!this.#truth.isArchivable(key)) this.#superfluous(what, "it says noarchive");
    else if (this.#stored.has(key)) this.#superfluous(what, `there is a record of ${key} already`);
    this.#stored.add(key);
    return standing.kind;
  }

  #serve({ record, host, target }: Exchange, stored: HttpMessage): WebResponse {
    const request = this.#request;
    const isOwn = request !== null && isRequestOf(request, record);
    const headers = isOwn ? (parseHttpBlock(request.block)?.headers ?? []) : acceptedBy(stored);
    return this.#web.respond({ host, target, method: "GET", headers, earlierTries: TRIES });
  }

  #judgeHead({ record }: Exchange, stored: HttpMessage, response: WebResponse): void {
    const problem = headProblem(stored, response);
    if (problem !== null) this.#sins.add("wrong-status", () => example(record, problem));
  }

  #judgeBody({ record, key }: Exchange, stored: HttpMessage, response: WebResponse): void {
    const isTruncated = record.fields.get("WARC-Truncated") !== null;
    const problem = bodyProblem(stored.payload, response, isTruncated);
    if (problem !== null) this.#sins.add("wrong-body", () => example(record, problem));
    // What was cut short may differ from what it is a part of, so nothing refers to it.
    if (response.status >= 300 || stored.payload.length === 0 || isTruncated) return;
    const digest = sha1Digest(stored.payload);
    const first = this.#placeOfBody.get(digest);
    if (first === undefined) this.#placeOfBody.set(digest, key);
    else if (first !== key) {
      this.#sins.add("stored-twice", () => example(record, `the body of ${first}`));
    }
  }

  #noteRevisit({ record, host, target }: Exchange, response: WebResponse): void {
    const what = record.targetUri ?? `${host}${target}`;
    const digest = record.fields.get("WARC-Payload-Digest") ?? "";
    const original = record.fields.get("WARC-Refers-To-Target-URI") ?? "";
    if (!mayBeCut(response) && digest !== sha1Digest(response.body)) {
      this.#sins.add("wrong-body", () => example(record, "its digest is not that of the page"));
    }
    this.#revisits.push({ what, digest, original });
  }

  /** Originals may stand in files that are read later, so this comes at the end. */
  #judgeRevisit({ what, digest, original }: Revisit): void {
    const url = URL.parse(original);
    const key = url === null ? "" : this.#truth.keyOf(url.hostname, url.pathname + url.search);
    const place = this.#placeOfBody.get(digest);
    if (place !== undefined && place === key) return;
    const detail = place === undefined ? "no record has that body" : `the body is with ${place}`;
    this.#sins.add("dangling-revisit", () => ({
      what,
      detail: `refers to ${original}: ${detail}`,
    }));
  }

  /** What says noarchive is recorded by metadata alone. */
  #seeMetadata(record: ReadRecord): void {
    const url = URL.parse(record.targetUri ?? "");
    if (url === null) return;
    const key = this.#truth.keyOf(url.hostname, url.pathname + url.search);
    if (this.#truth.mayBeLeftOut(key)) this.#stored.add(key);
  }

  #isRecordDue(key: PageKey): boolean {
    const standing = this.#truth.standingOf(key);
    if (standing.kind !== "due" || standing.ending === "unreachable") return false;
    const url = URL.parse(key);
    if (url === null) return standing.ending === "answered";
    const target = url.pathname + url.search;
    const request = { host: url.hostname, target, method: "GET", headers: [], earlierTries: TRIES };
    return recordNeed(this.#web.respond(request)) === "due";
  }

  #superfluous(what: string, detail: string): void {
    this.#sins.add("superfluous-record", () => ({ what, detail }));
  }
}

/** If no request is recorded, as where it was damaged and cut, it must have accepted the coding of its answer. */
function acceptedBy({ headers }: HttpMessage): HttpMessage["headers"] {
  return headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .map(([, coding]) => ["Accept-Encoding", coding]);
}

function isRequestOf(request: ReadRecord, response: ReadRecord): boolean {
  const id = response.fields.get("WARC-Record-ID");
  const own = request.fields.get("WARC-Record-ID");
  return (
    (id !== null && request.fields.getAll("WARC-Concurrent-To").includes(id)) ||
    (own !== null && response.fields.getAll("WARC-Concurrent-To").includes(own))
  );
}

function example(record: ReadRecord, detail: string): SinExample {
  return { what: record.targetUri ?? "a record", detail };
}
