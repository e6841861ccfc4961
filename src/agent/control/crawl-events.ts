/**
 * What happens in a crawl, for those who listen: its state, its counts once a second, the last pages that
 * ended, internal faults. All of it is looked up while somebody listens, from the summary and, on another
 * thread, from the crawl log; the crawl itself does nothing for it.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { PageRow } from "../../store/export/index.ts";
import type { CrawlSummary } from "../crawl/counting/crawl-summary.ts";
import type { PageAnswers } from "./page-questions.ts";

export type CrawlEvent =
  /** Whenever one of these changes, and to begin with. */
  | {
      readonly kind: "state";
      readonly data: Pick<CrawlSummary, "state" | "reason" | "limit">;
    }
  /** Once a second. */
  | { readonly kind: "status"; readonly data: CrawlSummary }
  | { readonly kind: "page"; readonly data: PageRow }
  /** More pages ended than are told; these many were left out. */
  | { readonly kind: "skipped"; readonly data: { readonly pages: number } }
  /** Since the last one, by the code of the internal fault. */
  | { readonly kind: "fault"; readonly data: { readonly code: string; readonly count: number } };

export interface CrawlEventsParts {
  readonly clock: Clock;
  readonly summary: () => CrawlSummary;
  readonly questions: Pick<PageAnswers, "ask">;
}

type Listener = (event: CrawlEvent) => void;

const LOOK_MS = SECOND_MS;
/** Told a second. */
const PAGES_MAX = 50;

export class CrawlEvents {
  readonly #parts: CrawlEventsParts;
  readonly #listeners = new Set<Listener>();
  #timer: Timer | null = null;
  #state = "";
  #faults: Readonly<Record<string, number>> = {};
  /** Up to where the crawl log was looked at; null before that was found out. */
  #cursor: number | null = null;
  #isLooking = false;

  constructor(parts: CrawlEventsParts) {
    this.#parts = parts;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Tells how it stands, at once, and then what happens; returns what ends that. */
  listen(listener: Listener): () => void {
    const summary = this.#parts.summary();
    if (this.#listeners.size === 0) this.#begin(summary);
    this.#listeners.add(listener);
    listener(stateOf(summary));
    listener({ kind: "status", data: summary });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  /** Something may have changed. */
  look(): void {
    if (this.#listeners.size === 0) return;
    const summary = this.#parts.summary();
    const state = JSON.stringify(stateOf(summary));
    if (state !== this.#state) this.#tell(stateOf(summary));
    this.#state = state;
    for (const [code, count] of Object.entries(summary.errors)) {
      const before = this.#faults[code] ?? 0;
      if (!code.startsWith("INTERNAL_") || count <= before) continue;
      this.#tell({ kind: "fault", data: { code, count: count - before } });
    }
    this.#faults = summary.errors;
  }

  #begin(summary: CrawlSummary): void {
    this.#state = JSON.stringify(stateOf(summary));
    this.#faults = summary.errors;
    this.#cursor = null;
    void this.#lookAtPages();
    this.#schedule();
  }

  #end(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #schedule(): void {
    this.#timer = this.#parts.clock.after(LOOK_MS, () => {
      this.look();
      this.#tell({ kind: "status", data: this.#parts.summary() });
      void this.#lookAtPages();
      this.#schedule();
    });
  }

  /** A question that was not answered is asked again at the next look. */
  async #lookAtPages(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const asked = { after: this.#cursor, count: PAGES_MAX };
      const { pages, skipped, cursor } = await this.#parts.questions.ask("latest", asked);
      this.#cursor = cursor;
      if (skipped > 0) this.#tell({ kind: "skipped", data: { pages: skipped } });
      for (const data of pages) this.#tell({ kind: "page", data });
    } catch {
      // The log is not there yet, or the thread is busy.
    } finally {
      this.#isLooking = false;
    }
  }

  #tell(event: CrawlEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

function stateOf({ state, reason, limit }: CrawlSummary): CrawlEvent & { readonly kind: "state" } {
  return { kind: "state", data: { state, reason, limit } };
}
