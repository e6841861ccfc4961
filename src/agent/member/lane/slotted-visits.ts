/**
 * Visits of an agent among others: each begins when it has the slot of its address (A1), and gives it back
 * when it is over. A visit that waits is given up if it must not begin any more: its host leaves, another
 * agent has come to have its page, or nothing may be fetched for now. Its URL is then visited later, or
 * elsewhere, as if it had not been taken.
 */
import type { Frontier, PageErrand, RobotsErrand } from "../../../frontier/front/index.ts";
import { politeHost } from "../../../frontier/ticket/index.ts";
import type { Cancellable } from "../../crawl/lane/lane.ts";
import type { NodeSide } from "./node-side.ts";

export interface SlottedVisitsParts {
  readonly frontier: () => Pick<Frontier, "pageFetched" | "robotsFetched"> & {
    readonly handovers: Pick<Frontier["handovers"], "isElsewhere">;
  };
  readonly enter: NodeSide["enter"];
  /** Whether the host is here, and visits may begin. */
  readonly mayVisit: (host: string) => boolean;
}

type Visited = PageErrand | RobotsErrand;
/** Begins a visit, which calls `over` once. */
type Begin = (over: () => void) => Cancellable;

export class SlottedVisits {
  readonly #parts: SlottedVisitsParts;
  readonly #waiting = new Set<SlottedVisit>();
  /** How many of each host are not over. */
  readonly #open = new Map<string, number>();
  /** Who waits until none of a host is open. */
  readonly #awaiting = new Map<string, (() => void)[]>();

  constructor(parts: SlottedVisitsParts) {
    this.#parts = parts;
  }

  /** How many wait for their slots. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Calls back when no visit of the host is open: what it has led to is logged. Perhaps at once. */
  whenFree(host: string, free: () => void): void {
    if (!this.#open.has(host)) free();
    else this.#awaiting.set(host, [...(this.#awaiting.get(host) ?? []), free]);
  }

  begin(errand: Visited, begin: Begin, over: () => void): Cancellable {
    const host = politeHost(errand.host);
    this.#open.set(host, (this.#open.get(host) ?? 0) + 1);
    const visit = new SlottedVisit(this.#parts, errand, {
      begin,
      begun: () => this.#waiting.delete(visit),
      over: () => {
        this.#waiting.delete(visit);
        over();
        this.#over(host);
      },
    });
    this.#waiting.add(visit);
    visit.start();
    return visit;
  }

  #over(host: string): void {
    const left = (this.#open.get(host) ?? 0) - 1;
    if (left > 0) {
      this.#open.set(host, left);
      return;
    }
    this.#open.delete(host);
    const awaiting = this.#awaiting.get(host) ?? [];
    this.#awaiting.delete(host);
    for (const free of awaiting) free();
  }

  /** What may be visited is another. */
  recheck(): void {
    for (const visit of [...this.#waiting]) visit.recheck();
  }
}

interface Told {
  readonly begin: Begin;
  readonly begun: () => void;
  readonly over: () => void;
}

class SlottedVisit implements Cancellable {
  readonly #parts: SlottedVisitsParts;
  readonly #errand: Visited;
  readonly #told: Told;
  #release: () => void = () => undefined;
  #visit: Cancellable | null = null;
  #state: "waiting" | "begun" | "over" = "waiting";

  constructor(parts: SlottedVisitsParts, errand: Visited, told: Told) {
    this.#parts = parts;
    this.#errand = errand;
    this.#told = told;
  }

  start(): void {
    const errand = this.#errand;
    const { address } = errand;
    const isPage = errand.kind === "page" && (errand.ticket.requisite ?? 0) === 0;
    this.#release = this.#parts.enter({ address, isPage }, (may) => this.#entered(may));
    if (this.#state === "over") this.#release();
  }

  get receivedBytes(): number {
    return this.#visit?.receivedBytes ?? 0;
  }

  cancel(): void {
    if (this.#state === "waiting") this.#giveUp();
    else this.#visit?.cancel();
  }

  recheck(): void {
    if (this.#state === "waiting" && !this.#mayBegin) this.#giveUp();
  }

  get #mayBegin(): boolean {
    const { frontier, mayVisit } = this.#parts;
    const errand = this.#errand;
    const isElsewhere = errand.kind === "page" && frontier().handovers.isElsewhere(errand.ticket);
    return mayVisit(politeHost(errand.host)) && !isElsewhere;
  }

  #entered(mayBegin: boolean): void {
    if (!mayBegin || !this.#mayBegin) {
      this.#giveUp();
      return;
    }
    this.#state = "begun";
    this.#told.begun();
    this.#visit = this.#told.begin(() => this.#end());
  }

  #giveUp(): void {
    const frontier = this.#parts.frontier();
    const errand = this.#errand;
    if (errand.kind === "page") frontier.pageFetched(errand, { kind: "cancelled" });
    else frontier.robotsFetched(errand, { kind: "cancelled" });
    this.#end();
  }

  #end(): void {
    this.#state = "over";
    this.#release();
    this.#told.over();
  }
}
