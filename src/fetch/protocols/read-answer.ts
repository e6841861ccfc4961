/** Reads what a module answered, which may be anything. */
import type { Header } from "../../base/seams/index.ts";

export interface ReadAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Null for a body that is there already. */
  readonly pieces: AsyncIterator<unknown> | Iterator<unknown> | null;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** Throws, with what is wrong as a clause, when it is not an answer. */
export function readAnswer(answer: unknown, headerBytesMax: number): ReadAnswer {
  if (typeof answer !== "object" || answer === null) {
    throw new Error(`it answered with ${answer === null ? "null" : typeof answer}, not an object`);
  }
  const { status = 200, headers = {}, body = NOTHING } = answer as Record<string, unknown>;
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
    throw new Error(`the status of its answer is ${describe(status)}, not from 200 to 599`);
  }
  const read = { status: Number(status), headers: readHeaders(headers, headerBytesMax) };
  const bytes = pieceBytes(body);
  if (bytes !== null) return { ...read, pieces: null, bytes };
  return { ...read, pieces: piecesOf(body), bytes: NOTHING };
}

/** The bytes of a piece; null when it is something else. */
export function pieceBytes(piece: unknown): Uint8Array | null {
  if (typeof piece === "string") return Buffer.from(piece);
  return piece instanceof Uint8Array ? piece : null;
}

const HEADER = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function readHeaders(headers: unknown, headerBytesMax: number): Header[] {
  if (typeof headers !== "object" || headers === null) {
    throw new Error(`the headers of its answer are ${describe(headers)}, not an object`);
  }
  let leftBytes = headerBytesMax;
  return Object.entries(headers).map(([name, value]): Header => {
    leftBytes -= name.length + String(value).length;
    if (leftBytes < 0) throw new Error(`its headers are longer than ${headerBytesMax} bytes`);
    const isSound = HEADER.test(name) && typeof value === "string" && VALUE.test(value);
    if (!isSound) throw new Error(`the header ${describe(name)} is not one line of Latin-1`);
    return [name, value.trim()];
  });
}

function piecesOf(body: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof body === "object" && body !== null) {
    // Whatever the methods return is looked at piece by piece.
    const given = body as AsyncIterable<unknown> & Iterable<unknown>;
    if (typeof given[Symbol.asyncIterator] === "function") return given[Symbol.asyncIterator]();
    if (typeof given[Symbol.iterator] === "function") return given[Symbol.iterator]();
  }
  throw new Error(`the body of its answer is ${describe(body)}, not bytes, text or pieces of them`);
}

function describe(value: unknown): string {
  return typeof value === "string" || typeof value === "number"
    ? JSON.stringify(value).slice(0, 60)
    : value === null
      ? "null"
      : typeof value;
}
