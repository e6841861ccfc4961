/**
 * Which hosts may be visited: none while the node is not open or not active (B1); while places are given
 * up, none that comes from them (B3); while members are absent, none that was theirs before this life (B1).
 */

import type { AgentId } from "../../base/transport/index.ts";
import type { Holdings, WithheldHosts } from "../custody/index.ts";
import type { Absence, View } from "../membership/index.ts";
import type { Place } from "../messages/index.ts";

/** What says whose hosts are withheld: the view, or a copy of its ring. */
export type OwnersView = Pick<View, "ownerWith" | "ownerAmong"> & {
  readonly self: Pick<Place, "id">;
};

export class Withholding {
  readonly #view: OwnersView;
  readonly #changed: () => void;
  #holdings: Pick<Holdings, "withhold" | "admit"> | null = null;
  #isOpen = false;
  #isActive = false;
  /** Places whose hosts are being taken over. */
  #takeover: readonly AgentId[] = [];
  /** Dead members that have not handed over, and the ring in which hosts were theirs. */
  #absences: Exclude<WithheldHosts, "all">["absences"] = [];

  constructor(view: OwnersView, changed: () => void) {
    this.#view = view;
    this.#changed = changed;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Whether hosts are withheld though the node is active. */
  get isPartial(): boolean {
    return this.#takeover.length + this.#absences.length > 0;
  }

  /** Whether hosts are withheld for the sake of others than these. */
  isPartialBut(isOver: (id: AgentId) => boolean): boolean {
    const isAwaited = this.#absences.some(({ absent }) => !absent.every(isOver));
    return this.#takeover.length > 0 || isAwaited;
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
    this.#absences = absences.map(({ places, ring }) => ({ absent: idsOf(places), ring }));
    this.#apply();
  }

  #apply(): void {
    const holdings = this.#holdings;
    if (holdings === null) return;
    if (!this.#isOpen || !this.#isActive) this.#withhold(holdings, "all");
    else if (this.isPartial) {
      this.#withhold(holdings, { takeover: this.#takeover, absences: this.#absences });
    } else holdings.admit();
    this.#changed();
  }

  #withhold(holdings: Pick<Holdings, "withhold">, hosts: WithheldHosts): void {
    holdings.withhold({ hosts, has: isWithheldBy(this.#view, hosts) });
  }
}

/** Whether a host is one of these, by the view at the time of the question. */
export function isWithheldBy(view: OwnersView, hosts: WithheldHosts): (host: string) => boolean {
  if (hosts === "all") return () => true;
  const takeover = new Set(hosts.takeover);
  const absences = hosts.absences.map(({ absent, ring }) => {
    return { absent: new Set(absent), ring: new Set(ring) };
  });
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

function idsOf(places: readonly Place[]): readonly AgentId[] {
  return places.map(({ id }) => id);
}
