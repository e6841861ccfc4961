/**
 * Which hosts hold the slots for visits, and which must wait or give way. A slot is held for the
 * network of the address and for the registrable domain of the host; both, and the host, are slow
 * when their visits were.
 *
 * A visit is slow when it has lasted for two seconds at less than 16 KiB a second. That alone costs
 * it nothing. When three quarters of the slots are taken, hosts whose keys are crowded or slow wait
 * behind the others. When all are taken, slow visits hold more than half of them and another
 * host waits, those beyond half give way, those of the largest holder first: they are cancelled and
 * retried later. For ten seconds after that slow hosts have half of the slots at most.
 *
 * So the least rate rises when slots are short, and only then: a crawl of slow servers alone uses
 * every slot, and what gives way is not lost.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../../base/seams/index.ts";
import { ShareLedger } from "../../../base/shares/index.ts";
import { networkOf } from "../../../formats/address/index.ts";
import { type HostName, registrableDomain } from "../../../formats/url/index.ts";
import type { PageErrand, RobotsErrand } from "../frontier.ts";

export type VisitErrand = PageErrand | RobotsErrand;

/** How many bytes of the body have come. */
export type ReceivedBytes = (errand: VisitErrand) => number;

interface Hold {
  readonly errand: VisitErrand;
  readonly keys: VisitKeys;
  readonly startedAtMs: number;
  isSlow: boolean;
}

/**
 * Its network, where the address is known, its domain and its host; told apart by their first
 * letters. Slots are held for all but the host, which has one visit at a time.
 */
type VisitKeys = readonly string[];

const SLOW_AFTER_MS = 2000;
const SLOW_BYTES_PER_SECOND = 16 * 1024;
/** How long slow hosts are confined after others had to wait for them. */
const CONFINED_MS = 10_000;
/** With fewer slots none gives way: each of a handful matters, and pages would be fetched twice. */
const GIVING_WAY_SLOTS_MIN = 8;
/** Of all slots, how many give way at once, as a divisor. */
const GIVING_WAY_DIVISOR = 16;

export class VisitShares {
  readonly ledger: ShareLedger;
  readonly #clock: Clock;
  #slots: number;
  /** In the order of their beginning. */
  readonly #holds = new Map<VisitErrand, Hold>();
  #slow = 0;
  #confinedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, slots: number) {
    this.#clock = clock;
    this.#slots = slots;
    this.ledger = new ShareLedger(slots);
  }

  /** There are this many slots from now on. */
  set slots(slots: number) {
    this.#slots = slots;
    this.ledger.slots = slots;
  }

  /** Whether slots are short, so that it matters which host begins. */
  get isShort(): boolean {
    return this.#holds.size * 4 >= this.#slots * 3 || this.#isConfined;
  }

  /** Whether a slow host may begin when no other waits. */
  get maySlow(): boolean {
    return this.#slow * 2 < this.#slots || !this.#isConfined;
  }

  /** When slow hosts may have more than half of the slots again, if they may not now. */
  get confinedUntilMs(): number {
    return this.#confinedUntilMs;
  }

  get #isConfined(): boolean {
    return this.#clock.nowMs() < this.#confinedUntilMs;
  }

  /** The key for which a host waits behind others while slots are short; null when it need not. */
  keyBehind(host: HostName, address: string | null): string | null {
    const keys = keysOf(host, address);
    if (keys === null) return null;
    const { ledger } = this;
    const slow = keys.find((key) => ledger.isSlow(key));
    return slow ?? keys.find((key) => ledger.precedenceOf(key) !== "quick") ?? null;
  }

  begin(errand: VisitErrand): void {
    const keys = keysOf(errand.host, errand.address);
    if (keys === null) return;
    const { ledger } = this;
    const isSlow = keys.some((key) => ledger.isSlow(key));
    if (isSlow) this.#slow += 1;
    for (let at = 0; at < keys.length - 1; at += 1) ledger.hold(keys[at] as string);
    this.#holds.set(errand, { errand, keys, startedAtMs: this.#clock.nowMs(), isSlow });
  }

  /**
   * A visit has ended; `bodyBytes` is what came of the body, null when it was cancelled. Returns the
   * keys whose precedence may have changed.
   */
  end(errand: VisitErrand, bodyBytes: number | null): VisitKeys | null {
    const hold = this.#holds.get(errand);
    if (hold === undefined) return null;
    const { keys } = hold;
    this.#holds.delete(errand);
    if (hold.isSlow) this.#slow -= 1;
    for (let at = 0; at < keys.length - 1; at += 1) this.ledger.release(keys[at] as string);
    if (bodyBytes !== null) this.#note(hold, this.#isSlow(hold, bodyBytes));
    return keys;
  }

  /** The visits that must give way when all slots are taken; `hasQuick`: whether others wait. */
  givingWay(receivedBytes: ReceivedBytes, hasQuick: () => boolean): readonly VisitErrand[] {
    if (this.#slots < GIVING_WAY_SLOTS_MIN) return [];
    const slow = this.#slowHolds(receivedBytes);
    const over = slow.length - Math.floor(this.#slots / 2);
    if (over <= 0 || !hasQuick()) return [];
    this.#confinedUntilMs = this.#clock.nowMs() + CONFINED_MS;
    const count = Math.min(over, Math.ceil(this.#slots / GIVING_WAY_DIVISOR));
    return largestFirst(slow)
      .slice(0, count)
      .map(({ errand }) => errand);
  }

  /** Those that are slow by now; their keys are slow from then on. */
  #slowHolds(receivedBytes: ReceivedBytes): Hold[] {
    const slow: Hold[] = [];
    const latestMs = this.#clock.nowMs() - SLOW_AFTER_MS;
    for (const hold of this.#holds.values()) {
      if (hold.startedAtMs > latestMs) break;
      if (!this.#isSlow(hold, receivedBytes(hold.errand))) continue;
      slow.push(hold);
      if (hold.isSlow) continue;
      hold.isSlow = true;
      this.#slow += 1;
      this.#note(hold, true);
    }
    assert(this.#slow <= this.#holds.size, "what is slow is held");
    return slow;
  }

  #isSlow({ startedAtMs }: Hold, bodyBytes: number): boolean {
    const lastedMs = this.#clock.nowMs() - startedAtMs;
    return lastedMs >= SLOW_AFTER_MS && bodyBytes * 1000 < SLOW_BYTES_PER_SECOND * lastedMs;
  }

  #note({ keys }: Hold, wasSlow: boolean): void {
    for (const key of keys) this.ledger.note(key, wasSlow);
  }
}

/** Null for files of this machine. */
function keysOf(host: HostName, address: string | null): VisitKeys | null {
  if (host === "") return null;
  const domain = `d ${registrableDomain(host) ?? host}`;
  if (address === null) return [domain, `h ${host}`];
  return [`n ${networkOf(address)}`, domain, `h ${host}`];
}

/** By how many of these visits their network or domain has; among equals, the latest first. */
function largestFirst(holds: readonly Hold[]): Hold[] {
  const counts = new Map<string, number>();
  const count = (key: string): number => counts.get(key) ?? 0;
  for (const { keys } of holds) for (const key of keys) counts.set(key, count(key) + 1);
  const sizeOf = ({ keys }: Hold): number => Math.max(...keys.map(count));
  return [...holds].reverse().sort((one, other) => sizeOf(other) - sizeOf(one));
}
