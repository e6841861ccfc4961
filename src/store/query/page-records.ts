/** The records of answers: by the places of their pages, with the bodies that revisits leave out. */
import { parseHttpBlock, type ReadRecord } from "../../formats/warc/index.ts";
import type { PageRow, RecordOutcome } from "../export/index.ts";
import { parseArchiveUrl } from "./archive-lines.ts";
import { RecordReader } from "./record-reader.ts";
import { RevisitOriginals, type RevisitParts } from "./revisit-original.ts";

/** A page, and where its record is. */
export type PlacedPage = Pick<PageRow, "url" | "warc" | "offset" | "length" | "duplicateOf">;

export class PageRecords {
  readonly reader: RecordReader;
  readonly #originals: RevisitOriginals;

  constructor(parts: Omit<RevisitParts, "reader">) {
    this.reader = new RecordReader(parts.storage);
    this.#originals = new RevisitOriginals({ ...parts, reader: this.reader });
  }

  async record(
    page: PlacedPage,
    { request }: { readonly request: boolean },
  ): Promise<RecordOutcome> {
    const { warc, offset, length, duplicateOf } = page;
    if (warc === null || offset === null || length === null) return { kind: "absent" };
    const place = { warc, offset, length };
    const found = await this.reader.read(place);
    if (found.kind === "damaged") return found;
    const answer = found.record;
    if (!isOf(page, answer)) return { kind: "damaged", reason: "its place holds another page" };
    if (answer.type === "metadata") return { kind: "absent" };
    const isRevisit = answer.type === "revisit";
    const body = isRevisit ? await this.#originals.of(answer, place, duplicateOf) : answer;
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
}

/** Archives of others may write a URL in another form than the rows do. */
function isOf({ url }: PlacedPage, { targetUri }: ReadRecord): boolean {
  if (targetUri === url) return true;
  const parsed = targetUri === null ? null : parseArchiveUrl(targetUri);
  return parsed !== null && parsed.kind !== "refused" && parsed.url === url;
}
