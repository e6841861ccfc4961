/**
 * Which pages were fetched and how often: coverage, overlap, and what must not have been fetched.
 *
 * A fetch of a page is its first, or a due retry (the one before it failed in a way that may pass,
 * and the rules allow another try), or a refetch of a page whose only copy was lost, or a hop from a
 * redirect to another spelling of the same URL, without which the page is never reached; anything
 * else is overlap. A page is covered when it had a final answer, or when it always fails and was
 * tried.
 */
import type { AccessEntry } from "../serve/access-log.ts";
import type { CrawlTruth, ForbiddenReason, PageKey, Standing } from "../truth/crawl-truth.ts";
import type { Sin, SinList } from "./sin.ts";
import type { VerdictRules } from "./verdict-rules.ts";
import { urlOf } from "./visit-examiner.ts";

export interface PageFacts {
  readonly due: number;
  /** Due too, but no server can see it: its host cannot be reached. */
  readonly dueElsewhere: number;
  readonly covered: number;
  readonly missed: number;
  /** Pages fetched that were neither due nor forbidden. */
  readonly allowed: number;
}

export interface FetchFacts {
  readonly all: number;
  readonly first: number;
  readonly retries: number;
  readonly refetchesOfLost: number;
  /** From a redirect to another spelling of the same URL. */
  readonly hops: number;
  /** What overlap counts. */
  readonly again: number;
  readonly forbidden: number;
}

interface PageState {
  fetches: number;
  retries: number;
  /** Of the last fetch. */
  endMs: number;
  isRetriable: boolean;
  /** Whether there was a final answer. */
  isSettled: boolean;
  /** The URL that the last fetch asked for, if it was answered by a redirect. */
  redirectedFrom: string | null;
}

function newPage(): PageState {
  return {
    fetches: 0,
    retries: 0,
    endMs: 0,
    isRetriable: false,
    isSettled: false,
    redirectedFrom: null,
  };
}

const SIN_OF_REASON: Readonly<Record<ForbiddenReason, Sin>> = {
  robots: "forbidden-by-robots",
  nofollow: "followed-nofollow",
  scope: "left-scope",
  depth: "went-too-deep",
  address: "forbidden-address",
  limit: "exceeded-limit",
};

export class PageExaminer {
  readonly #rules: VerdictRules;
  readonly #truth: CrawlTruth;
  readonly #sins: SinList;
  readonly #pages = new Map<PageKey, PageState>();
  readonly #lost = new Map<PageKey, number>();
  readonly #counts = {
    all: 0,
    first: 0,
    retries: 0,
    refetchesOfLost: 0,
    hops: 0,
    again: 0,
    forbidden: 0,
  };
  #good = 0;
  #allowed = 0;

  constructor(rules: VerdictRules, truth: CrawlTruth, sins: SinList) {
    this.#rules = rules;
    this.#truth = truth;
    this.#sins = sins;
    for (const key of rules.lostKeys) this.#lost.set(key, (this.#lost.get(key) ?? 0) + 1);
  }

  /** True when this is the first fetch of its page. */
  see(entry: AccessEntry, key: PageKey, standing: Standing): boolean {
    this.#counts.all += 1;
    this.#judgeStanding(entry, standing);
    const page = this.#pages.get(key);
    if (page === undefined) {
      this.#counts.first += 1;
      if (standing.kind === "allowed") this.#allowed += 1;
      const state = newPage();
      this.#pages.set(key, state);
      this.#note(state, entry);
      return true;
    }
    this.#judgeRepeat(entry, key, page);
    this.#note(page, entry);
    return false;
  }

  fetchFacts(): FetchFacts {
    return { ...this.#counts };
  }

  /** To be asked once, at the end: it names the pages that are missing. */
  finish(): PageFacts {
    const { pagesMax } = this.#rules;
    const count = { due: 0, dueElsewhere: 0, covered: 0 };
    const missing: PageKey[] = [];
    for (const key of this.#truth.dueKeys()) {
      const standing = this.#truth.standingOf(key);
      if (standing.kind !== "due") continue;
      if (standing.ending === "unreachable") {
        count.dueElsewhere += 1;
        continue;
      }
      count.due += 1;
      if (this.#isCovered(key, standing.ending)) count.covered += 1;
      else missing.push(key);
    }
    const due = pagesMax === null ? count.due : Math.min(pagesMax, count.due);
    const covered = Math.min(count.covered, due);
    if (covered < due) this.#nameMissing(missing);
    if (pagesMax !== null && this.#good > pagesMax) this.#nameExcess(pagesMax);
    const { dueElsewhere } = count;
    return { due, dueElsewhere, covered, missed: due - covered, allowed: this.#allowed };
  }

  #judgeStanding(entry: AccessEntry, standing: Standing): void {
    if (standing.kind === "unknown") {
      this.#sins.add("made-up-url", () => ({
        what: urlOf(entry),
        detail: `status ${entry.status}`,
      }));
    }
    if (standing.kind !== "forbidden") return;
    this.#counts.forbidden += 1;
    this.#sins.add(SIN_OF_REASON[standing.reason], () => ({
      what: urlOf(entry),
      detail: `status ${entry.status}`,
    }));
  }

  #judgeRepeat(entry: AccessEntry, key: PageKey, page: PageState): void {
    const { retriesMax } = this.#rules;
    const lost = this.#lost.get(key) ?? 0;
    if (page.isRetriable && entry.startMs >= page.endMs) {
      page.retries += 1;
      this.#counts.retries += 1;
      if (retriesMax === null || page.retries <= retriesMax) return;
      this.#sins.add("retried-too-often", () => ({
        what: urlOf(entry),
        detail: `retry ${page.retries} of at most ${retriesMax}`,
      }));
    } else if (page.redirectedFrom !== null && page.redirectedFrom !== urlOf(entry)) {
      this.#counts.hops += 1;
    } else if (lost > 0) {
      this.#counts.refetchesOfLost += 1;
      this.#lost.set(key, lost - 1);
    } else {
      this.#counts.again += 1;
      this.#sins.add("fetched-again", () => ({
        what: urlOf(entry),
        detail: `fetch ${page.fetches + 1} of ${key}`,
      }));
    }
  }

  #note(page: PageState, entry: AccessEntry): void {
    const { endMs, status, isRetriable } = entry;
    const isSettled = status > 0 && status !== 429 && status !== 503;
    if (isSettled && !page.isSettled && status < 300) this.#good += 1;
    page.fetches += 1;
    page.endMs = endMs;
    page.isRetriable = isRetriable;
    page.isSettled ||= isSettled;
    page.redirectedFrom = status >= 300 && status < 400 ? urlOf(entry) : null;
  }

  #isCovered(key: PageKey, ending: "answered" | "failing"): boolean {
    const page = this.#pages.get(key);
    if (page === undefined) return false;
    const { retriesMax } = this.#rules;
    if (!page.isSettled && retriesMax !== null && page.fetches <= retriesMax) {
      this.#sins.add("gave-up-early", () => ({
        what: key,
        detail: `${page.fetches} of ${retriesMax + 1} tries`,
      }));
    }
    return page.isSettled || ending === "failing";
  }

  #nameMissing(keys: readonly PageKey[]): void {
    for (const key of keys) {
      const fetches = this.#pages.get(key)?.fetches ?? 0;
      const detail = fetches === 0 ? "never asked for" : `no final answer in ${fetches} tries`;
      this.#sins.add("missed-page", () => ({ what: key, detail }));
    }
  }

  #nameExcess(pagesMax: number): void {
    this.#sins.add("exceeded-limit", () => ({
      what: "the crawl",
      detail: `${this.#good} pages where ${pagesMax} were the limit`,
    }));
  }
}
