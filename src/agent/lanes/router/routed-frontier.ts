/** The frontier of a lane among several: what leads to a host of another lane goes there. */
import type { Errand, Frontier } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";

export interface Routing {
  /** Whether the ticket was sent to another lane; false if it is this lane's own. */
  tryRoute(ticket: Ticket): boolean;
  /** Whether too much is on its way. */
  readonly isFull: boolean;
}

export class RoutedFrontier implements Frontier {
  readonly #own: Frontier;
  readonly #routing: Routing;

  constructor(own: Frontier, routing: Routing) {
    this.#own = own;
    this.#routing = routing;
  }

  offer(ticket: Ticket): void {
    if (!this.#routing.tryRoute(ticket)) this.#own.offer(ticket);
  }

  /** Those that ask know whose it is. */
  requeue(ticket: Ticket): boolean {
    return this.#own.requeue(ticket);
  }

  get isFull(): boolean {
    return this.#own.isFull || this.#routing.isFull;
  }

  /** Without what is on its way to other lanes. */
  get isOwnFull(): boolean {
    return this.#own.isFull;
  }

  acquire(wantsVisits?: boolean): Errand | null {
    return this.#own.acquire(wantsVisits);
  }

  get nextAtMs(): number {
    return this.#own.nextAtMs;
  }

  get holdsPages(): boolean {
    return this.#own.holdsPages;
  }

  set holdsPages(holdsPages: boolean) {
    this.#own.holdsPages = holdsPages;
  }

  get hasOnlyPages(): boolean {
    return this.#own.hasOnlyPages;
  }

  resolved(...end: Parameters<Frontier["resolved"]>): ReturnType<Frontier["resolved"]> {
    return this.#own.resolved(...end);
  }

  robotsFetched(
    ...end: Parameters<Frontier["robotsFetched"]>
  ): ReturnType<Frontier["robotsFetched"]> {
    return this.#own.robotsFetched(...end);
  }

  fetchRobots(...robots: Parameters<Frontier["fetchRobots"]>): void {
    this.#own.fetchRobots(...robots);
  }

  pageFetched(...end: Parameters<Frontier["pageFetched"]>): ReturnType<Frontier["pageFetched"]> {
    return this.#own.pageFetched(...end);
  }

  decideOffers(): number | null {
    return this.#own.decideOffers();
  }

  givingWay(...of: Parameters<Frontier["givingWay"]>): ReturnType<Frontier["givingWay"]> {
    return this.#own.givingWay(...of);
  }

  adjust(...changes: Parameters<Frontier["adjust"]>): void {
    this.#own.adjust(...changes);
  }

  changeHost(...change: Parameters<Frontier["changeHost"]>): ReturnType<Frontier["changeHost"]> {
    return this.#own.changeHost(...change);
  }

  get handovers(): Frontier["handovers"] {
    return this.#own.handovers;
  }

  get hosts(): Frontier["hosts"] {
    return this.#own.hosts;
  }

  checkpoint(...done: Parameters<Frontier["checkpoint"]>): void {
    this.#own.checkpoint(...done);
  }

  committed(): void {
    this.#own.committed();
  }

  over(errand: Errand): void {
    this.#own.over(errand);
  }

  /** Only in a rebuild, which has one lane. */
  offerEnded(...ended: Parameters<Frontier["offerEnded"]>): void {
    this.#own.offerEnded(...ended);
  }

  markEnded(...pages: Parameters<Frontier["markEnded"]>): void {
    this.#own.markEnded(...pages);
  }

  markTried(...tried: Parameters<Frontier["markTried"]>): void {
    this.#own.markTried(...tried);
  }

  markRest(...rest: Parameters<Frontier["markRest"]>): void {
    this.#own.markRest(...rest);
  }

  markRobots(...robots: Parameters<Frontier["markRobots"]>): ReturnType<Frontier["markRobots"]> {
    return this.#own.markRobots(...robots);
  }

  get isExhausted(): boolean {
    return this.#own.isExhausted;
  }

  status(): ReturnType<Frontier["status"]> {
    return this.#own.status();
  }

  close(...done: Parameters<Frontier["close"]>): void {
    this.#own.close(...done);
  }
}
