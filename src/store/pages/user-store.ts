/** The contract of stores of users: what they are given, and what is asked of them. */
import type { Header } from "../../base/seams/index.ts";
import type { PageRow } from "../export/index.ts";

/** In what a page repeats another: its body, its text without markup, or nearly that. */
export type Duplication = "payload" | "text" | "near";

/** A page as a store gets it: the fields of "a page as JSON", and its content. */
export interface StorePage extends Omit<PageRow, "headers" | "body"> {
  /** In what it repeats an earlier page (`duplicateOf`, `nearDuplicateOf`); null if in nothing. */
  readonly duplicate: Duplication | null;
  /** As they came; none if there was no answer. */
  readonly headers: readonly Header[];
  /**
   * The content without its encodings, until `put` has settled; null if there is none, or the page asks
   * not to be archived.
   */
  body(): Promise<Uint8Array | null>;
}

export interface UserStore {
  /** Whether pages have their text, and their links. Neither unless said so. */
  readonly text?: boolean;
  readonly links?: boolean;
  /**
   * Takes a page, each one once; after a crash some of them again, so taking one twice must be harmless.
   * While the promise is pending the page is held, and up to 64 are: a slow store makes a slow crawl. If
   * it throws or rejects, the crawl ends with `STORE_FAILED`; so a store that can wait should do so.
   */
  put(page: StorePage): void | Promise<void>;
  /** Called every `store.checkpoint` and at the end: resolves when all that was put is durable. */
  flush?(): void | Promise<void>;
  /** Called once, after the last page and a flush. */
  close?(): void | Promise<void>;
}

/** What `createStore` is given. */
export interface UserStoreOptions {
  /** The crawl directory. */
  readonly folder: string;
  /** `store.prefix`, or the crawl's name. */
  readonly name: string;
}

export type CreateStore = (options: UserStoreOptions) => UserStore | Promise<UserStore>;
