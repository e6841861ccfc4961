/** The records of answers: by the places of their pages, with the bodies that revisits leave out. */
import type { Storage } from "../../base/seams/index.ts";
import { parseHttpBlock, type ReadRecord } from "../../formats/warc/index.ts";
import type { PageRow, RecordOutcome } from "../export/index.ts";
import { rowOf } from "./line-row.ts";
import { LogTable } from "./log-table.ts";
import { RecordReader } from "./record-reader.ts";

type Body = ReadRecord | { readonly reason: string } | null;

export class PageRecords {
  readonly reader: RecordReader;
  readonly #find: (url: string) => Promise<PageRow | null>;
  readonly #byDigest: LogTable;

  /** `find` finds the page with a URL. */
  constructor(storage: Storage, find: (url: string) => Promise<PageRow | null>) {
    this.reader = new RecordReader(storage);
    this.#find = find;
    this.#byDigest = LogTable.ofBodies(storage);
  }

  async record(page: PageRow, { request }: { readonly request: boolean }): Promise<RecordOutcome> {
    const { warc, offset, length } = page;
    if (warc === null || offset === null || length === null) return { kind: "absent" };
    const place = { warc, offset, length };
    const found = await this.reader.read(place);
    if (found.kind === "damaged") return found;
    const answer = found.record;
    if (answer.type === "metadata") return { kind: "absent" };
    const body = answer.type === "revisit" ? await this.#originalOf(page, answer) : answer;
    if ("reason" in body) return { kind: "damaged", reason: body.reason };
    const http = parseHttpBlock(answer.block);
    const original = parseHttpBlock(body.block);
    return {
      kind: "record",
      record: {
        answer,
        request: request ? await this.reader.requestOf(answer, place) : null,
        statusLine: http?.startLine ?? original?.startLine ?? "",
        headers: http?.headers ?? original?.headers ?? [],
        payload: original?.payload ?? body.block,
      },
    };
  }

  /** The record that holds the body of a page that repeats another. */
  async #originalOf(
    { duplicateOf, digest }: PageRow,
    answer: ReadRecord,
  ): Promise<ReadRecord | { readonly reason: string }> {
    const named = duplicateOf ?? answer.fields.get("WARC-Refers-To-Target-URI");
    const byName = named === null ? null : await this.#bodyOf(await this.#find(named));
    if (byName !== null && "type" in byName) return byName;
    const stated = digest ?? answer.fields.get("WARC-Payload-Digest");
    const line = stated === null ? null : await this.#byDigest.find(stated);
    const byDigest = await this.#bodyOf(line === null ? null : rowOf(line));
    if (byDigest !== null && "type" in byDigest) return byDigest;
    const reason = byName?.reason ?? byDigest?.reason ?? "which is not there";
    return { reason: `its body is that of ${named ?? "another record"}: ${reason}` };
  }

  async #bodyOf(page: PageRow | null): Promise<Body> {
    if (page === null || page.warc === null || page.offset === null || page.length === null) {
      return null;
    }
    const { warc, offset, length } = page;
    const found = await this.reader.read({ warc, offset, length });
    if (found.kind === "damaged") return { reason: found.reason };
    return found.record.type === "revisit" ? { reason: "it has no body either" } : found.record;
  }
}
