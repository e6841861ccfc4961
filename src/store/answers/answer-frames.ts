/**
 * An answer as frames of a log: the first has its head and, of a body in memory, the first piece; the
 * others have more of the body. Frames of several answers may be mixed, so each has the answer's number.
 *
 * | first frame     | bytes | further frames  | bytes |
 * |-----------------|-------|-----------------|-------|
 * | 0               | 1     | 1               | 1     |
 * | number          | 4     | number          | 4     |
 * | length of head  | 4     | more of the body| –     |
 * | head, JSON      | –     |                 |       |
 * | body            | –     |                 |       |
 */
import type { Body, Header } from "../../base/seams/index.ts";

/** An answer as it came, with its page. */
export interface Answer {
  readonly url: string;
  readonly fetchedAtMs: number;
  readonly response: { readonly reason: string; readonly headers: readonly Header[] };
  readonly body: Body;
}

/** What is said of an answer before its body. */
export interface AnswerHead {
  readonly url: string;
  /** In whole milliseconds, as in the crawl log. */
  readonly atMs: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  readonly bodyBytes: number;
}

export type AnswerFrame =
  | {
      readonly kind: "first";
      readonly id: number;
      readonly head: AnswerHead;
      readonly piece: Uint8Array;
    }
  | { readonly kind: "more"; readonly id: number; readonly piece: Uint8Array };

const FIRST = 0;
const MORE = 1;
const NUMBER_BYTES = 5;
const PIECE_BYTES = 1024 * 1024;

/** All frames of an answer whose body is in memory; else the first one. */
export function journalFrames(id: number, page: Answer): Uint8Array[] {
  const { body, response, url, fetchedAtMs } = page;
  const { reason, headers } = response;
  const bytes = body.bytes ?? new Uint8Array(0);
  const head: AnswerHead = {
    ...{ url, atMs: Math.trunc(fetchedAtMs), reason, headers, bodyBytes: body.lengthBytes },
  };
  const frames = [firstFrame(id, head, bytes.subarray(0, PIECE_BYTES))];
  for (let at = PIECE_BYTES; at < bytes.length; at += PIECE_BYTES) {
    frames.push(moreFrame(id, bytes.subarray(at, at + PIECE_BYTES)));
  }
  return frames;
}

function firstFrame(id: number, head: AnswerHead, piece: Uint8Array): Uint8Array {
  const text = Buffer.from(JSON.stringify(head));
  const frame = Buffer.allocUnsafe(NUMBER_BYTES + 4 + text.length + piece.length);
  frame[0] = FIRST;
  frame.writeUInt32LE(id, 1);
  frame.writeUInt32LE(text.length, NUMBER_BYTES);
  text.copy(frame, NUMBER_BYTES + 4);
  frame.set(piece, NUMBER_BYTES + 4 + text.length);
  return frame;
}

export function moreFrame(id: number, piece: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(NUMBER_BYTES + piece.length);
  frame[0] = MORE;
  frame.writeUInt32LE(id, 1);
  frame.set(piece, NUMBER_BYTES);
  return frame;
}

/** Null for what is not such a frame. */
export function readFrame(payload: Uint8Array): AnswerFrame | null {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  if (bytes.length < NUMBER_BYTES) return null;
  const id = bytes.readUInt32LE(1);
  if (bytes[0] === MORE) return { kind: "more", id, piece: bytes.subarray(NUMBER_BYTES) };
  if (bytes[0] !== FIRST || bytes.length < NUMBER_BYTES + 4) return null;
  const end = NUMBER_BYTES + 4 + bytes.readUInt32LE(NUMBER_BYTES);
  if (end > bytes.length) return null;
  const head = JSON.parse(bytes.toString("utf8", NUMBER_BYTES + 4, end)) as AnswerHead;
  return { kind: "first", id, head, piece: bytes.subarray(end) };
}
