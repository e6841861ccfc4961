/**
 * Both digests of a page by the kernel, in one call. What the kernel must know of a crawl, its keys
 * and what each tag means for text, is put together here once; `kernels/digest/settings.ts` says
 * where it lies.
 */
import type { Kernels } from "../../base/kernels/index.ts";
import { TAG_NUMBERS } from "../../formats/html/index.ts";
import type { KeyedBlocks } from "./keyed-blocks.ts";
import type { PageEvents } from "./page-events.ts";
import { TEXT_TRAITS, TITLE, wordSeed } from "./sim-hash.ts";

const SEED_AT = 32;
const TITLE_AT = 36;
const NEAR_AT = 37;
const TRAITS_AT = 64;

export interface DigestTerms {
  readonly blocks: KeyedBlocks;
  /** The 16 secret bytes of the crawl. */
  readonly crawlKey: Uint8Array;
  /** Whether the SimHash is made. */
  readonly near: boolean;
}

/** What the two digests say, in the words of their twins. */
export interface KernelDigests {
  readonly stripped: { readonly high: number; readonly low: number; readonly isEmpty: boolean };
  readonly near: { readonly high: number; readonly low: number; readonly words: number };
}

export class DigestKernel {
  readonly #settings: Uint8Array;

  constructor({ blocks, crawlKey, near }: DigestTerms) {
    const settings = Buffer.alloc(TRAITS_AT + TAG_NUMBERS);
    settings.set(blocks.keys);
    settings.writeInt32LE(wordSeed(crawlKey), SEED_AT);
    settings[TITLE_AT] = TITLE;
    settings[NEAR_AT] = near ? 1 : 0;
    settings.set(TEXT_TRAITS, TRAITS_AT);
    this.#settings = settings;
  }

  /** May throw what a kernel throws when it traps. */
  digest(events: PageEvents, kernels: Kernels): KernelDigests {
    const found = kernels.digest(this.#settings, events.words, events.texts);
    const [low = 0, high = 0, nearLow = 0, nearHigh = 0, words = 0, hasContent = 0] = found;
    return {
      stripped: { high, low, isEmpty: hasContent === 0 },
      near: { high: nearHigh, low: nearLow, words },
    };
  }
}
