/**
 * The page store as one visit sees it: what finds no room there waits until it does. Nothing is lost
 * while the disk is full or slow, unless the wait is given up.
 */
import { isInternalFault } from "../../base/errors/index.ts";
import type { CrawlLine, FetchedPage, PageStore, StoredPage } from "../../store/archive/index.ts";
import type { RoomWait } from "./room-wait.ts";

/**
 * Where a crawl keeps what it fetched, robots.txt too: all that it asks of the provider `store`, which
 * also opens and closes it. `tryStore` gets pages whose body is in memory, `storeSpooled` the others;
 * both log what they take. Nothing is taken while there is no room; `whenRoom` calls back when there is.
 */
export type Store = Pick<
  PageStore,
  | ("hasRoom" | "trouble" | "whenRoom" | "originalOf")
  | ("tryStore" | "storeSpooled" | "tryLog")
  | ("commit" | "flush")
> &
  /** For a store with a crawl log, from which an index of its pages can be made again. */
  Partial<Pick<PageStore, "commitLines" | "linesEnd" | "mark">> &
  /** For a store that can be replayed, of the answers that it does not keep too. */
  Partial<Pick<PageStore, "wantsAnswer" | "keepAnswer" | "saved" | "recorded" | "cuts">> &
  /** For a store that wants the links of pages. */
  Partial<Pick<PageStore, "wantsOutlinks">> & {
    /** For a store that has to ask whether a body was stored before: called before a page is stored. */
    claim?(page: FetchedPage, claimed: () => void): void;
  };

/** Longer bodies are compressed in pieces; this many bytes take some milliseconds. */
const STORED_AT_ONCE_BYTES_MAX = 512 * 1024;

export class WaitingStore {
  readonly #store: Store;
  readonly #wait: RoomWait;

  constructor(store: Store, wait: RoomWait) {
    this.#store = store;
    this.#wait = wait;
  }

  /** Either is called once; `stored` with null if the body lay on disk and cannot be read back. */
  store(page: FetchedPage, stored: (stored: StoredPage | null) => void, givenUp: () => void): void {
    if (this.#store.wantsAnswer?.(page) === true) {
      this.#keepAnswer(page, () => this.#claim(page, stored, givenUp), givenUp);
    } else this.#claim(page, stored, givenUp);
  }

  #claim(
    page: FetchedPage,
    stored: (stored: StoredPage | null) => void,
    givenUp: () => void,
  ): void {
    const store = (): void => this.#put(page, stored, givenUp);
    if (this.#store.claim === undefined) store();
    else this.#store.claim(page, () => this.#wait.guard(store));
  }

  /** It is safe before there is a line that tells of the page. */
  #keepAnswer(page: FetchedPage, kept: () => void, givenUp: () => void): void {
    this.#store.keepAnswer?.(page, (error) =>
      this.#wait.guard(() => {
        if (error === null) kept();
        else if (isInternalFault(error)) throw error;
        else {
          const again = (): void => this.#keepAnswer(page, kept, givenUp);
          this.#wait.whenRoom(this.#store, again, givenUp);
        }
      }),
    );
  }

  #put(page: FetchedPage, stored: (stored: StoredPage | null) => void, givenUp: () => void): void {
    const { bytes, lengthBytes } = page.body;
    const wait = (): void =>
      this.#wait.whenRoom(this.#store, () => this.store(page, stored, givenUp), givenUp);
    if (bytes !== null && lengthBytes <= STORED_AT_ONCE_BYTES_MAX) {
      const taken = this.#store.tryStore(page);
      if (taken === null) wait();
      else stored(taken);
      return;
    }
    this.#store.storeSpooled(page, (error, taken) =>
      this.#wait.guard(() => {
        if (error === null) stored(taken);
        else if (isInternalFault(error)) throw error;
        else if (this.#store.trouble !== null) wait();
        else stored(null);
      }),
    );
  }

  log(line: CrawlLine, logged: () => void, givenUp: () => void): void {
    if (this.#store.tryLog(line)) logged();
    else this.#wait.whenRoom(this.#store, () => this.log(line, logged, givenUp), givenUp);
  }
}
