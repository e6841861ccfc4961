/**
 * Reads texts by their places, in any process, also while the crawl runs: what a row of the page index
 * refers to is durable. The last blocks are kept, since those who read one page often read the next.
 */
import { zstdDecompressSync } from "node:zlib";
import { type ViewedLog, viewLog } from "../../base/log/index.ts";
import { type Done, type Storage, withValue } from "../../base/seams/index.ts";
import { type KeptText, textAt } from "./kept-text.ts";
import { damagedTexts, TEXT_LOG } from "./open-page-texts.ts";
import type { TextPlace } from "./page-texts.ts";

/** Far more than a block has. */
const BLOCK_BYTES_MAX = 256 * 1024 * 1024;
const BLOCKS_KEPT = 4;

export class TextView {
  readonly #storage: Storage;
  /** By position, the one used last at the end. */
  readonly #blocks = new Map<number, string>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * The text of the page with this URL; null when another page's is there, since the folder was made
   * anew. `TEXTS_DAMAGED` when there is nothing. May answer
   * inside the call.
   */
  textOf({ block, entry }: TextPlace, url: string, done: Done<KeptText | null>): void {
    const take = (lines: string): void => {
      const text = textAt(lines, entry);
      if (text === null) done(damagedTexts(`block ${block} has no text ${entry}`), undefined);
      else done(null, text.url === url ? text : null);
    };
    const known = this.#blocks.get(block);
    if (known === undefined) this.#read(block, withValue(done, take));
    else {
      this.#keep(block, known);
      take(known);
    }
  }

  #read(block: number, done: Done<string>): void {
    const unpack = (bytes: Uint8Array | null): void => {
      const lines = bytes === null ? null : unpacked(bytes);
      if (lines === null) done(damagedTexts(`there is no block at ${block}`), undefined);
      else {
        this.#keep(block, lines);
        done(null, lines);
      }
    };
    const read = (log: ViewedLog): void => log.frameAt(block, withValue(done, unpack));
    viewLog(this.#storage, TEXT_LOG, withValue(done, read));
  }

  #keep(block: number, lines: string): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, lines);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > BLOCKS_KEPT && oldest !== undefined) this.#blocks.delete(oldest);
  }
}

function unpacked(bytes: Uint8Array): string | null {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: BLOCK_BYTES_MAX }).toString();
  } catch {
    return null;
  }
}
