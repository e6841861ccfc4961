/**
 * Reads the head of an answer, status line and headers, from bytes that come in pieces.
 *
 * The usual head is complete in the first piece: it is read in place, in one pass, and becomes one
 * string of which names and values are slices. Otherwise the pieces are gathered, and lines are
 * read when a piece contains the end of one, so that a server that sends byte by byte costs no more
 * than its bytes. A head is refused at the first line that shows a reason.
 */
import type { Header } from "../../base/seams/index.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import {
  BYTE_KINDS,
  COLON,
  CR,
  IN_NAME,
  IN_VALUE,
  isBlank,
  LF,
  SPACE,
  ZERO,
} from "./byte-kinds.ts";

export const HEADERS_MAX = 256;

/** More bytes are needed; those passed were taken. */
export const INCOMPLETE = -1;
/** `refusal` says why; nothing more can be read. */
export const REFUSED = -2;

const START_OF_VERSION = "HTTP/1.";
const PIECE_BYTES = 1024;
/** This much is checked even before the first line has ended: other protocols show early. */
const BEGINNING_BYTES = 16;
/** A server may end its last answer with one or two empty lines too many. */
const EMPTY_LINES_BYTES_MAX = 4;

/** The positions of fields, for the head being read in one pass: four numbers each. */
const FIELD_PLACES = 4;
const fields: Int32Array = new Int32Array(HEADERS_MAX * FIELD_PLACES);

export class HeadReader {
  status = 0;
  /** The digit after `HTTP/1.`. */
  minorVersion = 1;
  reason = "";
  headers: Header[] = [];
  refusal: AnswerRefusal | null = null;
  #bytesMax = 0;
  #gathered: Buffer | null = null;
  #gatheredBytes = 0;
  /** Where the next line begins, counted from the start of the head; 0 is the status line. */
  #lineAt = 0;
  #count = 0;
  #reasonFrom = 0;
  #reasonTo = 0;

  /** Prepares for another head of at most `bytesMax` bytes. */
  begin(bytesMax: number): void {
    this.#bytesMax = bytesMax;
    this.#restart();
    this.#gathered = null;
    this.#gatheredBytes = 0;
    this.refusal = null;
  }

  /** Where the head ends in these bytes, `INCOMPLETE` or `REFUSED`. */
  read(bytes: Buffer, from: number, to: number): number {
    if (this.#gathered !== null) return this.#gather(bytes, from, to);
    const end = this.#scan(bytes, from, to);
    if (end === REFUSED) return REFUSED;
    if (end === INCOMPLETE) return this.#keep(bytes, from, to);
    if (end - from > this.#bytesMax) return this.#refuse("head-too-long");
    this.#build(bytes, from, end);
    return end;
  }

  /** The server has closed; whether the part of the head that arrived is to be refused. */
  close(): boolean {
    const gathered = this.#gathered;
    return gathered !== null && this.#scan(gathered, 0, this.#gatheredBytes) === REFUSED;
  }

  #restart(): void {
    this.#lineAt = 0;
    this.#count = 0;
    this.status = 0;
  }

  /** Adds to the gathered pieces, and reads their lines if another one has ended. */
  #gather(bytes: Buffer, from: number, to: number): number {
    const before = this.#gatheredBytes;
    const kept = this.#keep(bytes, from, Math.min(to, from + this.#bytesMax + 1 - before));
    const gathered = this.#gathered;
    if (gathered === null || kept === REFUSED) return kept;
    const isLineEnded = bytes.subarray(from, to).includes(LF);
    if (!isLineEnded && this.#gatheredBytes > BEGINNING_BYTES) return INCOMPLETE;
    const end = this.#scan(gathered, 0, this.#gatheredBytes);
    if (end === REFUSED) return REFUSED;
    if (end === INCOMPLETE) return INCOMPLETE;
    if (end > this.#bytesMax) return this.#refuse("head-too-long");
    // The positions of fields are known only for lines that were scanned in one pass.
    this.#restart();
    this.#scan(gathered, 0, end);
    this.#build(gathered, 0, end);
    this.#gathered = null;
    return from + end - before;
  }

  #keep(bytes: Buffer, from: number, to: number): number {
    const length = this.#gatheredBytes + to - from;
    if (this.#gathered === null || this.#gathered.length < length) {
      const larger = Buffer.allocUnsafe(Math.max(PIECE_BYTES, 2 * length));
      this.#gathered?.copy(larger, 0, 0, this.#gatheredBytes);
      this.#gathered = larger;
    }
    bytes.copy(this.#gathered, this.#gatheredBytes, from, to);
    this.#gatheredBytes = length;
    return length > this.#bytesMax ? this.#refuse("head-too-long") : INCOMPLETE;
  }

  /** Goes through the lines from `#lineAt` on. The end of the head, `INCOMPLETE` or `REFUSED`. */
  #scan(bytes: Buffer, start: number, to: number): number {
    let at = start + this.#lineAt;
    if (this.status === 0) at = this.#scanStatusLine(bytes, at, to);
    while (at >= 0) {
      this.#lineAt = at - start;
      if (at === to) return INCOMPLETE;
      if (bytes[at] === CR) {
        if (at + 1 === to) return INCOMPLETE;
        return bytes[at + 1] === LF ? at + 2 : this.#refuse("bare-newline");
      }
      at = this.#scanField(bytes, at, to);
    }
    return at;
  }

  #scanStatusLine(bytes: Buffer, start: number, to: number): number {
    let at = start;
    while (at < to && bytes[at] === CR && at < start + EMPTY_LINES_BYTES_MAX) {
      if (at + 1 === to) return INCOMPLETE;
      if (bytes[at + 1] !== LF) break;
      at += 2;
    }
    const problem = beginningProblem(bytes, at, to);
    if (problem !== null) return this.#refuse(problem);
    const statusAt = at + START_OF_VERSION.length + 2;
    if (statusAt + 4 > to) return INCOMPLETE;
    const status = decimal(bytes, statusAt, statusAt + 3);
    if (bytes[statusAt - 1] !== SPACE || status < 100) return this.#refuse("status-line");
    at = statusAt + 3;
    if (bytes[at] !== SPACE && bytes[at] !== CR && bytes[at] !== LF) {
      return this.#refuse("status-line");
    }
    while (at < to && inValue(bytes[at] as number)) at++;
    if (at + 1 >= to) return INCOMPLETE;
    if (bytes[at] !== CR) return this.#refuse(bytes[at] === LF ? "bare-newline" : "status-line");
    if (bytes[at + 1] !== LF) return this.#refuse("bare-newline");
    this.status = status;
    this.minorVersion = (bytes[statusAt - 2] as number) - ZERO;
    this.#reasonFrom = statusAt + 3;
    this.#reasonTo = at;
    return at + 2;
  }

  /** Where the line after this field begins, `INCOMPLETE` or `REFUSED`. */
  #scanField(bytes: Buffer, start: number, to: number): number {
    let at = start;
    while (at < to && ((BYTE_KINDS[bytes[at] as number] as number) & IN_NAME) !== 0) at++;
    if (at === to) return INCOMPLETE;
    if (at === start || bytes[at] !== COLON) return this.#refuseName(bytes, start, at);
    const nameTo = at;
    at++;
    while (at < to && isBlank(bytes[at])) at++;
    const valueFrom = at;
    while (at < to && inValue(bytes[at] as number)) at++;
    if (at === to) return INCOMPLETE;
    if (bytes[at] !== CR) {
      return this.#refuse(bytes[at] === LF ? "bare-newline" : "control-character");
    }
    if (at + 1 === to) return INCOMPLETE;
    if (bytes[at + 1] !== LF) return this.#refuse("bare-newline");
    if (this.#count === HEADERS_MAX) return this.#refuse("too-many-headers");
    const place = this.#count++ * FIELD_PLACES;
    fields[place] = start;
    fields[place + 1] = nameTo;
    fields[place + 2] = valueFrom;
    fields[place + 3] = at;
    return at + 2;
  }

  #refuseName(bytes: Buffer, start: number, at: number): number {
    const isSpace = isBlank(bytes[at]);
    if (at > start) return this.#refuse(isSpace ? "space-before-colon" : "header-name");
    return this.#refuse(isSpace && this.#count > 0 ? "folded" : "header-name");
  }

  #refuse(refusal: AnswerRefusal): number {
    this.refusal = refusal;
    this.#gathered = null;
    return REFUSED;
  }

  /**
   * Names and values are slices of one string: a value that is kept keeps the whole head alive, so
   * a caller to whom that matters copies it.
   */
  #build(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString("latin1", start, end);
    this.reason = text.slice(this.#reasonFrom - start, this.#reasonTo - start).trim();
    const headers: Header[] = [];
    for (let index = 0; index < this.#count; index++) {
      const place = index * FIELD_PLACES;
      const from = fields[place] as number;
      const to = fields[place + 1] as number;
      const valueFrom = fields[place + 2] as number;
      let valueTo = fields[place + 3] as number;
      while (valueTo > valueFrom && isBlank(bytes[valueTo - 1])) valueTo--;
      const name = text.slice(from - start, to - start);
      headers.push([name, text.slice(valueFrom - start, valueTo - start)]);
    }
    this.headers = headers;
  }
}

/** What is wrong with the first bytes of an answer, as far as they have arrived. */
function beginningProblem(bytes: Buffer, at: number, to: number): AnswerRefusal | null {
  const length = Math.min(START_OF_VERSION.length, to - at);
  for (let index = 0; index < length; index++) {
    if (bytes[at + index] === START_OF_VERSION.charCodeAt(index)) continue;
    return index >= "HTTP/".length ? "version" : "not-http";
  }
  const minor = at + START_OF_VERSION.length < to ? bytes[at + START_OF_VERSION.length] : ZERO;
  return minor === ZERO || minor === ZERO + 1 ? null : "version";
}

function inValue(byte: number): boolean {
  return ((BYTE_KINDS[byte] as number) & IN_VALUE) !== 0;
}

/** The number these digits make, or -1. */
function decimal(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
