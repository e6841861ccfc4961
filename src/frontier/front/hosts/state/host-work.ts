/**
 * What there is to do at a host and what it waits for: the few URLs of it that are in memory, its
 * robots.txt files, its addresses, and how long it is left alone. From these follows where its visit
 * state belongs.
 */
import type { HostName } from "../../../../formats/url/index.ts";
import type { CheckpointClock } from "../../saving/checkpoint-clock.ts";
import type { SavedVisit } from "../../saving/saved-visit.ts";
import { HostRobots } from "../../visits/host-robots.ts";
import type { OriginRobots } from "../../visits/origin-robots.ts";
import { HostReach } from "./host-reach.ts";
import { HostTickets, type SaveTicket } from "./host-tickets.ts";
import type { HostWaits } from "./host-waits.ts";
import type { Flight } from "./visit-home.ts";
import type { VisitLines } from "./visit-lines.ts";
import type { VisitPlace } from "./visit-place.ts";

type WorkLines = Pick<VisitLines, "clock" | "ranksHosts" | "aliases">;

export class HostWork {
  readonly tickets: HostTickets;
  readonly robots: HostRobots;
  readonly reach: HostReach;
  readonly waits: HostWaits;
  readonly #host: HostName;
  readonly #lines: WorkLines;

  /** `changing` is called before anything changes that a checkpoint has. */
  constructor(
    host: HostName,
    waits: HostWaits,
    lines: WorkLines,
    changing: () => void = () => undefined,
  ) {
    this.tickets = new HostTickets(host, changing);
    this.robots = new HostRobots(changing);
    this.reach = new HostReach(changing);
    this.waits = waits;
    this.#host = host;
    this.#lines = lines;
  }

  /** The rank of what comes next. A robots.txt holds others up and goes before everything. */
  get rank(): number {
    if (!this.#lines.ranksHosts) return 0;
    return this.robots.hasTask ? Number.NEGATIVE_INFINITY : -this.tickets.priority;
  }

  /** The name of its server; null where names of one server do not count as one host. */
  get canonical(): string | null {
    const isAsked = this.#lines.aliases !== null && this.#host !== "";
    return isAsked ? (this.reach.canonical ?? this.#host) : null;
  }

  /** Tells how long its server must rest after a visit, as far as this host is concerned. */
  tellDelay(): void {
    const { canonical } = this;
    if (canonical !== null) this.#lines.aliases?.table.tell(canonical, this.waits.wishedMs);
  }

  /** A robots.txt was read, or given up: a host has one pace, and the longest delay counts. */
  settleRobots(origin: OriginRobots): void {
    this.robots.settle(origin);
    if (!origin.isKnown) return;
    this.waits.setCrawlDelay(this.robots.crawlDelayMs);
    this.tellDelay();
  }

  /** Files have no addresses, and need none. */
  hasAddresses(nowMs: number): boolean {
    return this.#host === "" || this.reach.hasAddresses(nowMs);
  }

  /** Brings a visit state that is nowhere, and has not ended, to where it belongs. */
  settle(place: VisitPlace, isFilling: boolean): void {
    const nowMs = this.#lines.clock.nowMs();
    const workAtMs = this.#workAtMs;
    const { heldUntilMs, restsUntilMs } = this.waits;
    if (this.waits.politeness.isBlocked === true) place.stepAside("blocked");
    else if (workAtMs === null) place.stepAside(isFilling ? "filling" : "idle");
    else if (this.robots.isWaiting) place.stepAside("robots");
    else if (this.hasAddresses(nowMs)) {
      const isRetry = workAtMs > nowMs || heldUntilMs > nowMs;
      const atMs = Math.max(workAtMs, restsUntilMs);
      place.enterWorkbench(atMs, this.rank, isRetry ? "retry" : "polite");
    } else if (heldUntilMs > nowMs) place.enterWaitingRoom(heldUntilMs);
    else place.enterUnresolved();
  }

  save(clock: CheckpointClock, saveTicket: SaveTicket, flight: Flight | null): SavedVisit {
    const flying = flight !== null && "ticket" in flight ? flight.ticket : null;
    return {
      waits: this.waits.save(clock, flight === null ? null : this.#lines.clock.nowMs()),
      reach: this.reach.save(),
      origins: this.robots.save(clock),
      tickets: this.tickets.save(flying, clock, saveTicket),
    };
  }

  /** Goes on as a checkpoint says; only when it was just made. */
  restore(saved: SavedVisit, clock: CheckpointClock): void {
    this.waits.restore(saved.waits, clock);
    this.reach.restore(saved.reach);
    this.robots.restore(saved.origins, clock);
    this.tickets.restore(saved.tickets, clock);
    this.tellDelay();
  }

  /** From when on there is something to do here, politeness aside; null when there is nothing. */
  get #workAtMs(): number | null {
    if (this.robots.hasTask) return Number.NEGATIVE_INFINITY;
    return this.tickets.hasNext ? this.waits.heldUntilMs : this.tickets.retryAtMs;
  }
}
