/**
 * Puts blocks of items together into batches, and batches into pieces that fit into a message. The
 * items of a block are in one batch, so that no item of another sender can come between them.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import { ByteWriter, type ItemType } from "../items/index.ts";
import type { NumberedPiece } from "./outbound-log.ts";
import { PIECE, PIECE_BYTES_MAX, type Piece } from "./remote-frame.ts";

export interface BatchLimits {
  /** A batch is full with this many items, or this many bytes. */
  readonly batchItems: number;
  readonly batchBytes: number;
  /** What goes into one message; as much as fits unless given. */
  readonly pieceBytesMax?: number;
}

export interface BatchWriterParts<Item> extends BatchLimits {
  readonly type: ItemType<Item>;
  /** How many items the stream had before. */
  readonly first: number;
  readonly put: (piece: NumberedPiece) => void;
  readonly report: (error: CrawlError) => void;
}

/** What one item may take in bytes. */
export const ITEM_BYTES_MAX: number = 64 * 1024 * 1024;

export class BatchWriter<Item> {
  readonly #parts: BatchWriterParts<Item>;
  readonly #items = new ByteWriter();
  readonly #piece = new ByteWriter();
  #first: number;
  #count = 0;

  constructor(parts: BatchWriterParts<Item>) {
    this.#parts = parts;
    this.#first = parts.first;
  }

  /** Items of the stream, those of the batch that is being filled included. */
  get itemsEnd(): number {
    return this.#first + this.#count;
  }

  /** Items in the batch that is being filled. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#items.length;
  }

  add(block: readonly Item[]): void {
    const { batchItems, batchBytes } = this.#parts;
    if (this.#count > 0 && this.#count + block.length > batchItems) this.flush();
    for (const item of block) {
      this.#write(item);
      // A receiver puts no more than this together, so such a block is parted.
      if (this.#items.length >= ITEM_BYTES_MAX) this.flush();
    }
    if (this.#count >= batchItems || this.#items.length >= batchBytes) this.flush();
  }

  /** Ends the batch that is being filled, if there is something in it. */
  flush(): void {
    if (this.#count === 0) return;
    const { written } = this.#items;
    const { pieceBytesMax = PIECE_BYTES_MAX } = this.#parts;
    for (let from = 0; from < written.length || from === 0; from += pieceBytesMax) {
      const to = from + pieceBytesMax;
      const flags = { isFirst: from === 0, isLast: to >= written.length, isClose: false };
      this.#put(written.subarray(from, to), flags);
    }
    this.#items.reset();
    this.#first += this.#count;
    this.#count = 0;
  }

  /** Says that all producers are done. */
  close(): void {
    this.flush();
    this.#put(new Uint8Array(0), { isFirst: true, isLast: true, isClose: true });
  }

  #write(item: Item): void {
    const { type, report } = this.#parts;
    const before = this.#items.length;
    try {
      type.codec?.write(item, this.#items);
    } catch (cause) {
      this.#items.cut(before);
      report(lost(type.name, `its codec failed: ${thrownReason(cause)}`, cause));
      return;
    }
    if (this.#items.length - before > ITEM_BYTES_MAX) {
      this.#items.cut(before);
      report(lost(type.name, `it is longer than ${ITEM_BYTES_MAX} bytes`));
      return;
    }
    this.#count += 1;
  }

  #put(bytes: Uint8Array, flags: Pick<Piece, "isFirst" | "isLast" | "isClose">): void {
    this.#piece.reset();
    PIECE.write({ ...flags, first: this.#first, count: this.#count, bytes }, this.#piece);
    const [itemsFrom, itemsEnd] = [this.#first, flags.isLast ? this.itemsEnd : this.#first];
    this.#parts.put({ piece: this.#piece.copy(), itemsFrom, itemsEnd });
  }
}

function lost(type: string, why: string, cause?: unknown): CrawlError {
  return new CrawlError(
    "TOPOLOGY_ITEM_LOST",
    `An item of type ${type} was dropped because it cannot be sent to another process: ${why}.`,
    { type, why },
    cause,
  );
}
