/**
 * Since when the links of pages are read by the settings of now. Settings may change between two runs of
 * a crawl, and some while it runs; the links that were read before stay as they are. Whoever compares
 * them with the archive has to know which pages the settings apply to, so each checkpoint says it.
 */
import { hash } from "node:crypto";
import type { Position } from "../../base/log/index.ts";
import type { Configuration } from "../../rules/config/index.ts";

/** As a checkpoint has it. */
export interface SavedReading {
  /** What tells one way of reading from another; null if it cannot be told. */
  readonly terms: string | null;
  /** Where the lines begin in the crawl log of the pages that were read so. */
  readonly from: Position;
}

export interface ReadingMarkParts {
  /** What the crawl goes on from; null for a new one, and for one that reads all of its pages again. */
  readonly saved: { readonly reading?: SavedReading; readonly logEnd: Position } | null;
  /** As recorded at the moment. */
  readonly configuration: () => Configuration;
  readonly version: string;
}

export class ReadingMark {
  readonly #parts: ReadingMarkParts;
  #now: SavedReading;

  constructor(parts: ReadingMarkParts) {
    const { saved } = parts;
    this.#parts = parts;
    const terms = this.#terms();
    const before = saved?.reading;
    // What follows the checkpoint is read again by a crawl that was killed.
    const from = before?.terms === terms ? before.from : (saved?.logEnd ?? 0);
    this.#now = { terms, from };
  }

  /** For a checkpoint that knows the lines up to here. */
  at(logEnd: Position): SavedReading {
    const terms = this.#terms();
    if (terms !== this.#now.terms) this.#now = { terms, from: logEnd };
    return this.#now;
  }

  #terms(): string | null {
    return linkTerms(this.#parts.configuration(), this.#parts.version);
  }
}

/**
 * Null where units of the user may do as they like, and where pages that follow a checkpoint are not read
 * again: nothing can be said of their links.
 */
export function linkTerms(configuration: Configuration, version: string): string | null {
  const { parse, limits, filters, url, fetch, store, frontier, topology } = configuration;
  if (topology !== null || frontier.traversal === "random-walk") return null;
  const { linksPerPage, urlLength } = limits;
  const rules = { parse: filters.parse, follow: filters.follow, modules: filters.modules };
  const { protocols } = fetch;
  const keys = { version, parse, linksPerPage, urlLength, rules, url, protocols };
  return hash("sha1", JSON.stringify({ ...keys, links: store.links })).slice(0, 16);
}
