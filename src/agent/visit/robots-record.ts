/**
 * Puts what a visit to a robots.txt brought into the archive and the crawl log: the rules of a host
 * belong to the record of why a page was fetched or not. It is no page: the note `robots` marks its
 * line, and its body is never the original of another record.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { FetchOutcome } from "../../base/seams/index.ts";
import type { RobotsErrand } from "../../frontier/front/index.ts";
import type { CrawlLine, CrawlNote, FetchedPage, PageStore } from "../../store/archive/index.ts";
import { mimeOf } from "./visit-facts.ts";

export interface RobotsFacts {
  readonly errand: RobotsErrand;
  /** In wall-clock milliseconds. */
  readonly fetchedAtMs: number;
  readonly durationMs: number;
  readonly isTriedAgain: boolean;
  /** Where it redirects. */
  readonly redirectTo: string | null;
}

export class RobotsRecord {
  readonly #store: PageStore;
  readonly #guard: (work: () => void) => void;
  /** Called once: it is kept, or given up. */
  readonly #over: () => void;
  #isWaiting = false;

  constructor(store: PageStore, guard: (work: () => void) => void, over: () => void) {
    this.#store = store;
    this.#guard = guard;
    this.#over = over;
  }

  /** Of what is tried again, only that it was tried is logged. */
  keep(facts: RobotsFacts, outcome: FetchOutcome & { readonly kind: "fetched" }): void {
    if (facts.isTriedAgain) this.log(facts, outcome.status, outcome.body.lengthBytes);
    else this.#storePage(robotsPage(facts, outcome));
  }

  log(facts: RobotsFacts, result: number | ErrorCode, bodyBytes: number): void {
    this.#logLine({ ...lineFacts(facts), ...NOTHING_KEPT, result, bodyBytes });
  }

  /** Gives up what waits for room on the disk. */
  cancel(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#over();
  }

  #storePage(page: FetchedPage): void {
    if (page.body.bytes !== null) {
      if (this.#store.tryStore(page) === null) this.#whenRoom(() => this.#storePage(page));
      else this.#over();
      return;
    }
    this.#store.storeSpooled(page, (...[error]) =>
      this.#guard(() => {
        if (error !== null && this.#store.trouble !== null) {
          this.#whenRoom(() => this.#storePage(page));
        } else this.#over();
      }),
    );
  }

  #logLine(line: CrawlLine): void {
    if (this.#store.tryLog(line)) this.#over();
    else this.#whenRoom(() => this.#logLine(line));
  }

  #whenRoom(again: () => void): void {
    this.#isWaiting = true;
    this.#store.whenRoom(() => {
      if (!this.#isWaiting) return;
      this.#isWaiting = false;
      this.#guard(again);
    });
  }
}

const NOTHING_KEPT = { mime: null, digest: null, place: null } as const;

function lineFacts({ errand, fetchedAtMs, durationMs, isTriedAgain, redirectTo }: RobotsFacts) {
  const notes: CrawlNote[] = [["robots"]];
  if (isTriedAgain) notes.push(["retry"]);
  if (redirectTo !== null) notes.push(["redirect", redirectTo]);
  const { url, address } = errand;
  const common = { atMs: fetchedAtMs, url, address, durationMs };
  return { ...common, depth: 0, via: null, attempt: 1, notes };
}

function robotsPage(
  facts: RobotsFacts,
  outcome: FetchOutcome & { readonly kind: "fetched" },
): FetchedPage {
  const { status, reason, headers, body, truncatedBy, request } = outcome;
  const { url, address, atMs, depth, via, durationMs, attempt, notes } = lineFacts(facts);
  return {
    ...{ url, address, fetchedAtMs: atMs, request, body, truncatedBy, sha1: null },
    ...{ keep: "whole", isPage: false },
    response: { status, reason, headers },
    crawl: { depth, via, mime: mimeOf(headers), durationMs, attempt, notes },
  };
}
