/**
 * Finds the encoding of a sitemap by its first bytes, and makes UTF-8 of it. Nearly all are UTF-8
 * already, and pass through untouched.
 */
import { TextDecoder } from "node:util";
import { type ByteSink, FileHead } from "./byte-sink.ts";

/** Enough for any XML declaration. */
const HEAD_BYTES = 512;

export class EncodingStage implements ByteSink {
  readonly #next: ByteSink;
  readonly #head = new FileHead(HEAD_BYTES);
  #decoder: TextDecoder | null = null;
  readonly #encoder = new TextEncoder();

  constructor(next: ByteSink) {
    this.#next = next;
  }

  push(bytes: Uint8Array): boolean {
    if (this.#head.isOver) return this.#handOn(bytes);
    const start = this.#head.add(bytes, false);
    return start === null ? true : this.#begin(start);
  }

  end(whole: boolean): void {
    const start = this.#head.add(new Uint8Array(0), true);
    if (start !== null) this.#begin(start);
    if (this.#decoder !== null) this.#next.push(this.#encoder.encode(this.#decoder.decode()));
    this.#next.end(whole);
  }

  #begin(start: Uint8Array): boolean {
    const { label, markBytes } = encodingOf(start.subarray(0, HEAD_BYTES));
    if (label !== "utf-8") this.#decoder = new TextDecoder(label);
    return this.#handOn(start.subarray(markBytes));
  }

  #handOn(bytes: Uint8Array): boolean {
    if (this.#decoder === null) return this.#next.push(bytes);
    return this.#next.push(this.#encoder.encode(this.#decoder.decode(bytes, { stream: true })));
  }
}

/** A byte order mark, then the look of UTF-16, then the declaration; else UTF-8. */
function encodingOf(head: Uint8Array): { label: string; markBytes: number } {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { label: "utf-8", markBytes: 3 };
  if (a === 0xff && b === 0xfe) return { label: "utf-16le", markBytes: 2 };
  if (a === 0xfe && b === 0xff) return { label: "utf-16be", markBytes: 2 };
  if (b === 0 && a !== 0) return { label: "utf-16le", markBytes: 0 };
  if (a === 0 && b !== 0) return { label: "utf-16be", markBytes: 0 };
  return { label: declared(head), markBytes: 0 };
}

function declared(head: Uint8Array): string {
  const text = Buffer.from(head).toString("latin1");
  const match = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([^"'>]{1,40})["']/i.exec(text);
  const label = match === null ? "utf-8" : knownLabel(match[1] ?? "");
  // A declaration that could be read as ASCII was not written in UTF-16.
  return label.startsWith("utf-16") ? "utf-8" : label;
}

function knownLabel(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return "utf-8";
  }
}
