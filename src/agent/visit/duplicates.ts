/**
 * Whether a page was seen before, in three ways, the surest first: the same payload, the same text
 * except for what varies from day to day, nearly the same text.
 */
import assert from "node:assert/strict";
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import type { KeyTable } from "../../base/runs/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import type { NearEntry, NearIndex } from "../../parse/near/index.ts";
import type { Digest64, ParsedPage } from "../../parse/page/index.ts";

export type Duplicate =
  | { readonly kind: "none" | "text" | "near" }
  | { readonly kind: "payload"; readonly of: string };

export interface DuplicatesOptions {
  /** The URL of the page whose archived body has this SHA-1, if there is one. */
  readonly originalOf: (sha1: Uint8Array) => string | null;
  /** Digests of stripped pages; closed here. */
  readonly texts: KeyTable;
  /** Called when a look-up fails; its page counts as new. */
  readonly failed: (error: CrawlError) => void;
  /** Null when near duplicates are not looked for; closed here. */
  readonly near: NearPages | null;
  /** Called once if the index of near duplicates fails; from then on fewer are found. */
  readonly nearFailed: (error: CrawlError) => void;
  /** The most bits in which SimHashes of near duplicates differ. */
  readonly distance: number;
}

/** What is asked of the index of near duplicates. */
export type NearPages = Pick<NearIndex, "find" | "tryAdd" | "retry" | "drain" | "close">;

/** The barrier of the current page. */
type Guard = (work: () => void) => void;

const NONE: Duplicate = { kind: "none" };
const TEXT: Duplicate = { kind: "text" };
const NEAR: Duplicate = { kind: "near" };

export class Duplicates {
  readonly #options: DuplicatesOptions;
  #pages = 0;
  #hasReportedNear = false;

  constructor(options: DuplicatesOptions) {
    this.#options = options;
  }

  /**
   * Answers inside the call unless the disk must be read; everything that happens later runs in
   * `guard`. The page counts as seen afterwards.
   */
  seek(parsed: ParsedPage, url: string, guard: Guard, answered: (found: Duplicate) => void): void {
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
      else this.#seekNear({ ...near, id }, guard, answered);
    };
    if (stripped === null) goOn();
    else this.#seeText(stripped, guard, (isNew) => (isNew ? goOn() : answered(TEXT)));
  }

  /** Tries again what could not be written. */
  retry(): void {
    const { near, texts } = this.#options;
    texts.retry();
    near?.retry();
  }

  close(done: Acknowledge): void {
    const { near, texts } = this.#options;
    texts.close((textsError) => {
      if (near === null) done(textsError);
      else near.close((error) => done(textsError ?? error));
    });
  }

  /** The text counts as seen from the call on, so of two pages at the same time one is new. */
  #seeText({ high, low }: Digest64, guard: Guard, answered: (isNew: boolean) => void): void {
    const { texts, failed } = this.#options;
    if (texts.recall(high, low) >= 0) {
      answered(false);
      return;
    }
    const mayFind = texts.mayFind(high, low);
    texts.set(high, low, 0);
    if (!mayFind) answered(true);
    else {
      texts.find(high, low, (error, found) =>
        guard(() => {
          if (error !== null) failed(error);
          answered(error !== null || found < 0);
        }),
      );
    }
  }

  #seekNear(entry: NearEntry, guard: Guard, answered: (found: Duplicate) => void): void {
    const { distance, near } = this.#options;
    assert(near !== null, "near duplicates are sought where there is an index of them");
    const { high, low } = entry;
    const sighting = near.find({ high, low, distance }, (error, id) =>
      guard(() => {
        if (error !== null) this.#reportNear(error);
        this.#add(near, entry);
        answered(id === undefined || id === null ? NONE : NEAR);
      }),
    );
    if (sighting.kind === "pending") return;
    this.#add(near, entry);
    answered(sighting.kind === "near" ? NEAR : NONE);
  }

  /**
   * If too much waits to be written, the entry is added afterwards; if there is no room even then, it
   * is left out, and later pages are not found to be near duplicates of it.
   */
  #add(near: NearPages, entry: NearEntry): void {
    if (near.tryAdd(entry)) return;
    near.retry();
    near.drain(() => this.#addLate(near, entry));
  }

  /** The page may have ended by now, so what is thrown here belongs to the index. */
  #addLate(near: NearPages, entry: NearEntry): void {
    try {
      near.tryAdd(entry);
    } catch (thrown) {
      const what = "the index of near duplicates";
      this.#reportNear(faultOf(thrown, { code: "INTERNAL_DUPLICATES", what, isOver: false }));
    }
  }

  #reportNear(error: CrawlError): void {
    if (this.#hasReportedNear) return;
    this.#hasReportedNear = true;
    this.#options.nearFailed(error);
  }
}
