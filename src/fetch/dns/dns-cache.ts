/**
 * Keeps answers until they expire or the room is needed; then the least recently used one is dropped.
 *
 * A hundred thousand answers as objects would be half a million objects for the garbage collector.
 * So an answer is a slot in typed arrays (when it expires, its kind, its neighbours in the order of
 * use) and one text, the addresses separated by spaces, and where canonical names are asked for one
 * more; besides there is only the map from names to
 * slots. The order of a `Map` would not do: finding its oldest key passes over all deleted ones,
 * which takes 48 µs an answer at 100,000.
 */
import type { DnsAnswer } from "./dns-answer.ts";

const KINDS = ["found", "not-found", "failed", "timed-out"] as const;
const NONE = -1;
const SLOTS_AT_FIRST = 256;
/** What an answer takes, about: two texts, an entry of the map, its slot. */
const ANSWER_BYTES = 180;

export class DnsCache {
  readonly #capacity: number;
  readonly #slotOf = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #texts: string[] = [];
  /** By slot; undefined where none is known. */
  readonly #canonicals: (string | undefined)[] = [];
  #expiresAtMs = new Float64Array(SLOTS_AT_FIRST);
  #kinds = new Uint8Array(SLOTS_AT_FIRST);
  /** Neighbours in the order of use; the ends have `NONE`. */
  #older = new Int32Array(SLOTS_AT_FIRST);
  #newer = new Int32Array(SLOTS_AT_FIRST);
  #oldest = NONE;
  #newest = NONE;

  /** 0 keeps nothing. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#names.length;
  }

  get memoryBytes(): number {
    return ANSWER_BYTES * this.size;
  }

  /** What is known of a name, if it has not expired. */
  get(name: string, nowMs: number): DnsAnswer | null {
    const slot = this.#slotOf.get(name);
    if (slot === undefined) return null;
    const expiresAtMs = this.#expiresAtMs[slot] ?? 0;
    if (expiresAtMs <= nowMs) return null;
    this.#use(slot);
    const kind = KINDS[this.#kinds[slot] ?? 0] ?? "found";
    const text = this.#texts[slot] ?? "";
    const canonical = this.#canonicals[slot] ?? null;
    return kind === "found"
      ? { kind, addresses: text.split(" "), reason: "", expiresAtMs, canonical }
      : { kind, addresses: [], reason: text, expiresAtMs, canonical };
  }

  put(name: string, answer: DnsAnswer): void {
    if (this.#capacity === 0) return;
    const slot = this.#slotOf.get(name) ?? this.#claim(name);
    this.#expiresAtMs[slot] = answer.expiresAtMs;
    this.#kinds[slot] = KINDS.indexOf(answer.kind);
    this.#texts[slot] = answer.kind === "found" ? answer.addresses.join(" ") : answer.reason;
    const { canonical } = answer;
    if (canonical !== null) {
      this.#canonicals[slot] = canonical === name ? this.#names[slot] : canonical;
    } else if (slot < this.#canonicals.length) this.#canonicals[slot] = undefined;
    this.#use(slot);
  }

  clear(): void {
    this.#slotOf.clear();
    this.#names.length = 0;
    this.#texts.length = 0;
    this.#canonicals.length = 0;
    this.#oldest = NONE;
    this.#newest = NONE;
  }

  /** A slot for a name that has none: a new one, or the oldest. */
  #claim(name: string): number {
    // A host is a slice of a URL, which V8 would keep whole; a copy is not.
    const own = Buffer.from(name, "latin1").toString("latin1");
    const isFull = this.#names.length >= this.#capacity;
    const slot = isFull ? this.#oldest : this.#names.length;
    if (isFull) this.#slotOf.delete(this.#names[slot] ?? "");
    else this.#append(slot);
    this.#names[slot] = own;
    this.#slotOf.set(own, slot);
    return slot;
  }

  #append(slot: number): void {
    if (slot === this.#kinds.length) this.#grow();
    this.#texts[slot] = "";
    this.#older[slot] = this.#newest;
    this.#newer[slot] = NONE;
    if (this.#newest !== NONE) this.#newer[this.#newest] = slot;
    if (this.#oldest === NONE) this.#oldest = slot;
    this.#newest = slot;
  }

  /** Makes a slot the most recently used. */
  #use(slot: number): void {
    if (slot === this.#newest) return;
    const older = this.#older[slot] ?? NONE;
    const newer = this.#newer[slot] ?? NONE;
    if (older === NONE) this.#oldest = newer;
    else this.#newer[older] = newer;
    this.#older[newer] = older;
    this.#older[slot] = this.#newest;
    this.#newer[slot] = NONE;
    this.#newer[this.#newest] = slot;
    this.#newest = slot;
  }

  #grow(): void {
    const slots = Math.min(this.#capacity, 2 * this.#kinds.length);
    this.#expiresAtMs = copied(this.#expiresAtMs, new Float64Array(slots));
    this.#kinds = copied(this.#kinds, new Uint8Array(slots));
    this.#older = copied(this.#older, new Int32Array(slots));
    this.#newer = copied(this.#newer, new Int32Array(slots));
  }
}

function copied<Numbers extends Float64Array | Uint8Array | Int32Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}
