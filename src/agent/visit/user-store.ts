/**
 * Stores of users: modules that `store.kind` names, or objects of a program. Such a module exports
 * `createStore(options)`, which gives an object with `put(page)`, and perhaps `flush()` and `close()`.
 * The crawl log, the page index and the link graph are kept as with WARC files; only the pages
 * themselves go to the store.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Header } from "../../base/seams/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import type {
  CreateStore,
  Duplication,
  StorePage,
  UserStore,
  UserStoreOptions,
} from "../../store/pages/index.ts";
import { type ProviderDefinition, promised } from "../../topology/unit/index.ts";
import { readAll } from "./answer-reading.ts";
import type { EndedPage, PageKeeper } from "./page-keeper.ts";
import { type RowFields, withFields } from "./visit-row.ts";

type ImportModule = (name: string) => Promise<Readonly<Record<string, unknown>>>;

/** A module is one of the two: it makes stores of pages, or takes the place of archive and crawl log. */
export type LoadedStore =
  | { readonly kind: "pages"; readonly create: CreateStore }
  | { readonly kind: "provider"; readonly definition: ProviderDefinition };

/** Rejects with `STORE_INVALID`. Nothing is opened yet. */
export async function loadStore(module: string, importModule: ImportModule): Promise<LoadedStore> {
  try {
    const exported = await importModule(module);
    const { createStore } = exported;
    if (typeof createStore === "function") {
      return { kind: "pages", create: createStore as CreateStore };
    }
    const definition = Object.values(exported).find(isStoreProvider);
    if (definition !== undefined) return { kind: "provider", definition };
    throw new Error("it exports no function createStore, and no provider of the role store");
  } catch (error) {
    throw unusable(module, thrownReason(error), error);
  }
}

function isStoreProvider(value: unknown): value is ProviderDefinition {
  if (typeof value !== "object" || value === null) return false;
  const { kind, provides } = value as Partial<ProviderDefinition>;
  return kind === "provider" && provides?.name === "store";
}

export async function openUserStore(
  module: string,
  loaded: LoadedStore,
  options: UserStoreOptions,
): Promise<UserStore> {
  let store: unknown;
  try {
    if (loaded.kind === "provider") throw new Error("it exports no function createStore");
    store = await loaded.create(options);
  } catch (error) {
    throw unusable(module, thrownReason(error), error);
  }
  if (isStore(store)) return store;
  throw unusable(module, "what createStore returned has no method put");
}

function isStore(value: unknown): value is UserStore {
  return typeof value === "object" && value !== null && "put" in value && isFunction(value.put);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function unusable(module: string, reason: string, cause?: unknown): CrawlError {
  const message =
    `store.kind names the module ${module}, which cannot be used: ${reason}. ` +
    "A store is a module that exports createStore(options), which returns an object with " +
    "put(page); docs/stores.md has an example. The other kinds are warc and jsonl.";
  return new CrawlError("STORE_INVALID", message, { module }, cause);
}

/** Pages that may be put and not yet taken before no more are begun. */
const HELD_MAX = 32;

export interface UserStoreKeeperOptions {
  /** As the user named it. */
  readonly name: string;
  readonly store: UserStore;
  /** Called once, if the store fails. */
  readonly failed: (error: CrawlError) => void;
}

export class UserStoreKeeper implements PageKeeper {
  readonly fields: RowFields;
  readonly needsBodies = true;
  readonly #options: UserStoreKeeperOptions;
  readonly #waiting: (() => void)[] = [];
  #held = 0;
  #failure: CrawlError | null = null;

  constructor(options: UserStoreKeeperOptions) {
    const { text = false, links = false } = options.store;
    this.fields = { text, links };
    this.#options = options;
  }

  get hasRoom(): boolean {
    return this.#held < HELD_MAX;
  }

  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
  }

  /** What the user's filter refused is not given to the store. */
  keep(ended: EndedPage): Promise<void> | null {
    if (ended.keep === "nothing" || this.#failure !== null) return null;
    const page = new Given(ended, this.fields);
    try {
      const taking = promised(this.#options.store.put(page as unknown as StorePage));
      if (taking !== null) return this.#hold(page, taking);
    } catch (thrown) {
      this.#fail(thrown);
    }
    page.isOver = true;
    return null;
  }

  flush(done: Acknowledge): void {
    if (this.#failure === null) this.#ask(() => this.#options.store.flush?.(), done);
    else done(this.#failure);
  }

  close(done: Acknowledge): void {
    this.#ask(() => this.#options.store.close?.(), done);
  }

  /** A store of a user is waited for. */
  abandon(): void {}

  async #hold(page: Given, taking: Promise<unknown>): Promise<void> {
    this.#held += 1;
    try {
      await taking;
    } catch (thrown) {
      this.#fail(thrown);
    }
    page.isOver = true;
    this.#held -= 1;
    if (this.hasRoom) for (const callback of this.#waiting.splice(0)) callback();
  }

  #ask(work: () => unknown, done: Acknowledge): void {
    void (async () => await work())().then(
      () => done(null),
      (thrown) => done(this.#fail(thrown)),
    );
  }

  #fail(thrown: unknown): CrawlError {
    if (this.#failure !== null) return this.#failure;
    const { name, failed } = this.#options;
    const message =
      `The store ${name} failed: ${thrownReason(thrown)}. The crawl ends, since pages would be ` +
      "lost; a store that can wait for better times should do so.";
    this.#failure = new CrawlError("STORE_FAILED", message, { store: name }, thrown);
    failed(this.#failure);
    return this.#failure;
  }
}

/** The page that a store is given. JSON shows its fields. */
class Given {
  readonly duplicate: Duplication | null;
  readonly headers: readonly Header[];
  readonly #ended: EndedPage;
  #isOver = false;

  constructor(ended: EndedPage, fields: RowFields) {
    const { row, parsed, keep } = ended;
    Object.assign(this, withFields(row, keep === "whole" ? parsed : null, fields));
    this.duplicate = ended.duplicate;
    this.headers = ended.headers;
    this.#ended = ended;
  }

  set isOver(isOver: boolean) {
    this.#isOver = isOver;
  }

  body(): Promise<Uint8Array | null> {
    const { body, keep } = this.#ended;
    if (this.#isOver || body === null || keep !== "whole") return Promise.resolve(null);
    return new Promise((resolve) => readAll(body, body.lengthBytes, resolve));
  }
}
