/**
 * The links of one page as the graph keeps them: lines of text, and the high half of each target. A
 * page may wait for the archive and the log before its links are added; what waits is then one piece
 * of bytes and one list of numbers, instead of several objects for each link.
 */
import { type GraphArc, lineHead, lineTail } from "./link-text.ts";

/** The links of a page, as the graph takes them. */
export interface PageLinks {
  /** Their lines, in UTF-8. */
  readonly bytes: Uint8Array;
  /** The high half of each link's target. */
  readonly highs: readonly number[];
}

export class LinkLines implements PageLinks {
  readonly highs: number[] = [];
  #text = "";
  #kind = "";
  #rel = "";
  #head = lineHead("", "");
  #bytes: Uint8Array = NO_BYTES;

  add(link: GraphArc): void {
    const { kind, rel, anchor, href } = link;
    // Most links of a page have the same kind and `rel`.
    if (kind !== this.#kind || rel !== this.#rel) {
      this.#kind = kind;
      this.#rel = rel;
      this.#head = lineHead(kind, rel);
    }
    this.#text += this.#head + lineTail(anchor, href);
    this.highs.push(link.high);
  }

  /** The lines, in UTF-8. */
  get bytes(): Uint8Array {
    this.pack();
    return this.#bytes;
  }

  /** After the last link: a string that has grown is a tree of its parts, which are freed here. */
  pack(): void {
    if (this.#text === "") return;
    const more = Buffer.from(this.#text);
    this.#bytes = this.#bytes.length === 0 ? more : Buffer.concat([this.#bytes, more]);
    this.#text = "";
  }
}

const NO_BYTES = new Uint8Array(0);
