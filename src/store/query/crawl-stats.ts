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
  #pages: number;
  #bytes: number;
  readonly #hosts = new Set<string>();
  readonly #status: Map<string, number>;
  readonly #mime: Map<string, number>;
  readonly #language: Map<string, number>;
  readonly #depth: Map<string, number>;

  /** `tally` has what was counted before, except for hosts. */
  constructor(tally: Tally | null) {
    this.#pages = tally?.pages ?? 0;
    this.#bytes = tally?.bytes ?? 0;
    this.#status = new Map(Object.entries(tally?.status ?? {}));
    this.#mime = new Map(Object.entries(tally?.mime ?? {}));
    this.#language = new Map(Object.entries(tally?.language ?? {}));
    this.#depth = new Map(Object.entries(tally?.depth ?? {}));
  }

  add(page: PageRow): void {
    if (page.requisite === true) return;
    this.addHost(page);
    this.#pages += 1;
    this.#bytes += page.bytes;
    count(this.#status, String(page.status));
    count(this.#depth, String(page.depth));
    if (page.mime !== null) count(this.#mime, page.mime);
    if (page.language !== null) count(this.#language, page.language);
  }

  /** Only the host of a page that was counted before. */
  addHost({ url, requisite }: PageRow): void {
    if (requisite !== true) this.#hosts.add(hostIn(url));
  }

  stats(links: number | null): CrawlStats {
    return {
      ...{ pages: this.#pages, hosts: this.#hosts.size, bytes: this.#bytes, links },
      status: record(this.#status),
      mime: record(this.#mime),
      language: record(this.#language),
      depth: record(this.#depth),
    };
  }
}

const HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i;

/** Name of the host, without port; "" for URLs without one. */
function hostIn(url: string): string {
  return HOST.exec(url)?.[1] ?? "";
}

function count(counts: Map<string, number>, name: string): void {
  const known = counts.has(name) || counts.size < NAMES_MAX ? name : OTHER;
  counts.set(known, (counts.get(known) ?? 0) + 1);
}

/** The most frequent first; names of servers cannot reach the prototype. */
function record(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const sorted = [...counts].sort(([, left], [, right]) => right - left);
  return Object.fromEntries(sorted);
}
