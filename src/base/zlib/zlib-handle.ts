/**
 * The handle below one of Node's compression streams, driven step by step in this thread: from a
 * range of input to a range of output, both the caller's.
 *
 * The public functions cannot do this. The synchronous ones make a new engine for every call, and
 * those that decompress discard their output when a limit is passed or the input is damaged;
 * the streams go through the thread pool. So this file, and no other, uses what lies below Node's
 * streams: the handle's `writeSync`, the pair of counts it leaves, and its `reset`. They have not
 * changed since Node 9, and image and archive packages rely on them too. If a version of Node no
 * longer had them, the assertion in the constructor would say so at the first page
 * (docs/adr/0024-body-spool.md).
 */
import assert from "node:assert/strict";

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
  close(): void;
}

export class ZlibHandle {
  readonly #stream: NativeStream;
  /** What the last `write` took from the input and put into the output. */
  consumedBytes = 0;
  producedBytes = 0;
  /** Why the input cannot be processed; the handle is useless afterwards. */
  failure: string | null = null;

  /**
   * `stream` is new, from one of the `create…` functions of `node:zlib`, and not used elsewhere.
   */
  constructor(stream: unknown) {
    assert(isNativeStream(stream), "this version of Node has unknown zlib handles");
    stream._handle.onerror = (message) => {
      this.failure = message;
    };
    this.#stream = stream;
  }

  /**
   * Processes what it can; false after a failure, when what this call produced is lost. Two ranges
   * as plain numbers and arrays: this is called for every page and every step, and an object or a
   * view for each call would show.
   */
  write(
    flush: number,
    input: Uint8Array,
    from: number,
    to: number,
    output: Uint8Array,
    at: number,
  ): boolean {
    const room = output.length - at;
    this.#stream._handle.writeSync(flush, input, from, to - from, output, at, room);
    if (this.failure !== null) {
      this.consumedBytes = 0;
      this.producedBytes = 0;
      return false;
    }
    const state = this.#stream._writeState;
    this.producedBytes = room - (state[0] as number);
    this.consumedBytes = to - from - (state[1] as number);
    return true;
  }

  /** Makes it ready for another stream; also releases what large windows took. */
  reset(): void {
    this.#stream._handle.reset();
  }

  close(): void {
    this.#stream.close();
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
