/**
 * Finds the record with the body that a revisit leaves out. A revisit names it by URL, date and
 * digest, or by some of these. A URL may have been captured many times with different bodies, so a
 * record counts only if it has the digest; without a digest, the date; with neither, if it is older
 * than the revisit. Whoever wrote the archive may have made revisits of revisits, also in circles.
 */
import type { Storage } from "../../base/seams/index.ts";
import { type ReadRecord, verifyRecord } from "../../formats/warc/index.ts";
import { baseName, type CrawlLine } from "../archive/index.ts";
import type { PageRow } from "../export/index.ts";
import { LogTable, plainDigest, secondOf } from "./log-table.ts";
import type { Place, RecordReader } from "./record-reader.ts";

export type Original = ReadRecord | { readonly reason: string };

export interface RevisitParts {
  readonly storage: Storage;
  readonly reader: RecordReader;
  /** What a URL is compared by; null for what is not a URL. */
  readonly keyOf: (url: string) => string | null;
  /** The latest capture of a URL. */
  readonly find: (url: string) => Promise<Pick<PageRow, "warc" | "offset" | "length"> | null>;
}

/** Revisits of revisits that are followed. */
const STEPS_MAX = 8;

export class RevisitOriginals {
  readonly #parts: RevisitParts;
  readonly #byDigest: LogTable;
  readonly #byDate: LogTable;

  constructor(parts: RevisitParts) {
    this.#parts = parts;
    this.#byDigest = LogTable.ofBodies(parts.storage);
    this.#byDate = LogTable.ofDates(parts.storage, parts.keyOf);
  }

  /** `named` is the URL that the crawl has noted as the original, if any. */
  async of(revisit: ReadRecord, place: Place, named: string | null): Promise<Original> {
    const seen = new Set([textOf(place)]);
    let from = revisit;
    let name = named ?? revisit.fields.get("WARC-Refers-To-Target-URI");
    const first = name ?? "another record";
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const found = await this.#next(from, name, seen);
      if ("type" in found && found.type !== "revisit") return found;
      if ("reason" in found) return { reason: `its body is that of ${first}: ${found.reason}` };
      from = found;
      name = found.fields.get("WARC-Refers-To-Target-URI");
    }
    return { reason: `its body is that of ${first}: too many revisits follow each other` };
  }

  /** The record that a revisit refers to, which may be a revisit too. */
  async #next(revisit: ReadRecord, named: string | null, seen: Set<string>): Promise<Original> {
    const digest = revisit.fields.get("WARC-Payload-Digest");
    const date = revisit.fields.get("WARC-Refers-To-Date");
    const uri = named ?? revisit.targetUri;
    let reason = "which is not there";
    for (const look of [
      () => (named === null ? null : this.#latest(named)),
      () => (uri === null || date === null ? null : this.#dated(uri, date)),
      () => (digest === null ? null : this.#withDigest(digest)),
    ]) {
      const place = await look();
      if (place === null) continue;
      const found = await this.#parts.reader.read(place);
      if (found.kind === "damaged") {
        reason = found.reason;
        continue;
      }
      const { record } = found;
      const problem = misfit(record, revisit);
      if (problem !== null) reason = problem;
      else if (record.type !== "revisit") return record;
      else if (seen.has(textOf(place))) reason = "revisits that refer to each other have no body";
      else if (digest === null) {
        seen.add(textOf(place));
        return record;
      } else reason = "it has no body either";
    }
    return { reason };
  }

  async #latest(url: string): Promise<Place | null> {
    const page = await this.#parts.find(url);
    if (page === null || page.warc === null || page.offset === null || page.length === null) {
      return null;
    }
    const { warc, offset, length } = page;
    return { warc, offset, length };
  }

  async #dated(url: string, date: string): Promise<Place | null> {
    const key = this.#parts.keyOf(url);
    const second = secondOf(Date.parse(date));
    return key === null || second === null
      ? null
      : placeOf(await this.#byDate.find(`${second} ${key}`));
  }

  async #withDigest(digest: string): Promise<Place | null> {
    return placeOf(await this.#byDigest.find(plainDigest(digest)));
  }
}

/** Why a record does not hold what the revisit refers to; null if it does, as far as can be told. */
function misfit(record: ReadRecord, { fields }: ReadRecord): string | null {
  const digest = fields.get("WARC-Payload-Digest");
  if (digest !== null) {
    const isSame =
      record.fields.get("WARC-Payload-Digest") === digest ||
      (record.type !== "revisit" && verifyRecord(record, digest).payload === "right");
    return isSame || record.type === "revisit" ? null : "the body there has another digest";
  }
  const own = Date.parse(record.fields.get("WARC-Date") ?? "");
  const date = fields.get("WARC-Refers-To-Date");
  if (date !== null) {
    return secondOf(own) === secondOf(Date.parse(date)) ? null : "the body there has another date";
  }
  return own > Date.parse(fields.get("WARC-Date") ?? "") ? "the body there is newer" : null;
}

function placeOf(line: CrawlLine | null): Place | null {
  if (line === null || line.place === null) return null;
  const { file, offset, lengthBytes: length } = line.place;
  return { warc: baseName(file), offset, length };
}

function textOf({ warc, offset }: Place): string {
  return `${warc} ${offset}`;
}
