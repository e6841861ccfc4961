/**
 * Puts units together as a wiring says: providers, each after those that it uses, then connectors, then
 * components; and takes them apart again if not all of them can be made.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Turns } from "../instances/turns.ts";
import { ComponentUnit } from "../units/component-unit.ts";
import { ProviderUnit } from "../units/provider-unit.ts";
import type { UnitSurroundings } from "../units/surroundings.ts";
import type { ComponentWiring, ProviderWiring, Wiring } from "../wiring.ts";
import type { Inventory } from "./inventory.ts";
import { inOrderOfUse } from "./provider-order.ts";
import type { SharedProviders } from "./shared-providers.ts";

export interface AssemblyParts {
  readonly shared: SharedProviders;
  readonly surroundings: UnitSurroundings;
  readonly turns: Turns;
  /** A unit whose policy is to stop has failed. */
  readonly stop: (error: CrawlError) => void;
  /** An instance of this component has come to its end. */
  readonly changed: (component: ComponentUnit) => void;
}

export class Assembly {
  readonly #all: Inventory;
  readonly #parts: AssemblyParts;
  /** Components that may still have something to do; whoever runs them takes out those that have not. */
  readonly unfinished: Set<ComponentUnit> = new Set();

  constructor(all: Inventory, parts: AssemblyParts) {
    this.#all = all;
    this.#parts = parts;
  }

  /** Nothing runs yet. If it throws, `unmake` is to follow. */
  async make(wiring: Wiring): Promise<void> {
    for (const one of inOrderOfUse(wiring.providers)) {
      this.#all.providers.set(one.id, await this.#providerOf(one));
    }
    for (const one of wiring.connectors) this.#all.connectors.set(one.id, await one.open());
    for (const one of wiring.components) {
      const component = this.#componentOf(one);
      this.#all.addComponent(component);
      this.unfinished.add(component);
      await component.open();
    }
  }

  /** Takes out those that were made, and leaves all else as it is. */
  async unmake({ providers, connectors, components }: Wiring): Promise<void> {
    for (const { id } of components.toReversed()) {
      const component = this.#all.components.get(id);
      if (component === undefined) continue;
      await component.discard(false);
      this.#all.deleteComponent(id);
      this.unfinished.delete(component);
    }
    for (const { id } of connectors) {
      await this.#all.connectors.get(id)?.retire?.(false);
      this.#all.connectors.delete(id);
    }
    for (const { id } of inOrderOfUse(providers).toReversed()) {
      const provider = this.#all.providers.get(id);
      if (provider !== undefined) await this.#parts.shared.end(provider);
      this.#all.providers.delete(id);
    }
  }

  async #providerOf(wiring: ProviderWiring): Promise<ProviderUnit> {
    const { shared, surroundings } = this.#parts;
    if (wiring.shared === true) return await shared.take(wiring, surroundings);
    const provider = new ProviderUnit(wiring, surroundings);
    await provider.create();
    return provider;
  }

  #componentOf(wiring: ComponentWiring): ComponentUnit {
    const { surroundings, turns, stop, changed } = this.#parts;
    const component: ComponentUnit = new ComponentUnit(wiring, {
      ...{ ...surroundings, turns, stop },
      connectorOf: (id) => this.#all.connector(id),
      isProducedByOthers: (id) => {
        const producers = this.#all.producersOf(id);
        return producers.size > (producers.has(component) ? 1 : 0);
      },
      changed: () => changed(component),
    });
    return component;
  }
}
