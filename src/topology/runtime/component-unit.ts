/**
 * A component while it runs: its instances, and what they have in common. Changes that instances cannot
 * take while they run are made around a suspension: no item is lost, and none is worked on twice.
 */
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import { openMetrics, type Reading, readMetrics } from "../../base/telemetry/index.ts";
import type { Connector } from "../connector/index.ts";
import type { ComponentDefinition, Unit, Workplace } from "../unit/index.ts";
import { ComponentInstance, type InstanceState } from "./component-instance.ts";
import { type UnitSurroundings, unitContext } from "./surroundings.ts";
import type { Turns } from "./turns.ts";
import { COMPONENT_METRICS, type ComponentMetrics } from "./unit-metrics.ts";
import { UnitSettings } from "./unit-settings.ts";
import type { ComponentWiring } from "./wiring.ts";

export interface ComponentUnitParts extends UnitSurroundings {
  readonly turns: Turns;
  readonly connectorOf: (id: string) => Connector<unknown>;
  /** A unit whose policy is to stop has failed. */
  readonly stop: (error: CrawlError) => void;
  /** An instance has come to its end. */
  readonly changed: () => void;
}

export class ComponentUnit {
  readonly wiring: ComponentWiring;
  readonly settings: UnitSettings;
  readonly #parts: ComponentUnitParts;
  readonly #own: ReturnType<typeof openMetrics>;
  readonly #common: ComponentMetrics = openMetrics(COMPONENT_METRICS);
  readonly #instances: ComponentInstance[] = [];
  #numbered = 0;
  #isSuspended = true;
  /** Changes are made one after another. */
  #changing: Promise<void> = Promise.resolve();

  constructor(wiring: ComponentWiring, parts: ComponentUnitParts) {
    this.wiring = wiring;
    this.#parts = parts;
    this.settings = new UnitSettings(wiring.definition.settings, wiring.settings ?? new Map());
    this.#own = openMetrics(wiring.definition.metrics);
  }

  get id(): string {
    return this.wiring.id;
  }

  get definition(): ComponentDefinition {
    return this.wiring.definition;
  }

  /** Ids of the providers that it uses. */
  get uses(): readonly string[] {
    return Object.values(this.wiring.providers ?? {});
  }

  get instances(): number {
    return this.#instances.length;
  }

  /** `running` if any instance is, `finished` when all are. */
  get state(): InstanceState {
    const states = this.#instances.map(({ state }) => state);
    if (states.includes("running")) return "running";
    return states.includes("suspended") ? "suspended" : "finished";
  }

  get inFlight(): number {
    return this.#instances.reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  get waitingOut(): number {
    return this.#instances.reduce((sum, { waitingOut }) => sum + waitingOut, 0);
  }

  readMetrics(): Record<string, Reading> {
    return { ...readMetrics(this.#common), ...readMetrics(this.#own) };
  }

  async open(): Promise<void> {
    await this.#grow(this.wiring.instances ?? 1);
  }

  resume(): void {
    this.#isSuspended = false;
    for (const instance of this.#instances) instance.resume();
  }

  /** Resolves when none of its items is in flight. */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
    await Promise.all(this.#instances.map((instance) => instance.suspend()));
  }

  /** Does something while the component is suspended, and lets it go on if it did before. */
  async whileSuspended(change: () => Promise<void>): Promise<void> {
    await this.#inTurn(async () => {
      const wasSuspended = this.#isSuspended;
      await this.suspend();
      try {
        await change();
      } finally {
        if (!wasSuspended) this.resume();
      }
    });
  }

  /** Every instance gets new work, which may go on from the state of the old. */
  async renew(): Promise<void> {
    await this.whileSuspended(async () => {
      for (const instance of this.#instances) {
        if (instance.state !== "finished") await this.#equip(instance, await instance.endWork());
      }
    });
  }

  async setInstances(count: number): Promise<void> {
    await this.#inTurn(async () => {
      if (count > this.#instances.length) await this.#grow(count);
      while (this.#instances.length > count) {
        const last = this.#instances.pop();
        if (last !== undefined) await retire(last);
      }
    });
  }

  /** Its ends are given back once everything that it emitted has gone out. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      for (const instance of this.#instances.splice(0)) await retire(instance);
    });
  }

  /** Ends at once: what waits for room is dropped. For the end of the whole topology. */
  async discard(): Promise<void> {
    for (const instance of this.#instances.splice(0)) {
      if (instance.state === "finished") continue;
      await instance.endWork();
      instance.close();
    }
  }

  isAt(connectorId: string): boolean {
    const { inputs = {}, outputs = {} } = this.wiring;
    return [...Object.values(inputs), ...Object.values(outputs)].includes(connectorId);
  }

  reconnect(connectorId: string): void {
    const { inputs = {}, outputs = {} } = this.wiring;
    const connector = this.#parts.connectorOf(connectorId);
    for (const instance of this.#instances) {
      for (const [role, id] of Object.entries(inputs)) {
        if (id === connectorId) instance.reconnectInput(role, connector);
      }
      for (const [role, id] of Object.entries(outputs)) {
        if (id === connectorId) instance.reconnectOutput(role, connector);
      }
    }
  }

  async #grow(count: number): Promise<void> {
    while (this.#instances.length < count) {
      this.#numbered += 1;
      const instance = this.#openInstance(this.#numbered);
      await this.#equip(instance);
      this.#instances.push(instance);
      if (!this.#isSuspended) instance.resume();
    }
  }

  #openInstance(number: number): ComponentInstance {
    const { wiring } = this;
    const { clock, turns, connectorOf } = this.#parts;
    const named = (ends: Readonly<Record<string, string>> = {}) =>
      new Map(Object.entries(ends).map(([role, id]) => [role, connectorOf(id)]));
    const instance: ComponentInstance = new ComponentInstance({
      name: number === 1 ? wiring.id : `${wiring.id}#${number}`,
      component: wiring.id,
      definition: wiring.definition,
      ...{ clock, turns, metrics: this.#common },
      inputs: named(wiring.inputs),
      outputs: named(wiring.outputs),
      failed: (error) => this.#failed(instance, error),
      finished: () => void this.#finished(instance),
    });
    return instance;
  }

  async #equip(instance: ComponentInstance, state?: unknown): Promise<void> {
    const unit = unitContext({
      name: instance.name,
      roles: this.wiring.providers ?? {},
      settings: this.settings,
      metrics: this.#own,
      surroundings: this.#parts,
    });
    instance.work = await this.definition.create(placed(unit, instance), state);
  }

  #failed(instance: ComponentInstance, error: CrawlError): void {
    const { report, stop } = this.#parts;
    report(error);
    const policy = this.wiring.onFailure ?? "skip";
    if (policy === "stop") stop(error);
    else if (policy === "restart") void this.#restart(instance);
  }

  /** New work without the state of the old, which may be what made it fail. */
  async #restart(instance: ComponentInstance): Promise<void> {
    try {
      await this.whileSuspended(async () => {
        await instance.endWork();
        await this.#equip(instance);
      });
    } catch (thrown) {
      this.#parts.stop(unitFault(thrown, this.id));
    }
  }

  async #finished(instance: ComponentInstance): Promise<void> {
    try {
      await instance.endWork();
    } catch (thrown) {
      this.#parts.report(unitFault(thrown, this.id));
    }
    instance.close();
    this.#parts.changed();
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const next = this.#changing.then(change);
    this.#changing = next.catch(() => undefined);
    return next;
  }
}

async function retire(instance: ComponentInstance): Promise<void> {
  if (instance.state === "finished") return;
  await instance.suspend();
  await instance.flushed();
  await instance.endWork();
  instance.close();
}

/** Everything that the `create` of a component gets; one literal, so that reading from it is fast. */
function placed(unit: Unit, instance: ComponentInstance): Unit & Workplace {
  const { name, clock, providers, metrics, report } = unit;
  return {
    ...{ name, clock, providers, metrics, report, emit: instance.emit },
    get settings(): object {
      return unit.settings;
    },
    hold: () => instance.hold(),
    letGo: () => instance.letGo(),
    wake: () => instance.wake(),
    finish: () => instance.finish(),
    get inFlight(): number {
      return instance.inFlight;
    },
    get waitingOut(): number {
      return instance.waitingOut;
    },
  };
}

function unitFault(thrown: unknown, id: string): CrawlError {
  return faultOf(thrown, { code: "INTERNAL_UNIT", what: `the life of unit ${id}`, isOver: false });
}
