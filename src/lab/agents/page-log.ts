/**
 * The pages of a simulated agent: a log with a line for each, in the place of archive and crawl log. A page
 * is had when its line is durable. Which copies are hidden is in the same log.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Log, openLog, type Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Done,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { type Place, parsePlace, placeText } from "../../cluster/messages/index.ts";

export interface Page {
  readonly url: string;
  readonly depth: number;
  isDurable: boolean;
  /** The place whose copy is the visible one; null if this is. */
  hiddenBy: Place | null;
}

type Line =
  | { readonly kind: "page"; readonly url: string; readonly depth: number; readonly key: string }
  | { readonly kind: "hide"; readonly key: string; readonly by: string }
  | { readonly kind: "show"; readonly by: string };

export function openPageLog(storage: Storage, random: Random, done: Done<PageLog>): void {
  openLog(
    { storage, random, name: "pages/log", framing: "binary", segmentBytesMax: 100_000 },
    withValue(done, ({ log }) => new PageLog(log).recover(done)),
  );
}

export class PageLog {
  readonly #log: Log;
  readonly #pages = new Map<string, Page>();
  /** Where each line begins that was there at opening. */
  readonly found: { readonly position: Position; readonly url: string; readonly depth: number }[] =
    [];

  constructor(log: Log) {
    this.#log = log;
  }

  get end(): Position {
    return this.#log.end;
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

  add(key: Fingerprint, url: string, depth: number, done: Acknowledge): void {
    const page: Page = { url, depth, isDurable: false, hiddenBy: null };
    this.#pages.set(keyText(key), page);
    this.#append({ kind: "page", url, depth, key: keyText(key) });
    this.#log.commit(
      whenDone(done, () => {
        page.isDurable = true;
        done(null);
      }),
    );
  }

  hide(key: Fingerprint, by: Place, done: Acknowledge): void {
    const page = this.of(key);
    if (page !== null) page.hiddenBy = by;
    this.#append({ kind: "hide", key: keyText(key), by: placeText(by) });
    this.#log.commit(done);
  }

  /** Pages hidden behind this place are visible again. */
  show(by: Place, done: Done<readonly Page[]>): void {
    const shown = this.#show(placeText(by));
    this.#append({ kind: "show", by: placeText(by) });
    this.#log.commit(whenDone(done, () => done(null, shown)));
  }

  commit(done: Acknowledge): void {
    this.#log.commit(done);
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
      const { url, depth } = line;
      this.#pages.set(line.key, { url, depth, isDurable: true, hiddenBy: null });
      this.found.push({ position, url, depth });
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
