/**
 * What a crawl has done so far, in numbers: the part of the summary that the lane counts. A page
 * counts as soon as the store has taken it, since limits cannot wait for the disk; if the store
 * cannot keep it in the end, its counts are taken back.
 */
import { type CrawlLine, isFinal, type NoteWord, noteOf } from "../../../store/archive/index.ts";
import type { RefusalNotes } from "./refusals.ts";

type Numbers = Pick<
  CrawlCounts,
  | "pages"
  | "fetches"
  | "bytes"
  | "duplicates"
  | "nearDuplicates"
  | "truncated"
  | "requisites"
  | "links"
>;

/** Plain values, for a checkpoint. */
export interface SavedCounts {
  readonly numbers: Readonly<Numbers>;
  readonly status: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
}

export class CrawlCounts {
  /** Final 2xx answers, whole or cut short. */
  pages = 0;
  /** Requests for pages, retries included; not those for robots.txt. */
  fetches = 0;
  /** Bytes of bodies as received. */
  bytes = 0;
  /** Pages equal to an earlier one, byte for byte or without the text that varies. */
  duplicates = 0;
  nearDuplicates = 0;
  /** Incomplete answers: cut by a limit or a disconnection, or only partly decoded. */
  truncated = 0;
  /** 2xx answers for what pages need to be shown; not pages. */
  requisites = 0;
  /** Links found, before anything was refused. */
  links = 0;
  /** Final answers by status. */
  readonly status: CountsByName = new CountsByName();
  /** Final failures by code. */
  readonly errors: CountsByName = new CountsByName();
  /** URLs that were not taken up, by reason. */
  readonly refused: CountsByName = new CountsByName();

  /** Told of each URL that is not taken up; null unless a log of them is kept. */
  refusals: RefusalNotes | null = null;

  /** Counts a URL that is not taken up; `via` is the page that leads there, null for a seed. */
  refuse(reason: string, url: string, via: string | null): void {
    this.refused.add(reason);
    this.refusals?.note(reason, url, via);
  }

  save(): SavedCounts {
    const { pages, fetches, bytes, duplicates, nearDuplicates, truncated, requisites, links } =
      this;
    return {
      numbers: {
        ...{ pages, fetches, bytes, duplicates, nearDuplicates, truncated, requisites, links },
      },
      status: this.status.toObject(),
      errors: this.errors.toObject(),
      refused: this.refused.toObject(),
    };
  }

  /** Goes on from there; only while nothing was counted. */
  restore({ numbers, status, errors, refused }: SavedCounts): void {
    Object.assign(this, numbers);
    this.status.addAll(status);
    this.errors.addAll(errors);
    this.refused.addAll(refused);
  }

  /** Counts a fetch by its line alone. */
  addLine(line: CrawlLine): void {
    this.#count(line, 1);
  }

  /** Takes back everything counted for a fetch whose line is not kept. */
  takeBack(line: CrawlLine): void {
    this.#count(line, -1);
  }

  /** The same for an answer that never reached the store. */
  takeBackFetch(bodyBytes: number, isOfPage: boolean): void {
    this.#countFetch(bodyBytes, isOfPage, -1);
  }

  #count(line: CrawlLine, sign: 1 | -1): void {
    const has = (word: NoteWord): boolean => noteOf(line, word) !== null;
    // What was sent here is counted where it was fetched.
    if (has("robots") || has("from")) return;
    if (!has("unfetched")) this.#countFetch(line.bodyBytes, !has("sitemap"), sign);
    if (!isFinal(line)) return;
    if (typeof line.result === "string") this.errors.add(line.result, sign);
    else if (!has("sitemap")) this.#countAnswer(line.result, has, sign);
  }

  #countFetch(bodyBytes: number, isOfPage: boolean, sign: 1 | -1): void {
    if (isOfPage) this.fetches += sign;
    this.bytes += sign * bodyBytes;
  }

  #countAnswer(status: number, has: (word: NoteWord) => boolean, sign: 1 | -1): void {
    this.status.add(String(status), sign);
    if (status >= 200 && status < 300) {
      if (has("requisite")) this.requisites += sign;
      else this.pages += sign;
    }
    if (has("truncated") || has("damaged")) this.truncated += sign;
    if (has("duplicate") || has("same-text")) this.duplicates += sign;
    else if (has("near-duplicate")) this.nearDuplicates += sign;
  }
}

export class CountsByName {
  readonly #counts = new Map<string, number>();

  /** A negative count takes back what was counted before. */
  add(name: string, count = 1): void {
    const sum = (this.#counts.get(name) ?? 0) + count;
    if (sum === 0) this.#counts.delete(name);
    else this.#counts.set(name, sum);
  }

  addAll(counts: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(counts)) this.add(name, count);
  }

  /** By name, in the order of the names. */
  toObject(): Record<string, number> {
    const entries = [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries);
  }
}
