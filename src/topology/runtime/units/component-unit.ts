/**
 * A component while it runs: its instances, and what they have in common. Changes that instances cannot
 * take while they run are made around a pause: no item is lost, and none is worked on twice. A change
 * that fails leaves everything as it was, running.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import { openMetrics, type Reading, readMetrics } from "../../../base/telemetry/index.ts";
import type { Connector } from "../../connector/index.ts";
import type { ComponentDefinition, Ends } from "../../unit/index.ts";
import {
  ComponentInstance,
  type Employed,
  type InstanceState,
} from "../instances/component-instance.ts";
import type { Turns } from "../instances/turns.ts";
import { WorkMaker } from "../instances/work-maker.ts";
import { UnitSettings } from "../settings/unit-settings.ts";
import type { ComponentWiring } from "../wiring.ts";
import { LATE } from "./patience.ts";
import { refused, unitFault } from "./refusal.ts";
import type { UnitSurroundings } from "./surroundings.ts";
import { COMPONENT_METRICS, type ComponentMetrics } from "./unit-metrics.ts";

export interface ComponentUnitParts extends UnitSurroundings {
  readonly turns: Turns;
  readonly connectorOf: (id: string) => Connector<unknown>;
  /** Whether other components put items into this connector, or did. */
  readonly isProducedByOthers: (connectorId: string) => boolean;
  /** A unit whose policy is to stop has failed. */
  readonly stop: (error: CrawlError) => void;
  /** An instance has come to its end. */
  readonly changed: () => void;
}

export class ComponentUnit {
  readonly wiring: ComponentWiring;
  readonly settings: UnitSettings;
  readonly #parts: ComponentUnitParts;
  readonly #works: WorkMaker;
  readonly #own: ReturnType<typeof openMetrics>;
  readonly #common: ComponentMetrics = openMetrics(COMPONENT_METRICS);
  #instances: readonly ComponentInstance[] = [];
  readonly #restarting = new Set<ComponentInstance>();
  readonly #ending = new Set<Promise<void>>();
  #numbered = 0;
  #isSuspended = true;
  #isDiscarded = false;
  /** Changes are made one after another. */
  #changing: Promise<void> = Promise.resolve();

  constructor(wiring: ComponentWiring, parts: ComponentUnitParts) {
    this.wiring = wiring;
    this.#parts = parts;
    this.settings = new UnitSettings(wiring.definition, wiring.settings);
    this.#own = openMetrics(wiring.definition.metrics);
    this.#works = new WorkMaker({
      ...{ id: wiring.id, definition: wiring.definition, roles: wiring.providers ?? {} },
      ...{ settings: this.settings, metrics: this.#own, surroundings: parts },
    });
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

  get hasInputs(): boolean {
    return Object.keys(this.definition.inputs).length > 0;
  }

  /** Whether nothing is in flight, and no instance is just being made anew. */
  get isAtRest(): boolean {
    return this.inFlight === 0 && this.#restarting.size === 0;
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

  /** Makes its instances; none is left if one of them cannot be made. */
  async open(): Promise<void> {
    try {
      await this.#grow(this.wiring.instances ?? 1);
    } catch (thrown) {
      await this.discard(false);
      throw thrown;
    }
  }

  resume(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    for (const instance of this.#instances) instance.unpause();
  }

  /** Takes no more items from now on, until it is resumed. */
  suspend(): void {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    for (const instance of this.#instances) instance.pause();
  }

  /** Resolves when none of its items is in flight, or when it has been resumed. */
  async quiet(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.quiet()));
  }

  /** Does something while no instance takes items and none is in flight. */
  async whileSuspended(change: () => Promise<void>): Promise<void> {
    await this.#inTurn(async () => {
      await this.#whilePaused(this.#instances, change);
    });
  }

  /** Every instance gets new work, which may go on from the state of the old. */
  async renew(): Promise<void> {
    await this.whileSuspended(async () => {
      const instances = this.#instances.filter(({ isOver }) => !isOver);
      const made: Employed[] = [];
      try {
        for (const one of instances) made.push(await this.#works.make(one, one.handOver()));
      } catch (thrown) {
        for (const one of made) await this.#works.undo(one);
        throw thrown;
      }
      for (const [at, one] of made.entries()) await instances[at]?.employ(one);
    });
  }

  async setInstances(count: number): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#instances.every(({ isOver }) => isOver)) throw refused(`${this.id} has finished`);
      await this.#grow(count);
      // The last ones go, but before them those that are over: others have still something to do.
      const [over, others] = [true, false].map((isOver) =>
        this.#instances.filter((one) => one.isOver === isOver).toReversed(),
      );
      const surplus = this.#instances.length - count;
      await this.#retire([...(over ?? []), ...(others ?? [])].slice(0, Math.max(0, surplus)));
      // Those that are left may all be over.
      this.#parts.changed();
    });
  }

  /** Its ends are given back once everything that it emitted has gone out. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#retire(this.#instances);
      await this.#parts.patience.wait(Promise.all(this.#ending));
    });
  }

  /**
   * Ends at once: what waits for room is dropped. For the end of the whole topology. `isOver`: nothing
   * more is to be expected from it, now or in another life.
   */
  async discard(isOver: boolean): Promise<void> {
    const { patience } = this.#parts;
    this.#isDiscarded = true;
    for (const instance of this.#instances) {
      if (!instance.isOver) await this.#endWork(instance);
    }
    await patience.wait(Promise.all(this.#ending));
    const isDone = isOver ? () => true : this.#isDoneWithout(this.#instances);
    for (const instance of this.#instances) instance.close(isDone);
  }

  /** Ids of connectors. */
  get putsInto(): readonly string[] {
    return Object.values(this.wiring.outputs ?? {});
  }

  /** Ids of connectors. */
  get takesFrom(): readonly string[] {
    return Object.values(this.wiring.inputs ?? {});
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
    const grown: ComponentInstance[] = [];
    try {
      while (this.#instances.length + grown.length < count) {
        this.#numbered += 1;
        const instance = this.#openInstance(this.#numbered);
        grown.push(instance);
        await instance.employ(await this.#works.make(instance));
      }
    } catch (thrown) {
      for (const instance of grown) {
        await this.#parts.patience.wait(instance.endWork());
        instance.close(this.#isDoneWithout(grown));
      }
      throw thrown;
    }
    this.#instances = [...this.#instances, ...grown];
    if (!this.#isSuspended) for (const instance of grown) instance.unpause();
  }

  #openInstance(number: number): ComponentInstance {
    const { wiring } = this;
    const { clock, turns, connectorOf } = this.#parts;
    const { definition } = wiring;
    const named = (ends: Readonly<Record<string, string>> = {}, types: Ends = {}) =>
      new Map(
        Object.entries(ends).map(([role, id]) => {
          const connector = connectorOf(id);
          const [given, wanted] = [connector.type.name, types[role]?.name];
          if (given === wanted) return [role, connector];
          throw refused(`${id} carries ${given}, but ${role} of ${wiring.id} is ${wanted}`);
        }),
      );
    const instance: ComponentInstance = new ComponentInstance({
      name: number === 1 ? wiring.id : `${wiring.id}#${number}`,
      component: wiring.id,
      definition,
      ...{ clock, turns, metrics: this.#common },
      inputs: named(wiring.inputs, definition.inputs),
      outputs: named(wiring.outputs, definition.outputs),
      failed: (error) => this.#failed(instance, error),
      misused: this.#parts.report,
      finished: () => this.#finished(instance),
    });
    return instance;
  }

  #failed(instance: ComponentInstance, error: CrawlError): void {
    const { report, stop } = this.#parts;
    const policy = this.wiring.onFailure ?? "skip";
    // The whole topology ends with this error, which is told once.
    if (policy === "stop") stop(error);
    else report(error);
    if (policy === "restart") this.#restart(instance);
  }

  /** New work without the state of the old, which may be what made it fail. It has no further item. */
  #restart(instance: ComponentInstance): void {
    if (instance.isOver || this.#restarting.has(instance)) return;
    this.#restarting.add(instance);
    instance.pause();
    void this.#inTurn(async () => {
      try {
        await this.#settled([instance]);
        if (instance.isOver || this.#isDiscarded) return;
        const made = await this.#works.make(instance);
        if (this.#isDiscarded) await this.#works.undo(made);
        else await instance.employ(made);
        this.#restarting.delete(instance);
        instance.unpause();
      } catch (thrown) {
        this.#parts.stop(unitFault(thrown, this.id));
      }
    });
  }

  #finished(instance: ComponentInstance): void {
    const ending = (async () => {
      await this.#endWork(instance);
      await instance.flushed();
      instance.close(() => true);
    })();
    this.#ending.add(ending);
    void ending.then(() => {
      this.#ending.delete(ending);
      this.#parts.changed();
    });
  }

  /** A `close` that does not come back is told, and left alone. */
  async #endWork(instance: ComponentInstance): Promise<void> {
    const { patience, report } = this.#parts;
    if ((await patience.wait(instance.endWork())) !== LATE) return;
    report(unitFault(new Error(`it did not close within ${patience.limitMs} ms`), this.id));
  }

  /** Takes instances out. They stay if they do not come to rest, or cannot get rid of what they emitted. */
  async #retire(instances: readonly ComponentInstance[]): Promise<void> {
    const { patience } = this.#parts;
    await this.#whilePaused(instances, async () => {
      const flushed = Promise.all(instances.map((instance) => instance.flushed()));
      if ((await patience.wait(flushed)) === LATE) {
        const waiting = instances.reduce((sum, { waitingOut }) => sum + waitingOut, 0);
        throw refused(`${waiting} items of ${this.id} found no room in its outputs`);
      }
      for (const instance of instances) {
        if (instance.isOver) continue;
        await patience.wait(instance.endWork());
        await patience.wait(instance.flushed());
        instance.close(this.#isDoneWithout(instances));
      }
    });
    this.#instances = this.#instances.filter((one) => !instances.includes(one));
  }

  /**
   * Whether an output ends with the last of its other producers when these instances go. If there is no
   * other one, it waits for whoever may come in their place.
   */
  #isDoneWithout(going: readonly ComponentInstance[]): (outputRole: string) => boolean {
    const hasOthers = this.#instances.some((one) => !going.includes(one));
    return (role) => {
      const id = this.wiring.outputs?.[role];
      return hasOthers || (id !== undefined && this.#parts.isProducedByOthers(id));
    };
  }

  async #whilePaused(
    instances: readonly ComponentInstance[],
    change: () => Promise<void>,
  ): Promise<void> {
    for (const instance of instances) instance.pause();
    try {
      await this.#settled(instances);
      await change();
    } finally {
      for (const instance of instances) instance.unpause();
    }
  }

  async #settled(instances: readonly ComponentInstance[]): Promise<void> {
    const { patience } = this.#parts;
    if (instances.every(({ inFlight }) => inFlight === 0)) return;
    const quiet = Promise.all(instances.map((instance) => instance.quiet()));
    if ((await patience.wait(quiet)) !== LATE) return;
    const why = `${this.inFlight} items of ${this.id} were still in flight after ${patience.limitMs} ms`;
    throw refused(why);
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const next = this.#changing.then(change);
    this.#changing = next.catch(() => undefined);
    return next;
  }
}
