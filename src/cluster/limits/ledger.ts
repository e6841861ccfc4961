/**
 * The ledger of one disk: how much of the limits it may use in all, and what is on its way to others. It
 * is durable as a whole (`limits-file.ts`), and changes only when something moves, not with every page:
 * what was used is known from the pages themselves.
 *
 * Invariant: over all disks, the budgets and the transfers that were not credited make what was issued.
 * A transfer is out of the budget of its origin before it is sent, and comes into that of its receiver
 * once, whatever is repeated: transfers from one place to another follow one at a time, with growing
 * numbers, and the receiver keeps the last.
 */
import assert from "node:assert/strict";
import { type Place, placeText, samePlace } from "../messages/index.ts";
import { type Amounts, isNothing, minus, NO_AMOUNTS, plus } from "./amounts.ts";

export interface Transfer {
  /** The place that has given it; its disk may have another name by now. */
  readonly origin: Place;
  readonly number: number;
  readonly to: Place;
  readonly amount: Amounts;
}

/** What is durable of a ledger. */
export interface LedgerState {
  readonly crawl: string;
  readonly budget: Amounts;
  /** What this disk has issued itself since the crawl was founded (M7). */
  readonly issued: Amounts;
  readonly number: number;
  /** All names that this disk has had. */
  readonly names: readonly Place[];
  /** Transfers that were not acknowledged. */
  readonly out: readonly Transfer[];
  /** The number of the last transfer that was credited, by its origin. */
  readonly credited: Readonly<Record<string, number>>;
}

export class Ledger {
  #crawl: string;
  #budget: Amounts;
  #issued: Amounts;
  #number: number;
  #names: Place[];
  readonly #out = new Map<string, Transfer>();
  readonly #credited = new Map<string, number>();

  constructor(state: LedgerState) {
    this.#crawl = state.crawl;
    this.#budget = state.budget;
    this.#issued = state.issued;
    this.#number = state.number;
    this.#names = [...state.names];
    for (const transfer of state.out) this.#out.set(placeText(transfer.to), transfer);
    for (const [origin, number] of Object.entries(state.credited)) {
      this.#credited.set(origin, number);
    }
  }

  /** The ledger of a disk that has none: with all there is if it founds the crawl, else with nothing. */
  static blank(crawl: string, budget: Amounts): Ledger {
    const nothing = { issued: NO_AMOUNTS, number: 0, names: [], out: [], credited: {} };
    return new Ledger({ crawl, budget, ...nothing });
  }

  get state(): LedgerState {
    return {
      ...{ crawl: this.#crawl, budget: this.#budget, issued: this.#issued },
      ...{ number: this.#number, names: this.#names, out: [...this.#out.values()] },
      credited: Object.fromEntries(this.#credited),
    };
  }

  /** Everything that this disk may use in its life, what it has used included. */
  get budget(): Amounts {
    return this.#budget;
  }

  get out(): Iterable<Transfer> {
    return this.#out.values();
  }

  outTo(place: Place): Transfer | null {
    return this.#out.get(placeText(place)) ?? null;
  }

  /** What another crawl has left here is void. */
  belongsTo(crawl: string): boolean {
    return this.#crawl === crawl;
  }

  /** Whether this disk has or had this name. */
  isNamed(place: Place): boolean {
    return this.#names.some((name) => samePlace(name, place));
  }

  /** This disk has a name from now on; whether it is a new one. */
  name(place: Place): boolean {
    if (this.isNamed(place)) return false;
    this.#names.push(place);
    return true;
  }

  /** What this disk has issued is so much by now, as all know; it may be less than before. */
  issue(total: Amounts): boolean {
    const more = minus(total, this.#issued);
    if (isNothing(more)) return false;
    this.#budget = plus(this.#budget, more);
    this.#issued = total;
    return true;
  }

  debit(origin: Place, to: Place, amount: Amounts): Transfer {
    assert(this.outTo(to) === null, "transfers to a place follow one another");
    this.#number += 1;
    const transfer = { origin, number: this.#number, to, amount };
    this.#budget = minus(this.#budget, amount);
    this.#out.set(placeText(to), transfer);
    return transfer;
  }

  /** Whether the sum would be an exact number. */
  hasRoomFor(amount: Amounts): boolean {
    const { pages, bytes } = plus(this.#budget, amount);
    return Number.isSafeInteger(pages) && Number.isSafeInteger(bytes);
  }

  /** Whether it is credited now, and was not before. */
  credit({ origin, number, amount }: Transfer): boolean {
    const text = placeText(origin);
    if (number <= (this.#credited.get(text) ?? 0)) return false;
    this.#credited.set(text, number);
    this.#budget = plus(this.#budget, amount);
    return true;
  }

  /** Its receiver has it; whether that was not known. */
  acknowledged({ to, number }: Transfer): boolean {
    if (this.outTo(to)?.number !== number) return false;
    return this.#out.delete(placeText(to));
  }
}
