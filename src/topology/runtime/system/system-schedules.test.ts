/**
 * Random changes of a topology under load. Whatever is changed, in whatever order and however many at
 * once, every item arrives once, or is one on which a unit failed; all works that were made are closed
 * once; and everything ends.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Count, Rig, sorted, upTo } from "../../../../test/support/topology/runtime-rig.ts";
import { isCrawlError } from "../../../base/errors/index.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import { key, value } from "../../../rules/settings/index.ts";
import { LocalConnector, PriorityLine } from "../../connector/index.ts";
import {
  type ComponentDefinition,
  filter,
  type ProviderDefinition,
  provider,
  providerRole,
  sink,
  source,
} from "../../unit/index.ts";
import type { ComponentWiring, ConnectorWiring, FailurePolicy } from "../wiring.ts";

const SCHEDULES = process.env["TROBAR_FULL"] === "1" ? 5000 : 320;
/** Items of one source have numbers below this, those of the next above it. */
const STRIDE = 10_000;
const PATIENCE_MS = 60;

const Tally = providerRole<{ count(): void; readonly counted: number }>("tally");
const SETTINGS = {
  live: key(value.count({ min: 0 }), { default: 0, meaning: "Live.", live: true }),
  other: key(value.count({ min: 0 }), { default: 0, meaning: "Not live." }),
};

class Schedule {
  readonly #random: SeededRandom;
  readonly #changes: Promise<void>[] = [];
  readonly #wrong: unknown[] = [];
  readonly #arrived = new Map<string, number[]>();
  readonly #failedOn: number[] = [];
  readonly #tees: ReadonlySet<string>;
  #made = 0;
  #closed = 0;
  #sources = 0;
  #expected: number[] = [];
  #added: string[] = [];
  #counts = 0;
  #rig: Rig = new Rig(PATIENCE_MS);

  constructor(seed: string) {
    this.#random = new SeededRandom(seed);
    this.#tees = new Set(this.#random.below(2) === 0 ? ["out"] : []);
  }

  async run(): Promise<void> {
    await this.#start();
    const count = 5 + this.#random.below(20);
    for (let change = 0; change < count; change += 1) {
      await this.#rig.pass(this.#random.below(25));
      this.#try(this.#change());
      if (this.#random.below(3) === 0) await this.#rig.during(Promise.all(this.#changes));
    }
    await this.#rig.during(Promise.all(this.#changes));
    for (const { id, kind } of this.#rig.system.units()) {
      if (kind !== "provider") this.#rig.system.resume(id);
    }
    await this.#rig.settle();
    this.#check();
    await this.#rig.during(this.#rig.system.close());
    assert.equal(this.#closed, this.#made, "every work that was made is closed once");
  }

  #check(): void {
    const { failure, finishedCount, errors } = this.#rig;
    assert.deepEqual(this.#wrong, []);
    assert.equal(failure, null);
    assert.ok(finishedCount >= 1, `it ends: ${JSON.stringify(this.#rig.system.units())}`);
    const expected = sorted(this.#expected.filter((item) => !this.#failedOn.includes(item)));
    assert.equal(errors.length, this.#failedOn.length, "a failure is told once");
    assert.equal(new Set(this.#failedOn).size, this.#failedOn.length, "no item is tried twice");
    const isTee = this.#tees.has("out");
    const all = isTee ? (this.#arrived.get("keeper") ?? []) : [...this.#arrived.values()].flat();
    assert.deepEqual(sorted(all), expected);
    for (const items of this.#arrived.values()) {
      assert.equal(new Set(items).size, items.length, "no consumer has an item twice");
    }
    const tally = this.#rig.system.units().find(({ id }) => id === "tally");
    assert.equal(tally?.metrics["counted"], this.#counts, "the state of a provider is handed over");
  }

  async #start(): Promise<void> {
    const { system } = this.#rig;
    const wiring = {
      providers: [{ id: "tally", definition: this.#tally("first") }],
      connectors: [this.#connector("in"), this.#connector("out")],
      components: [
        this.#source(),
        this.#source(),
        this.#worker("worker", 1 + this.#random.below(3)),
        this.#sink("keeper"),
      ],
    };
    await this.#rig.during(system.open(wiring));
    system.start();
  }

  #change(): Promise<void> {
    const { system } = this.#rig;
    const units = system.units().filter(({ kind }) => kind !== "provider");
    const id = units[this.#random.below(units.length)]?.id ?? "keeper";
    const number = this.#random.below(5);
    switch (this.#random.below(11)) {
      case 0:
        return system.suspend(id);
      case 1:
      case 2:
        system.resume(id);
        return Promise.resolve();
      case 3:
        return system.setInstances(this.#random.below(2) === 0 ? "worker" : "keeper", 1 + number);
      case 4:
        return system.swapConnector(this.#connector(this.#random.below(2) === 0 ? "in" : "out"));
      case 5:
        return system.swapProvider({ id: "tally", definition: this.#tally(`no. ${number}`) });
      case 6:
        return system.changeSettings(id, new Map([["live", number]]));
      case 7:
        return system.changeSettings(id, new Map([["other", number]]));
      case 8:
        return this.#add(this.#random.below(2) === 0 ? this.#sink(this.#name()) : this.#source());
      case 9:
        return this.#add(this.#worker(this.#name(), 1 + this.#random.below(2)));
      default:
        return this.#remove();
    }
  }

  /** Refusals are answers; anything else is wrong. */
  #try(change: Promise<void>): void {
    this.#changes.push(
      change.catch((thrown: unknown) => {
        if (!isCrawlError(thrown) || thrown.code !== "TOPOLOGY_REFUSED") this.#wrong.push(thrown);
      }),
    );
  }

  async #add(wiring: ComponentWiring): Promise<void> {
    const isSource = wiring.id.startsWith("source");
    await this.#rig.system
      .add({ providers: [], connectors: [], components: [wiring] })
      .catch((thrown: unknown) => {
        // Its items were never to come.
        if (isSource) this.#expected = this.#expected.filter((one) => !this.#isOf(wiring.id, one));
        throw thrown;
      });
    if (!isSource) this.#added.push(wiring.id);
  }

  #isOf(sourceId: string, item: number): boolean {
    return `source${Math.floor(item / STRIDE)}` === sourceId;
  }

  async #remove(): Promise<void> {
    const id = this.#added.pop();
    if (id !== undefined) await this.#rig.system.remove(id);
  }

  #name(): string {
    return `added${this.#random.below(1_000_000)}`;
  }

  #connector(id: string): ConnectorWiring {
    const capacity = 1 + this.#random.below(12);
    const isByPriority = this.#random.below(3) === 0;
    const line = { openLine: () => new PriorityLine<unknown>((item) => Number(item) % 7) };
    const options = { capacity, isTee: this.#tees.has(id), ...(isByPriority ? line : {}) };
    return { id, open: () => new LocalConnector<unknown>(Count, options) };
  }

  #source(): ComponentWiring {
    const first = this.#sources * STRIDE;
    const total = 10 + this.#random.below(60);
    const id = `source${this.#sources}`;
    this.#sources += 1;
    this.#expected.push(...upTo(total).map((at) => first + at));
    const definition = source({
      ...{ name: "numbers", output: Count, settings: SETTINGS },
      create: (unit, state) => {
        let next = typeof state === "number" ? state : 0;
        return {
          ...this.#life(() => next),
          pull(countMax, emit) {
            for (let left = Math.min(countMax, 7); left > 0 && next < total; left -= 1) {
              emit(first + next);
              next += 1;
            }
            if (next === total) unit.finish();
            return next < total;
          },
        };
      },
    });
    return { id, definition, outputs: { output: "in" } };
  }

  #worker(id: string, instances: number): ComponentWiring {
    const policies: FailurePolicy[] = ["skip", "restart"];
    const onFailure = policies[this.#random.below(2)] ?? "skip";
    const definition = filter({
      ...{ name: "worker", input: Count, output: Count, settings: SETTINGS },
      ...{ inFlightMax: 1 + this.#random.below(4), providers: { tally: Tally } },
      create: (unit) => {
        const work = async (item: number, emit: (item: number) => void): Promise<void> => {
          unit.providers.tally.count();
          this.#counts += 1;
          if (item % 3 !== 0) {
            await new Promise<void>((resolve) => void unit.clock.after(item % 5, resolve));
          }
          if (item % 41 === 40) {
            this.#failedOn.push(item);
            throw new Error("not this one");
          }
          emit(item);
        };
        return { ...this.#life(), take: work };
      },
    });
    return this.#placed({ id, definition, instances, onFailure });
  }

  #placed(wiring: Pick<ComponentWiring, "id" | "definition" | "instances" | "onFailure">) {
    const ends = { inputs: { input: "in" }, outputs: { output: "out" } };
    return { ...wiring, ...ends, providers: { tally: "tally" } };
  }

  #sink(id: string): ComponentWiring {
    const arrived: number[] = [];
    this.#arrived.set(id, arrived);
    const definition: ComponentDefinition = sink({
      ...{ name: "keeper", input: Count, settings: SETTINGS },
      create: () => ({ ...this.#life(), take: (item) => void arrived.push(item) }),
    });
    return { id, definition, inputs: { input: "out" } };
  }

  #tally(name: string): ProviderDefinition {
    return provider({
      ...{ name, provides: Tally, settings: SETTINGS },
      metrics: { counted: { kind: "counter", meaning: "calls", unit: null } },
      create: async (unit, state) => {
        let counted = typeof state === "number" ? state : 0;
        unit.metrics.counted.add(counted);
        await new Promise<void>((resolve) => void unit.clock.after(3, resolve));
        const count = (): void => {
          counted += 1;
          unit.metrics.counted.add();
        };
        return {
          ...{ service: { count, counted } },
          ...this.#life(() => counted),
        };
      },
    });
  }

  #life(handOver: () => unknown = () => undefined) {
    this.#made += 1;
    const close = (): void => {
      this.#closed += 1;
    };
    return { handOver, close };
  }
}

for (const seed of upTo(SCHEDULES)) {
  test(`under random changes every item arrives once, and everything ends (seed ${seed})`, async () => {
    await new Schedule(`schedule ${seed}`).run();
  });
}
