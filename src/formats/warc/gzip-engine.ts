/**
 * Makes gzip members with one compressor that is kept, where `gzipSync` makes one for every call:
 * its 256 KiB of state are allocated and cleared once and not for each record, which is 10 to 20 µs
 * for a page of 25 kB and more than half of the time for a request. The bytes are the same.
 *
 * No public function does this, so this file, like `fetch/content-engine.ts` for decompression, uses
 * what lies below Node's streams: the handle's `writeSync`, the pair of counts it leaves and its
 * `reset`. Where a version of Node has other handles, and for what does not fit into the engine's
 * room, `gzipSync` does the work.
 */
import assert from "node:assert/strict";
import { constants, createGzip, gzipSync } from "node:zlib";

interface NativeHandle {
  writeSync(
    flush: number,
    input: Uint8Array,
    inputAt: number,
    inputBytes: number,
    output: Uint8Array,
    outputAt: number,
    outputBytes: number,
  ): void;
  reset(): void;
  onerror: (message: string) => void;
}

interface NativeStream {
  readonly _handle: NativeHandle;
  /** Set by `writeSync`: room left in the output, bytes left of the input. */
  readonly _writeState: Uint32Array;
}

/** For longer records the state costs little, and their output would need much room for good. */
const INPUT_BYTES_MAX = 256 * 1024;
/** What cannot be compressed becomes longer, by less than this. */
const OUTPUT_BYTES = INPUT_BYTES_MAX + 1024;

export class GzipEngine {
  readonly #level: number;
  readonly #stream: NativeStream | null;
  readonly #output: Uint8Array;
  #failure: string | null = null;

  constructor(level: number) {
    this.#level = level;
    const stream: unknown = createGzip({ level });
    this.#stream = isNativeStream(stream) ? stream : null;
    this.#output = new Uint8Array(this.#stream === null ? 0 : OUTPUT_BYTES);
    if (this.#stream !== null) {
      this.#stream._handle.onerror = (message) => {
        this.#failure = message;
      };
    }
  }

  /** Whether the compressor is kept from member to member. */
  get isKept(): boolean {
    return this.#stream !== null;
  }

  /** A member that holds the bytes. It lies in the engine's memory and is there until the next one. */
  pack(bytes: Uint8Array): Uint8Array {
    const stream = this.#stream;
    if (stream === null || bytes.length > INPUT_BYTES_MAX) {
      return gzipSync(bytes, { level: this.#level });
    }
    const output = this.#output;
    const { _handle: handle, _writeState: state } = stream;
    handle.writeSync(constants.Z_FINISH, bytes, 0, bytes.length, output, 0, OUTPUT_BYTES);
    assert(this.#failure === null && state[1] === 0, `compression failed: ${this.#failure}`);
    const room = state[0] ?? 0;
    assert(room > 0, "a member is hardly longer than what it holds");
    handle.reset();
    return output.subarray(0, OUTPUT_BYTES - room);
  }
}

function isNativeStream(stream: unknown): stream is NativeStream {
  if (typeof stream !== "object" || stream === null) return false;
  if (!("_handle" in stream && "_writeState" in stream)) return false;
  const { _handle: handle, _writeState: state } = stream;
  if (typeof handle !== "object" || handle === null || !(state instanceof Uint32Array)) {
    return false;
  }
  return ["writeSync", "reset"].every((name) => typeof Reflect.get(handle, name) === "function");
}
