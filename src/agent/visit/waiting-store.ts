/**
 * The page store as one visit sees it: what finds no room there waits until it does. Nothing is lost
 * while the disk is full or slow, unless the wait is given up.
 */
import { isInternalFault } from "../../base/errors/index.ts";
import type { CrawlLine, FetchedPage, PageStore, StoredPage } from "../../store/archive/index.ts";

/** Longer bodies are compressed in pieces; this many bytes take some milliseconds. */
const STORED_AT_ONCE_BYTES_MAX = 512 * 1024;

export class WaitingStore {
  readonly #store: PageStore;
  readonly #guard: (work: () => void) => void;
  /** Set while something waits; called when that is given up. */
  #givenUp: (() => void) | null = null;

  /** Everything that happens later runs in `guard`. */
  constructor(store: PageStore, guard: (work: () => void) => void) {
    this.#store = store;
    this.#guard = guard;
  }

  /** Either is called once; `stored` with null if the body lay on disk and cannot be read back. */
  store(page: FetchedPage, stored: (stored: StoredPage | null) => void, givenUp: () => void): void {
    const { bytes, lengthBytes } = page.body;
    const wait = (): void =>
      this.whenRoom(this.#store, () => this.store(page, stored, givenUp), givenUp);
    if (bytes !== null && lengthBytes <= STORED_AT_ONCE_BYTES_MAX) {
      const taken = this.#store.tryStore(page);
      if (taken === null) wait();
      else stored(taken);
      return;
    }
    this.#store.storeSpooled(page, (error, taken) =>
      this.#guard(() => {
        if (error === null) stored(taken);
        else if (isInternalFault(error)) throw error;
        else if (this.#store.trouble !== null) wait();
        else stored(null);
      }),
    );
  }

  log(line: CrawlLine, logged: () => void, givenUp: () => void): void {
    if (this.#store.tryLog(line)) logged();
    else this.whenRoom(this.#store, () => this.log(line, logged, givenUp), givenUp);
  }

  /** Calls `again` when there is room at `place`, or `givenUp` if the wait is given up before. */
  whenRoom(
    place: { whenRoom(callback: () => void): void },
    again: () => void,
    givenUp: () => void,
  ): void {
    this.#givenUp = givenUp;
    place.whenRoom(() => {
      if (this.#givenUp === null) return;
      this.#givenUp = null;
      this.#guard(again);
    });
  }

  giveUp(): void {
    const givenUp = this.#givenUp;
    this.#givenUp = null;
    givenUp?.();
  }

  /** The visit ends in another way: neither callback is called. */
  stopWaiting(): void {
    this.#givenUp = null;
  }
}
