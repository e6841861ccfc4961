/**
 * Nobody waits for the dead before it becomes active (B1), but a member that is dead and not given up may
 * have pages of hosts that are ours in this life, and come back with them. Its former hosts stay withheld,
 * and it is asked to hand over as soon as it is heard again. When it has, or when it has been given up and
 * its hosts have been taken over (B3), they are visited.
 *
 * Whose hosts were whose is looked up in the ring as it was without this agent, and without those who
 * join for the first time at the same moment: they have nothing yet. Others may have joined shortly before,
 * and wait for the same members: their hosts are ours now, and in their former rings they were the dead
 * one's; so they tell what they wait for when they hand over.
 *
 * A member may also be given up while this agent is still joining. Its hosts are then this agent's without
 * ever having been gained by it, so the takeover alone would not withhold them: until that is over, the
 * member is absent like any other.
 */
import type { AgentId } from "../../../base/transport/index.ts";
import { type Place, samePlace } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { Absence } from "../membership-listener.ts";
import type { MemberEntry } from "../view/member-table.ts";
import { SyncRound } from "./sync-round.ts";
import type { TakeoverBarrier } from "./takeover-barrier.ts";

export class Absentees {
  readonly #core: Core;
  readonly #takeover: TakeoverBarrier;
  readonly #nextNumber: () => number;
  #absences: readonly Absence[] = [];
  #round: SyncRound | null = null;

  constructor(core: Core, takeover: TakeoverBarrier, nextNumber: () => number) {
    this.#core = core;
    this.#takeover = takeover;
    this.#nextNumber = nextNumber;
  }

  /** Whom this agent waits for, for those who take hosts over from it. */
  get absences(): readonly Absence[] {
    return this.#absences;
  }

  /** This agent is about to be active. `told`: whom those wait for who have answered it. */
  begin(hasAnswered: (place: Place) => boolean, told: readonly Absence[]): void {
    const members = this.#core.table.entries().filter(({ isInRing }) => isInRing);
    const silent = members.filter(({ place }) => !hasAnswered(place));
    const former = members.filter((entry) => silent.includes(entry) || !isNewcomer(entry));
    const lost = this.#takeover.places;
    const absent = [...silent.map(({ place }) => place), ...lost];
    const ring = [...new Set([...former, ...lost].map(({ id }) => id))];
    this.#round?.close();
    const question = { number: this.#nextNumber(), isJoin: true, givenUp: [] };
    this.#round = new SyncRound(this.#core, question, () => undefined);
    const isAbsent = (place: Place): boolean => absent.some((one) => samePlace(one, place));
    const others = told.map((one) => ({ ...one, places: one.places.filter(isAbsent) }));
    this.#await([{ places: absent, ring }, ...others]);
  }

  tick(): void {
    const round = this.#round;
    if (round === null || this.#absences.length === 0) return;
    const { table, detector, clock } = this.#core;
    const nowMs = clock.nowMs();
    const isOver = (place: Place): boolean => {
      const isMember = table.at(place)?.isInRing === true;
      return round.has(place) || (!isMember && !this.#takeover.isUp);
    };
    const left = this.#absences.map(({ places, ring }) => {
      const over = new Set(places.filter(isOver).map(({ id }) => id));
      return {
        places: places.filter((place) => !isOver(place)),
        // It may itself have waited for another one who is still absent.
        ring: ring.filter((id) => !over.has(id)),
      };
    });
    this.#await(left);
    const heard = detector.present(nowMs).filter((entry) => detector.hears(entry, nowMs));
    const back = new Set(heard.map(({ id }) => id));
    const places = left.flatMap((absence) => absence.places);
    round.ask(places.filter((place) => table.at(place) !== undefined && back.has(place.id)));
  }

  #await(absences: readonly Absence[]): void {
    const left = distinct(absences.filter(({ places }) => places.length > 0));
    const isAnother = textOf(left) !== textOf(this.#absences);
    this.#absences = left;
    if (isAnother) this.#core.listener.absent(left);
  }
}

/** Whether it takes part in the crawl for the first time, and has not begun to. */
function isNewcomer({ state, incarnation }: MemberEntry): boolean {
  return state === "joining" && incarnation === 1;
}

function distinct(absences: readonly Absence[]): readonly Absence[] {
  return [...new Map(absences.map((one) => [textOf([one]), one])).values()];
}

function textOf(absences: readonly Absence[]): string {
  const inOrder = (ids: readonly AgentId[]): readonly AgentId[] => [...ids].sort();
  return JSON.stringify(absences.map(({ places, ring }) => [places, inOrder(ring)]));
}
