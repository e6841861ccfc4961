/** What a running topology consists of, by id, and who uses what. */
import type { Connector } from "../../connector/index.ts";
import type { Surrounding } from "../changes/fit.ts";
import type { ComponentUnit } from "../units/component-unit.ts";
import type { ProviderUnit } from "../units/provider-unit.ts";
import { refused } from "../units/refusal.ts";
import type { ProviderWiring } from "../wiring.ts";
import { inOrderOfUse } from "./provider-order.ts";
import { type Bindable, componentStatus, providerStatus, type UnitStatus } from "./status.ts";

export class Inventory {
  readonly providers: Map<string, ProviderUnit> = new Map();
  readonly connectors: Map<string, Connector<unknown>> = new Map();
  readonly #components = new Map<string, ComponentUnit>();
  /** By the ids of connectors: a topology may have thousands, and each end is looked for at its end. */
  readonly #consumers = new Map<string, Set<ComponentUnit>>();
  readonly #producers = new Map<string, Set<ComponentUnit>>();

  get components(): ReadonlyMap<string, ComponentUnit> {
    return this.#components;
  }

  addComponent(component: ComponentUnit): void {
    this.#components.set(component.id, component);
    for (const id of component.takesFrom) entryOf(this.#consumers, id).add(component);
    for (const id of component.putsInto) entryOf(this.#producers, id).add(component);
  }

  deleteComponent(id: string): void {
    const component = this.#components.get(id);
    if (component === undefined) return;
    this.#components.delete(id);
    for (const from of component.takesFrom) this.#consumers.get(from)?.delete(component);
    for (const into of component.putsInto) this.#producers.get(into)?.delete(component);
  }

  consumersOf(connectorId: string): ReadonlySet<ComponentUnit> {
    return this.#consumers.get(connectorId) ?? NONE;
  }

  producersOf(connectorId: string): ReadonlySet<ComponentUnit> {
    return this.#producers.get(connectorId) ?? NONE;
  }

  /** Those at either end, each once. */
  endsOf(connectorId: string): ComponentUnit[] {
    return [...new Set([...this.producersOf(connectorId), ...this.consumersOf(connectorId)])];
  }

  provider(id: string): ProviderUnit {
    return known(this.providers, id, "provider");
  }

  connector(id: string): Connector<unknown> {
    return known(this.connectors, id, "connector");
  }

  component(id: string): ComponentUnit {
    return known(this.components, id, "component");
  }

  /** A provider or component. */
  unit(id: string): ProviderUnit | ComponentUnit {
    const units = [this.providers, this.components];
    return this.components.get(id) ?? this.providers.get(id) ?? noneOf(units, id, "unit");
  }

  /** The provider that is to be taken out: neither a component nor a connector has this id. */
  removed(id: string): ProviderUnit {
    const all = [this.providers, this.connectors, this.components];
    return this.providers.get(id) ?? noneOf(all, id, "unit or connector");
  }

  units(): UnitStatus[] {
    const providers = Array.from(this.providers.values(), providerStatus);
    return [...providers, ...Array.from(this.components.values(), componentStatus)];
  }

  bindable(): Bindable {
    return {
      providers: new Map(
        Array.from(this.providers, ([id, one]) => [id, one.definition.provides.name]),
      ),
      connectors: new Map(Array.from(this.connectors, ([id, { type }]) => [id, type.name])),
      components: [...this.components.keys()],
    };
  }

  get around(): Surrounding {
    return {
      roleOf: (id) => this.providers.get(id)?.definition.provides.name,
      typeOf: (id) => this.connectors.get(id)?.type.name,
      isClosed: (id) => this.connectors.get(id)?.isClosed === true,
      isKnown: (id) =>
        [this.providers, this.connectors, this.components].some((one) => one.has(id)),
    };
  }

  providerWirings(): ProviderWiring[] {
    return Array.from(this.providers.values(), ({ wiring }) => wiring);
  }

  /** The components that use a provider, by themselves or through other providers. */
  usersOf(providerId: string): ComponentUnit[] {
    const users = new Set([providerId]);
    for (const { id, providers = {} } of inOrderOfUse(this.providerWirings())) {
      // Whoever uses one comes after it.
      if (Object.values(providers).some((used) => users.has(used))) users.add(id);
    }
    const components = [...this.components.values()];
    return components.filter(({ uses }) => uses.some((used) => users.has(used)));
  }

  /** The ids of all units that use a provider or connector directly. */
  directUsersOf(id: string): string[] {
    const units = [...this.components.values(), ...this.providers.values()];
    const users = units.filter((one) => one.uses.includes(id));
    return [...this.endsOf(id), ...users].map((one) => one.id);
  }
}

const NONE: ReadonlySet<ComponentUnit> = new Set();

function entryOf(sets: Map<string, Set<ComponentUnit>>, id: string): Set<ComponentUnit> {
  const set = sets.get(id) ?? new Set();
  sets.set(id, set);
  return set;
}

function known<Unit>(units: ReadonlyMap<string, Unit>, id: string, kind: string): Unit {
  return units.get(id) ?? noneOf([units], id, kind);
}

function noneOf(kinds: readonly ReadonlyMap<string, unknown>[], id: string, kind: string): never {
  const ids = kinds.flatMap((units) => [...units.keys()]).join(", ");
  throw refused(`there is no ${kind} ${id}${ids === "" ? "" : `; there are ${ids}`}`);
}
