/** The truth about a web written down by hand. */
import type {
  CrawlTruth,
  Ending,
  ForbiddenReason,
  Standing,
} from "../../../src/lab/simweb/truth/crawl-truth.ts";

export interface TablePageTruth {
  readonly depth: number;
  readonly inLinks?: number;
  readonly ending?: Ending;
  /** Otherwise it is due. */
  readonly forbidden?: ForbiddenReason;
  readonly isAllowed?: boolean;
  readonly isNoarchive?: boolean;
}

/**
 * Pages are given by host and target, `a.example/x`; keys have `http://` before it. What follows
 * `?utm` is not part of a key.
 */
export class TableTruth implements CrawlTruth {
  readonly #pages: ReadonlyMap<string, TablePageTruth>;
  readonly #crawlDelayMs: Readonly<Record<string, number>>;

  constructor(
    pages: Readonly<Record<string, TablePageTruth>>,
    crawlDelayMs: Readonly<Record<string, number>> = {},
  ) {
    this.#pages = new Map(Object.entries(pages).map(([page, truth]) => [`http://${page}`, truth]));
    this.#crawlDelayMs = crawlDelayMs;
  }

  get dueCount(): number {
    return [...this.dueKeys()].length;
  }

  keyOf(host: string, target: string): string {
    return `http://${host}${target.replace(/[?&]utm.*$/, "")}`;
  }

  standingOf(key: string): Standing {
    const page = this.#pages.get(key);
    if (page === undefined) return { kind: "unknown" };
    if (page.forbidden !== undefined) return { kind: "forbidden", reason: page.forbidden };
    if (page.isAllowed === true) return { kind: "allowed" };
    return { kind: "due", ending: page.ending ?? "answered" };
  }

  *dueKeys(): Iterable<string> {
    for (const key of this.#pages.keys()) if (this.standingOf(key).kind === "due") yield key;
  }

  depthOf(key: string): number | null {
    return this.#pages.get(key)?.depth ?? null;
  }

  inLinksOf(key: string): number {
    return this.#pages.get(key)?.inLinks ?? 1;
  }

  isArchivable(key: string): boolean {
    return this.#pages.get(key)?.isNoarchive !== true;
  }

  mayBeLeftOut(key: string): boolean {
    return !this.isArchivable(key);
  }

  crawlDelayMsOf(host: string): number {
    return this.#crawlDelayMs[host] ?? 0;
  }
}
