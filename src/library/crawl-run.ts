/**
 * A crawl that runs in this process, as the program that started it holds it. The crawl begins at once;
 * pages wait, and hold it up, until the program takes them by a loop over `pages()` or a handler. A
 * program that only waits for `finished()` takes none.
 */
import type { Crawl, CrawlSummary } from "../agent/index.ts";
import { CrawlError } from "../base/errors/index.ts";
import type { Clock, Timer } from "../base/seams/index.ts";
import { SECOND_MS } from "../base/units/index.ts";
import type { CrawlOptions } from "./crawl-options.ts";
import type { Page } from "./page.ts";
import type { PageDesk } from "./page-desk.ts";

export interface CrawlRunParts {
  readonly crawl: Crawl;
  readonly desk: PageDesk;
  readonly clock: Clock;
  /** Called for errors that belong to no single page. */
  readonly trouble: (error: CrawlError) => void;
  /** Removes what nobody asked to keep. */
  readonly closed: () => Promise<void>;
}

type RunOptions = Pick<
  CrawlOptions,
  "handler" | "handlers" | "handlerErrors" | "signal" | "onProgress"
>;

const HANDLERS = 8;

export class CrawlRun implements AsyncDisposable {
  readonly #parts: CrawlRunParts;
  readonly #options: RunOptions;
  readonly #ended: Promise<CrawlSummary>;
  #failure: CrawlError | null = null;
  #isTaken = false;
  #timer: Timer | null = null;

  constructor(parts: CrawlRunParts, options: RunOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#ended = this.#run();
    // Whoever waits for the end sees the error; nobody has to.
    this.#ended.catch(() => undefined);
  }

  /**
   * The pages in the order in which they are done, also those that failed. A page is held while the loop
   * looks at it. Leaving the loop early stops the crawl; when the loop is over, so is the crawl.
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    if (this.#isTaken) throw takenTwice();
    this.#isTaken = true;
    try {
      yield* this.#parts.desk.pages();
    } finally {
      this.#halt();
      await this.#ended;
    }
  }

  /** How it goes; after the end, how it went. The fields are those of `trobar crawl --json`. */
  summary(): CrawlSummary {
    return this.#parts.crawl.summary();
  }

  /** Resolves when everything has ended and is closed. Rejects if the disk or a handler failed. */
  finished(): Promise<CrawlSummary> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#parts.desk.passBy();
    }
    return this.#ended;
  }

  /** Ends the crawl gracefully: fetches in flight get a few seconds. Resolves like `finished`. */
  stop(): Promise<CrawlSummary> {
    this.#isTaken = true;
    this.#halt();
    return this.#ended;
  }

  /** Stops the crawl; what failed is not reported here. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch(() => undefined);
  }

  async #run(): Promise<CrawlSummary> {
    const { crawl, desk, closed } = this.#parts;
    const { signal, handler } = this.#options;
    const halt = (): void => this.#halt();
    const ended = crawl.life.run();
    if (handler !== undefined) this.#handle(handler);
    signal?.addEventListener("abort", halt, { once: true });
    this.#tellLater();
    const summary = await ended;
    signal?.removeEventListener("abort", halt);
    this.#timer?.cancel();
    desk.close();
    await closed();
    this.#tell();
    const failure = this.#failure ?? crawl.life.failure;
    if (failure !== null) throw failure;
    return summary;
  }

  #handle(handler: NonNullable<RunOptions["handler"]>): void {
    const { handlers = HANDLERS, handlerErrors = "stop" } = this.#options;
    this.#isTaken = true;
    this.#parts.desk.handle({
      ...{ handler, atOnceMax: handlers },
      failed: (url, thrown) => {
        const error = handlerFailed(url, thrown);
        if (handlerErrors === "continue") this.#parts.trouble(error);
        else {
          this.#failure ??= error;
          this.#halt();
        }
      },
    });
  }

  #halt(): void {
    const { crawl, desk } = this.#parts;
    desk.close();
    if (crawl.summary().state === "running") crawl.life.stop();
  }

  #tellLater(): void {
    if (this.#options.onProgress === undefined) return;
    this.#timer = this.#parts.clock.after(SECOND_MS, () => {
      this.#tell();
      this.#tellLater();
    });
  }

  /** What a listener throws is its own affair, and ends nothing here. */
  #tell(): void {
    try {
      this.#options.onProgress?.(this.summary());
    } catch (thrown) {
      this.#parts.trouble(handlerFailed("the progress of the crawl", thrown));
    }
  }
}

function handlerFailed(what: string, thrown: unknown): CrawlError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new CrawlError(
    "HANDLER_FAILED",
    `The program failed on ${what}: ${reason}. Catch what it can go on from, or give the option ` +
      'handlerErrors: "continue".',
    { what },
    thrown,
  );
}

function takenTwice(): CrawlError {
  return new CrawlError(
    "USAGE_BAD_ARGUMENT",
    "The pages of this crawl are taken already: by a handler, by another loop over pages(), or by " +
      "finished() or stop(), which let them pass. Take them once, before you wait for the end.",
  );
}
