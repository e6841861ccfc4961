/**
 * Makes works for the instances of a component, by its author's `create`, which is waited for within
 * patience. A work that nobody does, because it came too late or another one failed, is closed again.
 */
import type { ComponentDefinition, Unit, Workplace } from "../../unit/index.ts";
import { LATE } from "../units/patience.ts";
import { notMade, refused, unitFault } from "../units/refusal.ts";
import { type UnitContextParts, unitContext } from "../units/surroundings.ts";
import type { Employed } from "./component-instance.ts";
import { Tenure, type TenureHost } from "./tenure.ts";

export interface WorkMakerParts extends Omit<UnitContextParts, "name"> {
  /** The id of the component. */
  readonly id: string;
  readonly definition: ComponentDefinition;
}

export class WorkMaker {
  readonly #parts: WorkMakerParts;

  constructor(parts: WorkMakerParts) {
    this.#parts = parts;
  }

  /** New work for an instance, which does not do it yet. */
  async make(instance: TenureHost & { readonly name: string }, state?: unknown): Promise<Employed> {
    const { definition, surroundings } = this.#parts;
    const { patience } = surroundings;
    const tenure = new Tenure(instance);
    const unit = unitContext({ ...this.#parts, name: instance.name });
    try {
      const making = definition.create(placed(unit, tenure), state);
      const work = await patience.wait(making);
      if (work !== LATE) return { work, tenure };
      // Should it come after all, nobody waits for it.
      void Promise.resolve(making)
        .then((late) => this.undo({ work: late, tenure }))
        .catch(() => undefined);
    } catch (thrown) {
      tenure.end();
      throw notMade(thrown, instance.name);
    }
    throw refused(`${instance.name} was not made within ${patience.limitMs} ms`);
  }

  /** Closes work that nobody does. */
  async undo({ work, tenure }: Employed): Promise<void> {
    const { id, surroundings } = this.#parts;
    tenure.end();
    try {
      await surroundings.patience.wait(work.close?.());
    } catch (thrown) {
      surroundings.report(unitFault(thrown, id));
    }
  }
}

/** Everything that the `create` of a component gets; one literal, so that reading from it is fast. */
function placed(unit: Unit, tenure: Tenure): Unit & Workplace {
  const { name, clock, providers, metrics, report } = unit;
  const { emit, hold, letGo, wake, finish } = tenure;
  return {
    ...{ name, clock, providers, metrics, report, emit, hold, letGo, wake, finish },
    get settings(): object {
      return unit.settings;
    },
    get inFlight(): number {
      return tenure.inFlight;
    },
    get waitingOut(): number {
      return tenure.waitingOut;
    },
  };
}
