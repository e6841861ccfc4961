/**
 * Answers that the archive has, once more as they came from the web: by the lines of the crawl log, or by the
 * rows of its pages.
 */
import { answered, type SentRequest, type Storage } from "../../base/seams/index.ts";
import type { ReadRecord } from "../../formats/warc/index.ts";
import {
  type FoundAnswers,
  findAnswers,
  type JournaledAnswer,
  KEPT_FIELDS,
} from "../answers/index.ts";
import { type CrawlLine, noteOf } from "../archive/index.ts";
import { rowOf } from "./line-row.ts";
import { PageRecords, type PlacedPage } from "./page-records.ts";
import type { RevisitParts } from "./revisit-original.ts";

/** Of a page whose body is kept by another agent, the payload is what was found in it. */
export type PastAnswer = JournaledAnswer;

/** What the archive has of a page: its exchange; what was found in a body that is kept elsewhere; nothing. */
export type ArchivedExchange =
  | ({
      readonly kind: "exchange";
      readonly request: SentRequest | null;
      readonly address: string | null;
    } & PastAnswer)
  | { readonly kind: "found"; readonly at: string; readonly page: string }
  | { readonly kind: "absent" }
  | { readonly kind: "damaged"; readonly reason: string };

export interface PastAnswersParts {
  readonly storage: Storage;
  /** What a URL is compared by; null for what is not a URL. */
  readonly keyOf: (url: string) => string | null;
  /** The row of a page; without it, a revisit is found by the digest of its body, which its line has too. */
  readonly find?: RevisitParts["find"];
}

export class PastAnswers {
  readonly #storage: Storage;
  readonly #records: PageRecords;
  #kept: Promise<FoundAnswers> | null = null;

  constructor({ storage, keyOf, find = async () => null }: PastAnswersParts) {
    this.#storage = storage;
    this.#records = new PageRecords({ storage, keyOf, find });
  }

  /** Null if there is no answer, or it can no longer be read. */
  async of(line: CrawlLine): Promise<PastAnswer | null> {
    const { url, atMs } = line;
    this.#kept ??= answered<FoundAnswers>((done) => findAnswers(this.#storage, done));
    const kept = await this.#kept;
    if (kept.has(url, atMs)) {
      return await answered<PastAnswer | null>((done) => kept.answer(url, atMs, done));
    }
    // A robots.txt or a sitemap has a record like a page.
    const notes = line.notes.filter(([word]) => word !== "robots" && word !== "sitemap");
    const row = rowOf({ ...line, notes });
    if (row === null) return null;
    if (noteOf(line, "kept") !== null) {
      const found = await this.#foundOf(row);
      return found && { reason: "", headers: [], payload: Buffer.from(found.page) };
    }
    const found = await this.#records.record(row, { request: false });
    if (found.kind !== "record") return null;
    const { statusLine, headers, payload } = found.record;
    return { reason: reasonOf(statusLine), headers, payload };
  }

  async ofRow(row: PlacedPage): Promise<ArchivedExchange> {
    const found = await this.#records.record(row, { request: true });
    if (found.kind === "damaged") return found;
    if (found.kind === "absent") return (await this.#foundOf(row)) ?? found;
    const { statusLine, headers, payload, request, answer } = found.record;
    return {
      ...{ kind: "exchange", reason: reasonOf(statusLine), headers, payload },
      ...{ request: requestOf(request), address: answer.fields.get("WARC-IP-Address") },
    };
  }

  close(): Promise<void> {
    return this.#records.reader.close();
  }

  async #foundOf({ warc, offset, length }: PlacedPage): Promise<FoundExchange | null> {
    if (warc === null || offset === null || length === null) return null;
    const read = await this.#records.reader.read({ warc, offset, length });
    return read.kind === "record" ? foundIn(read.record) : null;
  }
}

type FoundExchange = Extract<ArchivedExchange, { kind: "found" }>;

function foundIn({ type, block }: ReadRecord): FoundExchange | null {
  if (type !== "metadata") return null;
  const lines = Buffer.from(block.buffer, block.byteOffset, block.length).toString().split("\r\n");
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [at, page] = [field(KEPT_FIELDS.at), field(KEPT_FIELDS.page)];
  return at === undefined || page === undefined ? null : { kind: "found", at, page };
}

function requestOf(record: ReadRecord | null): SentRequest | null {
  if (record === null) return null;
  const { block, fields } = record;
  const head = Buffer.from(block.buffer, block.byteOffset, block.length).toString("latin1");
  return { head, protocol: fields.get("WARC-Protocol") === "h2" ? "h2" : "http/1.1" };
}

function reasonOf(statusLine: string): string {
  return statusLine.split(" ").slice(2).join(" ");
}
