/**
 * The temporary file of a body that does not fit in memory. It is created with the first bytes and
 * removed by `discard`; files left by a killed process are removed when the spool is opened.
 * Nothing is ever synced: after a crash these bytes are not needed.
 */
import assert from "node:assert/strict";
import type { Acknowledge, Done, FileName, Storage, StorageFile } from "../../base/seams/index.ts";

export class BodyFile {
  readonly #storage: Storage;
  readonly #name: FileName;
  #file: StorageFile | null = null;
  #isOpening = false;
  #isDiscarded = false;

  constructor(storage: Storage, name: FileName) {
    this.#storage = storage;
    this.#name = name;
  }

  /** The chunks must not change until `done`; the next append may begin only after it. */
  append(chunks: readonly Uint8Array[], done: Acknowledge): void {
    assert(!this.#isOpening && !this.#isDiscarded, "appends to a body's file do not overlap");
    if (this.#file === null) this.#appendFirst(chunks, done);
    else this.#file.append(chunks, done);
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    assert(this.#file !== null && !this.#isDiscarded, "a body's file is there while it is read");
    this.#file.read(offset, lengthBytes, done);
  }

  /** Removes the file when the calls under way have ended. */
  discard(): void {
    assert(!this.#isDiscarded, "a body's file is discarded once");
    this.#isDiscarded = true;
    if (this.#file !== null) this.#remove(this.#file);
  }

  #appendFirst(chunks: readonly Uint8Array[], done: Acknowledge): void {
    this.#isOpening = true;
    this.#storage.open(this.#name, (error, file) => {
      this.#isOpening = false;
      if (error !== null) return done(error);
      this.#file = file;
      file.append(chunks, done);
      if (this.#isDiscarded) this.#remove(file);
    });
  }

  /** A file that cannot be removed now is removed when the spool is next opened. */
  #remove(file: StorageFile): void {
    file.close(() => this.#storage.remove(this.#name, () => undefined));
  }
}
