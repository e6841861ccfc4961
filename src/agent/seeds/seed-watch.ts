/**
 * What becomes of seeds. A user who mistypes a host must not have to wait for the last retry to hear
 * of it: the first failure of a seed is reported when it happens, with whether it is tried again, and
 * seeds that gave no page are listed at the end with the reason and the remedy.
 *
 * A seed is watched from the offer until it gives a page or ends without one, through redirects, the
 * resolution of its host and the fetch of its robots.txt. Only the first seeds of a long list are
 * watched; failures of the others are in the summary's counts.
 */
import { type CrawlError, ERRORS, type ErrorCode } from "../../base/errors/index.ts";
import { type FetchableUrl, hostOf } from "../../formats/url/index.ts";
import type { RefusedSeed, Settlement } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { refusalEntry } from "./refusal-table.ts";

/** Why a seed gave no page, or has not given one yet. */
export interface SeedFailure {
  /** The seed. */
  readonly url: string;
  /** The code of an error, the status of an answer, or the reason for a refusal. */
  readonly why: string;
  /** What happened. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

export interface SeedWatchOptions {
  /** Called for the first failure of each seed; `retryAtMs` is null when it is not tried again. */
  readonly tell: (failure: SeedFailure, retryAtMs: number | null) => void;
}

/** Why something that seeds wait for failed; a number is the status of a robots.txt. */
export type SeedCause = CrawlError | ErrorCode | number | null;

type Trouble = Omit<SeedFailure, "url">;

export interface WatchedSeed {
  readonly url: FetchableUrl;
  /** The end of its redirects so far; the seed itself if there are none. */
  at: FetchableUrl;
  wasTold: boolean;
  /** Its last failure, unless an earlier one tells more. */
  last: Trouble | null;
}

const SEEDS_MAX = 1000;
const FAILURES_MAX = 100;

/** Seeds that are watched, and those that have failed; plain values, for a checkpoint. */
export interface SavedSeeds {
  readonly watched: readonly WatchedSeed[];
  readonly failures: readonly SeedFailure[];
}

/** What the units of a crawl tell of seeds. */
export type Seeds = Pick<SeedWatch, keyof SeedWatch>;

export class SeedWatch {
  readonly #tell: SeedWatchOptions["tell"];
  readonly #byUrl = new Map<string, WatchedSeed>();
  readonly #byHost = new Map<string, Set<WatchedSeed>>();
  readonly #failures: SeedFailure[] = [];

  constructor({ tell }: SeedWatchOptions) {
    this.#tell = tell;
  }

  /** Seeds that gave no page, and those that wait to be tried again; the first hundred. */
  get failures(): readonly SeedFailure[] {
    const waiting = [...this.#byUrl.values()].flatMap(({ url, last }) =>
      last === null ? [] : [{ url, ...last }],
    );
    return [...this.#failures, ...waiting].slice(0, FAILURES_MAX);
  }

  save(): SavedSeeds {
    return { watched: [...this.#byUrl.values()], failures: this.#failures };
  }

  restore({ watched, failures }: SavedSeeds): void {
    for (const seed of watched) this.#place({ ...seed });
    this.#failures.push(...failures);
  }

  /** A seed was offered to the frontier. */
  add(url: FetchableUrl): void {
    if (this.#byUrl.size >= SEEDS_MAX || this.#byUrl.has(url)) return;
    this.#place({ url, at: url, wasTold: false, last: null });
  }

  /** A seed was not even offered. */
  turnedAway(url: string, reason: string): void {
    this.#end({ url, ...ofRefusal(reason) }, false);
  }

  /** Something failed that the seeds of this host wait for; called before the frontier is told. */
  hostFailing(host: string, cause: SeedCause): void {
    const trouble = troubleOf(cause);
    for (const seed of this.#byHost.get(politeHost(host)) ?? []) {
      seed.last = moreTelling(seed.last, trouble);
    }
  }

  /** How the frontier settled that failure. The end of a seed is reported by other calls. */
  hostFailed(host: string, settlement: Settlement): void {
    if (settlement.kind === "final") return;
    for (const seed of this.#byHost.get(politeHost(host)) ?? []) {
      if (seed.last !== null) this.#tellOnce(seed, seed.last, settlement.atMs);
    }
  }

  /** A fetch of a page failed. */
  failed(ticket: Ticket, error: CrawlError, settlement: Settlement): void {
    const seed = this.#byUrl.get(ticket.url);
    if (seed !== undefined) this.#take(seed, ofError(error), settlement);
  }

  /** A fetch of a page was answered. */
  answered(ticket: Ticket, status: number, settlement: Settlement): void {
    if (this.#byUrl.size === 0) return;
    const seed = this.#byUrl.get(ticket.url);
    if (seed === undefined || (status >= 300 && status < 400)) return;
    if (status >= 200 && status < 300) this.#drop(seed);
    else this.#take(seed, ofStatus(status), settlement);
  }

  /** A page redirects; `isOffered` is false where the target may not be fetched. */
  redirected(ticket: Ticket, to: FetchableUrl | null, isOffered: boolean): void {
    const seed = this.#byUrl.get(ticket.url);
    if (seed === undefined) return;
    this.#drop(seed);
    if (to !== null && isOffered) {
      if (!this.#byUrl.has(to)) this.#place({ ...seed, at: to, last: null });
      return;
    }
    const message = `It redirects to ${to ?? "nowhere"}, which is not crawled.`;
    const remedy = "Look at the target; --scope and the filters say what is crawled.";
    this.#end({ url: seed.url, why: "redirect", message, remedy }, seed.wasTold);
  }

  /** A URL ends without a fetch, since its host was given up. */
  unfetched(ticket: Ticket, code: ErrorCode): void {
    const seed = this.#byUrl.get(ticket.url);
    if (seed !== undefined) this.#take(seed, lastOr(seed, code), FINAL);
  }

  /** The frontier refused it. */
  refused({ ticket, reason, cause }: RefusedSeed): void {
    const seed = this.#byUrl.get(ticket.url);
    if (seed === undefined) return;
    if (reason === "address") this.#take(seed, lastOr(seed, "FETCH_ADDRESS_REFUSED"), FINAL);
    else if (typeof cause === "string") this.#take(seed, lastOr(seed, cause), FINAL);
    else if (typeof cause === "number") this.#take(seed, ofRobotsStatus(cause), FINAL);
    else this.#take(seed, ofRefusal(reason), FINAL);
  }

  #take(seed: WatchedSeed, latest: Trouble, settlement: Settlement): void {
    const trouble = moreTelling(seed.last, latest);
    seed.last = trouble;
    if (settlement.kind === "again") this.#tellOnce(seed, trouble, settlement.atMs);
    else {
      this.#drop(seed);
      this.#end({ url: seed.url, ...trouble }, seed.wasTold);
    }
  }

  #tellOnce(seed: WatchedSeed, trouble: Trouble, retryAtMs: number): void {
    if (seed.wasTold) return;
    seed.wasTold = true;
    this.#tell({ url: seed.url, ...trouble }, retryAtMs);
  }

  #end(failure: SeedFailure, wasTold: boolean): void {
    if (this.#failures.length < FAILURES_MAX) this.#failures.push(failure);
    if (!wasTold) this.#tell(failure, null);
  }

  #place(seed: WatchedSeed): void {
    const host = politeHost(hostOf(seed.at));
    const seeds = this.#byHost.get(host) ?? new Set();
    this.#byHost.set(host, seeds.add(seed));
    this.#byUrl.set(seed.at, seed);
  }

  #drop(seed: WatchedSeed): void {
    const host = politeHost(hostOf(seed.at));
    const seeds = this.#byHost.get(host);
    seeds?.delete(seed);
    if (seeds?.size === 0) this.#byHost.delete(host);
    this.#byUrl.delete(seed.at);
  }
}

const FINAL: Settlement = { kind: "final" };

/** As politeness counts hosts: without a dot at the end. */
function politeHost(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

function troubleOf(cause: SeedCause): Trouble {
  if (cause === null) return ofRefusal("robots-unreachable");
  if (typeof cause === "number") return ofRobotsStatus(cause);
  return typeof cause === "string" ? ofCode(cause) : ofError(cause);
}

/**
 * Retries try the other addresses of a host. If one of them answered badly and another refused the
 * connection, the bad answer tells the user more.
 */
function moreTelling(before: Trouble | null, latest: Trouble): Trouble {
  const wasAnswered = before?.why === "FETCH_TLS_FAILED" || before?.why === "FETCH_PROTOCOL";
  return wasAnswered && latest.why === "FETCH_CONNECT_FAILED" ? before : latest;
}

/** The error's own message if it is about the same failure; otherwise that of the table. */
function lastOr({ last }: WatchedSeed, code: ErrorCode): Trouble {
  return last?.why === code ? last : ofCode(code);
}

function ofCode(code: ErrorCode): Trouble {
  const { meaning, remedy } = ERRORS[code];
  return { why: code, message: meaning, remedy };
}

function ofRefusal(reason: string): Trouble {
  const { meaning, remedy } = refusalEntry(reason);
  return { why: reason, message: meaning, remedy };
}

function ofError({ code, message }: CrawlError): Trouble {
  return { why: code, message: firstSentence(message), remedy: ERRORS[code].remedy };
}

/** The rest is advice, for which the table of errors has its own text. */
function firstSentence(message: string): string {
  return /^.*?\.(?=\s|$)/s.exec(message)?.[0] ?? message;
}

function ofRobotsStatus(status: number): Trouble {
  const why = "robots-unreachable";
  const message = `Its robots.txt answered ${status}, so no page of its host may be fetched.`;
  return { why, message, remedy: refusalEntry(why).remedy };
}

function ofStatus(status: number): Trouble {
  return { why: String(status), message: `It answered ${status}.`, remedy: remedyOf(status) };
}

function remedyOf(status: number): string {
  if (status === 401) {
    return (
      "The server asks for a user and password: put them into the seed " +
      "(https://user:password@host/), or name the file that holds them in fetch.credentials."
    );
  }
  if (status === 403) {
    return "The server refuses crawlers, or wants credentials: ask its owner for access.";
  }
  if (status === 404 || status === 410)
    return "Check the spelling of the URL; the page may be gone.";
  if (status === 429)
    return "The server asks for fewer requests: try again later, with a longer --delay.";
  if (status >= 500) return "The server failed: try again later.";
  return "Look at the URL in a browser.";
}
