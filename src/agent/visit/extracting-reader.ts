/** A reader that adds fields found by selectors to the row of each page: the flag `--extract`. */
import type { Body } from "../../base/seams/index.ts";
import { documentOf, type Extraction } from "../../formats/selector/index.ts";
import { readAll } from "./answer-reading.ts";
import type { DonePage, PageReader, PageReply } from "./page-reader.ts";

const NO_BYTES = new Uint8Array(0);

export class ExtractingReader implements PageReader {
  readonly text = false;
  readonly links = false;
  readonly markdown = false;
  readonly hasRoom = true;
  readonly #extraction: Extraction;

  constructor(extraction: Extraction) {
    this.#extraction = extraction;
  }

  whenRoom(callback: () => void): void {
    callback();
  }

  async read({ row, body }: DonePage): Promise<PageReply> {
    const bytes = body === null ? NO_BYTES : await bytesOf(body);
    return { links: [], fields: [this.#extraction.of(documentOf(row, bytes))] };
  }
}

/** Empty if it cannot be read back. */
function bytesOf(body: Body): Promise<Uint8Array> {
  return new Promise((resolve) => {
    readAll(body, body.lengthBytes, (bytes) => resolve(bytes ?? NO_BYTES));
  });
}
