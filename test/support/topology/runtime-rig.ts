/** A running topology of numbers for the tests of the runtime, in simulated time. */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import { LocalConnector } from "../../../src/topology/connector/index.ts";
import { codec, type ItemType, itemType } from "../../../src/topology/items/index.ts";
import {
  type ComponentWiring,
  type ConnectorWiring,
  System,
  type UnitStatus,
  type Wiring,
} from "../../../src/topology/runtime/index.ts";
import {
  type ComponentDefinition,
  filter,
  general,
  sink,
  source,
} from "../../../src/topology/unit/index.ts";
import { SimulatedTime } from "../lab/simulated-world.ts";

export const Count: ItemType<number> = itemType("test/count", codec.count);

/** Promises that follow from each other settle in this many turns of the queue of microtasks. */
const TICKS = 40;
const STEPS_MAX = 200_000;

export class Rig {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly errors: CrawlError[] = [];
  readonly system: System;
  finishedCount = 0;
  /** Called each time that everything has finished. */
  onFinished: () => void = () => undefined;
  failure: CrawlError | null = null;

  constructor(patienceMs = 30_000) {
    this.system = new System({
      ...{ clock: this.time, patienceMs },
      report: (error) => this.errors.push(error),
      failed: (error) => {
        assert.equal(this.failure, null, "the failure is told once");
        this.failure = error;
      },
      finished: () => {
        this.finishedCount += 1;
        this.onFinished();
      },
    });
  }

  static async start(wiring: Partial<Wiring>, patienceMs?: number): Promise<Rig> {
    const rig = new Rig(patienceMs);
    await rig.during(rig.system.open(whole(wiring)));
    rig.system.start();
    return rig;
  }

  get isFinished(): boolean {
    return this.finishedCount > 0;
  }

  /** Lets this many events happen, and all promises settle after each. */
  async pass(steps: number): Promise<void> {
    await settled();
    for (let step = 0; step < steps; step += 1) {
      this.time.step();
      await settled();
    }
  }

  /** Lets time pass until the change is over. One that would never be fails the test. */
  async during<Result>(change: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    change.then(over, over);
    await settled();
    for (let steps = 0; !isOver && steps < STEPS_MAX; steps += 1) await this.pass(1);
    if (isOver) return await change;
    assert.fail("the change never ends");
  }

  /** Lets time pass until nothing is left to happen. */
  async settle(): Promise<void> {
    await settled();
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      if (!this.time.step()) return;
      await settled();
    }
    assert.fail("it never comes to rest");
  }

  unit(id: string): UnitStatus {
    const found = this.system.units().find((unit) => unit.id === id);
    assert.ok(found !== undefined, `there is a unit ${id}`);
    return found;
  }
}

async function settled(): Promise<void> {
  for (let tick = 0; tick < TICKS; tick += 1) await Promise.resolve();
}

export function whole({
  providers = [],
  connectors = [],
  components = [],
}: Partial<Wiring>): Wiring {
  return { providers, connectors, components };
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

export function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}

/** Emits 0, 1, 2 and so on, this many, and goes on where a predecessor stopped. */
export function numbers(total: number): ComponentDefinition {
  return source({
    name: "numbers",
    output: Count,
    create(unit, state) {
      let next = typeof state === "number" ? state : 0;
      return {
        pull(countMax, emit) {
          for (let left = countMax; left > 0 && next < total; left -= 1) {
            emit(next);
            next += 1;
          }
          if (next === total) unit.finish();
          return next < total;
        },
        handOver: () => next,
      };
    },
  });
}

/** Emits an item every 10 ms. */
export function slowNumbers(total: number): ComponentDefinition {
  return source({
    ...{ name: "slow-numbers", output: Count },
    create(unit) {
      let next = 0;
      return {
        async pull(_countMax, emit) {
          await new Promise<void>((resolve) => void unit.clock.after(10, resolve));
          emit(next);
          next += 1;
          if (next === total) unit.finish();
          return true;
        },
      };
    },
  });
}

export function collector(into: number[]): ComponentDefinition {
  return sink({ name: "collector", input: Count, create: () => (item) => void into.push(item) });
}

/** Passes items on after some virtual time. */
export function slow(delayMs = 1, inFlightMax = 3): ComponentDefinition {
  return filter({
    ...{ name: "slow", input: Count, output: Count, inFlightMax },
    create: (unit) => async (item, emit) => {
      await new Promise<void>((resolve) => void unit.clock.after(delayMs, resolve));
      emit(item);
    },
  });
}

/** Where a component with one output puts its items. */
export const to = (output: string): Pick<ComponentWiring, "outputs"> => ({ outputs: { output } });

/** Where a component with one input takes its items. */
export const from = (input: string): Pick<ComponentWiring, "inputs"> => ({ inputs: { input } });

export interface Gate {
  readonly definition: ComponentDefinition;
  emit(item: number): void;
  finish(): void;
}

/** A component that emits what a test wants, when it wants it. */
export function gate(): Gate {
  let emit: (item: number) => void = () => assert.fail("the gate is not open");
  let finish: () => void = () => assert.fail("the gate is not open");
  const definition = general({
    ...{ name: "gate", inputs: {}, outputs: { output: Count } },
    create(unit) {
      emit = unit.emit.output;
      finish = unit.finish;
      return { take: {} };
    },
  });
  return { definition, emit: (item) => emit(item), finish: () => finish() };
}

export function local(id: string, capacity = 10): ConnectorWiring {
  return { id, open: () => new LocalConnector<unknown>(Count, { capacity }) };
}

export function tee(id: string, capacity = 10): ConnectorWiring {
  return { id, open: () => new LocalConnector<unknown>(Count, { capacity, isTee: true }) };
}
