/**
 * Unpacks what begins like gzip, and hands on what does not.
 *
 * A decompressor that meets damage loses what its last step gave. So that the same file always gives
 * the same bytes, however it is cut into chunks, steps are of a fixed size, counted from the file's
 * beginning, and each has room for all that it can give. Checksums are not compared: a sitemap with
 * a wrong one is still worth reading.
 */
import { DecompressorPool, GzipStage, type StageState } from "../../base/zlib/index.ts";
import { type ByteSink, FileHead } from "./byte-sink.ts";

const MAGIC_BYTES = 2;
/** Small, since this much of the packed data is lost in front of damage. */
const STEP_BYTES = 16;
/** Deflated data never become longer than by this factor. */
const RATIO_MAX = 1032;
/** Bits of the step before may be decoded with this one. */
const STEP_OUTPUT_BYTES_MAX = (STEP_BYTES + 8) * RATIO_MAX;
const OUTPUT_BYTES = 2 * STEP_OUTPUT_BYTES_MAX;

export class Gunzip implements ByteSink {
  readonly #next: ByteSink;
  readonly #head = new FileHead(MAGIC_BYTES);
  #unpacking: Unpacking | null = null;

  constructor(next: ByteSink) {
    this.#next = next;
  }

  get isGzip(): boolean {
    return this.#unpacking !== null;
  }

  /** The packed data end before they should, or make no sense from some position on. */
  get damaged(): boolean {
    return this.#unpacking?.damaged ?? false;
  }

  push(bytes: Uint8Array): boolean {
    if (this.#head.isOver) return this.#handOn(bytes);
    const start = this.#head.add(bytes, false);
    return start === null ? true : this.#begin(start);
  }

  end(whole: boolean): void {
    const start = this.#head.add(new Uint8Array(0), true);
    if (start !== null) this.#begin(start);
    this.#unpacking?.end();
    this.#next.end(whole && !this.damaged);
  }

  #begin(start: Uint8Array): boolean {
    if (start[0] === 0x1f && start[1] === 0x8b) this.#unpacking = new Unpacking(this.#next);
    return this.#handOn(start);
  }

  #handOn(bytes: Uint8Array): boolean {
    return this.#unpacking === null ? this.#next.push(bytes) : this.#unpacking.push(bytes);
  }
}

class Unpacking {
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

  end(): void {
    if (!this.#isOver) {
      this.#run();
      this.#handOn();
    }
    if (!this.#isOver) this.damaged = !this.#stage.isComplete();
    this.#stage.close();
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
