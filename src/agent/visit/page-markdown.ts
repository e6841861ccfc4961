/**
 * The main content of pages as Markdown, for those who ask for it. A page is converted on a thread of
 * its own, one after the other: it takes milliseconds, which a lane cannot spare, and what waits here
 * holds up the crawl like a slow reader. A page that takes too long loses its thread, and has no
 * Markdown; the next page gets a new one.
 */
import type { Background, Clock } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { headerValue, parseContentType } from "../../formats/http/index.ts";
import { makeMarkdown } from "../../store/export/index.ts";
import { readAll } from "./answer-reading.ts";
import type { EndedPage } from "./page-keeper.ts";

const HTML: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);

/** For one page. Packages loop for hours over a few million line ends. */
const CONVERSION_MS_MAX = 10 * SECOND_MS;
/** Longer pages have too many characters in any encoding. */
const BYTES_MAX = 8 * 1024 * 1024;

export interface PageMarkdownOptions {
  readonly clock: Clock;
  /** Called for the first page, and after a page that took too long. */
  readonly open: () => Background;
}

export class PageMarkdown {
  readonly #options: PageMarkdownOptions;
  #background: Background | null = null;
  #isClosed = false;
  /** Settles when the pages before have been converted. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: PageMarkdownOptions) {
    this.#options = options;
  }

  /**
   * Null at once for what has no main content: anything but a good answer with HTML. The promise
   * settles with null if the page cannot be converted; it does not reject. Its body is read until then.
   */
  of(page: EndedPage): Promise<string | null> | null {
    const { row, body, headers } = page;
    const contentType = headerValue(headers, "content-type") ?? "";
    if (body === null || row.status >= 300) return null;
    if (!HTML.has(parseContentType(contentType).media || (row.mime ?? ""))) return null;
    const made = this.#before.then(() => this.#make(page, contentType)).catch(() => null);
    this.#before = made;
    return made;
  }

  /** What is not converted yet has no Markdown. */
  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  async #make({ row, body }: EndedPage, contentType: string): Promise<string | null> {
    if (this.#isClosed || body === null || body.lengthBytes > BYTES_MAX) return null;
    const bytes = await new Promise<Uint8Array | null>((resolve) =>
      readAll(body, BYTES_MAX, resolve),
    );
    if (bytes === null || this.#isClosed) return null;
    this.#background ??= this.#options.open();
    const background = this.#background;
    return await new Promise((resolve) => {
      const timer = this.#options.clock.after(CONVERSION_MS_MAX, () => this.#end());
      background.run(makeMarkdown, { url: row.url, contentType, bytes }, (...[error, made]) => {
        timer.cancel();
        resolve(error !== null || made === undefined || made.isRefused ? null : made.markdown);
      });
    });
  }

  /** The page that is being converted is answered. */
  #end(): void {
    this.#background?.close(() => undefined);
    this.#background = null;
  }
}
