/**
 * The frontier as the lane sees it: URLs go in, errands come out, each errand is ended once.
 *
 * A frontier is a synchronous state machine. It decides what may be begun and when; it does nothing
 * itself: names are resolved, robots.txt and pages are fetched by the caller that acquires the
 * errand.
 *
 * Contract for implementers and callers:
 * - Of one host there is never more than one fetch in flight (robots.txt counts as one), and of one
 *   address neither, unless its delay is 0. Delays run from the end of a fetch to the start of the
 *   next. Where aliases count, the same holds for all hosts of one canonical name together.
 * - `acquire` gives what may begin now, or null; when visits are not wanted, because every slot for
 *   fetches is taken, only what needs no fetch. `nextAtMs` is then the instant by the clock at which
 *   to ask again; Infinity when only an event can help (something offered, an errand ended,
 *   `listener.woken`). Nobody needs to poll.
 * - Every ticket offered ends in exactly one way: it was known already, it was refused (counted by
 *   reason), or it came out as a page errand whose settlement was final, or as one `unfetched`.
 * - Every errand is ended exactly once, by the call for its kind, in any order.
 */
import type { CrawlError, ErrorCode } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { RobotsAttempt, RobotsDecision } from "../../formats/robots/index.ts";
import type { FetchableUrl, HostName, Origin } from "../../formats/url/index.ts";
import type { Ticket } from "../ticket/index.ts";
import type { FrontierOwner } from "./frontier-memory.ts";
import type { AdjustableSettings } from "./frontier-settings.ts";
import type { HostHandovers } from "./hosts/host-handovers.ts";
import type { HostViews } from "./hosts/host-views.ts";
import type { Allowance } from "./hosts/polite-rate.ts";
import type { FrontierChanges } from "./saving/frontier-checkpoint.ts";

export type Errand = ResolveErrand | RobotsErrand | PageErrand | UnfetchedErrand | ExpandErrand;

/** Find the addresses of a host; files have none, and are never resolved. Ended by `resolved`. */
export interface ResolveErrand {
  readonly kind: "resolve";
  readonly host: HostName;
}

/**
 * Fetch a robots.txt, or what one redirected to. Ended by `robotsFetched`; it occupies the host and
 * the address that are asked, which after a redirect may be others than the origin's own.
 */
export interface RobotsErrand {
  readonly kind: "robots";
  /** Whose rules they are. */
  readonly origin: Origin;
  readonly url: FetchableUrl;
  readonly host: HostName;
  /** Null where none is known: for a file, or behind a proxy. */
  readonly address: string | null;
  /** Redirects in a row before this one. */
  readonly redirects: number;
}

/** Fetch a page. Ended by `pageFetched`. */
export interface PageErrand {
  readonly kind: "page";
  readonly ticket: Ticket;
  readonly host: HostName;
  /** Null where none is known: for a file, or behind a proxy. */
  readonly address: string | null;
  /** 0 for the first try. */
  readonly attempt: number;
}

/** A URL that ends without a fetch because its host cannot be reached. Nothing to end. */
export interface UnfetchedErrand {
  readonly kind: "unfetched";
  readonly ticket: Ticket;
  readonly code: ErrorCode;
}

/**
 * A page was found nearer to a seed than it was when fetched: offer its links again, at
 * `depth + 1`. Only with a depth limit. Nothing to end.
 */
export interface ExpandErrand extends Fingerprint {
  readonly kind: "expand";
  /** Null where pages are not compared by depth: a requisite turned out to be a page. */
  readonly depth: number | null;
  /** The same for steps inside its host. */
  readonly hostDepth?: number | null;
  /** As in `Ticket`: a requisite that was met again at fewer steps; 0 for a page. */
  readonly requisite: number;
}

export type Resolution =
  | {
      readonly kind: "resolved";
      /** Checked, in the order of preference; none where no address is known. */
      readonly addresses: readonly string[];
      /** By the clock; afterwards the host is resolved anew before its next fetch. */
      readonly expiresAtMs: number;
      /** The name at the end of its chain of aliases, if that was learnt. */
      readonly canonical?: string;
    }
  | { readonly kind: "failed"; readonly code: ErrorCode }
  /** Cancelled by us: the host waits to be resolved again. */
  | { readonly kind: "cancelled" };

export type RobotsEnd =
  /** An answer or a failure; `bytes` is the body of a 2xx answer (at most 500 KiB of it). */
  | {
      readonly kind: "ended";
      readonly attempt: RobotsAttempt;
      readonly bytes: Uint8Array | null;
      readonly retryAfterMs: number | null;
      /** Why the attempt failed, where an error says so: it decides whether trying again can help. */
      readonly code?: ErrorCode;
    }
  | { readonly kind: "redirected"; readonly to: FetchableUrl }
  | { readonly kind: "cancelled" };

/** A robots.txt, or what one redirects to, perhaps of a host of another lane. */
export interface GuestRobots {
  /** Whose rules they are. */
  readonly origin: Origin;
  readonly url: FetchableUrl;
  /** Redirects in a row before this one. */
  readonly redirects: number;
}

/** How a fetch of a robots.txt ended that was not cancelled. */
export type SpokenRobotsEnd = Exclude<RobotsEnd, { kind: "cancelled" }>;

export type PageEnd =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** From `Retry-After`, if there was one. */
      readonly retryAfterMs: number | null;
      /** From request to the head of the answer: slow answers lengthen the delay. */
      readonly answerMs: number;
      /** Length of the body as received; none when left out. */
      readonly bodyBytes?: number;
    }
  | { readonly kind: "failed"; readonly code: ErrorCode }
  /** By another frontier that was asked to fetch it. */
  | { readonly kind: "refused"; readonly reason: FrontierRefusal; readonly cause: RobotsCause }
  /** Cancelled by us: the ticket goes back to the head of its queue. */
  | { readonly kind: "cancelled" };

/** Why a robots.txt could not be fetched: the error, or the status of the answer; null if unknown. */
export type RobotsCause = ErrorCode | number | null;

/** A seed, or another URL that somebody waits for, that the frontier refused. */
export interface RefusedSeed {
  readonly ticket: Ticket;
  readonly reason: FrontierRefusal;
  /** For `robots-unreachable`. */
  readonly cause: RobotsCause;
}

/** Told of every URL that the frontier refuses, inside the call that refuses it; must not call back. */
export interface RefusalListener {
  /** `rule` gives the line of the robots.txt that decided, for `robots`; else null. */
  refused(refused: RefusedSeed, rule: () => RobotsDecision["rule"]): void;
  /** URLs that were dropped from the queue of their host unseen. */
  dropped(reason: FrontierRefusal, count: number): void;
}

/**
 * Whether the outcome is final: of the page, of the resolution, or of an origin's robots.txt. Only a
 * final outcome is stored.
 */
export type Settlement =
  | { readonly kind: "final" }
  | { readonly kind: "again"; readonly atMs: number };

/** A try of a page, with how many there were before it. */
export type TriedPage = Pick<PageErrand, "ticket" | "attempt">;

/** How a try ended: by this answer, or without one. */
export type TriedEnd = { readonly status: number } | { readonly code: ErrorCode };

/** A page that was fetched by a process that was killed. */
export interface EndedPage extends Fingerprint, Pick<Ticket, "depth" | "hostDepth"> {
  readonly url: FetchableUrl;
  /** Whether it was told by `offerEnded` before, so that no ticket of it will come out. */
  readonly isTold?: boolean;
  /** Whether it counts for the limit of pages of its host: an answer 2xx, and not a requisite. */
  readonly isPage: boolean;
}

/** Is called for what happens by itself; never inside a call to the frontier. */
export interface FrontierListener {
  /** Something came that may be acquired, or nothing is left: ask again. */
  woken(): void;

  /** The disk failed. What was being done is tried again. */
  failed(error: CrawlError): void;
}

export interface Frontier {
  /** Takes a URL that filters and limits have passed. */
  offer(ticket: Ticket): void;
  /**
   * Queues a URL that has ended once more; the caller knows that it has, and asks for errands again.
   * Returns false, and takes nothing, if its host is refused or blocked by the settings, or is being
   * given up at this moment.
   */
  requeue(ticket: Ticket): boolean;
  /** While true, callers that can wait should offer nothing more. */
  readonly isFull: boolean;

  acquire(wantsVisits?: boolean): Errand | null;
  readonly nextAtMs: number;
  /**
   * For a frontier that is asked for no errands: has what was offered decided, so that it is queued or
   * known. Null if all of it is; else when to ask again, unless the listener is woken before.
   */
  decideOffers(): number | null;

  /**
   * While true, `acquire` gives no pages, only requisites: no more pages are wanted now. Hosts that
   * have nothing but pages are put aside until it is false again.
   */
  holdsPages: boolean;
  /** Whether nothing is left but pages, none of them in flight. */
  readonly hasOnlyPages: boolean;

  resolved(errand: ResolveErrand, resolution: Resolution): Settlement;
  robotsFetched(errand: RobotsErrand, end: RobotsEnd): Settlement;
  pageFetched(errand: PageErrand, end: PageEnd): Settlement;

  /**
   * Fetches a robots.txt for another lane, as a visit of the host that has it. `done` is called once, with
   * how that ended, unless the frontier is closed before. The caller asks for errands again.
   */
  fetchRobots(robots: GuestRobots, done: (end: SpokenRobotsEnd) => void): void;

  /**
   * For when every slot is taken: the slow visits that must give way to others that wait. The caller
   * cancels them; their URLs are fetched later.
   */
  givingWay(receivedBytes: (errand: PageErrand | RobotsErrand) => number): readonly Errand[];

  /**
   * Other settings, for all that is decided from now on. A pause that has begun keeps its length; a
   * host that was given up stays so.
   */
  adjust(changes: Partial<AdjustableSettings>): void;

  /**
   * Changes what applies to one host from now on, whether it was met already or not; part of the next
   * checkpoint. What is in flight there goes on. The caller asks for errands again.
   */
  changeHost(host: HostName, change: HostChange): ChangedHost;

  /** For agents among others: hosts that come from them and go to them. */
  readonly handovers: Pick<
    HostHandovers,
    | "hosts"
    | "isHere"
    | "isAway"
    | "isBusy"
    | "isFinding"
    | "withhold"
    | "admit"
    | "giveAway"
    | "take"
    | "takeBack"
    | "endElsewhere"
    | "isElsewhere"
    | "fetchAfterAll"
    | "nearer"
  >;

  /** Its hosts, to be looked at. */
  readonly hosts: Pick<HostViews, "count" | "changed" | "find" | "isAway" | "at" | "look">;

  /**
   * Makes the state of this moment durable and answers with what brings it back, together with the last
   * checkpoint that was recorded. URLs in flight are kept as not yet fetched, and so are those whose errands
   * are not over. It may be asked for at any time, one at a time; and `committed` comes before the next one
   * if this one was recorded.
   */
  checkpoint(done: Done<FrontierChanges>): void;

  /** The last checkpoint is recorded durably: files that only older ones need are removed. */
  committed(): void;

  /**
   * Where errands are held (`FrontierOptions.holdsErrands`): the owner is done with an errand. For a page
   * after `pageFetched` has said that it is final, and it has its line and its links are safe; for a URL
   * without a fetch when it has its line; for an expansion when its links are safe.
   */
  over(errand: Errand): void;

  /**
   * This page has ended before the frontier was made. To be told of each before anything else is offered:
   * then no ticket of it comes out, however often it is offered. Like offers, these are held back while the
   * frontier is full. `isPage` as in `EndedPage`.
   */
  offerEnded(ticket: Ticket, isPage: boolean): void;

  /**
   * These pages have ended, though this frontier does not know it: a process that was killed has fetched
   * them. Their tickets are dropped, without a visit, when they come out.
   */
  markEnded(pages: readonly EndedPage[]): void;

  /**
   * The same for a try of a page that is to be followed by another: it counts, and the next one is as long
   * after now as it would have been after the try. `errand.attempt` is how many there were before it.
   */
  markTried(errand: TriedPage, end: TriedEnd): void;

  /**
   * The host of this URL has asked an earlier process to leave it alone for this long. It is, from now on,
   * as far as that is granted: nobody knows how long ago it was.
   */
  markRest(url: FetchableUrl, askedMs: number): void;

  /**
   * The same as `markEnded` for a fetch of a robots.txt, which ended at this instant by the wall clock. It counts as if it
   * had been made by this frontier, to which the host of the origin belongs. The settlement is that of
   * the origin.
   */
  markRobots(robots: GuestRobots, end: SpokenRobotsEnd, wallMs: number): Settlement;

  /** Nothing queued but at blocked hosts, nothing in flight or waiting for a retry. */
  readonly isExhausted: boolean;
  status(): FrontierStatus;

  /**
   * Closes everything. Reads from the queues are cancelled, which is not reported as a failure, and
   * the listener is not called again.
   */
  close(done: Acknowledge): void;
}

/** What is left out stays as it is. */
export interface HostChange {
  /** Whether nothing is asked of the host; its URLs wait until that is lifted. */
  readonly isBlocked?: boolean | undefined;
  /** Its delay between visits instead of the configured one; null for that one again. */
  readonly delayMs?: number | null | undefined;
  /** Whether all URLs of it that wait now are refused, as `host-purged`. */
  readonly purge?: boolean | undefined;
}

/** A host after a change. */
export interface ChangedHost {
  /** Whether any URL of it was ever met. */
  readonly isKnown: boolean;
  readonly isBlocked: boolean;
  /** At least this long is it left alone. */
  readonly delayMs: number;
  /** How many URLs were purged. */
  readonly purged: number;
  /** How many wait. */
  readonly waiting: number;
}

/** Why refused URLs were refused: the words of the summary's `refused`. */
export type FrontierRefusal =
  | "robots"
  | "robots-unreachable"
  | "crawl-delay"
  | "filter-fetch"
  | "host-limit"
  | "host-blocked"
  | "host-purged"
  | "url-too-long"
  | "address";

/**
 * Why nothing is being fetched: the words of the summary's `idle`, with how many hosts each.
 * `reading`: their URLs are being read from the queues. `disk`: the disk is full or behind, so that
 * what is found cannot be written. `blocked`: somebody has said that nothing is asked of them.
 */
export type IdleReason =
  | "empty"
  | "politeness"
  | "resolving"
  | "robots"
  | "retry"
  | "memory"
  | "reading"
  | "disk"
  | "blocked";

export interface FrontierStatus {
  /** Distinct URLs ever taken in, without those that another agent has by now. */
  readonly urls: number;
  readonly queued: number;
  readonly inFlight: number;
  /** Without those that are with another agent. */
  readonly hosts: number;
  readonly refused: Readonly<Partial<Record<FrontierRefusal, number>>>;
  readonly idle: Readonly<Partial<Record<IdleReason, number>>>;
  /** How fast politeness lets the present front be: one, of each lane; none if that is not known. */
  readonly allowances: readonly Allowance[];
  /** What the frontier holds in memory: bytes by owner. */
  readonly memory: Readonly<Record<FrontierOwner, number>>;
}
