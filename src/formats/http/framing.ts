/**
 * How the end of an answer is found, decided from its head alone (RFC 9112, section 6). Exactly one
 * rule may apply: a head from which two recipients could read two different ends is refused.
 */
import type { Header } from "../../base/seams/index.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import { isNamed } from "./header-values.ts";

/** What of a head decides about its framing. */
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
  /** Announced length; null where the end is found otherwise. */
  lengthBytes: number | null = null;
  isChunked = false;
  /** Whether the server lets the connection be used again. */
  isPersistent = false;
  /** How long the server says that it keeps an idle connection; null when it does not say. */
  keepAliveMs: number | null = null;
  #isClosing = false;

  /** Sets all fields from a head; why it is refused, if it is. */
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
    // With a coding that HTTP/1.0 does not know, somebody between may have seen another end.
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
    // Sixteen digits may pass the last exact integer; nobody means so many bytes.
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
