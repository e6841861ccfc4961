/**
 * Is this page one that we have already? Three answers, from the surest on: the same payload, the
 * same text but for what varies from day to day, nearly the same text.
 */
import type { NearIndex, PageId } from "../digest/index.ts";
import type { CrawlError } from "../errors/index.ts";
import type { ParsedPage } from "../parse/index.ts";
import type { KeyTable } from "../runs/index.ts";

export type Duplicate =
  | { readonly kind: "none" | "text" | "near" }
  | { readonly kind: "payload"; readonly of: string };

export interface DuplicatesOptions {
  /** The URL of the page whose archived body has this SHA-1, if there is one. */
  readonly originalOf: (sha1: Uint8Array) => string | null;
  /** Digests of stripped pages. */
  readonly texts: KeyTable;
  /** Told of a look-up that failed; its page counts as new. */
  readonly failed: (error: CrawlError) => void;
  /** Null when near duplicates are not looked for. */
  readonly near: NearIndex | null;
  /** Bits in which the SimHashes of near duplicates may differ. */
  readonly distance: number;
}

const NONE: Duplicate = { kind: "none" };
const TEXT: Duplicate = { kind: "text" };
const NEAR: Duplicate = { kind: "near" };

export class Duplicates {
  readonly #options: DuplicatesOptions;
  #pages = 0;

  constructor(options: DuplicatesOptions) {
    this.#options = options;
  }

  /** Answers inside the call unless the disk must be asked. The page counts as seen afterwards. */
  seek(parsed: ParsedPage, url: string, answered: (found: Duplicate) => void): void {
    const { stripped, near, payloadSha1 } = parsed;
    const id = this.#pages;
    this.#pages += 1;
    const original = this.#options.originalOf(payloadSha1);
    if (original !== null && original !== url) {
      answered({ kind: "payload", of: original });
      return;
    }
    const goOn = (): void => {
      if (near === null || this.#options.near === null) answered(NONE);
      else this.#seekNear(this.#options.near, { ...near, id }, answered);
    };
    if (stripped === null) goOn();
    else this.#meetText(stripped.high, stripped.low, (isNew) => (isNew ? goOn() : answered(TEXT)));
  }

  /** The text counts as met from the call on, so of two pages that come together one is new. */
  #meetText(high: number, low: number, answered: (isNew: boolean) => void): void {
    const { texts, failed } = this.#options;
    if (texts.recall(high, low) >= 0) {
      answered(false);
      return;
    }
    const mayFind = texts.mayFind(high, low);
    texts.set(high, low, 0);
    if (!mayFind) answered(true);
    else {
      texts.find(high, low, (error, found) => {
        if (error !== null) failed(error);
        answered(error !== null || found < 0);
      });
    }
  }

  #seekNear(
    index: NearIndex,
    entry: { readonly high: number; readonly low: number; readonly id: PageId },
    answered: (found: Duplicate) => void,
  ): void {
    const { distance } = this.#options;
    const sighting = index.find({ high: entry.high, low: entry.low, distance }, (_error, id) => {
      this.#add(index, entry);
      answered(id === undefined || id === null ? NONE : NEAR);
    });
    if (sighting.kind === "pending") return;
    this.#add(index, entry);
    answered(sighting.kind === "near" ? NEAR : NONE);
  }

  /** When too much waits to be written, the entry is added as soon as that has been. */
  #add(index: NearIndex, entry: { high: number; low: number; id: PageId }): void {
    if (index.tryAdd(entry)) return;
    index.commit((error) => {
      if (error === null) this.#add(index, entry);
    });
  }
}
