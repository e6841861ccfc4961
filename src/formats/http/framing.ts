/**
 * How the end of an answer is found, decided from its head alone (RFC 9112, section 6). Exactly one
 * rule may apply: a head that two recipients could read as two different ends is refused.
 */
import type { Header } from "../../base/seams/index.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import { isNamed } from "./header-values.ts";

/** The parts of a head that decide its framing. */
export interface FramedHead {
  readonly status: number;
  /** The digit after `HTTP/1.`. */
  readonly minorVersion: number;
  readonly headers: readonly Header[];
}

const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const KEEP_ALIVE = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i;
const TIMEOUT = /(?:^|,)[ \t]*timeout=(\d{1,6})(?!\d)/i;

export class Framing {
  /** Announced length; null if the end is found in another way. */
  lengthBytes: number | null = null;
  isChunked = false;
  /** Whether the connection may be used again. */
  isPersistent = false;
  /** How long the server keeps an idle connection; null if it does not say. */
  keepAliveMs: number | null = null;
  #isClosing = false;

  /** Sets all fields from a head; returns why it is refused, or null. */
  read(head: FramedHead): AnswerRefusal | null {
    this.lengthBytes = null;
    this.isChunked = false;
    this.isPersistent = head.minorVersion === 1;
    this.keepAliveMs = null;
    this.#isClosing = false;
    for (const [name, value] of head.headers) {
      const problem = this.#takeHeader(name, value);
      if (problem !== null) return problem;
    }
    if (this.isChunked && this.lengthBytes !== null) return "length-with-coding";
    // HTTP/1.0 does not know this coding, so a proxy in between may have seen a different end.
    if (this.#isClosing || (this.isChunked && head.minorVersion === 0)) this.isPersistent = false;
    if (head.status < 200 || head.status === 204 || head.status === 304) this.#setEmpty();
    else if (!this.isChunked && this.lengthBytes === null) this.isPersistent = false;
    return null;
  }

  #setEmpty(): void {
    this.lengthBytes = 0;
    this.isChunked = false;
  }

  #takeHeader(name: string, value: string): AnswerRefusal | null {
    if (isNamed(name, "content-length")) return this.#takeLength(value);
    if (isNamed(name, "transfer-encoding")) return this.#takeCoding(value);
    if (isNamed(name, "connection")) this.#takeConnection(value);
    else if (isNamed(name, "keep-alive")) this.#takeKeepAlive(value);
    return null;
  }

  #takeLength(value: string): AnswerRefusal | null {
    if (this.lengthBytes !== null) return "length-repeated";
    // Sixteen digits may exceed the largest exact integer; no body is that long.
    if (!/^\d{1,15}$/.test(value)) return "length-invalid";
    this.lengthBytes = Number(value);
    return null;
  }

  #takeCoding(value: string): AnswerRefusal | null {
    if (this.isChunked || value.toLowerCase() !== "chunked") return "coding-unknown";
    this.isChunked = true;
    return null;
  }

  #takeConnection(value: string): void {
    if (CLOSE.test(value)) this.#isClosing = true;
    else if (KEEP_ALIVE.test(value)) this.isPersistent = true;
  }

  #takeKeepAlive(value: string): void {
    const seconds = TIMEOUT.exec(value)?.[1];
    if (seconds !== undefined) this.keepAliveMs = Number(seconds) * 1000;
  }
}
