/**
 * The way from a name to its *canonical name*, along its aliases (CNAME), one question a step. A name
 * that is no alias is its own. The chain is cut at a name that was passed already and after ten
 * names, so that no zone leads us around for long; the last name reached then counts.
 */
import type { AddressLookup, AliasAnswer } from "./dns-lookup.ts";
import { isAskable, nameOf } from "./dns-name.ts";

/** Names of a chain, the first one included. */
const NAMES_MAX = 10;
/** How often one step is asked for. */
const ASKS_MAX = 3;

export class DnsChain {
  readonly #lookup: AddressLookup;
  readonly #names: string[];
  readonly #ended: (canonical: string | null) => void;
  #asks = 0;
  #isDropped = false;

  /** `ended` is called once, not inside a call: null when a step stayed without an answer. */
  constructor(lookup: AddressLookup, name: string, ended: (canonical: string | null) => void) {
    this.#lookup = lookup;
    this.#names = [name];
    this.#ended = ended;
    this.#ask();
  }

  /** The answer is not needed any more; `ended` will not be called. */
  drop(): void {
    this.#isDropped = true;
  }

  get #last(): string {
    return this.#names.at(-1) as string;
  }

  #ask(): void {
    this.#asks += 1;
    this.#lookup.askAlias(this.#last, (answer) => {
      if (!this.#isDropped) this.#answered(answer);
    });
  }

  #answered(answer: AliasAnswer): void {
    if (answer.kind === "unknown") {
      if (this.#asks < ASKS_MAX) this.#ask();
      else this.#ended(null);
      return;
    }
    const next = answer.kind === "alias" ? nameOf(answer.of.toLowerCase()) : this.#last;
    if (!isAskable(next) || this.#names.includes(next)) {
      this.#ended(this.#last);
      return;
    }
    this.#names.push(next);
    this.#asks = 0;
    if (this.#names.length < NAMES_MAX) this.#ask();
    else this.#ended(next);
  }
}
