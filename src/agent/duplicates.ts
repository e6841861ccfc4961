/**
 * Is this page one that we have already? Three answers, from the surest on: the same payload, the
 * same text but for what varies from day to day, nearly the same text.
 */
import type { NearIndex, PageId } from "../digest/index.ts";
import type { ParsedPage } from "../parse/index.ts";
import { DigestTable } from "./digest-table.ts";

export type Duplicate =
  | { readonly kind: "none" | "text" | "near" }
  | { readonly kind: "payload"; readonly of: string };

export interface DuplicatesOptions {
  /** The URL of the page whose archived body has this SHA-1, if there is one. */
  readonly originalOf: (sha1: Uint8Array) => string | null;
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
  readonly #stripped = new DigestTable();
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
    if (stripped !== null && !this.#isNewText(stripped.high, stripped.low, id)) {
      answered(TEXT);
      return;
    }
    if (near === null || this.#options.near === null) answered(NONE);
    else this.#seekNear(this.#options.near, { ...near, id }, answered);
  }

  #isNewText(high: number, low: number, id: PageId): boolean {
    if (this.#stripped.get(high, low) !== null) return false;
    this.#stripped.set(high, low, id);
    return true;
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
