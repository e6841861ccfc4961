/**
 * Keeps the state of an agent durable. Changes that come while the file is being written share the next
 * write. Nothing that depends on a change is said before `whenSaved` has answered (D1); if the disk is
 * full or fails, that takes as long as it takes, and is told once.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, FileName, Storage } from "../../base/seams/index.ts";

export interface StateFileParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly name: FileName;
  /** How long to wait after a failed write. */
  readonly retryMs: number;
  /** What is to be written. */
  readonly bytes: () => Uint8Array;
  readonly trouble: (error: CrawlError) => void;
}

export class StateFile {
  readonly #parts: StateFileParts;
  /** Those who wait for the write under way, and for the one after it. */
  #current: (() => void)[] = [];
  #next: (() => void)[] = [];
  #isWriting = false;
  #isDirty = false;
  #isClosed = false;
  #told: string | null = null;

  constructor(parts: StateFileParts) {
    this.#parts = parts;
  }

  /** The state has changed: it is written as soon as possible. */
  changed(): void {
    this.#isDirty = true;
    this.#write();
  }

  /** Calls back when everything that has changed before is durable: perhaps at once. */
  whenSaved(saved: () => void): void {
    if (this.#isDirty) this.#next.push(saved);
    else if (this.#isWriting) this.#current.push(saved);
    else saved();
  }

  /** Nothing is written any more, and nobody called back. */
  close(): void {
    this.#isClosed = true;
    this.#current = [];
    this.#next = [];
  }

  #write(): void {
    if (this.#isWriting || this.#isClosed) return;
    const { storage, name, bytes } = this.#parts;
    this.#isWriting = true;
    this.#isDirty = false;
    this.#current = this.#next;
    this.#next = [];
    storage.replace(name, bytes(), (error) => {
      if (this.#isClosed) return;
      if (error !== null) this.#fail(error);
      else this.#succeed();
    });
  }

  #succeed(): void {
    const saved = this.#current;
    this.#current = [];
    this.#isWriting = false;
    this.#told = null;
    if (this.#isDirty) this.#write();
    for (const call of saved) call();
  }

  #fail(error: CrawlError): void {
    const { clock, retryMs, trouble } = this.#parts;
    this.#isDirty = true;
    this.#next = [...this.#current, ...this.#next];
    this.#current = [];
    if (this.#told !== error.code) trouble(error);
    this.#told = error.code;
    // No other write begins until then.
    clock.after(retryMs, () => {
      this.#isWriting = false;
      this.#write();
    });
  }
}
