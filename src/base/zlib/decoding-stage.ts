/**
 * A stage of decoding: bytes of one coding in, bytes out, in ranges that the caller chooses. Stages
 * hold no input and no output of their own, so the caller decides how much happens in one turn and
 * how much may come out.
 */
import type { CompressionKind, Decompressor, DecompressorPool } from "./decompressor.ts";

/**
 * `hungry`: all input was taken. `full`: there is no room left in the output, and more may come
 * without more input. `over`: the content is complete, whatever input may follow. `damaged`: the
 * input makes no sense from here on. `flooded`: more came out half-way than may.
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

/** One compressed stream without anything around it. */
export class StreamStage implements DecodingStage {
  readonly #decompressors: DecompressorPool;
  readonly #decompressor: Decompressor;
  readonly #stepBytes: number;
  consumedBytes = 0;
  producedBytes = 0;

  constructor(kind: CompressionKind, options: StageOptions) {
    this.#decompressors = options.decompressors;
    this.#decompressor = options.decompressors.take(kind);
    this.#stepBytes = options.stepBytes;
  }

  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState {
    const decompressor = this.#decompressor;
    let inputAt = from;
    let outputAt = at;
    let state: StageState | null = null;
    while (state === null) {
      const stepTo = Math.min(to, inputAt + this.#stepBytes);
      const isWell = decompressor.run(input, inputAt, stepTo, output, outputAt);
      const { consumedBytes, producedBytes } = decompressor;
      inputAt += consumedBytes;
      outputAt += producedBytes;
      if (!isWell) state = "damaged";
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
    return this.#decompressor.isComplete();
  }

  /** Another stream follows. */
  reset(): void {
    this.#decompressor.reset();
  }

  close(): void {
    this.#decompressors.give(this.#decompressor);
  }
}
