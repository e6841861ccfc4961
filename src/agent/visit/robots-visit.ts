/**
 * Fetches a robots.txt for the frontier: one request, whose outcome is told in the frontier's terms.
 * Redirects are handed back; the frontier decides where and when the next request goes.
 *
 * Only a complete file gives permission: the missing part may hold the rule that forbids. The one
 * exception is a file longer than the limit (RFC 9309 §2.5), which counts up to its last whole line
 * within the limit. Any other file that is cut, damaged or cannot be decoded is a failed attempt,
 * like no answer at all.
 *
 * A file that was fetched before the crawl was killed is replayed: there is no request, the archive has
 * its record already, and the frontier is told how old it is.
 *
 * When the crawl ends, a file that has arrived is logged and not read: to the frontier the attempt is
 * cancelled.
 */
import { beyondBarriers, faultOf, isInternalFault } from "../../base/errors/index.ts";
import type {
  Clock,
  FetchedOutcome,
  Fetcher,
  FetchInFlight,
  FetchLimits,
  FetchOutcome,
  Header,
} from "../../base/seams/index.ts";
import type { DecodedContent } from "../../fetch/body/index.ts";
import {
  ROBOTS_BYTES_MAX,
  type RobotsAttempt,
  robotsSitemaps,
  robotsVerdict,
  sitemapUrls,
} from "../../formats/robots/index.ts";
import { type FetchableUrl, hostOf, parseUrl } from "../../formats/url/index.ts";
import type { Frontier, RobotsEnd, RobotsErrand, Settlement } from "../../frontier/front/index.ts";
import { type CrawlNote, isFinal } from "../../store/archive/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { Faults } from "../crawl/counting/faults.ts";
import type { ReplayedRobots } from "../recovery/replayed-robots.ts";
import type { SeedCause, Seeds } from "../seeds/seed-watch.ts";
import type { AnswerGate } from "./answer-gate.ts";
import { type AnswerReading, readAll } from "./answer-reading.ts";
import { guardedBody } from "./guarded-body.ts";
import { restNotes } from "./page-record.ts";
import type { RobotsTurn, RobotsTurns } from "./robots-turns.ts";
import { RoomWait } from "./room-wait.ts";
import { crawlLine, fetchedPage, type VisitFacts } from "./visit-facts.ts";
import { type Store, WaitingStore } from "./waiting-store.ts";

export interface RobotsVisitParts {
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly frontier: Pick<Frontier, "robotsFetched" | "markRobots">;
  readonly gate: Pick<AnswerGate, "admit" | "begin" | "end">;
  readonly answers: AnswerReading;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
  readonly seeds: Seeds;
  readonly counts: CrawlCounts;
  readonly faults: Pick<Faults, "note">;
  readonly turns: RobotsTurns;
  /** Null where nothing is kept. */
  readonly store: Store | null;
  /** Called with the sitemaps that a robots.txt names; null when they are not wanted. */
  readonly sitemaps: ((urls: readonly FetchableUrl[], robotsUrl: FetchableUrl) => void) | null;
}

type Failed = FetchOutcome & { readonly kind: "failed" };
type EndedRobots = RobotsEnd & { readonly kind: "ended" };

const FAILED: RobotsAttempt = { kind: "failed" };

/** What it throws ends the attempt alone; the frontier is told outside the barrier. */
export class RobotsVisit implements FetchInFlight {
  readonly #parts: RobotsVisitParts;
  readonly #errand: RobotsErrand;
  readonly #over: () => void;
  #inFlight: FetchInFlight | null = null;
  /** The answer, until its memory is given back. */
  #answer: FetchedOutcome | null = null;
  /** Null where nothing is kept. */
  readonly #wait: RoomWait;
  readonly #store: WaitingStore | null;
  /** Of a large file, until it has been read. */
  #turn: RobotsTurn | null = null;
  readonly #startedAtMs: number;
  readonly #replayed: ReplayedRobots | null;
  #isGivenUp = false;
  #isTold = false;
  #isWorkedOn = false;
  #isOver = false;

  /** `over` is called when the frontier has been told and the answer is kept. */
  constructor(
    parts: RobotsVisitParts,
    errand: RobotsErrand,
    over: () => void,
    replayed: ReplayedRobots | null = null,
  ) {
    const { clock, store } = parts;
    this.#parts = parts;
    this.#errand = errand;
    this.#over = over;
    this.#wait = new RoomWait(this.#guard);
    this.#store = store && new WaitingStore(store, this.#wait);
    this.#startedAtMs = clock.nowMs();
    this.#replayed = replayed;
    if (replayed === null) this.#request();
    else this.#guard(() => this.#fetched(replayed.outcome));
  }

  #request(): void {
    const { fetcher, headers, limits, clock } = this.#parts;
    const { url, address } = this.#errand;
    try {
      this.#inFlight = fetcher.fetch({ url, address, headers, limits }, (outcome) =>
        this.#guard(() => this.#fetched(outcome)),
      );
    } catch (thrown) {
      clock.after(0, () => this.#fault(thrown));
    }
  }

  get receivedBytes(): number {
    return this.#inFlight?.receivedBytes ?? 0;
  }

  cancel(): void {
    this.#guard(() => {
      this.#isGivenUp = true;
      this.#inFlight?.cancel();
      this.#wait.giveUp();
      if (this.#turn !== null) this.#parts.turns.release(this.#turn);
    });
  }

  #fetched(outcome: FetchOutcome): void {
    if (outcome.kind === "fetched") this.#answer = outcome;
    // A fetch that failed to begin may still answer.
    if (this.#isOver) this.#release();
    else {
      const { faults, gate } = this.#parts;
      const error = outcome.kind === "failed" ? outcome.error : null;
      const isNew = error !== null && isInternalFault(error) && this.#replayed === null;
      if (isNew) faults.note(error, this.#errand.url);
      this.#read(outcome, (end) => gate.admit(() => this.#guard(() => this.#ended(end, outcome))));
    }
  }

  #read(outcome: FetchOutcome, done: (end: RobotsEnd) => void): void {
    const { answers } = this.#parts;
    if (outcome.kind === "cancelled") done(outcome);
    else if (outcome.kind === "failed") {
      // Faults of pages are not tried again, but a whole host depends on this file.
      const code = isInternalFault(outcome.error) ? "INTERNAL_ROBOTS" : outcome.error.code;
      done({ ...ended(FAILED, null, null), code });
    } else {
      const { status, headers } = outcome;
      const retryAfterMs = answers.retryAfterMs(headers);
      if (status >= 200 && status < 300) {
        this.#readBody(outcome, (bytes) => {
          if (this.#isUnwanted) done({ kind: "cancelled" });
          else if (bytes !== null) done(ended({ kind: "answered", status }, bytes, retryAfterMs));
          else done({ ...ended(FAILED, null, retryAfterMs), code: "FETCH_ROBOTS_INCOMPLETE" });
        });
      } else {
        const target = answers.leadsTo(outcome, this.#errand.url);
        if (target.kind === "redirected") done({ kind: "redirected", to: target.to });
        else done(ended({ kind: "answered", status }, null, retryAfterMs));
      }
    }
  }

  /** The decoded file, or null when some of it is missing or it is not wanted any more. */
  #readBody(outcome: FetchedOutcome, done: (bytes: Uint8Array | null) => void): void {
    const { answers, turns } = this.#parts;
    const take = (content: DecodedContent): void => {
      const { body: decoded, error } = content;
      const finish = (bytes: Uint8Array | null): void => {
        if (decoded !== outcome.body) decoded.release();
        if (error !== null && isInternalFault(error)) throw error;
        done(bytes);
      };
      const begin = (): void => {
        if (this.#isUnwanted) finish(null);
        else readAll(guardedBody(decoded, this.#guard), READ_BYTES_MAX, finish);
      };
      if (!isWhole(outcome, content)) finish(null);
      else this.#turn = turns.take(decoded.lengthBytes, () => this.#guard(begin));
    };
    answers.decode(outcome, (content) => this.#guard(() => take(content)), READ_BYTES_MAX);
  }

  get #isUnwanted(): boolean {
    return this.#isGivenUp || this.#parts.turns.isStopped;
  }

  #ended(end: RobotsEnd, outcome: FetchOutcome): void {
    const { clock } = this.#parts;
    const begunAtMs = clock.nowMs();
    const settlement = this.#tell(end, causeOf(outcome, end));
    const bytes = end.kind === "ended" ? end.bytes : null;
    if (bytes !== null) tellSitemaps(this.#parts, this.#errand, bytes);
    this.#endTurn(clock.nowMs() - begunAtMs);
    const isKept = outcome.kind !== "cancelled" && this.#replayed === null;
    if (!isKept || this.#store === null) this.#end();
    else this.#keep(this.#store, outcome, this.#facts(end, settlement));
  }

  #endTurn(tookMs: number): void {
    const turn = this.#turn;
    this.#turn = null;
    if (turn !== null) this.#parts.turns.end(turn, tookMs);
  }

  #facts(end: RobotsEnd, settlement: Settlement): VisitFacts {
    const { clock } = this.#parts;
    const { url, address, redirects, origin } = this.#errand;
    const notes: CrawlNote[] = [["robots"]];
    if (redirects > 0) notes.push(["redirects", `${redirects}`]);
    // A redirect is followed, not tried again.
    if (end.kind === "redirected") notes.push(["redirect", end.to]);
    else if (settlement.kind === "again") notes.push(["retry"]);
    if (end.kind === "ended") notes.push(...restNotes(end.retryAfterMs));
    const durationMs = clock.nowMs() - this.#startedAtMs;
    return {
      atMs: clock.wallMs(),
      url,
      address,
      depth: 0,
      // Wherever redirects led, the file applies to the host that was asked first.
      via: redirects > 0 ? robotsUrlOf(origin) : null,
      durationMs,
      attempt: 1,
      notes,
    };
  }

  /**
   * The rules of a host belong to the record of why a page was fetched or not. Of an answer that is
   * tried again there is only the line.
   */
  #keep(store: WaitingStore, outcome: FetchedOutcome | Failed, facts: VisitFacts): void {
    const over = (): void => this.#end();
    const line =
      outcome.kind === "failed"
        ? crawlLine(facts, outcome.error.code, 0)
        : crawlLine(facts, outcome.status, outcome.body.lengthBytes);
    if (outcome.kind === "failed" || !isFinal(line)) store.log(line, over, over);
    else {
      const keeping = { sha1: null, keep: "whole", isPage: false, mime: null } as const;
      store.store(fetchedPage(facts, outcome, keeping), over, over);
    }
  }

  /** The seeds of the origin wait for its robots.txt; if it cannot be fetched, they fail with it. */
  #tell(end: RobotsEnd, cause: SeedCause): Settlement {
    const { seeds } = this.#parts;
    const host = hostOf(`${this.#errand.origin}/` as FetchableUrl);
    const isFailure = end.kind === "ended" && robotsVerdict(end.attempt) === "unreachable";
    if (isFailure) seeds.hostFailing(host, cause);
    this.#isTold = true;
    const settlement = beyond(() => this.#settle(end));
    if (isFailure) seeds.hostFailed(host, settlement);
    return settlement;
  }

  /** A checkpoint knows of the file and has its line, or neither. */
  #settle(end: RobotsEnd): Settlement {
    const { frontier, gate } = this.#parts;
    gate.begin();
    this.#isWorkedOn = true;
    if (this.#replayed === null) return frontier.robotsFetched(this.#errand, end);
    // A crawl that is stopped while it replays does so again.
    if (end.kind === "cancelled") return { kind: "final" };
    return frontier.markRobots(this.#errand, end, this.#replayed.atMs);
  }

  readonly #guard = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      this.#fault(thrown);
    }
  };

  #fault(thrown: unknown): void {
    const { url } = this.#errand;
    const { faults, counts } = this.#parts;
    const unit = { code: "INTERNAL_ROBOTS", what: `the attempt to read ${url}` } as const;
    const error = faultOf(thrown, { ...unit, isOver: this.#isOver });
    faults.note(error, url);
    counts.errors.add(error.code);
    this.#guard(() => this.#release());
    if (!this.#isTold) this.#tell({ ...ended(FAILED, null, null), code: error.code }, error);
    if (!this.#isOver) this.#end();
  }

  #release(): void {
    const answer = this.#answer;
    this.#answer = null;
    answer?.body.release();
  }

  #end(): void {
    this.#endTurn(0);
    this.#release();
    this.#isOver = true;
    this.#over();
    if (this.#isWorkedOn) this.#parts.gate.end();
  }
}

function causeOf(outcome: FetchOutcome, end: RobotsEnd): SeedCause {
  if (outcome.kind === "failed") return outcome.error;
  if (end.kind !== "ended") return null;
  const { attempt, code } = end;
  return code ?? (attempt.kind === "answered" ? attempt.status : null);
}

/** Runs work that belongs to all hosts: what it throws passes the barrier of this one. */
function beyond<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (thrown) {
    throw beyondBarriers(thrown);
  }
}

function tellSitemaps(
  { sitemaps }: RobotsVisitParts,
  { url, origin }: RobotsErrand,
  bytes: Uint8Array,
): void {
  if (sitemaps === null) return;
  sitemaps(sitemapsNamed(bytes, url), robotsUrlOf(origin));
}

function robotsUrlOf(origin: RobotsErrand["origin"]): FetchableUrl {
  return `${origin}/robots.txt` as FetchableUrl;
}

/** The sitemaps that a robots.txt with this URL names. */
function sitemapsNamed(bytes: Uint8Array, url: FetchableUrl): FetchableUrl[] {
  return sitemapUrls(robotsSitemaps(bytes), url).flatMap((named) => {
    const outcome = parseUrl(named);
    return outcome.kind === "accepted" ? [outcome.url] : [];
  });
}

/** One byte more than counts, which shows the parser that the file and its last line were cut. */
const READ_BYTES_MAX = ROBOTS_BYTES_MAX + 1;

/** As much of a body as counts, whatever `fetch.maxBody` is. */
export function robotsLimits(limits: FetchLimits): FetchLimits {
  return { ...limits, bodyBytesMax: READ_BYTES_MAX };
}

function ended(
  attempt: RobotsAttempt,
  bytes: Uint8Array | null,
  retryAfterMs: number | null,
): EndedRobots {
  return { kind: "ended", attempt, bytes, retryAfterMs };
}

/** Whether everything is there, or everything up to the size limit. */
function isWhole({ truncatedBy }: FetchedOutcome, content: DecodedContent): boolean {
  if (truncatedBy !== null && truncatedBy !== "length") return false;
  switch (content.truncatedBy) {
    case null:
      return content.error === null || content.error.code === "FETCH_CONTENT_NOT_ENCODED";
    case "length":
      return true;
    case "corrupt":
      // Compressed content that our limit cut has no end.
      return truncatedBy === "length" && content.error?.facts["how"] === "cut";
    default:
      return false;
  }
}
