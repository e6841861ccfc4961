/** How many pages a crawl has, by status, type, language and depth. */
import type { PageRow } from "../export/index.ts";
import type { Tally } from "../index/index.ts";

/** Numbers of pages, without requisites. */
export interface CrawlStats {
  readonly pages: number;
  readonly hosts: number;
  /** Of the bodies, as received. */
  readonly bytes: number;
  /** Null when no link graph is kept. */
  readonly links: number | null;
  readonly status: Readonly<Record<string, number>>;
  readonly mime: Readonly<Record<string, number>>;
  readonly language: Readonly<Record<string, number>>;
  readonly depth: Readonly<Record<string, number>>;
}

/** Servers choose types as they like: further ones are counted together. */
const NAMES_MAX = 1000;
const OTHER = "other";

export class CrawlCounts {
  #pages = 0;
  #bytes = 0;
  #links: number | null = null;
  readonly #hosts = new Set<string>();
  readonly #status = new Map<string, number>();
  readonly #mime = new Map<string, number>();
  readonly #language = new Map<string, number>();
  readonly #depth = new Map<string, number>();

  /** What was counted before, except for hosts. */
  addTally({ pages, bytes, status, mime, language, depth }: Tally): void {
    this.#pages += pages;
    this.#bytes += bytes;
    addAll(this.#status, status);
    addAll(this.#mime, mime);
    addAll(this.#language, language);
    addAll(this.#depth, depth);
  }

  /** What others have counted, with the names of all hosts. */
  addStats({ links, ...tally }: CrawlStats, hosts: readonly string[]): void {
    this.addTally({ ...tally, requisites: 0 });
    this.addLinks(links);
    for (const host of hosts) this.#hosts.add(host);
  }

  /** Null where no link graph is kept. */
  addLinks(links: number | null): void {
    if (links !== null) this.#links = (this.#links ?? 0) + links;
  }

  add(page: PageRow): void {
    this.addHost(page);
    this.#count(page, 1);
  }

  /** A page that is part of a tally does not count, nor does its host by this page. */
  takeBack(page: PageRow): void {
    this.#count(page, -1);
  }

  /** Only the host of a page that was counted before. */
  addHost({ url, requisite }: PageRow): void {
    if (requisite !== true) this.#hosts.add(hostIn(url));
  }

  /** Their names. */
  get hosts(): readonly string[] {
    return [...this.#hosts];
  }

  stats(): CrawlStats {
    return {
      ...{ pages: this.#pages, hosts: this.#hosts.size, bytes: this.#bytes, links: this.#links },
      status: record(this.#status),
      mime: record(this.#mime),
      language: record(this.#language),
      depth: record(this.#depth),
    };
  }

  #count(page: PageRow, sign: 1 | -1): void {
    if (page.requisite === true) return;
    this.#pages += sign;
    this.#bytes += sign * page.bytes;
    count(this.#status, String(page.status), sign);
    count(this.#depth, String(page.depth), sign);
    if (page.mime !== null) count(this.#mime, page.mime, sign);
    if (page.language !== null) count(this.#language, page.language, sign);
  }
}

const HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i;

/** Name of the host, without port; "" for URLs without one. */
function hostIn(url: string): string {
  return HOST.exec(url)?.[1] ?? "";
}

function addAll(counts: Map<string, number>, others: Readonly<Record<string, number>>): void {
  for (const [name, number] of Object.entries(others)) count(counts, name, number);
}

function count(counts: Map<string, number>, name: string, by: number): void {
  const known = counts.has(name) || counts.size < NAMES_MAX ? name : OTHER;
  const sum = (counts.get(known) ?? 0) + by;
  if (sum > 0) counts.set(known, sum);
  else counts.delete(known);
}

/** The most frequent first; names of servers cannot reach the prototype. */
function record(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const sorted = [...counts].sort(([, left], [, right]) => right - left);
  return Object.fromEntries(sorted);
}
