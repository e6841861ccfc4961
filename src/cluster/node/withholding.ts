/**
 * Which hosts may be visited: none while the node is not open or not active (B1); while places are given
 * up, none that comes from them (B3); while members are absent, none that was theirs before this life (B1).
 */

import type { AgentId } from "../../base/transport/index.ts";
import type { Holdings } from "../custody/index.ts";
import type { Absence, View } from "../membership/index.ts";
import type { Place } from "../messages/index.ts";

/** Dead members that have not handed over, and the ring in which hosts were theirs. */
interface Owners {
  readonly absent: ReadonlySet<AgentId>;
  readonly ring: ReadonlySet<AgentId>;
}

export class Withholding {
  readonly #view: View;
  readonly #changed: () => void;
  #holdings: Pick<Holdings, "withhold" | "admit"> | null = null;
  #isOpen = false;
  #isActive = false;
  /** Places whose hosts are being taken over. */
  #takeover: ReadonlySet<AgentId> = new Set();
  #absences: readonly Owners[] = [];

  constructor(view: View, changed: () => void) {
    this.#view = view;
    this.#changed = changed;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Whether hosts are withheld though the node is active. */
  get isPartial(): boolean {
    return this.#takeover.size + this.#absences.length > 0;
  }

  /** The agent has opened its holdings: nothing is visited yet. */
  begin(holdings: Pick<Holdings, "withhold" | "admit">): void {
    this.#holdings = holdings;
    this.#apply();
  }

  /** Everything of the last life has been replayed. */
  opened(): void {
    this.#isOpen = true;
    this.#apply();
  }

  setActive(isActive: boolean): void {
    this.#isActive = isActive;
    this.#apply();
  }

  /** From now on hosts of these places are taken over; of none when there is none. */
  takeOver(places: readonly Place[]): void {
    this.#takeover = idsOf(places);
    this.#apply();
  }

  /** From now on hosts of those who are absent are waited for; none when nobody is. */
  awaitAbsent(absences: readonly Absence[]): void {
    this.#absences = absences.map(({ places, ring }) => ({
      ...{ absent: idsOf(places), ring: new Set(ring) },
    }));
    this.#apply();
  }

  #apply(): void {
    const holdings = this.#holdings;
    if (holdings === null) return;
    if (!this.#isOpen || !this.#isActive) holdings.withhold(() => true);
    else if (this.isPartial) holdings.withhold(this.#partly());
    else holdings.admit();
    this.#changed();
  }

  #partly(): (host: string) => boolean {
    const view = this.#view;
    const [takeover, absences] = [this.#takeover, this.#absences];
    return (host) => {
      const key = host as never;
      // Not those that were ours before.
      if (takeover.size > 0 && view.ownerWith(key, takeover) !== view.self.id) return true;
      return absences.some(({ absent, ring }) => {
        const former = view.ownerAmong(key, (id) => ring.has(id));
        return former !== null && absent.has(former);
      });
    };
  }
}

function idsOf(places: readonly Place[]): ReadonlySet<AgentId> {
  return new Set(places.map(({ id }) => id));
}
