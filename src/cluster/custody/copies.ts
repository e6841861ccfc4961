/**
 * Copies (C1): where several places have a page, the owner of its host tells all but one of them to hide
 * theirs: the one that comes first in the order of the host keeps its copy visible. That order is fixed, so
 * copies never hide behind each other in a circle. Hidden copies stay where they are, and stay claims.
 *
 * Who is to hide a copy is told by an entry in its outbox: it is durable, repeated and acknowledged like all
 * others, and retained for nothing.
 */
import type { HideEntry, Outboxes, UrlEntry } from "../delivery/index.ts";
import { type Place, samePlace } from "../messages/index.ts";
import type { CustodyView } from "./custody-view.ts";
import type { Holdings } from "./holdings.ts";

export interface CopiesParts {
  readonly self: () => Place;
  readonly holdings: Holdings;
  readonly outboxes: Outboxes;
  readonly view: () => CustodyView;
  readonly isOwn: (host: string) => boolean;
  /** A message names this place: if it is not known, or was given up, it is on probation (G3). */
  readonly named: (place: Place) => void;
  readonly changed: () => void;
}

export class Copies {
  readonly #parts: CopiesParts;
  #deciding = 0;

  constructor(parts: CopiesParts) {
    this.#parts = parts;
  }

  /** Pages that are being looked for, to decide about them. */
  get deciding(): number {
    return this.#deciding;
  }

  /**
   * More is known of who else has the page of this URL, whose host is ours. `isFirst`: nobody claimed it
   * before, so that it is not to be fetched from now on.
   */
  decide(entry: UrlEntry, claimed: readonly Place[], isFirst = false): void {
    const { holdings, changed } = this.#parts;
    if (claimed.length === 0) return;
    this.#deciding += 1;
    const found = (isHad: boolean): void => {
      this.#deciding -= 1;
      this.#decide(entry, isHad ? [this.#parts.self(), ...claimed] : claimed);
      changed();
    };
    if (isFirst) holdings.end(entry, found);
    else holdings.find(entry, found);
  }

  /** Another place shows this page. If it is given up, or nobody hears of it, the copy here is shown again. */
  hide({ toward, ...page }: HideEntry): void {
    const { holdings, named, view } = this.#parts;
    named(toward);
    if (!view().isGivenUp(toward)) holdings.hide(page, toward);
  }

  #decide({ host, high, low }: UrlEntry, claimed: readonly Place[]): void {
    const { self, holdings, outboxes, view, isOwn } = this.#parts;
    const holders = claimed.filter((place) => !view().isGivenUp(place));
    // If it has left meanwhile, its new owner decides.
    if (holders.length < 2 || !isOwn(host)) return;
    const isPlaced = ({ id }: Place): boolean => this.#firstOf(host, new Set([id])) !== null;
    // One that nobody has heard of has no place in the order yet: it announces what it holds when it is
    // here (G5), and until then is told nothing, since it may be the one to show its copy.
    const placed = holders.filter(isPlaced);
    const firstId = this.#firstOf(host, new Set(placed.map(({ id }) => id)));
    const first = placed.find(({ id }) => id === firstId);
    if (first === undefined) return;
    for (const place of placed) {
      if (samePlace(place, first)) continue;
      if (samePlace(place, self())) holdings.hide({ host, high, low }, first);
      else outboxes.append(place, { kind: "hide", host, high, low, toward: first });
    }
  }

  #firstOf(host: string, ids: ReadonlySet<string>): string | null {
    return this.#parts.view().ownerAmong(host, (id) => ids.has(id));
  }
}
