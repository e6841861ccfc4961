/**
 * Hosts whose owner was given up, or leaves, have other owners from one moment to the next. They are
 * withheld until everybody who has noticed it too has handed over what it knows of them, or for a time:
 * so a host is not visited by its new owner while another agent believes that it is the owner (B3). The time
 * is for those who do not answer, or do not give the places up: whoever says that it hands over is waited
 * for as long as it says so, and has room for what it writes down.
 */
import { type Place, samePlace } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { MemberEntry } from "../view/member-table.ts";
import { SyncRound } from "./sync-round.ts";

export class TakeoverBarrier {
  readonly #core: Core;
  readonly #nextNumber: () => number;
  #places: Place[] = [];
  #round: SyncRound | null = null;
  #beganAtMs = 0;

  constructor(core: Core, nextNumber: () => number) {
    this.#core = core;
    this.#nextNumber = nextNumber;
  }

  get isUp(): boolean {
    return this.#round !== null;
  }

  /** Whose hosts are being taken over. */
  get places(): readonly Place[] {
    return this.#places;
  }

  /** The hosts of this place are to be taken over; with those of others, if that is under way. */
  begin(place: Place): void {
    const places = [...this.#places.filter((other) => !samePlace(other, place)), place];
    this.#round?.close();
    this.#places = places;
    this.#beganAtMs = this.#core.clock.nowMs();
    const question = { number: this.#nextNumber(), isJoin: false, givenUp: places };
    this.#round = new SyncRound(this.#core, question, () => undefined);
    this.#core.listener.takeover(places);
  }

  tick(): void {
    const round = this.#round;
    if (round === null) return;
    const { clock, times } = this.#core;
    const present = this.#present();
    const others = present.map(({ place }) => place);
    const isLate = clock.nowMs() - this.#saidAtMs(round, present) > times.takeoverMs;
    const mayEnd = isLate || this.#isEnough(round, others);
    if (mayEnd && !this.#isLeaverAwaited(round, present)) this.#end();
    else round.ask(others);
  }

  /** When this has begun, or somebody who is there has last said that it hands over. */
  #saidAtMs(round: SyncRound, present: readonly MemberEntry[]): number {
    const said = present
      .filter(({ isFull }) => !isFull)
      .map(({ place }) => round.handingAtMs(place) ?? this.#beganAtMs);
    return Math.max(this.#beganAtMs, ...said);
  }

  /** A leaver that is there tells what it has, however long that takes: it cannot be gone before. */
  #isLeaverAwaited(round: SyncRound, present: readonly MemberEntry[]): boolean {
    const isTakenOver = (place: Place): boolean =>
      this.#places.some((one) => samePlace(one, place));
    return present.some(
      ({ state, place }) => state === "leaving" && isTakenOver(place) && !round.has(place),
    );
  }

  #isEnough(round: SyncRound, others: readonly Place[]): boolean {
    const { recovery } = this.#core.settings;
    const answered = others.filter((place) => round.has(place)).length;
    return answered >= (recovery === "all" ? others.length : Math.min(recovery, others.length));
  }

  /** Who could have known, or visited, a host of those places: all who are there, leavers included. */
  #present(): MemberEntry[] {
    const { detector, clock } = this.#core;
    return detector.present(clock.nowMs()).filter(({ isGivenUp }) => !isGivenUp);
  }

  #end(): void {
    this.#round?.close();
    this.#round = null;
    this.#places = [];
    this.#core.listener.takeoverOver();
  }
}
