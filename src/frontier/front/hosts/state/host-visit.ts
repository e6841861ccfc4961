/**
 * A visit to a host while it is under way, and what is found out by it: how the host answers, how long it
 * wants to be left alone, whether its address can be reached.
 *
 * Invariant: of one host there is one visit at a time; nothing is told of a visit that is over.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../../../base/seams/index.ts";
import type { WaitingTicket } from "../../../ticket/index.ts";
import type { PageErrand, RobotsErrand } from "../../frontier.ts";
import type { RobotsTask } from "../../visits/robots-desk.ts";
import type { HostWork } from "./host-work.ts";
import type { Flight } from "./visit-home.ts";

export class HostVisit {
  readonly #work: HostWork;
  readonly #clock: Clock;
  #flight: Flight | null = null;

  constructor(work: HostWork, clock: Clock) {
    this.#work = work;
    this.#clock = clock;
  }

  /** Null when the host is not being visited. */
  get flight(): Flight | null {
    return this.#flight;
  }

  begin(flight: Flight): void {
    assert(this.#flight === null, "of one host there is one visit at a time");
    this.#flight = flight;
    this.#work.reach.serve();
  }

  /** The flight of an errand that is being ended. */
  flightOf(errand: PageErrand | RobotsErrand): Flight {
    assert(this.#flight?.errand === errand, "an errand is ended once");
    return this.#flight;
  }

  /** From now on the host rests. */
  end(): void {
    this.rest();
    this.#flight = null;
  }

  /** Leaves the host alone from now on: for its delay, or for as long as it asks. */
  rest(askedMs = 0): void {
    assert(this.#flight !== null, "only a visit is followed by a rest");
    this.#work.waits.rest(this.#clock.nowMs(), askedMs);
  }

  /** The host has answered a request for a page, after this time. */
  answered(status: number, answerMs: number): void {
    assert(this.#flight !== null, "only a host that was asked answers");
    this.#work.reach.answer();
    this.#work.waits.answered(status, answerMs);
  }

  /** Tries a URL again at this instant; `holdsHost` when nothing else of its host goes before. */
  retry(ticket: WaitingTicket, atMs: number, holdsHost: boolean): void {
    assert(this.#flight !== null, "only what was tried is tried again");
    this.#work.tickets.retry(ticket, atMs);
    if (holdsHost) this.#work.waits.restAndHold(atMs);
  }

  /** The robots.txt was not fetched after all: it will be the next one. */
  putBackTask(task: RobotsTask): void {
    assert(this.#flight !== null, "only a robots.txt that was asked for is put back");
    this.#work.robots.putBack(task);
  }

  /** After a failure another address is asked; true when it was not tried since the first one. */
  tryNextAddress(): boolean {
    assert(this.#flight !== null, "only an address that was asked fails");
    return this.#work.reach.tryNext();
  }

  /** A URL was given up because nothing could be reached; true when the host should be too. */
  loseUrl(): boolean {
    assert(this.#flight !== null, "only a host that was asked is not reached");
    return this.#work.reach.loseUrl();
  }
}
