/**
 * How a host is reached: the addresses that were found last, which of them is used, the canonical
 * name of its server, and whether it ever answered. Addresses are valid until they expire, and for at least one visit.
 */

/**
 * A host that never answered is given up with its first URL. One that did may just be restarting: it
 * is given up when this many URLs in a row have used up their attempts.
 */
const GIVEN_UP_MAX = 3;

/** Addresses are not kept: they are found again. */
export interface SavedReach {
  readonly failures: number;
  readonly answered: boolean;
  readonly lost: number;
  readonly canonical?: string;
}

export class HostReach {
  readonly #changing: () => void;
  #addresses: readonly string[] = [];
  #at = 0;
  #canonical: string | null = null;
  #expireAtMs: number = Number.NEGATIVE_INFINITY;
  #hasServed = true;
  #failures = 0;
  #hasAnswered = false;
  #givenUpInARow = 0;

  /** `changing` is called before anything changes that a checkpoint has. */
  constructor(changing: () => void = () => undefined) {
    this.#changing = changing;
  }

  /** The address to ask; null where none is known: for files, or behind a proxy. */
  get address(): string | null {
    return this.#addresses[this.#at] ?? null;
  }

  /** The name at the end of its chain of aliases, as far as it was ever learnt. */
  get canonical(): string | null {
    return this.#canonical;
  }

  /** How often in a row addresses were not found. */
  get failures(): number {
    return this.#failures;
  }

  save(): SavedReach {
    const { failures, canonical } = this;
    const named = canonical === null ? {} : { canonical };
    return { failures, answered: this.#hasAnswered, lost: this.#givenUpInARow, ...named };
  }

  restore({ failures, answered, lost, canonical }: SavedReach): void {
    this.#canonical = canonical ?? null;
    this.#failures = failures;
    this.#hasAnswered = answered;
    this.#givenUpInARow = lost;
  }

  hasAddresses(nowMs: number): boolean {
    return nowMs < this.#expireAtMs || !this.#hasServed;
  }

  /** A canonical name that was not learnt this time is the one of before. */
  find(addresses: readonly string[], expireAtMs: number, canonical: string | null = null): void {
    const isNew = canonical !== null && canonical !== this.#canonical;
    if (isNew || this.#failures > 0) this.#changing();
    this.#canonical = canonical ?? this.#canonical;
    this.#addresses = addresses;
    this.#at = 0;
    this.#expireAtMs = expireAtMs;
    this.#hasServed = false;
    this.#failures = 0;
  }

  countFailure(): void {
    this.#changing();
    this.#failures += 1;
  }

  /** The address is asked. */
  serve(): void {
    this.#hasServed = true;
  }

  /** Moves on to the next address; false when all of them have been tried. */
  tryNext(): boolean {
    if (this.#addresses.length < 2) return false;
    this.#at = (this.#at + 1) % this.#addresses.length;
    return this.#at !== 0;
  }

  answer(): void {
    if (this.#hasAnswered && this.#givenUpInARow === 0) return;
    this.#changing();
    this.#hasAnswered = true;
    this.#givenUpInARow = 0;
  }

  /** A URL was given up because nothing could be reached; true when the host should be too. */
  loseUrl(): boolean {
    this.#changing();
    this.#givenUpInARow += 1;
    return !this.#hasAnswered || this.#givenUpInARow >= GIVEN_UP_MAX;
  }
}
