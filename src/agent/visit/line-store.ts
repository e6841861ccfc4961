/**
 * The store of the kind `jsonl`: each page is a line of JSON, with its text, links or content where the
 * configuration asks for them.
 */
import type { Acknowledge, Body } from "../../base/seams/index.ts";
import type { PageRow, RowWriter } from "../../store/export/index.ts";
import type { RowFiles } from "../../store/pages/index.ts";
import { readAll } from "./answer-reading.ts";
import type { EndedPage, PageKeeper } from "./page-keeper.ts";
import { type RowFields, withFields } from "./visit-row.ts";

export interface LineStoreOptions {
  /** What its files are named by. */
  readonly name: string;
  readonly writer: RowWriter;
  /** Null for standard output. */
  readonly files: RowFiles | null;
  readonly fields: RowFields;
  /** Whether lines have the head and the content of the answer. */
  readonly body: boolean;
}

export class LineStore implements PageKeeper {
  readonly fields: RowFields;
  readonly needsBodies: boolean;
  readonly #options: LineStoreOptions;

  constructor(options: LineStoreOptions) {
    this.fields = options.fields;
    this.needsBodies = options.body;
    this.#options = options;
  }

  get hasRoom(): boolean {
    return this.#options.writer.hasRoom;
  }

  whenRoom(callback: () => void): void {
    this.#options.writer.whenRoom(callback);
  }

  /** What the user's filter refused has no line. */
  keep({ row: plain, parsed, body, keep, headers }: EndedPage): Promise<void> | null {
    if (keep === "nothing") return null;
    const isWhole = keep === "whole";
    const row = withFields(plain, isWhole ? parsed : null, this.fields);
    if (!this.needsBodies) this.#add(row);
    else if (body === null || !isWhole) this.#add({ ...row, headers, body: null });
    else if (body.bytes !== null) this.#add({ ...row, headers, body: base64(body.bytes) });
    else return bytesOf(body).then((bytes) => this.#add({ ...row, headers, body: base64(bytes) }));
    return null;
  }

  flush(done: Acknowledge): void {
    const { writer, files } = this.#options;
    writer.flush((error) => {
      if (error !== null || files === null) done(error);
      else files.sync(done);
    });
  }

  get files(): NonNullable<PageKeeper["files"]> {
    const { name, writer } = this.#options;
    return { name, mark: (done) => writer.mark(done) };
  }

  close(done: Acknowledge): void {
    this.#options.writer.close(done);
  }

  abandon(): void {
    this.#options.writer.abandon();
  }

  #add(row: PageRow): void {
    this.#options.writer.add(row);
  }
}

function base64(bytes: Uint8Array | null): string | null {
  return bytes === null
    ? null
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

/** Null if it cannot be read back. */
function bytesOf(body: Body): Promise<Uint8Array | null> {
  return new Promise((resolve) => readAll(body, body.lengthBytes, resolve));
}
