/**
 * How well a method finds the duplicates among pages of which the truth is known. All pairs of pages
 * are looked at, so a method that confuses two pages in a thousand has a thousand times as many
 * chances to be wrong as to be right.
 */
import type { PageSink } from "../../../src/formats/html/index.ts";
import type { FamilyPage } from "./families/family-page.ts";
import { feedPage } from "./feed-page.ts";

/** Something that makes 64 bits of a page. */
export interface PageHasher extends PageSink {
  begin(host: string): void;
  finish(): void;
  readonly high: number;
  readonly low: number;
}

/** What a class of pairs is, how many there are and how many were found. */
export interface PairCount {
  pairs: number;
  found: number;
}

export interface Quality {
  /** Of the pairs that are duplicates, the part that was found. */
  readonly recall: number;
  /** Of the pairs that were found, the part that is duplicates. */
  readonly precision: number;
  readonly pairs: number;
  /** Pairs of duplicates by what was done to make one of the other, and by the kind of page. */
  readonly byEdit: ReadonlyMap<string, PairCount>;
  readonly byKind: ReadonlyMap<string, PairCount>;
  /** Pairs that were found but are not duplicates. */
  readonly confused: ReadonlyMap<string, number>;
}

export interface HashedPages {
  readonly pages: readonly FamilyPage[];
  readonly highs: Int32Array;
  readonly lows: Int32Array;
}

export function hashPages(pages: readonly FamilyPage[], hasher: PageHasher): HashedPages {
  const highs = new Int32Array(pages.length);
  const lows = new Int32Array(pages.length);
  pages.forEach(({ html }, at) => {
    hasher.begin("");
    feedPage(html, [hasher]);
    hasher.finish();
    highs[at] = hasher.high;
    lows[at] = hasher.low;
  });
  return { pages, highs, lows };
}

/**
 * Which pairs are wanted: `exact`, those of one edition; `near`, those of one family but not of one
 * edition. Pairs of one edition are neither wanted nor wrong when near ones are looked for.
 */
export function qualityOf(
  hashed: HashedPages,
  wanted: "exact" | "near",
  distance: number,
): Quality {
  const { pages, highs, lows } = hashed;
  const tally = new Tally();
  for (let one = 0; one < pages.length; one++) {
    for (let other = 0; other < one; other++) {
      const bits =
        bitCount((highs[one] as number) ^ (highs[other] as number)) +
        bitCount((lows[one] as number) ^ (lows[other] as number));
      const isFound = bits <= distance;
      const a = pages[other] as FamilyPage;
      const b = pages[one] as FamilyPage;
      if (!isFound && a.family !== b.family) continue;
      const isExact = a.family === b.family && a.edition === b.edition;
      if (wanted === "exact" ? isExact : a.family === b.family && !isExact) {
        tally.wanted(a, b, isFound);
      } else if (isFound && !isExact) tally.wrong(a, b);
    }
  }
  return tally.quality();
}

class Tally {
  readonly #total: PairCount = { pairs: 0, found: 0 };
  readonly #byEdit = new Map<string, PairCount>();
  readonly #byKind = new Map<string, PairCount>();
  readonly #confused = new Map<string, number>();

  wanted(a: FamilyPage, b: FamilyPage, isFound: boolean): void {
    for (const count of [
      this.#total,
      countOf(this.#byEdit, editBetween(a, b)),
      countOf(this.#byKind, a.kind),
    ]) {
      count.pairs++;
      if (isFound) count.found++;
    }
  }

  wrong(a: FamilyPage, b: FamilyPage): void {
    const where = a.site === b.site ? "one site" : "different sites";
    const kinship = [a.kinship, b.kinship].filter((each) => each !== "").join(" and ");
    const kinds = a.kind === b.kind ? `two of ${a.kind}` : `${a.kind} and ${b.kind}`;
    const what = `${kinds} on ${where}${kinship === "" ? "" : `, one ${kinship}`}`;
    this.#confused.set(what, (this.#confused.get(what) ?? 0) + 1);
  }

  quality(): Quality {
    const { pairs, found } = this.#total;
    const wrong = [...this.#confused.values()].reduce((sum, count) => sum + count, 0);
    return {
      recall: found / pairs,
      precision: found / (found + wrong),
      pairs,
      byEdit: this.#byEdit,
      byKind: this.#byKind,
      confused: this.#confused,
    };
  }
}

/** What differs between two pages of a family: one edit, or "several". */
function editBetween(a: FamilyPage, b: FamilyPage): string {
  const edits = [a.edit, b.edit].filter((edit) => edit !== "original" && edit !== "exact");
  if (edits.length === 0) return "exact";
  const [only = ""] = edits;
  return edits.length === 1 && !only.includes("+") ? only : "several edits";
}

function countOf(counts: Map<string, PairCount>, name: string): PairCount {
  const count = counts.get(name) ?? { pairs: 0, found: 0 };
  counts.set(name, count);
  return count;
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
