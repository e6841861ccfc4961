/**
 * Hosts that have URLs and no visit state, in the order in which they became dormant, but fairly by
 * registrable domain: one domain can have a million hosts, and those must not wait ahead of all
 * others.
 *
 * Domains have no line each, since that would cost more than the hosts themselves; they fall into a
 * fixed number of lines by a secret hash, and the lines take turns. A host waits behind its own
 * domain and the few that share its line by chance. (McKenney: Stochastic fairness queueing, 1990.)
 * The lines are lists through one column of numbers: a host costs four bytes, and nothing is moved.
 */
import { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "../../../base/hash/index.ts";
import type { Random } from "../../../base/seams/index.ts";
import { type HostName, registrableDomain } from "../../../formats/url/index.ts";
import { QueueNumbers } from "../../queues/index.ts";

const LINES = 256;
const NAME_BYTES_MAX = 256;
const NONE = -1;

export class DormantHosts {
  readonly #hasher = new SipHasher(NAME_BYTES_MAX);
  readonly #key: KeySlot;
  /** By line: its first and its last host. */
  readonly #firsts = new Int32Array(LINES).fill(NONE);
  readonly #lasts = new Int32Array(LINES).fill(NONE);
  /** By host: one more than the next of its line, 0 for the last. */
  readonly #nexts = new QueueNumbers();
  #size = 0;
  /** Whose turn it is. */
  #turn = 0;

  constructor(random: Random) {
    this.#key = this.#hasher.addKey(
      Uint8Array.from({ length: KEY_BYTES }, () => random.below(256)),
    );
  }

  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return this.#nexts.memoryBytes;
  }

  /** Only for a host that is not dormant yet. */
  add(number: number, host: HostName): void {
    const line = this.#lineOf(host);
    if (this.#firsts[line] === NONE) this.#firsts[line] = number;
    else this.#nexts.set(this.#lasts[line] as number, number + 1);
    this.#nexts.set(number, 0);
    this.#lasts[line] = number;
    this.#size += 1;
  }

  /** The number of the next host; undefined when none is dormant. */
  take(): number | undefined {
    if (this.#size === 0) return undefined;
    while (this.#firsts[this.#turn] === NONE) this.#turn = (this.#turn + 1) % LINES;
    const number = this.#firsts[this.#turn] as number;
    this.#firsts[this.#turn] = this.#nexts.get(number) - 1;
    this.#turn = (this.#turn + 1) % LINES;
    this.#size -= 1;
    return number;
  }

  #lineOf(host: HostName): number {
    const domain = registrableDomain(host) ?? host;
    const length = this.#hasher.bytes.write(domain, TEXT_AT, NAME_BYTES_MAX, "utf8");
    this.#hasher.hash(this.#key, TEXT_AT, length);
    return this.#hasher.low % LINES;
  }
}
