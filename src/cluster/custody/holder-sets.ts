/**
 * Sets of places by small numbers, so that who has a page is one number in a table, and so is the depth that
 * all of them know of (U6), if depths are kept. There are few: most pages have one holder, and there are as
 * many of those sets as places, times depths. It counts the pages of each.
 */
import { type Place, parsePlace, placeText, samePlace } from "../messages/index.ts";

export interface HolderSetsMarks {
  readonly next: number;
  readonly sets: readonly {
    readonly number: number;
    readonly count: number;
    readonly depth: number;
    readonly places: string;
  }[];
}

interface HolderSet {
  readonly places: readonly Place[];
  readonly depth: number;
  count: number;
}

export class HolderSets {
  readonly #sets = new Map<number, HolderSet>();
  readonly #numbers = new Map<string, number>();
  #next: number;

  constructor(marks: HolderSetsMarks | null) {
    this.#next = marks?.next ?? 1;
    for (const { number, count, depth, places } of marks?.sets ?? []) {
      const read = places.split(" ").flatMap((text) => parsePlace(text) ?? []);
      this.#sets.set(number, { places: read, depth, count });
      this.#numbers.set(textOf(read, depth), number);
    }
  }

  /** Pages that have a holder. */
  get count(): number {
    let sum = 0;
    for (const { count } of this.#sets.values()) sum += count;
    return sum;
  }

  /** All that are in some set. */
  places(): readonly Place[] {
    const places = [...this.#sets.values()].flatMap((set) => set.places);
    return [...new Map(places.map((place) => [placeText(place), place])).values()];
  }

  /** Empty for numbers that belong to none, as 0 does. */
  placesOf(number: number): readonly Place[] {
    return this.#sets.get(number)?.places ?? [];
  }

  /** Infinite for numbers that belong to none. */
  depthOf(number: number): number {
    return this.#sets.get(number)?.depth ?? Number.POSITIVE_INFINITY;
  }

  /** How many pages a place is a holder of. */
  countOf(place: Place): number {
    let sum = 0;
    for (const { places, count } of this.#sets.values()) {
      if (places.some((one) => samePlace(one, place))) sum += count;
    }
    return sum;
  }

  /** A page has other holders than before, or another depth; gives the number of these. */
  move(before: number, places: readonly Place[], depth: number): number {
    this.#count(before, -1);
    if (places.length === 0) return 0;
    const text = textOf(places, depth);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#next;
      this.#next += 1;
      this.#numbers.set(text, number);
      this.#sets.set(number, { places, depth, count: 0 });
    }
    this.#count(number, 1);
    return number;
  }

  marks(): HolderSetsMarks {
    const sets = Array.from(this.#sets, ([number, { places, depth, count }]) => ({
      ...{ number, count, depth, places: places.map(placeText).join(" ") },
    }));
    return { next: this.#next, sets };
  }

  #count(number: number, change: number): void {
    const set = this.#sets.get(number);
    if (set === undefined) return;
    set.count += change;
    if (set.count > 0 || change > 0) return;
    // Nobody has its number any more.
    this.#sets.delete(number);
    this.#numbers.delete(textOf(set.places, set.depth));
  }
}

function textOf(places: readonly Place[], depth: number): string {
  return `${depth} ${places.map(placeText).sort().join(" ")}`;
}
