/**
 * The pages of a simulated agent: a log with a line for each, in the place of archive and crawl log. A page
 * is had when its line is durable. Which copies are hidden is in the same log, and which pages are nearer to
 * a seed than they were when they were fetched.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Log, openLog, type Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { type Place, parsePlace, placeText } from "../../cluster/messages/index.ts";
import { isFull, RETRY_FULL_MS } from "./sim-room.ts";

/** What is known of a page when it is added. */
export interface PageContents {
  readonly url: string;
  readonly depth: number;
  readonly links: readonly string[];
  /** Null for a page whose body stayed behind with an agent that left, at the place `keptAt`. */
  readonly body: string | null;
  readonly keptAt: string | null;
  /** Whether it was fetched here; else another agent has sent it. */
  readonly isFetched: boolean;
}

export interface Page extends PageContents {
  /** In the order of all pages. */
  readonly number: number;
  /** The smallest that its links count from. */
  depth: number;
  isDurable: boolean;
  /** The place whose copy is the visible one; null if this is. */
  hiddenBy: Place | null;
}

type Line =
  | { readonly kind: "page"; readonly key: string; readonly page: PageContents }
  | { readonly kind: "nearer"; readonly key: string; readonly depth: number }
  | { readonly kind: "hide"; readonly key: string; readonly by: string }
  | { readonly kind: "show"; readonly by: string };

export interface PageLogParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
}

export function openPageLog(parts: PageLogParts, done: Done<PageLog>): void {
  const { clock, random, storage } = parts;
  openLog(
    { storage, random, name: "pages/log", framing: "binary", segmentBytesMax: 100_000 },
    withValue(done, ({ log }) => new PageLog(log, clock).recover(done)),
  );
}

export class PageLog {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #pages = new Map<string, Page>();
  #fetched = 0;
  /** Where each line begins that was there at opening. */
  readonly found: { readonly position: Position; readonly page: PageContents }[] = [];

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  get end(): Position {
    return this.#log.end;
  }

  /** How many pages were fetched by this disk and are durable, each as often as it was. */
  get fetched(): number {
    return this.#fetched;
  }

  pages(): Iterable<Page> {
    return this.#pages.values();
  }

  of(key: Fingerprint): Page | null {
    return this.#pages.get(keyText(key)) ?? null;
  }

  hasDurably(key: Fingerprint): boolean {
    return this.of(key)?.isDurable === true;
  }

  add(key: Fingerprint, contents: PageContents, done: Acknowledge): Page {
    const page: Page = { ...contents, number: this.#pages.size, isDurable: false, hiddenBy: null };
    this.#pages.set(keyText(key), page);
    this.#append({ kind: "page", key: keyText(key), page: contents });
    this.commit(
      whenDone(done, () => {
        page.isDurable = true;
        if (page.isFetched) this.#fetched += 1;
        done(null);
      }),
    );
    return page;
  }

  /** The links of a page are to be found again from a smaller depth. Durable with the next commit. */
  nearer(key: Fingerprint, depth: number): void {
    const page = this.of(key);
    if (page === null) return;
    page.depth = depth;
    this.#append({ kind: "nearer", key: keyText(key), depth });
  }

  /** Durable with the next commit. */
  hide(key: Fingerprint, by: Place): void {
    const page = this.of(key);
    if (page === null) return;
    page.hiddenBy = by;
    this.#append({ kind: "hide", key: keyText(key), by: placeText(by) });
  }

  /** Pages hidden behind this place are visible again. */
  show(by: Place, done: Done<readonly Page[]>): void {
    const shown = this.#show(placeText(by));
    this.#append({ kind: "show", by: placeText(by) });
    this.commit(whenDone(done, () => done(null, shown)));
  }

  /** A disk without room is waited for. */
  commit(done: Acknowledge): void {
    this.#log.commit((error) => {
      if (error === null || !isFull(error)) done(error);
      else this.#clock.after(RETRY_FULL_MS, () => this.commit(done));
    });
  }

  recover(done: Done<PageLog>): void {
    const reader = this.#log.reader();
    const read = (): void =>
      reader.read(
        withValue(done, (batch) => {
          for (let at = 0; at < batch.count; at += 1) {
            this.#replay(
              JSON.parse(Buffer.from(batch.payloadOf(at)).toString()),
              batch.positionOf(at),
            );
          }
          if (batch.count + batch.damage.length > 0) read();
          else reader.close(() => done(null, this));
        }),
      );
    read();
  }

  #replay(line: Line, position: Position): void {
    if (line.kind === "page") {
      const { page, key } = line;
      const number = this.#pages.size;
      this.#pages.set(key, { ...page, number, isDurable: true, hiddenBy: null });
      this.found.push({ position, page });
      if (page.isFetched) this.#fetched += 1;
    } else if (line.kind === "nearer") {
      const page = this.#pages.get(line.key);
      if (page === undefined) return;
      page.depth = line.depth;
      this.found.push({ position, page: { ...page } });
    } else if (line.kind === "hide") {
      const page = this.#pages.get(line.key);
      if (page !== undefined) page.hiddenBy = parsePlace(line.by);
    } else this.#show(line.by);
  }

  #show(by: string): readonly Page[] {
    const shown: Page[] = [];
    for (const page of this.#pages.values()) {
      if (page.hiddenBy === null || placeText(page.hiddenBy) !== by) continue;
      page.hiddenBy = null;
      shown.push(page);
    }
    return shown;
  }

  #append(line: Line): void {
    this.#log.append(Buffer.from(JSON.stringify(line)));
  }
}

function keyText({ high, low }: Fingerprint): string {
  return `${high} ${low}`;
}
