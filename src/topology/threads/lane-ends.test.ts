/** Swaps of a connector between three threads at random moments, under simulated time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryPort } from "../../../test/support/topology/memory-ports.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { type Connector, type Inlet, LocalConnector, type Outlet } from "../connector/index.ts";
import { codec, itemType } from "../items/index.ts";
import type { AcrossThreads, ConnectorWiring, Wiring } from "../runtime/index.ts";
import { sink } from "../unit/index.ts";
import type { LaneEnds } from "./lane-ends.ts";
import { planLanes } from "./lane-plan.ts";
import { wiringOfThread } from "./thread-wiring.ts";

const Count = itemType("test/count", codec.count);
const definition = sink({ name: "any", input: Count, create: () => () => undefined });
const THREADS = ["", "a", "b"];
const STRIDE = 100_000;

function connector(capacity: number, isTee: boolean): ConnectorWiring & { across: AcrossThreads } {
  const open = (share: number) => new LocalConnector<unknown>(Count, { capacity: share, isTee });
  return { id: "c", open: () => open(capacity), across: { type: Count, capacity, open } };
}

/** One thread, with a producer and a consumer that may be missing. */
interface Place {
  readonly ends: LaneEnds;
  connector: Connector<unknown>;
  inlet: Inlet<unknown> | null;
  outlet: Outlet<unknown> | null;
  readonly taken: number[];
  sent: number;
}

class Trial {
  readonly #random: SeededRandom;
  readonly #time = new SimulatedTime();
  readonly #isTee: boolean;
  readonly #places: readonly Place[];

  constructor(seed: string) {
    this.#random = new SeededRandom(seed);
    this.#isTee = this.#random.below(2) === 0;
    const wiring = this.#wiring();
    const ports = new Map<string, MemoryPort<unknown, unknown>>();
    for (const { toHome, fromHome } of planLanes(wiring).values()) {
      for (const { name, from, to } of [...toHome, ...fromHome]) {
        const [one, other] = MemoryPort.pair<unknown, unknown>(this.#time, this.#random.below(4));
        ports.set(`${name} at ${from}`, one);
        ports.set(`${name} at ${to}`, other);
      }
    }
    this.#places = THREADS.flatMap((thread) => {
      const { lanes } = wiringOfThread(wiring, {
        ...{ thread, clock: this.#time, report: fail, failed: fail },
        portOf: (lane) => ports.get(`${lane} at ${thread}`) ?? fail(lane),
      });
      const ends = lanes.get("c");
      if (ends === undefined) return [];
      const opened = ends.open();
      const at = wiring.components.filter((one) => (one.thread ?? "") === thread);
      return {
        ...{ ends, connector: opened, taken: [], sent: 0 },
        inlet: at.some(({ outputs }) => outputs !== undefined) ? opened.openInlet() : null,
        outlet: at.some(({ inputs }) => inputs !== undefined) ? opened.openOutlet("it") : null,
      };
    });
  }

  run(): void {
    for (let step = 0; step < 300; step += 1) this.#step();
    for (const { inlet } of this.#places) inlet?.close();
    for (let left = 1; left > 0; ) {
      while (this.#time.step()) this.#checkSettled();
      left = this.#places.reduce((sum, place) => sum + take(place, 50), 0);
    }
    this.#check();
  }

  /** Producers and consumers on random threads, which may be the same. */
  #wiring(): Wiring {
    const onSome = () => THREADS.filter(() => this.#random.below(2) === 0);
    const [producing, consuming] = [onSome(), onSome()];
    const isJoining = new Set([...producing, ...consuming]).size > 1;
    if (!isJoining || producing.length === 0 || consuming.length === 0) return this.#wiring();
    const ends = [
      ...producing.map((thread) => ({ thread, outputs: { o: "c" } })),
      ...consuming.map((thread) => ({ thread, inputs: { i: "c" } })),
    ];
    return {
      providers: [],
      connectors: [connector(this.#capacity(), this.#isTee)],
      components: ends.map((one, at) => ({ id: `${at}`, definition, ...one })),
    };
  }

  #capacity(): number {
    return 1 + this.#random.below(this.#random.below(2) === 0 ? 4 : 60);
  }

  #step(): void {
    const place = this.#places[this.#random.below(this.#places.length)];
    const choice = this.#random.below(20);
    if (place === undefined) return;
    if (choice < 8) this.#offer(place);
    else if (choice < 13) take(place, 1 + this.#random.below(20));
    else if (choice < 18) this.#time.step();
    else if (choice < 19) this.#finish(place);
    else this.#swap();
  }

  /** Some producers are done long before the others. */
  #finish(place: Place): void {
    if (this.#random.below(8) > 0) return;
    place.inlet?.close();
    place.inlet = null;
  }

  #offer(place: Place): void {
    const { inlet, connector: into } = place;
    const number = this.#places.indexOf(place) * STRIDE + place.sent;
    const count = 1 + this.#random.below(into.capacity);
    const block = Array.from({ length: count }, (_, at) => number + at);
    if (inlet?.tryOffer(block)) place.sent += count;
  }

  /** Each thread at another moment; between them items go on. */
  #swap(): void {
    const after = connector(this.#capacity(), this.#isTee);
    for (const place of this.#places) {
      const successor = place.ends.successor(after).open() as Connector<unknown>;
      successor.takeOver(place.connector.handOver());
      place.connector = successor;
      place.inlet?.leave();
      if (place.inlet !== null) place.inlet = successor.openInlet();
      const before = place.outlet;
      if (before !== null) place.outlet = successor.openOutlet("it");
      before?.close();
      for (let steps = this.#random.below(4); steps > 0; steps -= 1) {
        this.#time.step();
        for (const one of this.#places) this.#offer(one);
      }
    }
    for (const { ends } of this.#places) ends.widen();
    for (const {
      inlet,
      connector: { capacity },
    } of this.#places) {
      if (inlet !== null) assert.ok(capacity <= after.across.capacity);
    }
  }

  /** While no thread sees an item on its way, there is none. */
  #checkSettled(): void {
    if (this.#places.some(({ ends }) => !ends.isSettled)) return;
    const sent = this.#places.reduce((sum, place) => sum + place.sent, 0);
    const taken = this.#places.map((place) => place.taken.length);
    if (this.#isTee) assert.equal(Math.max(...taken), sent);
    else
      assert.equal(
        taken.reduce((sum, count) => sum + count, 0),
        sent,
      );
  }

  #check(): void {
    const sent = this.#places.flatMap(({ sent: count }, at) =>
      Array.from({ length: count }, (_, number) => at * STRIDE + number),
    );
    const consumers = this.#places.filter(({ outlet }) => outlet !== null);
    for (const { taken } of consumers) {
      for (const at of this.#places.keys()) {
        const ofOne = taken.filter((item) => Math.floor(item / STRIDE) === at);
        assert.deepEqual(ofOne, sorted(ofOne), "in the order of each producer");
      }
      if (this.#isTee) assert.deepEqual(sorted(taken), sent);
    }
    if (!this.#isTee) assert.deepEqual(sorted(consumers.flatMap(({ taken }) => taken)), sent);
    for (const { outlet, ends } of this.#places) {
      assert.ok(outlet?.isDrained !== false);
      assert.ok(ends.isSettled);
    }
  }
}

function take({ outlet, taken }: Place, countMax: number): number {
  return outlet?.takeInto(taken, countMax) ?? 0;
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}

function fail(what: unknown): never {
  throw new Error(`not expected: ${what}`);
}

test("whenever a connector between threads is swapped, every item arrives once, in order", () => {
  for (let seed = 0; seed < 400; seed += 1) {
    try {
      new Trial(`lane-ends-${seed}`).run();
    } catch (thrown) {
      throw new Error(`with seed ${seed}`, { cause: thrown });
    }
  }
});
