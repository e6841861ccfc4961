/**
 * What a framing is: how payloads become frames in a file, and how a reader recognizes a frame.
 * There are two, `BinaryFraming` and `LineFraming`.
 *
 * Every frame proves three things by itself: that none of its bytes changed, that it belongs to
 * this log (by the log's salt) and that it is in its place (by its position). So neither an old
 * sector, nor a frame of another log, nor bytes inside a payload that an attacker made look like a
 * frame are taken for one, unless the attacker guesses the salt.
 *
 * A frame can also say that it is the *first after a sync*: all bytes before it were durable when
 * it was written. That distinguishes damage from a torn tail: bad bytes before such a frame had
 * once been good.
 */
import type { Position } from "./position.ts";

/** Two random words, different for each log. */
export type Salt = readonly [number, number];

/** The range of bytes of a log that a reader is looking at. */
export interface Window {
  readonly bytes: Uint8Array;
  /** The same bytes. */
  readonly view: DataView;
  /** The position of the first byte. */
  readonly position: Position;
  /** Whether no more bytes will ever follow. */
  readonly isLast: boolean;
}

/** Memory that frames are written to, one after the other. */
export interface Chunk {
  bytes: Uint8Array;
  /** The same bytes. */
  view: DataView;
  /** The position of the first byte. */
  position: Position;
  usedBytes: number;
}

export type FramingKind = "binary" | "line";

export interface Framing {
  /** No frame is longer. */
  readonly frameBytesMax: number;

  /** How long the frame of this payload is. */
  frameBytes(payload: Uint8Array): number;

  /** Appends the frame to the chunk, which must have room for it. */
  encode(payload: Uint8Array, chunk: Chunk): void;

  /** Makes the good frame at `at` say that it is the first after a sync. */
  markFirstAfterSync(chunk: Chunk, at: number): void;

  /**
   * What is at `at`: the length of a good frame (positive), no good frame (0), or, when that cannot
   * be decided yet, the number of bytes needed (negated); never negative in a last window.
   */
  check(window: Window, at: number): number;

  /**
   * The next place after `at` where a frame may begin, when none does at `at`. Called again and
   * again it takes time in proportion to the bytes of the window.
   */
  seek(window: Window, at: number): number;

  /** Whether the good frame at `at` is the first after a sync. */
  isFirstAfterSync(bytes: Uint8Array, at: number, frameBytes: number): boolean;

  /** The payload of the good frame at `at`: a view, where the framing allows it. */
  payload(bytes: Uint8Array, at: number, frameBytes: number): Uint8Array;
}

/** A window that has no bytes and never will. */
export function emptyWindow(position: Position): Window {
  const bytes = new Uint8Array(0);
  return { bytes, view: viewOf(bytes), position, isLast: true };
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * A number that ties a frame to its log and place: mixed from the salt, the position and the word
 * in the frame that holds its length. Nobody can predict it without the salt.
 */
export function tie(salt: Salt, position: Position, word: number): number {
  const high = (position / 2 ** 32) | 0;
  let mixed = salt[0] ^ word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) ^ (position | 0);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ (salt[1] + high);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The seed of a frame's checksum, so that the checksum covers what `tie` covers. */
export function seedOf(salt: Salt, tied: number): number {
  return (Math.imul(tied, 0x9e3779b1) ^ salt[1]) >>> 0;
}
