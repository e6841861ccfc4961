/** Pages in memory, as a store of an agent among others, for tests. */
import { CrawlError } from "../../../src/base/errors/index.ts";
import type { Clock } from "../../../src/base/seams/index.ts";
import type { UrlEntry } from "../../../src/cluster/delivery/index.ts";
import type { Place } from "../../../src/cluster/messages/index.ts";
import type { PageStore, PageWriter } from "../../../src/cluster/pages/index.ts";

const CALL_MS = 2;

/** Page `number` of a host. */
export function pageOf(host: string, number = 1): UrlEntry {
  const record = new TextEncoder().encode(`${host}/${number}`);
  return { kind: "url", host, high: number, low: host.length, depth: 0, holders: [], record };
}

export function keyOf({ host, high }: UrlEntry): string {
  return `${host}/${high}`;
}

/** A store whose pages are texts. */
export class MemoryPages implements PageStore {
  readonly texts: Map<string, string> = new Map();
  /** Whose copies are shown instead of those here, by host. */
  readonly hiddenBy: Map<string, Place> = new Map();
  readonly #entries: UrlEntry[] = [];
  readonly #clock: Clock;
  /** While true, pages that are written do not become durable. */
  isStalled = false;
  isFull = false;
  dropped = 0;
  /** While true, nothing can be looked for. */
  isUnreadable = false;
  /** What cannot be read. */
  broken: string | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(entry: UrlEntry, text: string): void {
    this.texts.set(keyOf(entry), text);
    this.#entries.push(entry);
  }

  next: PageStore["next"] = (isWanted, after, done) => {
    const at = this.#entries.findIndex(
      ({ host }, index) => index > after && isWanted(host, this.hiddenBy.get(host) ?? null),
    );
    const entry = this.#entries[at];
    const page = entry === undefined ? null : { entry, position: at };
    this.#clock.after(CALL_MS, () => {
      if (this.isUnreadable) done(new CrawlError("STORAGE_FAILED", "unreadable"), undefined);
      else done(null, page);
    });
  };

  read: PageStore["read"] = ({ entry }, { from, bytesMax, withBody }, done) => {
    const text = withBody ? (this.texts.get(keyOf(entry)) ?? "") : "kept";
    const bytes = new TextEncoder().encode(text);
    const piece = { bytes: bytes.slice(from, from + bytesMax), total: bytes.byteLength };
    this.#clock.after(CALL_MS, () => {
      if (this.broken === keyOf(entry)) done(new CrawlError("STORAGE_FAILED", "broken"), undefined);
      else done(null, piece);
    });
  };

  has: PageStore["has"] = (entry, done) => {
    this.#clock.after(CALL_MS, () => done(this.texts.has(keyOf(entry))));
  };

  write(entry: UrlEntry): PageWriter {
    let text = "";
    return {
      append: (bytes) => {
        text += new TextDecoder().decode(bytes);
      },
      commit: (done) => {
        this.#clock.after(CALL_MS, () => {
          if (this.isStalled) return;
          if (!this.isFull) this.add(entry, text);
          done(this.isFull ? new CrawlError("STORAGE_FULL", "full") : null);
        });
      },
      drop: () => {
        this.dropped += 1;
      },
    };
  }
}
