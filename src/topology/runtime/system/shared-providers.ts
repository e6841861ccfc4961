/**
 * Providers that several topologies of one process have in common: those that are marked `shared`. The
 * first topology that needs one makes it, the others get the same, and it is closed when the last of them
 * has ended. Topologies that are given one such object share; without it each has its own.
 */
import assert from "node:assert/strict";
import { ProviderUnit } from "../units/provider-unit.ts";
import { refused } from "../units/refusal.ts";
import type { UnitSurroundings } from "../units/surroundings.ts";
import type { ProviderWiring } from "../wiring.ts";

interface Held {
  readonly unit: ProviderUnit;
  readonly made: Promise<void>;
  users: number;
}

export class SharedProviders {
  readonly #held = new Map<string, Held>();
  /** Those that are being closed: a successor is not made before, since it may need the same files. */
  readonly #ending = new Map<string, Promise<void>>();

  /** The provider with this id, which is made unless it is there. `end` gives it back. */
  async take(wiring: ProviderWiring, surroundings: UnitSurroundings): Promise<ProviderUnit> {
    const { id, definition } = wiring;
    const held = this.#held.get(id) ?? this.#make(wiring, surroundings);
    const { name } = held.unit.definition;
    if (name !== definition.name) {
      throw refused(`${id} is shared and is made by ${name} elsewhere, not by ${definition.name}`);
    }
    held.users += 1;
    await held.made;
    return held.unit;
  }

  /** How many topologies use this provider; one that is not shared has one user. */
  usersOf(unit: ProviderUnit): number {
    const held = this.#held.get(unit.id);
    return held?.unit === unit ? held.users : 1;
  }

  /** Ends a provider, shared or not, unless another topology still uses it. */
  async end(unit: ProviderUnit): Promise<void> {
    const held = this.#held.get(unit.id);
    if (held?.unit !== unit) {
      await unit.end();
      return;
    }
    assert(held.users > 0, "a shared provider is given back once by each user");
    held.users -= 1;
    if (held.users > 0) return;
    this.#held.delete(unit.id);
    const ending = unit.end().finally(() => this.#ending.delete(unit.id));
    this.#ending.set(unit.id, ending);
    await ending;
  }

  #make(wiring: ProviderWiring, surroundings: UnitSurroundings): Held {
    const { id } = wiring;
    // It may outlive the topology that makes it, so it sees only what is shared as well.
    const unit = new ProviderUnit(wiring, {
      ...surroundings,
      providerOf: (used) => this.#held.get(used)?.unit ?? this.#refuse(id, used),
    });
    const made = (this.#ending.get(id) ?? Promise.resolve()).then(() => unit.create());
    const held: Held = { unit, made, users: 0 };
    this.#held.set(id, held);
    // All who wait for it are told; the next one may try again.
    made.catch(() => this.#held.delete(id));
    return held;
  }

  #refuse(id: string, used: string): never {
    throw refused(`${id} is shared and cannot use ${used}, which is not`);
  }
}
