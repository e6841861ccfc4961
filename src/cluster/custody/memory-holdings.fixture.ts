/** Holdings in memory: names of URLs that wait, that are elsewhere, and pages that outlive the process. */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Clock } from "../../base/seams/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import { type Place, samePlace } from "../messages/index.ts";
import type { Found, Holdings, PageName } from "./holdings.ts";

/** The pages on a disk. */
export class KeptPages {
  readonly #pages = new Map<string, { readonly entry: UrlEntry; hiddenBy: Place | null }>();

  add(entry: UrlEntry): void {
    this.#pages.set(keyOf(entry), { entry, hiddenBy: null });
  }

  has(page: PageName): boolean {
    return this.#pages.has(keyOf(page));
  }

  /** The id of whoever hides a page; null if it is visible or not here. */
  hiddenBy(page: PageName): string | null {
    return this.#pages.get(keyOf(page))?.hiddenBy?.id ?? null;
  }

  hide(page: PageName, toward: Place): void {
    const known = this.#pages.get(keyOf(page));
    if (known !== undefined) known.hiddenBy = toward;
  }

  show(toward: Place): UrlEntry[] {
    const shown = [...this.#pages.values()].filter(
      ({ hiddenBy }) => hiddenBy !== null && samePlace(hiddenBy, toward),
    );
    for (const page of shown) page.hiddenBy = null;
    return shown.map(({ entry }) => entry);
  }

  all(): UrlEntry[] {
    return Array.from(this.#pages.values(), ({ entry }) => entry);
  }
}

/** What a checkpoint has of holdings. */
export interface MemoryState {
  readonly queued: ReadonlyMap<string, UrlEntry>;
  readonly ended: ReadonlyMap<string, UrlEntry>;
  readonly adopted: ReadonlyMap<string, string>;
  readonly hosts: ReadonlySet<string>;
}

export class MemoryHoldings implements Holdings {
  readonly pages: KeptPages;
  readonly #clock: Clock;
  readonly #queued: Map<string, UrlEntry>;
  readonly #ended: Map<string, UrlEntry>;
  /** What came with hosts. */
  readonly adopted: Map<string, string>;
  /** Hosts that are here. */
  readonly #hosts: Set<string>;
  readonly saves: (() => void)[] = [];
  /** Pages that are said to be nearer, each with its depth. */
  readonly nearerAt: string[] = [];
  /** URLs that were taken, each with its depth. */
  readonly taken: string[] = [];
  /** How long a visit of a host goes on that is to leave. */
  visitMs = 1;
  /** While true, `pagesOf` does not answer. */
  isStoreStalled = false;

  constructor(clock: Clock, pages: KeptPages, state: MemoryState | null) {
    this.#clock = clock;
    this.pages = pages;
    this.#queued = new Map(state?.queued);
    this.#ended = new Map(state?.ended);
    this.adopted = new Map(state?.adopted);
    this.#hosts = new Set(state?.hosts);
  }

  state(): MemoryState {
    const [queued, ended] = [new Map(this.#queued), new Map(this.#ended)];
    return { queued, ended, adopted: new Map(this.adopted), hosts: new Set(this.#hosts) };
  }

  isQueued(page: PageName): boolean {
    return this.#queued.has(keyOf(page));
  }

  /** Whether it is known to be elsewhere. */
  isEnded(page: PageName): boolean {
    return this.#ended.has(keyOf(page));
  }

  take(entry: UrlEntry): void {
    const key = keyOf(entry);
    this.#hosts.add(entry.host);
    this.taken.push(`${key} ${entry.depth}`);
    const isKnown = this.pages.has(entry) || this.#ended.has(key);
    if (!isKnown) this.#queued.set(key, { ...entry, record: entry.record.slice() });
  }

  end(entry: UrlEntry, done: Found): void {
    this.#hosts.add(entry.host);
    this.#queued.delete(keyOf(entry));
    this.#ended.set(keyOf(entry), entry);
    this.find(entry, done);
  }

  again(entry: UrlEntry): void {
    this.#ended.delete(keyOf(entry));
    this.take(entry);
  }

  adopt(host: string, record: Uint8Array): void {
    this.#hosts.add(host);
    this.adopted.set(host, new TextDecoder().decode(record));
  }

  find(page: PageName, done: Found): void {
    this.#clock.after(0, () => done(this.pages.has(page)));
  }

  lost(
    isOwn: (host: string) => boolean,
    each: (host: string, next: () => void) => void,
    done: () => void,
  ): void {
    const waiting = [...this.#hosts].filter((host) => !isOwn(host));
    const next = (): void => {
      const host = waiting.shift();
      if (host === undefined) this.#clock.after(0, done);
      else each(host, next);
    };
    this.#clock.after(0, next);
  }

  giveAway(
    host: string,
    each: (entry: UrlEntry) => void,
    done: (record: Uint8Array) => void,
  ): void {
    this.#clock.after(this.visitMs, () => {
      for (const [key, entry] of this.#queued) {
        if (entry.host !== host) continue;
        this.#queued.delete(key);
        each(entry);
      }
      for (const [key, entry] of this.#ended) if (entry.host === host) this.#ended.delete(key);
      const record = this.adopted.get(host) ?? "";
      this.adopted.delete(host);
      this.#hosts.delete(host);
      done(new TextEncoder().encode(record));
    });
  }

  pagesOf(
    isWanted: (host: string) => boolean,
    each: (entry: UrlEntry) => void,
    done: Acknowledge,
  ): void {
    this.#clock.after(0, () => {
      if (this.isStoreStalled) return;
      for (const entry of this.pages.all()) if (isWanted(entry.host)) each(entry);
      done(null);
    });
  }

  hide(page: PageName, toward: Place): void {
    this.pages.hide(page, toward);
  }

  show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void {
    this.#clock.after(0, () => {
      for (const entry of this.pages.show(toward)) each(entry);
      done(null);
    });
  }

  nearer(page: Fingerprint, depth: number): void {
    this.nearerAt.push(`${page.high} ${page.low} ${depth}`);
  }

  withhold(): void {}

  admit(): void {}

  whenSaved(done: () => void): void {
    this.saves.push(done);
  }
}

function keyOf({ high, low }: PageName): string {
  return `${high} ${low}`;
}
