/**
 * Hosts that have URLs and no visit state, in the order in which they fell asleep, shared out by
 * registrable domain: somebody with one domain can have a million hosts, and those must not sleep in
 * front of everybody else's.
 *
 * Domains have no line each, since that would cost more than the hosts themselves; they fall into a
 * fixed number of lines by a secret hash, and the lines take turns. A host sleeps behind its own
 * domain and those few that share its line by chance. (McKenney: Stochastic fairness queueing, 1990.)
 */
import { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "../hash/index.ts";
import type { Random } from "../seams/index.ts";
import { type HostName, registrableDomain } from "../url/index.ts";
import { Fifo } from "./fifo.ts";

const LINES = 256;
const NAME_BYTES_MAX = 256;

export class DormantHosts {
  readonly #hasher = new SipHasher(NAME_BYTES_MAX);
  readonly #key: KeySlot;
  readonly #lines = Array.from({ length: LINES }, () => new Fifo<number>());
  #size = 0;
  /** Whose turn it is. */
  #next = 0;

  constructor(random: Random) {
    this.#key = this.#hasher.addKey(
      Uint8Array.from({ length: KEY_BYTES }, () => random.below(256)),
    );
  }

  get size(): number {
    return this.#size;
  }

  add(number: number, host: HostName): void {
    this.#lines[this.#lineOf(host)]?.add(number);
    this.#size += 1;
  }

  /** The number of the next host; undefined when none sleeps. */
  take(): number | undefined {
    for (let looked = 0; looked < LINES && this.#size > 0; looked += 1) {
      const number = this.#lines[this.#next]?.take();
      this.#next = (this.#next + 1) % LINES;
      if (number === undefined) continue;
      this.#size -= 1;
      return number;
    }
    return undefined;
  }

  #lineOf(host: HostName): number {
    const domain = registrableDomain(host) ?? host;
    const length = this.#hasher.bytes.write(domain, TEXT_AT, NAME_BYTES_MAX, "utf8");
    this.#hasher.hash(this.#key, TEXT_AT, length);
    return this.#hasher.low % LINES;
  }
}
