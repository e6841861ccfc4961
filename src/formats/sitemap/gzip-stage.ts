/** Unpacks what begins like gzip, and hands on what does not. */
import { type ByteSink, FileHead } from "./byte-sink.ts";
import { Gunzip } from "./gunzip.ts";

const MAGIC_BYTES = 2;

export class GzipStage implements ByteSink {
  readonly #next: ByteSink;
  readonly #head = new FileHead(MAGIC_BYTES);
  #gunzip: Gunzip | null = null;

  constructor(next: ByteSink) {
    this.#next = next;
  }

  get isGzip(): boolean {
    return this.#gunzip !== null;
  }

  get damaged(): boolean {
    return this.#gunzip?.damaged ?? false;
  }

  push(bytes: Uint8Array): boolean {
    if (this.#head.isOver) return this.#handOn(bytes);
    const start = this.#head.add(bytes, false);
    return start === null ? true : this.#begin(start);
  }

  end(whole: boolean): void {
    const start = this.#head.add(new Uint8Array(0), true);
    if (start !== null) this.#begin(start);
    this.#gunzip?.end();
    this.#next.end(whole && !this.damaged);
  }

  #begin(start: Uint8Array): boolean {
    if (start[0] === 0x1f && start[1] === 0x8b) {
      this.#gunzip = new Gunzip((bytes) => this.#next.push(bytes));
    }
    return this.#handOn(start);
  }

  #handOn(bytes: Uint8Array): boolean {
    return this.#gunzip === null ? this.#next.push(bytes) : this.#gunzip.push(bytes);
  }
}
