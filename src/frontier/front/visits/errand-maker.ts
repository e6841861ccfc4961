/**
 * Makes the errand for a host whose turn has come: a robots.txt that waits to be fetched there, or
 * the first of its URLs that limit, filter and robots.txt let pass. URLs that do not pass end here;
 * one whose robots.txt is not known yet becomes the host's head and waits.
 *
 * A call looks at a bounded number of URLs, however many a host has that are refused.
 */
import type { Clock } from "../../../base/seams/index.ts";
import type { RobotsDecision } from "../../../formats/robots/index.ts";
import { originOf } from "../../../formats/url/index.ts";
import type { Ticket, WaitingTicket } from "../../ticket/index.ts";
import type {
  FrontierRefusal,
  PageErrand,
  RefusalListener,
  RefusedSeed,
  RobotsCause,
  RobotsErrand,
} from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { HostEndings } from "../hosts/host-endings.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { VisitState } from "../hosts/state/visit-state.ts";
import type { Tally } from "../hosts/tally.ts";
import type { DepthBook } from "./depth-book.ts";
import type { EndedUrls } from "./ended-urls.ts";
import type { RobotsDesk, RobotsTask } from "./robots-desk.ts";
import type { TriedUrls } from "./tried-urls.ts";

export interface ErrandMakerParts {
  readonly clock: Clock;
  readonly settings: FrontierSettings;
  /** The `fetch` filter, asked just before the fetch. */
  readonly mayFetch: (ticket: Ticket) => boolean;
  readonly robots: RobotsDesk;
  readonly endings: HostEndings;
  readonly ledger: HostLedger;
  readonly tally: Tally;
  /** URLs whose tickets are dropped. */
  readonly ended: EndedUrls;
  readonly tried: TriedUrls;
  /** Null without a depth limit. */
  readonly depths: DepthBook | null;
  readonly seedRefused: (refused: RefusedSeed) => void;
  /** Whether it is told of all URLs, not only of seeds. */
  readonly isAsked: boolean;
  /** Null unless somebody wants to know of all. */
  readonly refusals: RefusalListener | null;
  /** Puts a page back into its queue, and its host aside until pages are wanted. */
  readonly putAside: (state: VisitState, ticket: WaitingTicket) => void;
}

/** How many URLs are looked at in one turn. */
const LOOKS_MAX = 256;

type VisitErrand = PageErrand | RobotsErrand;

export class ErrandMaker {
  readonly #parts: ErrandMakerParts;
  #looks = 0;
  /** While true, pages are put aside. */
  holdsPages = false;

  constructor(parts: ErrandMakerParts) {
    this.#parts = parts;
  }

  /** Whether the budget of this turn is used up. */
  get isSpent(): boolean {
    return this.#looks === 0;
  }

  /** A turn begins, with a new budget. */
  beginTurn(): void {
    this.#looks = LOOKS_MAX;
  }

  /** What to do at a host that may be visited now; null when there is nothing after all. */
  errandFor(state: VisitState): VisitErrand | null {
    const task = state.takeTask();
    if (task !== null) return this.#robotsErrand(state, task);
    const nowMs = this.#parts.clock.nowMs();
    while (this.#looks > 0 && state.end === null) {
      this.#looks -= 1;
      const ticket = state.takeTicket(nowMs);
      if (ticket === null) return null;
      const counted = this.#parts.tried.counted(ticket);
      // One that has ended meanwhile is not waited for.
      if (counted !== null && counted.againAtMs > nowMs && !this.#parts.ended.has(ticket)) {
        state.waitForRetry(counted.ticket, counted.againAtMs);
        continue;
      }
      const answer = this.#look(state, counted?.ticket ?? ticket, nowMs);
      if (answer !== "refused") return answer;
    }
    return null;
  }

  /**
   * Refuses at once what a robots.txt that was just settled refuses: no request is needed for that,
   * so there is no turn to wait for. The rest stays in its place.
   */
  refuse(state: VisitState): void {
    const { clock, robots, ended } = this.#parts;
    const nowMs = clock.nowMs();
    state.weed((ticket) => {
      if (ended.drops(ticket, state.number)) return true;
      const answer = robots.answer(state, ticket.url, nowMs);
      if (answer !== "robots-unreachable" && answer !== "crawl-delay") return false;
      this.#refuse(state, ticket, answer, state.originOf(ticket.url).cause);
      return true;
    }, LOOKS_MAX);
  }

  /** Whether the URL may be fetched now; if not, whether it is refused or must wait. */
  #look(state: VisitState, ticket: WaitingTicket, nowMs: number): VisitErrand | "refused" | null {
    const { endings, mayFetch, robots, putAside, ended } = this.#parts;
    if (ended.drops(ticket, state.number)) return "refused";
    if (this.holdsPages && (ticket.requisite ?? 0) === 0) {
      putAside(state, ticket);
      return null;
    }
    if (this.#isBlocked(state)) return this.#refuse(state, ticket, "host-blocked");
    if (this.#isOverLimit(state)) {
      state.putBack(ticket);
      endings.giveUp(state, { kind: "refused", reason: "host-limit" });
      return null;
    }
    if (!mayFetch(ticket)) return this.#refuse(state, ticket, "filter-fetch");
    const answer = robots.answer(state, ticket.url, nowMs);
    switch (answer) {
      case "allowed":
        return this.#pageErrand(state, ticket);
      case "unasked":
        state.putBack(ticket);
        return this.#ask(state, ticket);
      case "being-asked":
        state.putBack(ticket);
        state.waitForRobots(state.originOf(ticket.url));
        return null;
      case "asked-later":
        state.putBack(ticket);
        state.holdUntil(state.originOf(ticket.url).askAgainAtMs);
        return null;
      default:
        return this.#refuse(state, ticket, answer, state.originOf(ticket.url).cause);
    }
  }

  /** Asks for the robots.txt of a ticket; null if another host has it, and this one waits. */
  #ask(state: VisitState, { url }: Ticket): RobotsErrand | null {
    const task = this.#parts.robots.ask(state, url);
    if (task !== null) return this.#robotsErrand(state, task);
    const origin = state.originOf(url);
    if (origin.isBeingAsked) state.waitForRobots(origin);
    return null;
  }

  /** Its URLs were queued before it was blocked. */
  #isBlocked({ host }: VisitState): boolean {
    const { blockedHosts } = this.#parts.settings;
    return blockedHosts.size > 0 && blockedHosts.has(host);
  }

  #isOverLimit({ number }: VisitState): boolean {
    const { settings, ledger } = this.#parts;
    return settings.pagesPerHostMax !== null && ledger.pagesOf(number) >= settings.pagesPerHostMax;
  }

  #refuse(
    state: VisitState,
    ticket: Ticket,
    reason: FrontierRefusal,
    cause: RobotsCause = null,
  ): "refused" {
    const { tally, depths, seedRefused, isAsked, refusals } = this.#parts;
    tally.refused(reason, 1);
    depths?.ended(ticket);
    if (isAsked || ticket.via === null) seedRefused({ ticket, reason, cause });
    if (refusals !== null) {
      const { url } = ticket;
      const rule = (): RobotsDecision["rule"] =>
        reason === "robots" ? state.originOf(url).ruleOf(url.slice(originOf(url).length)) : null;
      refusals.refused({ ticket, reason, cause }, rule);
    }
    return "refused";
  }

  #pageErrand(state: VisitState, waiting: WaitingTicket): PageErrand {
    const { depths } = this.#parts;
    const { attempt, ...rest } = waiting;
    const ticket = depths === null ? rest : depths.bestOf(rest, !this.holdsPages);
    const { host, address } = state;
    const errand: PageErrand = { kind: "page", ticket, host, address, attempt };
    state.takeOff({ errand, ticket: { ...ticket, attempt } });
    return errand;
  }

  #robotsErrand(state: VisitState, task: RobotsTask): RobotsErrand {
    const { host, address } = state;
    const { url, redirects } = task;
    const { origin } = task.origin;
    const errand: RobotsErrand = { kind: "robots", origin, url, host, address, redirects };
    state.takeOff({ errand, task });
    return errand;
  }
}
