/**
 * Replays the crawl log from where a checkpoint ends, after a crawl that was killed: in the order of the
 * lines, each page goes through the units once more, with its answer from the archive, without a request,
 * a record or a line. So the crawl knows all that its archive has, and nothing of it is fetched again.
 *
 * Answers that the archive does not have are in the journal of answers. Robots.txt files and sitemaps are
 * replayed too, so that they are asked for again only when they are too old.
 * Nothing else is begun before the last line has been replayed.
 */
import { CrawlError, faultOf, isCrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Storage } from "../../base/seams/index.ts";
import { printable } from "../../base/text/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { PageErrand, RobotsErrand } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import {
  type CrawlLine,
  CrawlLogView,
  isFinal,
  type LogStep,
  noteOf,
} from "../../store/archive/index.ts";
import { PastAnswers } from "../../store/query/index.ts";
import { answered } from "../crawl/answers.ts";
import type { SitemapLevel } from "../links/named-sitemaps.ts";
import {
  type ReplayedPage,
  replayedErrand,
  replayedPage,
  sitemapLevelOf,
} from "./replayed-page.ts";
import { type ReplayedRobots, replayedRobots, replayedRobotsErrand } from "./replayed-robots.ts";

export interface ReplayParts {
  readonly storage: Storage;
  /** Where the lines begin that the checkpoint does not know. */
  readonly from: Position;
  /** Whether no page goes through the units. */
  readonly countsOnly: boolean;
  /** Whether sitemaps are wanted now; if not, they are only counted. */
  readonly takesSitemaps: boolean;
  /** Which of them are replayed here. */
  readonly isOwn: (page: Fingerprint) => boolean;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
  readonly keyOf: (url: string) => string | null;
  /** Takes the pages that have ended before any of them is replayed; null if they are told as they come. */
  readonly past: PastPages | null;
  /** A line that has no visit: a try that was not the last, or a page whose body was not kept. */
  readonly noted: (line: CrawlLine, ticket: Ticket, isOver: boolean) => void;
  /** The line is about a try that was followed by another, or would have been. */
  readonly tried: (line: CrawlLine, errand: PageErrand) => void;
  /** A page, or a sitemap of this level, whose answer was lost: it waits to be fetched again. */
  readonly lost: (ticket: Ticket, sitemap: SitemapLevel | null) => void;
  /** The host of this URL has asked to be left alone for this long. */
  readonly rests: (url: FetchableUrl, askedMs: number) => void;
  /** There is something to be begun, or all is over: ask `next` again. */
  readonly ready: () => void;
  readonly failed: (error: CrawlError) => void;
}

/** Who is told of all pages first: see `Frontier.offerEnded`. */
export interface PastPages {
  /** The page of this line has ended. */
  readonly ended: (line: CrawlLine, ticket: Ticket) => void;
  /** Whether no more are taken now. */
  readonly isFull: () => boolean;
  /** That was all; links may be offered now. */
  readonly over: () => void;
}

export type Replayable =
  | { readonly kind: "page"; readonly errand: PageErrand; readonly page: ReplayedPage }
  | { readonly kind: "robots"; readonly errand: RobotsErrand; readonly robots: ReplayedRobots };

/** What a replay has done. */
export interface ReplayCounts {
  /** Pages and sitemaps that went through the units once more. */
  pages: number;
  /** Robots.txt files that the frontier was told of once more. */
  robots: number;
  /** Lines that were only counted. */
  noted: number;
}

/** Pages that are read ahead. */
const AHEAD_MAX = 64;

export class Replay {
  readonly #parts: ReplayParts;
  readonly #answers: PastAnswers;
  readonly counts: ReplayCounts = { pages: 0, robots: 0, noted: 0 };
  #ahead: Replayable[] = [];
  #isRead = false;
  #resume: (() => void) | null = null;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
    this.#answers = new PastAnswers(parts);
  }

  /** Whether all have been given out. */
  get isOver(): boolean {
    return this.#isRead && this.#ahead.length === 0;
  }

  /** Reads ahead from now on. */
  start(): void {
    void this.#read();
  }

  /** The next page or robots.txt; null if none is ready. */
  next(): Replayable | null {
    const next = this.#ahead.shift() ?? null;
    if (this.#ahead.length < AHEAD_MAX / 2) this.#goOn();
    return next;
  }

  #goOn(): void {
    const resume = this.#resume;
    this.#resume = null;
    resume?.();
  }

  async #read(): Promise<void> {
    const { past, ready, failed } = this.#parts;
    try {
      if (past !== null) {
        await this.#eachLine((line) => this.#tell(line, past));
        past.over();
      }
      await this.#eachLine((line) => this.#take(line));
      await this.#answers.close();
      this.#isRead = true;
      ready();
    } catch (thrown) {
      const what = "the replay of the crawl log";
      // A disk may fail, and files may be damaged: that is no fault of ours.
      failed(
        isCrawlError(thrown)
          ? thrown
          : faultOf(thrown, { code: "INTERNAL_UNIT", what, isOver: false }),
      );
    }
  }

  async #eachLine(take: (line: CrawlLine) => Promise<void>): Promise<void> {
    const { storage, from } = this.#parts;
    const view = await answered<CrawlLogView>((done) => CrawlLogView.open(storage, from, done));
    for (;;) {
      const step = await answered<LogStep | null>((done) => view.next(done));
      if (step === null) break;
      for (const line of step.lines) await take(line);
    }
    await answered((done) => view.close(done));
  }

  /** Just those that are replayed, or counted, as ended later. */
  async #tell(line: CrawlLine, { ended, isFull }: PastPages): Promise<void> {
    if (noteOf(line, "robots") !== null || !isFinal(line) || isLost(line)) return;
    const { fingerprintOf, isOwn } = this.#parts;
    const page = fingerprintOf(line.url as FetchableUrl);
    if (page === null || !isOwn(page)) return;
    while (isFull()) await this.#resumed();
    ended(line, replayedErrand(line, page).ticket);
  }

  async #take(line: CrawlLine): Promise<void> {
    this.#rest(line);
    if (noteOf(line, "robots") !== null) {
      await this.#takeRobots(line);
      return;
    }
    const { fingerprintOf, isOwn, lost, takesSitemaps } = this.#parts;
    const page = fingerprintOf(line.url as FetchableUrl);
    if (page === null || !isOwn(page)) return;
    const errand = replayedErrand(line, page);
    const level = sitemapLevelOf(line);
    const isCounted = this.#parts.countsOnly || (level !== null && !takesSitemaps);
    if (noteOf(line, "lost") !== null) lost(errand.ticket, level);
    const answer = isFinal(line) && !isCounted ? await this.#answers.of(line) : null;
    if (answer === null && !isCounted && isArchived(line)) throw unreadable(line);
    if (isCounted || (answer === null && !hasVisit(line))) {
      this.#note(line, errand, !isCounted && isLost(line));
      return;
    }
    this.counts.pages += 1;
    const isTold = this.#parts.past !== null;
    await this.#give({ kind: "page", errand, page: { ...replayedPage(line, answer), isTold } });
  }

  #rest(line: CrawlLine): void {
    const { fingerprintOf, isOwn, rests } = this.#parts;
    const url = line.url as FetchableUrl;
    const askedMs = Number(noteOf(line, "rest") ?? 0);
    const page = askedMs > 0 ? fingerprintOf(url) : null;
    if (page !== null && isOwn(page)) rests(url, askedMs);
  }

  /** The lane of its origin replays it, whoever has fetched it. */
  async #takeRobots(line: CrawlLine): Promise<void> {
    const { fingerprintOf, isOwn } = this.#parts;
    const errand = replayedRobotsErrand(line);
    const own = errand && fingerprintOf(`${errand.origin}/robots.txt` as FetchableUrl);
    if (errand === null || own === null || !isOwn(own)) return;
    const robots = replayedRobots(line, await this.#answers.of(line));
    if (robots === null) return;
    this.counts.robots += 1;
    await this.#give({ kind: "robots", errand, robots });
  }

  #note(line: CrawlLine, errand: PageErrand, isGone: boolean): void {
    const { noted, lost, tried } = this.#parts;
    const { ticket } = errand;
    this.counts.noted += 1;
    if (!isGone) {
      if (!isFinal(line)) tried(line, errand);
      noted(line, ticket, isFinal(line));
      return;
    }
    lost(ticket, sitemapLevelOf(line));
    noted({ ...line, notes: [...line.notes, ["retry"]] }, ticket, false);
  }

  /** Goes on when not too many are read ahead. */
  async #give(next: Replayable): Promise<void> {
    this.#ahead.push(next);
    this.#parts.ready();
    if (this.#ahead.length >= AHEAD_MAX) await this.#resumed();
  }

  /** Until somebody asks for the next one. */
  #resumed(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}

/** Whether it is about a page whose answer was never archived, and is no longer kept elsewhere either. */
function isLost(line: CrawlLine): boolean {
  if (typeof line.result === "string" || !isFinal(line)) return false;
  const isKept = noteOf(line, "noarchive") === null && noteOf(line, "unstored") === null;
  return line.place === null || !isKept;
}

/** Whether the archive has the answer. */
function isArchived(line: CrawlLine): boolean {
  return typeof line.result === "number" && isFinal(line) && !isLost(line);
}

/** Without it the links of the page would be lost. */
function unreadable({ url, place }: CrawlLine): CrawlError {
  return new CrawlError(
    "CHECKPOINT_DAMAGED",
    `The crawl cannot go on from its checkpoint: the answer of ${printable(url)} cannot be read ` +
      `again from ${place?.file ?? "the archive"}. If the file was moved, put it back; else \`trobar ` +
      "store verify --rebuild` makes all again from what can be read.",
  );
}

/** Whether it was a visit that failed for good. */
function hasVisit(line: CrawlLine): boolean {
  const isFailure = typeof line.result === "string" && line.place === null;
  return isFailure && isFinal(line) && !isUnfetched(line);
}

/** Whether its URL was given up without a fetch. */
export function isUnfetched(line: CrawlLine): boolean {
  return typeof line.result === "string" && noteOf(line, "unfetched") !== null;
}
