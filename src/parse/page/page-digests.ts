/**
 * Both digests of one page, fed by one pass over it. They are used for one page at a time; a lane may
 * need several, since pages on disk are read while others are parsed.
 *
 * What a parser tells is kept (`PageEvents`) and digested at the end, by a kernel in one call. Its
 * twins, `StrippedDigest` and `SimHash`, are told instead where there are no kernels, of a body that
 * is not a page, and of a redirect; and they are told all of it again when a page is longer than a
 * kernel takes, and when the kernel traps.
 */

import { dropKernels, type Kernels, threadKernels } from "../../base/kernels/index.ts";
import type { PageSink } from "../../formats/html/index.ts";
import {
  DigestKernel,
  type DigestTerms,
  type KernelDigests,
  PageEvents,
  SimHash,
  StrippedDigest,
} from "../digest/index.ts";
import type { Digest64 } from "./parsed-page.ts";

/**
 * A word votes on four of the 64 bits: with fewer words some bits would get no vote, and would be the
 * same for all such texts.
 */
const NEAR_WORDS_MIN = 16;

export interface PageDigestOptions extends DigestTerms {
  /** Those of the thread unless a test gives others. */
  readonly kernels?: () => Kernels;
}

export class PageDigests implements PageSink {
  readonly #kernels: () => Kernels;
  readonly #kernel: DigestKernel;
  readonly #events: PageEvents | null;
  readonly #twins: Twins;
  /** Whether the page is only kept so far. */
  #isKept = false;
  #found: KernelDigests | null = null;
  #thrown: unknown = null;

  constructor(options: PageDigestOptions) {
    this.#kernels = options.kernels ?? threadKernels;
    this.#kernel = new DigestKernel(options);
    this.#twins = new Twins(options);
    this.#events = this.#openEvents();
  }

  /** Begins another page. Duplicates are found across hosts, so the host is left out. */
  begin(): void {
    this.#found = null;
    this.#events?.clear();
    this.#isKept = this.#events !== null;
    if (!this.#isKept) this.#twins.begin();
  }

  chunk(bytes: Uint8Array): void {
    if (this.#isKept) this.#events?.chunk(bytes);
  }

  openTag(tag: number): void {
    if (!this.#isKept || !this.#events?.openTag(tag)) this.#toTwins().openTag(tag);
  }

  closeTag(tag: number): void {
    if (!this.#isKept || !this.#events?.closeTag(tag)) this.#toTwins().closeTag(tag);
  }

  frameSource(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isKept && this.#events?.frameSource(bytes, from, to)) return;
    this.#toTwins().frameSource(bytes, from, to);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isKept && this.#events?.text(bytes, from, to)) return;
    this.#toTwins().text(bytes, from, to);
  }

  /** A piece of a body without tags; its words count only if it is text. */
  body(bytes: Uint8Array, isText: boolean): void {
    this.#toTwins().body(bytes, isText);
  }

  /** Ends the page; the digests can be read until another one begins. */
  finish(redirectTo: string | undefined): void {
    if (redirectTo === undefined && this.#isKept) this.#found = this.#byKernel();
    if (this.#found === null) this.#toTwins().finish(redirectTo);
    this.#isKept = false;
  }

  /** Null for an empty page, which is not a duplicate. */
  get stripped(): Digest64 | null {
    const { high, low, isEmpty } = (this.#found ?? this.#twins).stripped;
    return isEmpty ? null : { high, low };
  }

  /** Null for a page with too few words, which is not a near duplicate. */
  get near(): Digest64 | null {
    const { near } = this.#found ?? this.#twins;
    if (near === null || near.words < NEAR_WORDS_MIN) return null;
    return { high: near.high, low: near.low };
  }

  /** What a kernel threw since this was asked last; null if nothing. */
  takeThrown(): unknown {
    const thrown = this.#thrown;
    this.#thrown = null;
    return thrown;
  }

  #openEvents(): PageEvents | null {
    try {
      return new PageEvents(this.#kernels().digestRoom);
    } catch (thrown) {
      this.#thrown = thrown;
      return null;
    }
  }

  #byKernel(): KernelDigests | null {
    if (this.#events === null) return null;
    try {
      return this.#kernel.digest(this.#events, this.#kernels());
    } catch (thrown) {
      dropKernels();
      this.#thrown = thrown;
      return null;
    }
  }

  /** From here on the twins are told, after all that was kept. */
  #toTwins(): Twins {
    if (this.#isKept) {
      this.#isKept = false;
      this.#twins.begin();
      this.#events?.replay(this.#twins);
    }
    return this.#twins;
  }
}

/** The digests without a kernel. */
class Twins implements PageSink {
  readonly stripped: StrippedDigest;
  readonly near: SimHash | null;

  constructor({ blocks, crawlKey, near }: DigestTerms) {
    this.stripped = new StrippedDigest(blocks);
    this.near = near ? new SimHash(crawlKey) : null;
  }

  begin(): void {
    this.stripped.begin("");
    this.near?.begin();
  }

  openTag(tag: number): void {
    this.stripped.openTag(tag);
    this.near?.openTag(tag);
  }

  closeTag(tag: number): void {
    this.stripped.closeTag(tag);
    this.near?.closeTag(tag);
  }

  frameSource(bytes: Uint8Array, from: number, to: number): void {
    this.stripped.frameSource(bytes, from, to);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.stripped.text(bytes, from, to);
    this.near?.text(bytes, from, to);
  }

  body(bytes: Uint8Array, isText: boolean): void {
    this.stripped.body(bytes, 0, bytes.length);
    if (isText) this.near?.text(bytes, 0, bytes.length);
  }

  finish(redirectTo: string | undefined): void {
    if (redirectTo !== undefined) this.stripped.redirectTarget(redirectTo);
    this.stripped.finish();
    this.near?.finish();
  }
}
