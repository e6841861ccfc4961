/**
 * What goes over a connection between two processes: frames, each with its length before it. A frame
 * names its purpose, the request that it is or answers, and the kind of its message:
 *
 * ```
 * length 4 · purpose 1 · number 4 · length of kind 1 · kind · body
 * ```
 *
 * Numbers are little-endian; the length counts what follows it. What arrives may come from anybody, so
 * a length beyond the largest message or a purpose that does not exist ends the connection.
 */
import { MESSAGE_BYTES_MAX } from "./transport.ts";

/** `hello` comes first on every connection and has the sender's id as its body. */
const PURPOSES = ["hello", "request", "reply", "unreachable", "broadcast"] as const;

export interface TcpFrame {
  readonly purpose: (typeof PURPOSES)[number];
  /** The request that this is, or answers; unique on its connection. */
  readonly number: number;
  readonly kind: string;
  readonly body: Uint8Array;
}

const LENGTH_BYTES = 4;
const HEAD_BYTES = 6;
const KIND_BYTES_MAX = 255;
const FRAME_BYTES_MAX = HEAD_BYTES + KIND_BYTES_MAX + MESSAGE_BYTES_MAX;

/** More pieces are put together at once: each costs far more memory than a byte that it may hold. */
const PIECES_MAX = 256;

/** Head and body, to be written one after the other; the body is not copied. */
export function encodeTcpFrame(frame: TcpFrame): [head: Buffer, body: Uint8Array] {
  const kind = Buffer.from(frame.kind, "latin1");
  const head = Buffer.alloc(LENGTH_BYTES + HEAD_BYTES + kind.length);
  head.writeUInt32LE(HEAD_BYTES + kind.length + frame.body.byteLength, 0);
  head.writeUInt8(PURPOSES.indexOf(frame.purpose), 4);
  head.writeUInt32LE(frame.number, 5);
  head.writeUInt8(kind.length, 9);
  kind.copy(head, LENGTH_BYTES + HEAD_BYTES);
  return [head, frame.body];
}

/** Puts frames together from whatever pieces a connection delivers. */
export class TcpFrameReader {
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  /** Nothing is put together before this many bytes are there. */
  #neededBytes = LENGTH_BYTES;

  /** Whether a frame has begun and is not complete. */
  get isMidway(): boolean {
    return this.#heldBytes > 0;
  }

  /** The frames that this piece completes; null if these are not frames, and then for good. */
  take(piece: Buffer): TcpFrame[] | null {
    this.#pieces.push(piece);
    this.#heldBytes += piece.length;
    const frames: TcpFrame[] = [];
    if (this.#heldBytes < this.#neededBytes) {
      if (this.#pieces.length >= PIECES_MAX) this.#pieces = [Buffer.concat(this.#pieces)];
      return frames;
    }
    const held = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    let at = 0;
    for (;;) {
      const lengthBytes = held.length - at < LENGTH_BYTES ? null : held.readUInt32LE(at);
      this.#neededBytes = LENGTH_BYTES + (lengthBytes ?? 0);
      if (lengthBytes !== null && !isLength(lengthBytes)) return null;
      if (lengthBytes === null || held.length - at < this.#neededBytes) break;
      const frame = decoded(held.subarray(at + LENGTH_BYTES, at + this.#neededBytes));
      if (frame === null) return null;
      frames.push(frame);
      at += this.#neededBytes;
    }
    this.#pieces = at === held.length ? [] : [held.subarray(at)];
    this.#heldBytes = held.length - at;
    return frames;
  }
}

function isLength(lengthBytes: number): boolean {
  return lengthBytes >= HEAD_BYTES && lengthBytes <= FRAME_BYTES_MAX;
}

function decoded(bytes: Buffer): TcpFrame | null {
  const purpose = PURPOSES[bytes.readUInt8(0)];
  const bodyFrom = HEAD_BYTES + bytes.readUInt8(5);
  if (purpose === undefined || bodyFrom > bytes.length) return null;
  const body = bytes.subarray(bodyFrom);
  if (body.length > MESSAGE_BYTES_MAX) return null;
  const kind = bytes.toString("latin1", HEAD_BYTES, bodyFrom);
  return { purpose, number: bytes.readUInt32LE(1), kind, body };
}
