/**
 * A stage of decoding: bytes of one coding in, bytes out, in ranges that the caller chooses. Stages
 * hold no input and no output of their own, so the caller decides how much happens in one turn and
 * how much may come out.
 */
import { constants } from "node:zlib";
import type { CompressionKind, DecompressorPool } from "./decompressor-pool.ts";
import type { ZlibHandle } from "./zlib-handle.ts";

/**
 * `hungry`: all input was taken. `full`: there is no room left in the output, and more may come
 * without more input. `over`: the content is complete, whatever input may follow. `damaged`: the
 * input cannot be decoded from here on. `flooded`: an inner coding produced more than its limit.
 */
export type StageState = "hungry" | "full" | "over" | "damaged" | "flooded";

export interface DecodingStage {
  /** What the last `run` took from the input and put into the output. */
  readonly consumedBytes: number;
  readonly producedBytes: number;

  /** Goes on until one of the states is reached. */
  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState;

  /** No more input will come, and the last state was `hungry`: true if the content is complete. */
  isComplete(): boolean;

  close(): void;
}

export interface StageOptions {
  readonly decompressors: DecompressorPool;
  /** Decompressors get the input in steps of this: when one fails, only its step is lost. */
  readonly stepBytes: number;
}

const GO_ON = 0;

/** The flush that says "no more will come": an unfinished stream is then an error. */
const FINISH: Readonly<Record<CompressionKind, number>> = {
  inflate: constants.Z_FINISH,
  br: constants.BROTLI_OPERATION_FINISH,
  zstd: constants.ZSTD_e_end,
};

const NO_BYTES = new Uint8Array(0);
/** Where the end of a stream would go; nothing comes, since all output was taken before. */
const PROBE = new Uint8Array(16);

/** One compressed stream without anything around it. */
export class StreamStage implements DecodingStage {
  readonly #kind: CompressionKind;
  readonly #decompressors: DecompressorPool;
  readonly #handle: ZlibHandle;
  readonly #stepBytes: number;
  consumedBytes = 0;
  producedBytes = 0;

  constructor(kind: CompressionKind, options: StageOptions) {
    this.#kind = kind;
    this.#decompressors = options.decompressors;
    this.#handle = options.decompressors.take(kind);
    this.#stepBytes = options.stepBytes;
  }

  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState {
    const handle = this.#handle;
    let inputAt = from;
    let outputAt = at;
    let state: StageState | null = null;
    while (state === null) {
      const stepTo = Math.min(to, inputAt + this.#stepBytes);
      const isGood = handle.write(GO_ON, input, inputAt, stepTo, output, outputAt);
      const { consumedBytes, producedBytes } = handle;
      inputAt += consumedBytes;
      outputAt += producedBytes;
      if (!isGood) state = "damaged";
      else if (outputAt === output.length) state = "full";
      else if (inputAt === to) state = "hungry";
      // There is input and room, and yet nothing happens: the stream has ended.
      else if (consumedBytes + producedBytes === 0) state = "over";
    }
    this.consumedBytes = inputAt - from;
    this.producedBytes = outputAt - at;
    return state;
  }

  isComplete(): boolean {
    const handle = this.#handle;
    return handle.failure === null && handle.write(FINISH[this.#kind], NO_BYTES, 0, 0, PROBE, 0);
  }

  /** Another stream follows. */
  reset(): void {
    this.#handle.reset();
  }

  close(): void {
    this.#decompressors.give(this.#kind, this.#handle);
  }
}
