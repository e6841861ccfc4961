/**
 * The pages of an agent's store, as custody of a cluster asks for them: whether a page is here, and which
 * pages are here of a host that comes back, or of hosts that go.
 *
 * The index has no order by host: that would cost every page of every crawl, and only hosts that change
 * hands need it. So all rows are gone through, once for everybody who waits at the time.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import { type Acknowledge, withValue } from "../../../base/seams/index.ts";
import type { FetchableUrl, HostName } from "../../../formats/url/index.ts";
import { politeHost, type Ticket } from "../../../frontier/ticket/index.ts";
import type { KnownPages } from "../../../holdings/index.ts";
import type { NumberedPage, PageIndexWriter } from "../../../store/index/index.ts";

export interface StoredPagesParts {
  readonly index: Pick<PageIndexWriter, "has" | "find" | "rowsAfter">;
  /** Answers when every page that was logged before is durable, and its row is written. */
  readonly flush: (done: Acknowledge) => void;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
  /** Pages cannot be looked for. */
  readonly failed: (error: CrawlError) => void;
}

interface Wanted {
  isWanted(host: string): boolean;
  take(page: Ticket, host: string): void;
  done(error: CrawlError | null): void;
}

const ROWS_AT_ONCE = 1000;

export class StoredPages implements KnownPages {
  readonly #parts: StoredPagesParts;
  /** Single hosts that the next way through the rows looks for. */
  #hosts: HostsToFind | null = null;
  readonly #wanted: Wanted[] = [];
  #isReading = false;

  constructor(parts: StoredPagesParts) {
    this.#parts = parts;
  }

  has(page: Fingerprint, done: (isHad: boolean) => void): void {
    const { index, failed } = this.#parts;
    index.has(page, (error, isHad) => {
      if (error === null) done(isHad);
      else failed(error);
    });
  }

  find(page: Fingerprint, done: (page: Ticket | null) => void): void {
    this.has(page, (isHad) => {
      if (isHad) this.#find(page, done);
      else done(null);
    });
  }

  ofHost(host: string, done: (pages: readonly Ticket[]) => void): void {
    if (this.#hosts !== null) {
      this.#hosts.add(host, done);
      return;
    }
    const hosts = new HostsToFind(this.#parts.failed);
    hosts.add(host, done);
    this.#hosts = hosts;
    this.#want(hosts);
  }

  ofHosts(
    isWanted: (host: string) => boolean,
    each: (page: Ticket) => void,
    done: Acknowledge,
  ): void {
    this.#want({ isWanted, take: each, done });
  }

  /** Its row may not be written yet. */
  #find(page: Fingerprint, done: (page: Ticket | null) => void): void {
    const { index, flush, fingerprintOf, failed } = this.#parts;
    const over = (error: CrawlError | null, row: NumberedPage | null | undefined): void => {
      if (error !== null) failed(error);
      else done(row == null ? null : ticketOf(row, fingerprintOf));
    };
    index.find(page, (error, row) => {
      if (error !== null || row !== null) over(error, row);
      else flush((failure) => (failure === null ? index.find(page, over) : failed(failure)));
    });
  }

  #want(wanted: Wanted): void {
    this.#wanted.push(wanted);
    this.#readNext();
  }

  /**
   * All who wait now are told by one way through the rows; who comes from now on, by the next. That counts
   * from before the flush: a page that is logged while it is under way may have no row when it is over.
   */
  #readNext(): void {
    if (this.#isReading || this.#wanted.length === 0) return;
    this.#isReading = true;
    const wanted = this.#wanted.splice(0);
    this.#hosts = null;
    const over: Acknowledge = (error) => {
      this.#isReading = false;
      for (const one of wanted) one.done(error);
      this.#readNext();
    };
    this.#parts.flush((error) => {
      if (error === null) this.#read(0, wanted, over);
      else over(error);
    });
  }

  #read(after: number, wanted: readonly Wanted[], done: Acknowledge): void {
    this.#parts.index.rowsAfter(
      after,
      ROWS_AT_ONCE,
      withValue(done, (rows) => {
        const last = rows.at(-1);
        if (last === undefined) {
          done(null);
          return;
        }
        for (const row of rows) this.#tell(row, wanted);
        this.#read(last.number, wanted, done);
      }),
    );
  }

  #tell(row: NumberedPage, wanted: readonly Wanted[]): void {
    const host = politeHost(row.host as HostName);
    const takers = wanted.filter((one) => one.isWanted(host));
    const page = takers.length === 0 ? null : ticketOf(row, this.#parts.fingerprintOf);
    if (page !== null) for (const one of takers) one.take(page, host);
  }
}

/** The page as it was when it was fetched; null for a URL that by the settings of now is none. */
export function ticketOf(
  { url, depth, via, requisite }: NumberedPage,
  fingerprintOf: StoredPagesParts["fingerprintOf"],
): Ticket | null {
  const key = fingerprintOf(url as FetchableUrl);
  if (key === null) return null;
  const from = via as FetchableUrl | null;
  const ticket = {
    ...{ url: url as FetchableUrl, ...key, depth, via: from, redirects: 0, priority: 0 },
  };
  return requisite ? { ...ticket, requisite: 1 } : ticket;
}

/** Hosts for whose pages somebody waits, each for those of one. */
class HostsToFind implements Wanted {
  readonly #pages = new Map<string, Ticket[]>();
  readonly #told: (() => void)[] = [];
  readonly #failed: (error: CrawlError) => void;

  constructor(failed: (error: CrawlError) => void) {
    this.#failed = failed;
  }

  add(host: string, done: (pages: readonly Ticket[]) => void): void {
    const pages = this.#pages.get(host) ?? [];
    this.#pages.set(host, pages);
    this.#told.push(() => done(pages));
  }

  isWanted(host: string): boolean {
    return this.#pages.has(host);
  }

  take(page: Ticket, host: string): void {
    this.#pages.get(host)?.push(page);
  }

  done(error: CrawlError | null): void {
    if (error !== null) this.#failed(error);
    else for (const tell of this.#told) tell();
  }
}
