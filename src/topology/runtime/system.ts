/**
 * A topology that runs: providers, connectors and components, made in this order and ended in the
 * reverse one. Everything can be looked at, and changed while it runs; a change is refused, or carried
 * out around a suspension of those whom it concerns, with no item lost or doubled.
 *
 * All changes are promises: nothing here is on the way of an item.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Reading } from "../../base/telemetry/index.ts";
import type { Connector } from "../connector/index.ts";
import type { InstanceState } from "./component-instance.ts";
import { ComponentUnit } from "./component-unit.ts";
import { inOrderOfUse } from "./provider-order.ts";
import { ProviderUnit } from "./provider-unit.ts";
import type { UnitSurroundings } from "./surroundings.ts";
import { Turns } from "./turns.ts";
import type { UnitSettings } from "./unit-settings.ts";
import type { ComponentWiring, ConnectorWiring, ProviderWiring, Wiring } from "./wiring.ts";

export interface SystemParts {
  readonly clock: Clock;
  /** Told of what went wrong in a unit and ended one item of it. */
  readonly report: (error: CrawlError) => void;
  /** Told once, when a unit whose policy is to stop has failed. */
  readonly failed: (error: CrawlError) => void;
  /** Told once, when every component has finished. */
  readonly finished: () => void;
}

export interface UnitStatus {
  readonly id: string;
  readonly kind: string;
  readonly unit: string;
  readonly state: InstanceState | "providing";
  readonly instances: number;
  /** Items that are being worked on. */
  readonly inFlight: number;
  /** Items that wait for room in an output. */
  readonly waitingOut: number;
  readonly metrics: Readonly<Record<string, Reading>>;
}

export interface ConnectorStatus {
  readonly id: string;
  readonly type: string;
  readonly capacity: number;
  readonly length: number;
}

export class System {
  readonly #parts: SystemParts;
  readonly #surroundings: UnitSurroundings;
  readonly #turns: Turns;
  readonly #providers = new Map<string, ProviderUnit>();
  readonly #connectors = new Map<string, Connector<unknown>>();
  readonly #components = new Map<string, ComponentUnit>();
  #hasFailed = false;
  #isClosing = false;

  constructor(parts: SystemParts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.clock);
    this.#surroundings = {
      clock: parts.clock,
      providerOf: (id) => this.#provider(id),
      report: parts.report,
    };
  }

  /** Makes everything; nothing runs before `start`. What was made is ended again if a unit fails. */
  async open(wiring: Wiring): Promise<void> {
    try {
      for (const one of inOrderOfUse(wiring.providers)) await this.#openProvider(one);
      for (const one of wiring.connectors) this.#connectors.set(one.id, one.open());
      for (const one of wiring.components) await this.#openComponent(one);
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
  }

  start(): void {
    for (const component of this.#components.values()) component.resume();
  }

  /** Everything that components emitted goes out; then all ends, in the reverse order of its making. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const components = [...this.#components.values()];
    await Promise.all(components.map((component) => component.suspend()));
    // What waits for room would wait for ever: nobody takes any more.
    for (const component of components.reverse()) await component.discard();
    for (const provider of [...this.#providers.values()].reverse()) await provider.end();
    this.#components.clear();
    this.#providers.clear();
  }

  units(): UnitStatus[] {
    const providers = Array.from(this.#providers.values(), (one) => ({
      ...{ id: one.id, kind: "provider", unit: one.definition.name, state: "providing" as const },
      ...{ instances: 1, inFlight: 0, waitingOut: 0, metrics: one.readMetrics() },
    }));
    const components = Array.from(this.#components.values(), (one) => ({
      ...{ id: one.id, kind: one.definition.kind, unit: one.definition.name, state: one.state },
      ...{ instances: one.instances, inFlight: one.inFlight, waitingOut: one.waitingOut },
      metrics: one.readMetrics(),
    }));
    return [...providers, ...components];
  }

  connectors(): ConnectorStatus[] {
    return Array.from(this.#connectors, ([id, { type, capacity, length }]) => {
      return { id, type: type.name, capacity, length };
    });
  }

  /** The settings of a unit, to be read, and for their schema. */
  settingsOf(id: string): UnitSettings {
    return (this.#components.get(id) ?? this.#provider(id)).settings;
  }

  /** Values that the schema has read. A unit that does not take them while it runs is made anew. */
  async changeSettings(id: string, values: ReadonlyMap<string, unknown>): Promise<void> {
    const isTaken = this.settingsOf(id).change(values);
    if (isTaken) return;
    const component = this.#components.get(id);
    if (component !== undefined) await component.renew();
    else await this.#whileUsersWait(id, () => this.#provider(id).renew());
  }

  async suspend(id: string): Promise<void> {
    await this.#component(id).suspend();
  }

  resume(id: string): void {
    this.#component(id).resume();
  }

  async setInstances(id: string, count: number): Promise<void> {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw refused(`${id} cannot have ${count} instances: the least is 1`);
    }
    await this.#component(id).setInstances(count);
  }

  /** Puts another implementation behind a provider's id; its users wait meanwhile. */
  async swapProvider(wiring: ProviderWiring): Promise<void> {
    const provider = this.#provider(wiring.id);
    const [before, after] = [provider.definition.provides.name, wiring.definition.provides.name];
    if (before !== after) throw refused(`${wiring.id} provides ${before}, not ${after}`);
    // Refuses a cycle before anything is touched.
    const others = [...this.#providers.values()].filter(({ id }) => id !== wiring.id);
    inOrderOfUse([...others.map(({ wiring: one }) => one), wiring]);
    await this.#whileUsersWait(wiring.id, () => provider.replace(wiring));
  }

  /** Puts another connector behind an id, with all that is in the old one. */
  async swapConnector({ id, open }: ConnectorWiring): Promise<void> {
    const before = this.#connector(id);
    const after = open();
    if (after.type.name !== before.type.name) {
      throw refused(`${id} carries ${before.type.name}, not ${after.type.name}`);
    }
    if (after.isTee !== before.isTee) {
      throw refused(`${id} and its successor must both be tees, or neither`);
    }
    const ends = [...this.#components.values()].filter((one) => one.isAt(id));
    await whileSuspended(ends, async () => {
      after.takeOver(before.handOver());
      if (before.isClosed) after.openInlet().close();
      this.#connectors.set(id, after);
      for (const component of ends) component.reconnect(id);
    });
  }

  /** Adds units to the running topology, and starts the components among them. */
  async add(wiring: Wiring): Promise<void> {
    for (const { id } of [...wiring.providers, ...wiring.connectors, ...wiring.components]) {
      if (this.#isKnown(id)) throw refused(`there is a unit or connector ${id} already`);
    }
    for (const id of wiring.components.flatMap(({ outputs = {} }) => Object.values(outputs))) {
      if (this.#connectors.get(id)?.isClosed === true) {
        throw refused(`all producers of ${id} are done, and its consumers with them`);
      }
    }
    for (const one of inOrderOfUse(wiring.providers)) await this.#openProvider(one);
    for (const one of wiring.connectors) this.#connectors.set(one.id, one.open());
    for (const one of wiring.components) {
      await this.#openComponent(one);
      this.#component(one.id).resume();
    }
  }

  /** Takes a component out once what it emitted has gone out; its inputs stay for others. */
  async remove(id: string): Promise<void> {
    const component = this.#component(id);
    await component.close();
    this.#components.delete(id);
    this.#changed();
  }

  #isKnown(id: string): boolean {
    return this.#providers.has(id) || this.#connectors.has(id) || this.#components.has(id);
  }

  async #openProvider(wiring: ProviderWiring): Promise<void> {
    const provider = new ProviderUnit(wiring, this.#surroundings);
    await provider.create();
    this.#providers.set(wiring.id, provider);
  }

  async #openComponent(wiring: ComponentWiring): Promise<void> {
    const component = new ComponentUnit(wiring, {
      ...this.#surroundings,
      turns: this.#turns,
      connectorOf: (id) => this.#connector(id),
      stop: (error) => this.#fail(error),
      changed: () => this.#changed(),
    });
    this.#components.set(wiring.id, component);
    await component.open();
  }

  /** Suspends the components that use a provider, by themselves or through other providers. */
  async #whileUsersWait(id: string, change: () => Promise<void>): Promise<void> {
    const users = new Set([id]);
    for (const { id: one, uses } of this.#providers.values()) {
      // Providers are in the order of use: whoever uses one comes after it.
      if (uses.some((used) => users.has(used))) users.add(one);
    }
    const components = [...this.#components.values()];
    await whileSuspended(
      components.filter(({ uses }) => uses.some((used) => users.has(used))),
      change,
    );
  }

  #fail(error: CrawlError): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#parts.failed(error);
  }

  #changed(): void {
    if (this.#isClosing) return;
    const components = [...this.#components.values()];
    if (components.every(({ state }) => state === "finished")) this.#parts.finished();
  }

  #provider(id: string): ProviderUnit {
    return known(this.#providers, id, "provider");
  }

  #connector(id: string): Connector<unknown> {
    return known(this.#connectors, id, "connector");
  }

  #component(id: string): ComponentUnit {
    return known(this.#components, id, "component");
  }
}

async function whileSuspended(
  components: readonly ComponentUnit[],
  change: () => Promise<void>,
): Promise<void> {
  const [first, ...others] = components;
  if (first === undefined) await change();
  else await first.whileSuspended(() => whileSuspended(others, change));
}

function known<Unit>(units: ReadonlyMap<string, Unit>, id: string, kind: string): Unit {
  const unit = units.get(id);
  if (unit !== undefined) return unit;
  const ids = [...units.keys()].join(", ");
  throw refused(`there is no ${kind} ${id}${ids === "" ? "" : `; there are ${ids}`}`);
}

function refused(why: string): CrawlError {
  return new CrawlError("TOPOLOGY_REFUSED", `The topology was not changed: ${why}.`, { why });
}
