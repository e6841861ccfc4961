/**
 * Claim: acquiring and ending a visit costs some microseconds, with a million hosts as with ten
 * thousand. Measured with ten thousand, a hundred thousand and a million hosts (or as many as the
 * arguments say), a third as many addresses: how many visits per second can be acquired and ended,
 * with a thousand of them going on at any time. Beside it, at a small size and in the same run, a
 * workbench that keeps its hosts in a sorted list. Times mean nothing on another machine; the
 * number to compare is the ratio, and how little the rate falls as hosts are added.
 */
import { AddressTable } from "../src/frontier/front/bench/address-table.ts";
import { NONE } from "../src/frontier/front/bench/seat-heaps.ts";
import { Workbench } from "../src/frontier/front/bench/workbench.ts";

const SIZES = process.argv.slice(2).map(Number);
const HOSTS = SIZES.length > 0 ? SIZES : [10_000, 100_000, 1_000_000];
const PAIRS = 500_000;
const ROUNDS = 3;
const IN_FLIGHT = 1000;
const HOST_DELAY_MS = 1000;
const ADDRESS_DELAY_MS = 250;
const REFERENCE_HOSTS = 10_000;
const REFERENCE_PAIRS = 20_000;

/** What both workbenches can do. */
interface Bench {
  put(seat: number, address: string, atMs: number): void;
  acquire(nowMs: number): number;
  release(seat: number, endAtMs: number, hasVisited: boolean): void;
}

function addressOf(seat: number, hosts: number): string {
  return `address-${seat % Math.ceil(hosts / 3)}`;
}

function filledWorkbench(hosts: number): Bench {
  const bench = new Workbench({
    addresses: new AddressTable(),
    addressDelayMs: ADDRESS_DELAY_MS,
  });
  for (let seat = 0; seat < hosts; seat += 1) {
    bench.put(seat, addressOf(seat, hosts), (seat / hosts) * HOST_DELAY_MS);
  }
  return bench;
}

/** One list of all waiting hosts by instant; addresses that are busy or rest are passed over. */
class SortedList implements Bench {
  readonly #hosts: number;
  readonly #waiting: { readonly seat: number; readonly atMs: number }[] = [];
  readonly #restsUntilMs = new Map<string, number>();

  constructor(hosts: number) {
    this.#hosts = hosts;
    for (let seat = 0; seat < hosts; seat += 1) {
      this.put(seat, addressOf(seat, hosts), (seat / hosts) * HOST_DELAY_MS);
    }
  }

  put(seat: number, _address: string, atMs: number): void {
    let from = 0;
    let to = this.#waiting.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#waiting[middle]?.atMs ?? 0) <= atMs) from = middle + 1;
      else to = middle;
    }
    this.#waiting.splice(from, 0, { seat, atMs });
  }

  acquire(nowMs: number): number {
    for (let at = 0; at < this.#waiting.length; at += 1) {
      const { seat, atMs } = this.#waiting[at] as { seat: number; atMs: number };
      if (atMs > nowMs) return NONE;
      const address = addressOf(seat, this.#hosts);
      if ((this.#restsUntilMs.get(address) ?? 0) > nowMs) continue;
      this.#restsUntilMs.set(address, Number.POSITIVE_INFINITY);
      this.#waiting.splice(at, 1);
      return seat;
    }
    return NONE;
  }

  release(seat: number, endAtMs: number): void {
    this.#restsUntilMs.set(addressOf(seat, this.#hosts), endAtMs + ADDRESS_DELAY_MS);
  }
}

/**
 * Visits, each a little later than the one before; says how many per second of processor time, which
 * other programs on the machine disturb less than wall-clock time.
 */
class Visits {
  readonly #bench: Bench;
  readonly #stepMs: number;
  /** By seat; a visit state has its address at hand. */
  readonly #addresses: readonly string[];
  readonly #going: number[] = [];
  #nowMs = HOST_DELAY_MS;
  #ended = 0;

  constructor(bench: Bench, hosts: number) {
    this.#bench = bench;
    this.#addresses = Array.from({ length: hosts }, (_, seat) => addressOf(seat, hosts));
    // Every host is visited about once in twice its delay: there is always something due.
    this.#stepMs = (2 * HOST_DELAY_MS) / hosts;
  }

  perSecond(pairs: number): number {
    const last = this.#ended + pairs;
    const startUs = spentUs();
    while (this.#ended < last) this.#step();
    return (1e6 * pairs) / (spentUs() - startUs);
  }

  #step(): void {
    this.#nowMs += this.#stepMs;
    const seat = this.#bench.acquire(this.#nowMs);
    if (seat !== NONE) this.#going.push(seat);
    if (this.#going.length < IN_FLIGHT && seat !== NONE) return;
    const ended = this.#going[this.#ended % 7 === 0 ? 0 : this.#going.length - 1];
    if (ended === undefined) return;
    if (ended === this.#going[0]) this.#going.shift();
    else this.#going.pop();
    this.#ended += 1;
    this.#bench.release(ended, this.#nowMs, true);
    this.#bench.put(ended, this.#addresses[ended] as string, this.#nowMs + HOST_DELAY_MS);
  }
}

function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function shown(perSecond: number): string {
  return `${Math.round(perSecond / 1000)} k/s`;
}

const rates: number[] = [];
for (const hosts of HOSTS) {
  const visits = new Visits(filledWorkbench(hosts), hosts);
  visits.perSecond(PAIRS);
  const rate = median(Array.from({ length: ROUNDS }, () => visits.perSecond(PAIRS)));
  rates.push(rate);
  console.log(`${String(hosts).padStart(9)} hosts   ${shown(rate).padStart(10)} visits`);
}

const ours = new Visits(filledWorkbench(REFERENCE_HOSTS), REFERENCE_HOSTS);
const sorted = new Visits(new SortedList(REFERENCE_HOSTS), REFERENCE_HOSTS);
const contest = Array.from({ length: ROUNDS + 1 }, () => ({
  ours: ours.perSecond(REFERENCE_PAIRS),
  sorted: sorted.perSecond(REFERENCE_PAIRS),
})).slice(1);
const ratio = median(contest.map((round) => round.ours)) / median(contest.map((r) => r.sorted));
console.log(`against a sorted list of ${REFERENCE_HOSTS} hosts: ${ratio.toFixed(1)} times as fast`);
const kept = (rates.at(-1) ?? 0) / (rates[0] ?? 1);
console.log(`rate kept from the smallest to the largest: ${(100 * kept).toFixed(0)} %`);
