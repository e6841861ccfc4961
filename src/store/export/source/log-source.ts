/**
 * The pages of a crawl directory, read from its crawl log and its archive alone, whether or not the
 * crawl is running. Rows have what the log says; title, language and the like are null.
 *
 * Memory does not grow with the crawl, except for `find`, which needs some 100 bytes a page for its
 * table of keys, made when it is first used: `site` and bodies that are archived once for several
 * pages need it.
 */
import { hash } from "node:crypto";
import { answered, type Storage } from "../../../base/seams/index.ts";
import { keyOf, parseUrl } from "../../../formats/url/index.ts";
import { parseHttpBlock, type ReadRecord } from "../../../formats/warc/index.ts";
import { CrawlLogView, type LogStep } from "../../archive/index.ts";
import type { PageRow, RowLink } from "../page-row.ts";
import type {
  ArchivedAnswer,
  ArchiveFile,
  ExportSource,
  PageBatch,
  PageText,
  RecordOutcome,
} from "./export-source.ts";
import { answerOf, rowOf } from "./line-row.ts";
import { PageReading } from "./page-reading.ts";
import { RecordReader } from "./record-reader.ts";

export interface LogSourceOptions {
  /** The crawl directory. */
  readonly storage: Storage;
  readonly name: string;
  /** Of the crawl. */
  readonly id: string;
}

export class LogSource implements ExportSource {
  readonly name: string;
  readonly id: string;
  readonly #storage: Storage;
  readonly #records: RecordReader;
  readonly #reading = new PageReading();
  /** Positions of the lines of pages, by a hash of their keys. */
  #table: Promise<ReadonlyMap<string, number>> | null = null;

  constructor({ storage, name, id }: LogSourceOptions) {
    this.name = name;
    this.id = id;
    this.#storage = storage;
    this.#records = new RecordReader(storage);
  }

  async *pages(after = 0): AsyncGenerator<PageBatch> {
    for await (const { lines, end, damage } of this.#steps(after)) {
      const pages = lines.map(rowOf).filter((row) => row !== null);
      const damagedBytes = damage.reduce((total, { from, to }) => total + to - from, 0);
      yield { pages, cursor: end, damagedBytes };
    }
  }

  async *answers(): AsyncGenerator<readonly ArchivedAnswer[]> {
    for await (const { lines } of this.#steps(0)) {
      yield lines.map(answerOf).filter((answer) => answer !== null);
    }
  }

  async find(url: string): Promise<PageRow | null> {
    const name = hashOf(url);
    this.#table ??= this.#readTable();
    const position = name === null ? undefined : (await this.#table).get(name);
    if (position === undefined) return null;
    for await (const { lines } of this.#steps(position)) {
      const [line] = lines;
      const row = line === undefined ? null : rowOf(line);
      return row !== null && hashOf(row.url) === name ? row : null;
    }
    return null;
  }

  async record(
    page: PageRow,
    { request = false }: { readonly request?: boolean } = {},
  ): Promise<RecordOutcome> {
    const { warc, offset, length } = page;
    if (warc === null || offset === null || length === null) return { kind: "absent" };
    const place = { warc, offset, length };
    const found = await this.#records.read(place);
    if (found.kind === "damaged") return found;
    const answer = found.record;
    if (answer.type === "metadata") return { kind: "absent" };
    const body = answer.type === "revisit" ? await this.#originalOf(page) : answer;
    if ("reason" in body) return { kind: "damaged", reason: body.reason };
    const http = parseHttpBlock(answer.block);
    return {
      kind: "record",
      record: {
        answer,
        request: request ? await this.#records.requestOf(answer, place) : null,
        statusLine: http?.startLine ?? "",
        headers: http?.headers ?? [],
        payload: payloadOf(body),
      },
    };
  }

  async archiveFiles(): Promise<readonly ArchiveFile[]> {
    const ends = new Map<string, number>();
    for await (const answers of this.answers()) {
      for (const { warc, offset, length } of answers) {
        ends.set(warc, Math.max(ends.get(warc) ?? 0, offset + length));
      }
    }
    return [...ends].sort().map(([name, lengthBytes]) => ({ name, lengthBytes }));
  }

  archiveBytes({ name, lengthBytes }: ArchiveFile): AsyncIterable<Uint8Array> {
    return this.#records.bytes(name, lengthBytes);
  }

  lengthOf(warc: string): Promise<number | null> {
    return this.#records.lengthOf(warc);
  }

  async text(page: PageRow): Promise<PageText | null> {
    const outcome = await this.record(page);
    return outcome.kind === "record" ? this.#reading.text(outcome.record) : null;
  }

  async links(page: PageRow): Promise<readonly RowLink[] | null> {
    const outcome = await this.record(page);
    return outcome.kind === "record" ? this.#reading.links(outcome.record, page.url) : null;
  }

  async close(): Promise<void> {
    await this.#records.close();
  }

  /** The record that holds the body of a page that repeats another. */
  async #originalOf({ duplicateOf }: PageRow): Promise<ReadRecord | { readonly reason: string }> {
    const page = duplicateOf === null ? null : await this.find(duplicateOf);
    if (page === null || page.warc === null || page.offset === null || page.length === null) {
      return { reason: `its body is that of ${duplicateOf ?? "a page"}, which is not there` };
    }
    const { warc, offset, length } = page;
    const found = await this.#records.read({ warc, offset, length });
    if (found.kind === "record" && found.record.type !== "revisit") return found.record;
    const reason = found.kind === "damaged" ? found.reason : "it has no body either";
    return { reason: `its body is that of ${page.url}: ${reason}` };
  }

  async *#steps(from: number): AsyncGenerator<LogStep> {
    const view = await answered<CrawlLogView>((done) =>
      CrawlLogView.open(this.#storage, from, done),
    );
    try {
      for (;;) {
        const step = await answered<LogStep | null>((done) => view.next(done));
        if (step === null) return;
        yield step;
      }
    } finally {
      await answered((done) => view.close(done));
    }
  }

  async #readTable(): Promise<ReadonlyMap<string, number>> {
    const table = new Map<string, number>();
    for await (const { lines, positions } of this.#steps(0)) {
      for (const [index, line] of lines.entries()) {
        const name = rowOf(line) === null ? null : hashOf(line.url);
        if (name !== null) table.set(name, positions[index] ?? 0);
      }
    }
    return table;
  }
}

function payloadOf(record: ReadRecord): Uint8Array {
  return parseHttpBlock(record.block)?.payload ?? record.block;
}

/** Ten bytes of a hash, one character each; null for what is not a URL. */
function hashOf(url: string): string | null {
  const parsed = parseUrl(url, { files: true });
  if (parsed.kind === "refused") return null;
  return hash("sha1", keyOf(parsed.url), "buffer").toString("latin1", 0, 10);
}
