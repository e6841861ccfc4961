/**
 * Both digests of one page, fed by one pass over it. They are used for one page at a time; a lane may
 * need several, since pages on disk are read while others are parsed.
 */

import type { PageSink } from "../../formats/html/index.ts";
import { type KeyedBlocks, SimHash, StrippedDigest } from "../digest/index.ts";
import type { Digest64 } from "./parsed-page.ts";

/**
 * A word votes on four of the 64 bits: with fewer words some bits would get no vote, and would be the
 * same for all such texts.
 */
const NEAR_WORDS_MIN = 16;

export interface PageDigestOptions {
  readonly blocks: KeyedBlocks;
  /** The 16 secret bytes of the crawl. */
  readonly crawlKey: Uint8Array;
  /** Whether the SimHash is made. */
  readonly near: boolean;
}

export class PageDigests implements PageSink {
  readonly #stripped: StrippedDigest;
  readonly #near: SimHash | undefined;

  constructor(options: PageDigestOptions) {
    this.#stripped = new StrippedDigest(options.blocks);
    this.#near = options.near ? new SimHash(options.crawlKey) : undefined;
  }

  /** Begins another page. Duplicates are found across hosts, so the host is left out. */
  begin(): void {
    this.#stripped.begin("");
    this.#near?.begin();
  }

  openTag(tag: number): void {
    this.#stripped.openTag(tag);
    this.#near?.openTag(tag);
  }

  closeTag(tag: number): void {
    this.#stripped.closeTag(tag);
    this.#near?.closeTag(tag);
  }

  frameSource(bytes: Uint8Array, from: number, to: number): void {
    this.#stripped.frameSource(bytes, from, to);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.#stripped.text(bytes, from, to);
    this.#near?.text(bytes, from, to);
  }

  /** A piece of a body without tags; its words count only if it is text. */
  body(bytes: Uint8Array, isText: boolean): void {
    this.#stripped.body(bytes, 0, bytes.length);
    if (isText) this.#near?.text(bytes, 0, bytes.length);
  }

  /** Ends the page; the digests can be read until another one begins. */
  finish(redirectTo: string | undefined): void {
    if (redirectTo !== undefined) this.#stripped.redirectTarget(redirectTo);
    this.#stripped.finish();
    this.#near?.finish();
  }

  /** Null for an empty page, which is not a duplicate. */
  get stripped(): Digest64 | null {
    const { high, low, isEmpty } = this.#stripped;
    return isEmpty ? null : { high, low };
  }

  /** Null for a page with too few words, which is not a near duplicate. */
  get near(): Digest64 | null {
    const near = this.#near;
    if (near === undefined || near.words < NEAR_WORDS_MIN) return null;
    return { high: near.high, low: near.low };
  }
}
