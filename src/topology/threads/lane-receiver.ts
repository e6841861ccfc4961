/**
 * The consumers' end of lanes: puts what arrives into a connector of its own thread, and grants credit
 * again for what its consumers have taken, a quarter of the capacity at a time and whenever nothing is
 * left. There may be several *parties* of producers: one for each thread that has any, each with its
 * share of the capacity.
 *
 * Invariant: what is inside is at most what the parties have sent and were not granted again, which is
 * at most the sum of their shares; so there is always room for what arrives.
 */
import assert from "node:assert/strict";
import type { Connector, Inlet, Outlet } from "../connector/index.ts";
import { ByteReader, type Codec } from "../items/index.ts";
import { CreditIntake } from "./credit-intake.ts";
import type { LaneCredit, LaneLoad, Port } from "./port.ts";

/** Credit is granted again when so many parts of the capacity were taken. */
const GRANTS_PER_CAPACITY = 4;

export interface LaneReceiverParts<Item> {
  /** Where items wait for consumers; its capacity is the sum of the parties' shares. */
  readonly inner: Connector<Item>;
  /** Told once, when something arrived that cannot be decoded. */
  readonly failed: (error: unknown) => void;
}

interface Party<Item> {
  inlet: Inlet<Item>;
  isDone: boolean;
  readonly grant: (count: number) => void;
  owed: number;
}

/** Items that came one after another from one party. */
interface Arrival<Item> {
  readonly party: Party<Item>;
  count: number;
}

export class LaneReceiver<Item> {
  #inner: Connector<Item>;
  readonly #failed: (error: unknown) => void;
  readonly #parties: Party<Item>[] = [];
  /** In order of arrival; consumers that take in another order even out in the end. */
  readonly #arrivals: Arrival<Item>[] = [];
  #takesPerGrant: number;
  /** Items that arrived and whose credit was not granted again. */
  #held = 0;
  /** Items that were taken since credit was last granted. */
  #takes = 0;

  constructor({ inner, failed }: LaneReceiverParts<Item>) {
    this.#inner = inner;
    this.#failed = failed;
    this.#takesPerGrant = takesPerGrant(inner.capacity);
  }

  get inner(): Connector<Item> {
    return this.#inner;
  }

  /** Producers of another thread. */
  joinPort(port: Port<LaneCredit, LaneLoad>): void {
    const { codec } = this.#inner.type;
    assert(codec !== null, "what comes from another thread can be decoded");
    const party = this.#join((count) => port.post(count));
    port.listen((load) => {
      if (load === null) this.#close(party);
      else this.#unload(load, codec, party);
    });
  }

  /** Producers of this thread, who share the capacity with those of others. */
  joinLocal(capacity: number): CreditIntake<Item> {
    const party = this.#join((count) => intake.grant(count));
    const intake: CreditIntake<Item> = new CreditIntake({
      capacity,
      send: (block) => this.#arrive(block, party),
      closed: () => this.#close(party),
    });
    return intake;
  }

  openOutlet(consumer: string): Outlet<Item> {
    return new LaneOutlet(this.#inner.openOutlet(consumer), this);
  }

  /**
   * Goes on with another connector, which has taken over the items of the old. It must have room for what
   * is still to come on credit that was given; `capacity` is the sum of the shares from now on. Outlets
   * that were opened before are to be opened again.
   */
  moveTo(inner: Connector<Item>, capacity: number): void {
    this.#inner = inner;
    this.#takesPerGrant = takesPerGrant(capacity);
    for (const party of this.#parties) party.inlet = inner.openInlet();
    for (const party of this.#parties) if (party.isDone) party.inlet.close();
  }

  /** For its outlets: so many items were taken, and so many are left for that consumer. */
  taken(count: number, left: number): void {
    this.#takes += count;
    if (left === 0 || this.#takes >= this.#takesPerGrant) this.settle();
  }

  /** For its outlets: grants credit for everything that is no longer inside. */
  settle(): void {
    this.#takes = 0;
    let freed = this.#held - this.#inner.length;
    this.#held -= freed;
    while (freed > 0) {
      const [first] = this.#arrivals;
      assert(first !== undefined, "what is freed has arrived");
      const count = Math.min(freed, first.count);
      first.party.owed += count;
      first.count -= count;
      freed -= count;
      if (first.count === 0) this.#arrivals.shift();
    }
    for (const party of this.#parties) {
      const { owed } = party;
      party.owed = 0;
      if (owed > 0) party.grant(owed);
    }
  }

  #join(grant: (count: number) => void): Party<Item> {
    const party = { inlet: this.#inner.openInlet(), isDone: false, grant, owed: 0 };
    this.#parties.push(party);
    return party;
  }

  #close(party: Party<Item>): void {
    party.isDone = true;
    party.inlet.close();
  }

  #unload(load: ArrayBuffer, codec: Codec<Item>, party: Party<Item>): void {
    const items: Item[] = [];
    try {
      const reader = new ByteReader(new Uint8Array(load));
      while (!reader.isAtEnd) {
        for (let left = reader.count(); left > 0; left -= 1) items.push(codec.read(reader));
      }
    } catch (thrown) {
      this.#failed(thrown);
      return;
    }
    this.#arrive(items, party);
  }

  #arrive(items: readonly Item[], party: Party<Item>): void {
    this.#held += items.length;
    const last = this.#arrivals.at(-1);
    if (last?.party === party) last.count += items.length;
    else this.#arrivals.push({ party, count: items.length });
    const isIn = party.inlet.tryOffer(items);
    assert(isIn, "there is room for what was sent on credit");
    // At a tee whose consumers have all gone, nobody will take what came.
    if (this.#inner.length === 0) this.settle();
  }
}

class LaneOutlet<Item> implements Outlet<Item> {
  readonly #inner: Outlet<Item>;
  readonly #receiver: LaneReceiver<Item>;

  constructor(inner: Outlet<Item>, receiver: LaneReceiver<Item>) {
    this.#inner = inner;
    this.#receiver = receiver;
  }

  get length(): number {
    return this.#inner.length;
  }

  get isDrained(): boolean {
    return this.#inner.isDrained;
  }

  tryTake(): Item | undefined {
    const item = this.#inner.tryTake();
    if (item !== undefined) this.#receiver.taken(1, this.#inner.length);
    return item;
  }

  takeInto(into: Item[], countMax: number): number {
    const count = this.#inner.takeInto(into, countMax);
    if (count > 0) this.#receiver.taken(count, this.#inner.length);
    return count;
  }

  whenItems(listener: () => void): void {
    this.#inner.whenItems(listener);
  }

  close(): void {
    this.#inner.close();
    // The items of a tee's consumer go with it.
    this.#receiver.settle();
  }
}

function takesPerGrant(capacity: number): number {
  return Math.max(1, Math.floor(capacity / GRANTS_PER_CAPACITY));
}
