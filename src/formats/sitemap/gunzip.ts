/**
 * Decompresses data that begins like gzip, and passes everything else on as it is.
 *
 * A decompressor that meets damage loses the output of its last step. So that the same file always
 * gives the same bytes, however it is cut into chunks, steps have a fixed size, counted from the
 * beginning of the file, and each has room for its largest possible output. Checksums are not
 * compared: a sitemap with a wrong one is still worth reading.
 */
import { DecompressorPool, GzipStage, type StageState } from "../../base/zlib/index.ts";
import { type ByteSink, ChoosingSink } from "./byte-sink.ts";

const MAGIC_BYTES = 2;
/** Small, since up to this much compressed data before any damage is lost. */
const STEP_BYTES = 16;
/** Deflate never expands to more than this many times its size. */
const RATIO_MAX = 1032;
/** Bits left over from the previous step may be decoded in this one. */
const STEP_OUTPUT_BYTES_MAX = (STEP_BYTES + 8) * RATIO_MAX;
const OUTPUT_BYTES = 2 * STEP_OUTPUT_BYTES_MAX;

export class Gunzip implements ByteSink {
  readonly #stage: ChoosingSink;
  #unpacking: Unpacking | null = null;

  constructor(next: ByteSink) {
    this.#stage = new ChoosingSink(MAGIC_BYTES, ([first, second]) => {
      if (first !== 0x1f || second !== 0x8b) return next;
      this.#unpacking = new Unpacking(next);
      return this.#unpacking;
    });
  }

  /** The compressed data ends too early, or is invalid from some position on. */
  get damaged(): boolean {
    return this.#unpacking?.damaged ?? false;
  }

  push(bytes: Uint8Array): boolean {
    return this.#stage.push(bytes);
  }

  end(whole: boolean): void {
    this.#stage.end(whole);
  }
}

class Unpacking implements ByteSink {
  readonly #next: ByteSink;
  readonly #stage = new GzipStage(
    { decompressors: new DecompressorPool(0), stepBytes: STEP_BYTES },
    "ignored",
  );
  readonly #step = new Uint8Array(STEP_BYTES);
  #stepLength = 0;
  readonly #output = new Uint8Array(OUTPUT_BYTES);
  #outputLength = 0;
  #isOver = false;
  damaged = false;

  constructor(next: ByteSink) {
    this.#next = next;
  }

  push(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length && !this.#isOver; ) {
      const count = Math.min(chunk.length - at, STEP_BYTES - this.#stepLength);
      this.#step.set(chunk.subarray(at, at + count), this.#stepLength);
      this.#stepLength += count;
      at += count;
      if (this.#stepLength === STEP_BYTES) this.#run();
    }
    this.#handOn();
    return !this.#isOver;
  }

  end(whole: boolean): void {
    if (!this.#isOver) {
      this.#run();
      this.#handOn();
    }
    if (!this.#isOver) this.damaged = !this.#stage.isComplete();
    this.#stage.close();
    this.#next.end(whole && !this.damaged);
  }

  #run(): void {
    const length = this.#stepLength;
    this.#stepLength = 0;
    for (let at = 0, state: StageState = "full"; state === "full"; ) {
      if (this.#output.length - this.#outputLength < STEP_OUTPUT_BYTES_MAX) this.#handOn();
      if (this.#isOver) return;
      state = this.#stage.run(this.#step, at, length, this.#output, this.#outputLength);
      at += this.#stage.consumedBytes;
      this.#outputLength += this.#stage.producedBytes;
      if (state === "damaged") this.damaged = true;
      if (state === "damaged" || state === "over") this.#isOver = true;
    }
  }

  #handOn(): void {
    const bytes = this.#output.subarray(0, this.#outputLength);
    this.#outputLength = 0;
    if (bytes.length > 0 && !this.#next.push(bytes)) this.#isOver = true;
  }
}
