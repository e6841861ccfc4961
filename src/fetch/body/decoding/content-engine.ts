/**
 * Node's decompressors, driven step by step in this thread: from a range of input to a range of
 * output, both the caller's.
 *
 * The public functions cannot do this. The synchronous ones make a decompressor for every call and
 * throw away what they have when a limit is passed or the input is damaged; the streams go through
 * the thread pool. bench/content-decoding.ts compares the cost: for gzip, deflate and brotli some
 * tenths less than by the synchronous functions, for zstd the same.
 * So this file, and no other, uses what lies below Node's streams: the handle's `writeSync`, the
 * pair of counts it leaves and its `reset`, which have not changed since Node 9 and which image and
 * archive packages build upon too. If a version of Node had them no more, the assertion in the
 * constructor would say so at the first page (docs/adr/0024-body-spool.md).
 */
import assert from "node:assert/strict";
import {
  constants,
  createBrotliDecompress,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

export type EngineKind = "inflate" | "br" | "zstd";

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

/** A frame of zstd that wants a longer window than this is refused (RFC 9659). */
const ZSTD_WINDOW_LOG_MAX = 23;

const MAKE: Readonly<Record<EngineKind, () => unknown>> = {
  inflate: createInflateRaw,
  br: createBrotliDecompress,
  zstd: () =>
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } }),
};

/** The flush that says "no more will come": an unfinished stream is then an error. */
const FINISH: Readonly<Record<EngineKind, number>> = {
  inflate: constants.Z_FINISH,
  br: constants.BROTLI_OPERATION_FINISH,
  zstd: constants.ZSTD_e_end,
};

const GO_ON = 0;
const NO_BYTES = new Uint8Array(0);

export class ContentEngine {
  readonly kind: EngineKind;
  readonly #stream: NativeStream;
  /** What the last `run` took from the input and put into the output. */
  consumedBytes = 0;
  producedBytes = 0;
  /** Why the input cannot be decoded; nothing can be done with the engine afterwards. */
  failure: string | null = null;

  constructor(kind: EngineKind) {
    this.kind = kind;
    const stream = MAKE[kind]();
    assert(isNativeStream(stream), "this version of Node has other decompressors than we know");
    stream._handle.onerror = (message) => {
      this.failure = message;
    };
    this.#stream = stream;
  }

  /** Decodes what it can; false when the input is damaged. What is produced then is lost. */
  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): boolean {
    const room = output.length - at;
    this.#stream._handle.writeSync(GO_ON, input, from, to - from, output, at, room);
    if (this.failure !== null) {
      this.consumedBytes = 0;
      this.producedBytes = 0;
      return false;
    }
    this.producedBytes = room - (this.#stream._writeState[0] ?? 0);
    this.consumedBytes = to - from - (this.#stream._writeState[1] ?? 0);
    return true;
  }

  /** Whether the stream is at its end; to be asked when there is no more input. */
  isComplete(scratch: Uint8Array): boolean {
    if (this.failure !== null) return false;
    const { _handle } = this.#stream;
    _handle.writeSync(FINISH[this.kind], NO_BYTES, 0, 0, scratch, 0, scratch.length);
    return this.failure === null;
  }

  /** Makes it ready for another stream; also lets go of what large windows took. */
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
  if (typeof handle !== "object" || handle === null || !(state instanceof Uint32Array))
    return false;
  return ["writeSync", "reset"].every((name) => typeof Reflect.get(handle, name) === "function");
}

/** Engines at rest: making one for inflate costs more than half of what decoding a page does. */
export class EnginePool {
  readonly #resting: Record<EngineKind, ContentEngine[]> = { inflate: [], br: [], zstd: [] };

  take(kind: EngineKind): ContentEngine {
    return this.#resting[kind].pop() ?? new ContentEngine(kind);
  }

  give(engine: ContentEngine): void {
    const resting = this.#resting[engine.kind];
    // An engine that failed stays failed; one of zstd forgets its limits when it is reset.
    const isSpent = engine.failure !== null || engine.kind === "zstd";
    if (isSpent || resting.length >= RESTING_MAX) engine.close();
    else {
      engine.reset();
      resting.push(engine);
    }
  }
}

const RESTING_MAX = 4;
