/**
 * Reads one answer after another from the bytes of one connection, however they are cut: interim
 * answers are skipped, the final head is reported, then the bytes of the body, in the buffer they
 * arrived in. The same bytes give the same result in any pieces. It never reads past the end of an
 * answer: bytes that follow belong to no request, and the connection must be closed.
 */
import assert from "node:assert/strict";
import type { Header } from "../../base/seams/index.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import { ChunkReader, type TakeBody } from "./chunk-reader.ts";
import { Framing } from "./framing.ts";
import { HeadReader, INCOMPLETE, REFUSED } from "./head-reader.ts";

const INTERIM_ANSWERS_MAX = 10;

export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  /** Announced length of the body; null if it is not known before its end. */
  readonly lengthBytes: number | null;
}

/** Receives an answer. Neither call may call the reader. */
export interface AnswerTaker {
  takeHead(head: AnswerHead): void;
  /** The bytes are overwritten after the call. False asks for a pause: see `AnswerReader.read`. */
  takeBody(bytes: Buffer, from: number, to: number): boolean;
}

type Phase = "idle" | "head" | "length" | "chunks" | "until-close" | "whole" | "refused";

export class AnswerReader {
  refusal: AnswerRefusal | null = null;
  readonly #head = new HeadReader();
  readonly #framing = new Framing();
  readonly #taker: AnswerTaker;
  readonly #takeBody: TakeBody;
  #chunks: ChunkReader | null = null;
  #phase: Phase = "idle";
  #headerBytesMax = 0;
  #interim = 0;
  #leftBytes = 0;

  constructor(taker: AnswerTaker) {
    this.#taker = taker;
    this.#takeBody = (bytes, from, to) => taker.takeBody(bytes, from, to);
  }

  /** Expects an answer; its head and that of each interim answer have at most this many bytes. */
  begin(headerBytesMax: number): void {
    this.#headerBytesMax = headerBytesMax;
    this.#phase = "head";
    this.#interim = 0;
    this.refusal = null;
    this.#head.begin(headerBytesMax);
  }

  /** The whole answer has arrived. */
  get isWhole(): boolean {
    return this.#phase === "whole";
  }

  /** After the whole answer: whether the connection may be used again. */
  get isPersistent(): boolean {
    return this.#framing.isPersistent;
  }

  /** After the whole answer: how long the server keeps the connection; null if it did not say. */
  get keepAliveMs(): number | null {
    return this.#framing.keepAliveMs;
  }

  /**
   * Returns where it stopped: at the end of the bytes, or earlier if the answer ended, was refused
   * (`refusal` says why) or the taker asked for a pause. After a pause the caller passes the rest
   * again, and must keep it elsewhere meanwhile.
   */
  read(bytes: Buffer, from: number, to: number): number {
    assert(this.#phase !== "idle", "an answer is read only when one is expected");
    let at = from;
    while (this.#phase === "head" && at < to) at = this.#readHead(bytes, at, to);
    switch (this.#phase) {
      case "length":
        return this.#readLength(bytes, at, to);
      case "chunks":
        return this.#readChunks(bytes, at, to);
      case "until-close":
        if (at < to) this.#taker.takeBody(bytes, at, to);
        return to;
      default:
        return at;
    }
  }

  /** The server has closed; true if that properly ends the answer. Otherwise it may be refused. */
  close(): boolean {
    if (this.#phase === "until-close") this.#phase = "whole";
    if (this.#phase === "head" && this.#head.close()) {
      this.#refuse(this.#head.refusal ?? "not-http", 0);
    }
    return this.#phase === "whole";
  }

  #readHead(bytes: Buffer, from: number, to: number): number {
    const end = this.#head.read(bytes, from, to);
    if (end === INCOMPLETE) return to;
    if (end === REFUSED) return this.#refuse(this.#head.refusal ?? "not-http", to);
    const problem = this.#framing.read(this.#head);
    if (problem !== null) return this.#refuse(problem, end);
    const { status, reason, headers } = this.#head;
    if (status < 200) return this.#passInterim(status, end);
    this.#beginBody();
    const { lengthBytes } = this.#framing;
    this.#taker.takeHead({ status, reason, headers, lengthBytes });
    return end;
  }

  #passInterim(status: number, end: number): number {
    this.#interim++;
    if (status === 101) return this.#refuse("upgrade", end);
    if (!this.#framing.isPersistent) return this.#refuse("interim-last", end);
    if (this.#interim > INTERIM_ANSWERS_MAX) return this.#refuse("too-many-interim", end);
    this.#head.begin(this.#headerBytesMax);
    return end;
  }

  #beginBody(): void {
    const { lengthBytes, isChunked } = this.#framing;
    if (isChunked) {
      this.#phase = "chunks";
      this.#chunks ??= new ChunkReader();
      this.#chunks.begin();
    } else if (lengthBytes === null) this.#phase = "until-close";
    else {
      this.#phase = lengthBytes === 0 ? "whole" : "length";
      this.#leftBytes = lengthBytes;
    }
  }

  #readLength(bytes: Buffer, from: number, to: number): number {
    const end = Math.min(to, from + this.#leftBytes);
    if (end === from) return end;
    this.#leftBytes -= end - from;
    if (this.#leftBytes === 0) this.#phase = "whole";
    this.#taker.takeBody(bytes, from, end);
    return end;
  }

  #readChunks(bytes: Buffer, from: number, to: number): number {
    const chunks = this.#chunks;
    assert(chunks !== null, "a chunked body has a reader");
    const end = chunks.read(bytes, from, to, this.#takeBody);
    if (chunks.isWhole) this.#phase = "whole";
    return chunks.refusal === null ? end : this.#refuse(chunks.refusal, end);
  }

  #refuse(refusal: AnswerRefusal, at: number): number {
    this.refusal = refusal;
    this.#phase = "refused";
    return at;
  }
}
