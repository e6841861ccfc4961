/**
 * Fetches one URL as a crawl would, for `trobar inspect`: the same client and limits, the frontier's
 * politeness, robots.txt first, redirects followed. Nothing is tried again and nothing is kept.
 */

import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import type { Clock, FetchedOutcome, Header } from "../../base/seams/index.ts";
import { TurnBudget } from "../../base/time/index.ts";
import { hopVerdict } from "../../fetch/client/index.ts";
import { robotsVerdict } from "../../formats/robots/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import {
  type Frontier,
  openMemoryFrontier,
  type PageErrand,
  type RobotsEnd,
  type RobotsErrand,
} from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { frontierSettings } from "../crawl/frontier-keys.ts";
import { type Cancellable, Lane } from "../crawl/lane/lane.ts";
import type { CrawlNetwork } from "../crawl/network/crawl-network.ts";
import { pageHeaders } from "../crawl/network/request-heads.ts";
import { type SeedFailure, SeedWatch } from "../seeds/seed-watch.ts";
import { AnswerGate } from "./answer-gate.ts";
import { readAll } from "./answer-reading.ts";
import { RobotsTurns } from "./robots-turns.ts";
import { RobotsVisit, robotsLimits } from "./robots-visit.ts";

export interface SingleVisitOptions {
  readonly configuration: Configuration;
  readonly version: string;
  readonly clock: Clock;
  /** Closed by the caller. */
  readonly network: CrawlNetwork;
}

export type SinglePage =
  | {
      readonly kind: "had";
      /** The end of the redirects. */
      readonly url: FetchableUrl;
      readonly status: number;
      readonly headers: readonly Header[];
      /** Decoded, up to the limits. */
      readonly bytes: Uint8Array;
      readonly isCut: boolean;
    }
  | { readonly kind: "failed"; readonly failure: SeedFailure };

export type SingleRobots =
  /** Null bytes: there is no robots.txt, so everything is allowed. */
  | { readonly kind: "had"; readonly bytes: Uint8Array | null }
  | { readonly kind: "failed"; readonly failure: SeedFailure };

/** Fetches a page, if its robots.txt allows it. */
export function visitPage(url: FetchableUrl, options: SingleVisitOptions): Promise<SinglePage> {
  return new Promise((resolve) => {
    const visit = new SingleVisit(options, {
      page: resolve,
      robots: () => false,
      failed: (failure) => resolve({ kind: "failed", failure }),
    });
    visit.start(url);
  });
}

export interface SingleSeed {
  readonly page: SinglePage;
  /** The robots.txt that applied to it last; null if none was asked for, or it could not be fetched. */
  readonly robots: { readonly url: string; readonly bytes: Uint8Array } | null;
}

/** As `visitPage`, with the robots.txt that applied. */
export function visitSeed(url: FetchableUrl, options: SingleVisitOptions): Promise<SingleSeed> {
  return new Promise((resolve) => {
    let robots: SingleSeed["robots"] = null;
    const visit = new SingleVisit(options, {
      page: (page) => resolve({ page, robots }),
      robots: (end, { origin }) => {
        if (end.kind === "ended" && robotsVerdict(end.attempt) !== "unreachable") {
          robots = { url: `${origin}/robots.txt`, bytes: end.bytes ?? new Uint8Array(0) };
        }
        return false;
      },
      failed: (failure) => resolve({ page: { kind: "failed", failure }, robots }),
    });
    visit.start(url);
  });
}

/** Fetches the robots.txt that applies to a URL; the URL itself is not fetched. */
export function visitRobotsOf(
  url: FetchableUrl,
  options: SingleVisitOptions,
): Promise<SingleRobots> {
  const { configuration } = options;
  const politeness = { ...configuration.politeness, robots: "obey" as const };
  const obeying = { ...options, configuration: { ...configuration, politeness } };
  return new Promise((resolve) => {
    const visit = new SingleVisit(obeying, {
      page: null,
      robots: (end) => {
        if (end.kind !== "ended" || robotsVerdict(end.attempt) === "unreachable") return false;
        resolve({ kind: "had", bytes: end.bytes });
        return true;
      },
      failed: (failure) => resolve({ kind: "failed", failure }),
      allowed: () => resolve({ kind: "had", bytes: null }),
    });
    visit.start(url);
  });
}

interface Wanted {
  /** Null when the page itself is not wanted. */
  readonly page: ((page: SinglePage) => void) | null;
  /** Called instead of `page` when it could be fetched. */
  readonly allowed?: () => void;
  /** Called for each robots.txt; returns whether nothing more is wanted. */
  readonly robots: (end: RobotsEnd, errand: RobotsErrand) => boolean;
  readonly failed: (failure: SeedFailure) => void;
}

const NO_LUCK = {
  why: "redirect",
  message: "Its redirects lead nowhere.",
  remedy: "Look at where it redirects to, hop by hop.",
};

class SingleVisit {
  readonly #options: SingleVisitOptions;
  readonly #wanted: Wanted;
  readonly #frontier: Frontier;
  readonly #lane: Lane;
  readonly #seeds = new SeedWatch({ tell: () => {} });
  readonly #headers: readonly Header[];
  #seed = "";
  #offered = 0;
  #isOver = false;

  constructor(options: SingleVisitOptions, wanted: Wanted) {
    const { configuration, clock, version, network } = options;
    this.#options = options;
    this.#wanted = wanted;
    this.#headers = pageHeaders(configuration, version);
    this.#frontier = openMemoryFrontier({
      clock,
      random: new SeededRandom(freshSeed()),
      listener: { woken: () => this.#lane.pump(), failed: () => {} },
      settings: {
        ...{ ...frontierSettings(configuration, version), retries: 0 },
        ...{ keepsDepths: false, keepsHostDepths: false },
      },
      seedRefused: (refused) => this.#seeds.refused(refused),
    });
    const frontier = this.#frontier;
    this.#lane = new Lane({
      ...{ clock, frontier, resolver: network.resolver, concurrency: 1 },
      robots: (errand, over) => this.#robots(errand, over),
      page: (errand, over) => this.#page(errand, over),
      unresolved: (errand, error) => {
        this.#seeds.hostFailing(errand.host, error);
        frontier.resolved(errand, { kind: "failed", code: error.code });
      },
      unfetched: (errand) => {
        if (errand.kind === "unfetched") this.#seeds.unfetched(errand.ticket, errand.code);
      },
      pagesWanted: () => 1,
      mayBegin: () => true,
      changed: () => this.#changed(),
    });
  }

  start(url: FetchableUrl): void {
    this.#seed = url;
    this.#seeds.add(url);
    this.#offer({ url, redirects: 0 });
    this.#lane.start();
  }

  #offer({ url, redirects }: Pick<Ticket, "url" | "redirects">): void {
    this.#offered += 1;
    const marks = { high: 0, low: this.#offered };
    this.#frontier.offer({ url, redirects, ...marks, depth: 0, via: null, priority: 0 });
  }

  #robots(errand: RobotsErrand, over: () => void): Cancellable {
    const { clock, network } = this.#options;
    const frontier = {
      robotsFetched: (asked: RobotsErrand, end: RobotsEnd) => {
        const settlement = this.#frontier.robotsFetched(asked, end);
        if (this.#wanted.robots(end, asked)) this.#end();
        return settlement;
      },
      markRobots: this.#frontier.markRobots.bind(this.#frontier),
    };
    const parts = {
      ...{ ...network, clock, frontier, headers: this.#headers, seeds: this.#seeds },
      ...{ limits: robotsLimits(network.limits), counts: new CrawlCounts(), sitemaps: null },
      ...{ faults: { note: () => {} }, store: null, gate: new AnswerGate(clock) },
      turns: new RobotsTurns(clock, new TurnBudget(clock)),
    };
    return new RobotsVisit(parts, errand, over);
  }

  #page(errand: PageErrand, over: () => void): Cancellable {
    if (this.#wanted.page === null) return this.#unwanted(errand, over);
    const { fetcher, limits } = this.#options.network;
    const { ticket, address } = errand;
    const request = { url: ticket.url, address, headers: this.#headers, limits };
    return fetcher.fetch(request, (outcome) => {
      if (outcome.kind === "fetched") this.#answered(errand, outcome, over);
      else {
        const end =
          outcome.kind === "cancelled"
            ? outcome
            : ({ kind: "failed", code: outcome.error.code } as const);
        const settlement = this.#frontier.pageFetched(errand, end);
        if (outcome.kind === "failed") this.#seeds.failed(ticket, outcome.error, settlement);
        over();
      }
    });
  }

  #unwanted(errand: PageErrand, over: () => void): Cancellable {
    this.#options.clock.after(0, () => {
      this.#frontier.pageFetched(errand, { kind: "cancelled" });
      this.#end();
      this.#wanted.allowed?.();
      over();
    });
    return { cancel: () => {} };
  }

  #answered(errand: PageErrand, outcome: FetchedOutcome, over: () => void): void {
    const { answers } = this.#options.network;
    const { ticket } = errand;
    const { status, headers, answerMs } = outcome;
    const retryAfterMs = answers.retryAfterMs(headers);
    const end = { kind: "answered", status, retryAfterMs, answerMs } as const;
    this.#frontier.pageFetched(errand, end);
    const target = answers.leadsTo(outcome, ticket.url);
    if (status >= 300 && status < 400 && target.kind === "redirected") {
      outcome.body.release();
      this.#redirected(ticket, target.to);
      over();
    } else this.#read(ticket, outcome, over);
  }

  #redirected(ticket: Ticket, to: FetchableUrl): void {
    const { maxRedirects: redirectsMax } = this.#options.configuration.fetch;
    const hop = hopVerdict({ from: ticket.url, to, redirects: ticket.redirects, redirectsMax });
    this.#seeds.redirected(ticket, to, hop.kind === "follow");
    if (hop.kind === "follow") this.#offer({ url: to, redirects: hop.redirects });
  }

  #read({ url }: Ticket, outcome: FetchedOutcome, over: () => void): void {
    const { status, headers, body, truncatedBy } = outcome;
    this.#options.network.answers.decode(outcome, (content) => {
      readAll(content.body, content.body.lengthBytes, (read) => {
        const bytes = read ?? new Uint8Array(0);
        body.release();
        if (content.body !== body) content.body.release();
        const isCut = truncatedBy !== null || content.truncatedBy !== null;
        this.#end();
        this.#wanted.page?.({ kind: "had", url, status, headers, bytes, isCut });
        over();
      });
    });
  }

  #changed(): void {
    if (this.#isOver || this.#lane.open > 0 || !this.#frontier.isExhausted) return;
    this.#end();
    this.#wanted.failed(this.#seeds.failures[0] ?? { url: this.#seed, ...NO_LUCK });
  }

  #end(): void {
    this.#isOver = true;
    this.#lane.stop();
  }
}
