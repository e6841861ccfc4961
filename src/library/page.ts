/**
 * A page as a program sees it: the fields of "a page as JSON", and its content while it is held. The
 * content is read and parsed only when it is asked for.
 */
import type { DonePage } from "../agent/index.ts";
import { CrawlError } from "../base/errors/index.ts";
import type { Header } from "../base/seams/index.ts";
import { headerValue } from "../formats/http/index.ts";
import { documentOf, type Selectable, type Selected, textOf } from "../formats/selector/index.ts";
import type { PageRow } from "../store/export/index.ts";
import type { RowFields } from "./row-fields.ts";

export type Page = Omit<PageRow, "headers" | "body"> & PageContent;

const NO_BYTES = new Uint8Array(0);

/** What a page has besides its fields. JSON shows only the fields. */
export class PageContent implements Selectable {
  readonly #done: DonePage;
  readonly #fields: RowFields;
  readonly #pushed: Readonly<Record<string, unknown>>[] = [];
  #bytes: Uint8Array | null = null;
  #tree: Selectable | null = null;
  #isOver = false;

  constructor(done: DonePage, fields: RowFields) {
    this.#done = done;
    this.#fields = fields;
  }

  /** As they came; none if there was no answer. */
  get headers(): readonly Header[] {
    return this.#done.headers;
  }

  /** The first header of this name, whatever its case. */
  header(name: string): string | null {
    return headerValue(this.#done.headers, name) ?? null;
  }

  /** The content without its transfer and content encodings; empty if there was none. */
  get body(): Uint8Array {
    if (this.#bytes === null) {
      if (this.#isOver) throw pageOver(this.#done.row.url);
      this.#bytes = this.#done.body?.bytes?.slice() ?? NO_BYTES;
    }
    return this.#bytes;
  }

  /** The content as text, by the page's character encoding. */
  get content(): string {
    return textOf(this.#done.row, this.body);
  }

  /** The first element that a CSS selector finds; null if there is none, or the page is not HTML or XML. */
  $(selector: string): Selected | null {
    return this.#document.$(selector);
  }

  /** All elements that a CSS selector finds. */
  $$(selector: string): Selected[] {
    return this.#document.$$(selector);
  }

  /** Adds a row with these fields to the file of the option `pages`, in place of the plain row. */
  push(fields: Readonly<Record<string, unknown>>): void {
    this.#pushed.push(this.#fields.checked(fields, this.#done.row.url));
  }

  get #document(): Selectable {
    this.#tree ??= documentOf(this.#done.row, this.body);
    return this.#tree;
  }

  /** Reads a body that is on disk, since everything else here answers at once. */
  async open(): Promise<void> {
    const { body } = this.#done;
    if (body === null || body.bytes !== null) return;
    this.#bytes = await new Promise((resolve) => {
      body.read(0, body.lengthBytes, (_error, bytes) => resolve(bytes?.slice() ?? NO_BYTES));
    });
  }

  /** The page is let go of; what was read stays. With `keeps` its content can be read later too. */
  end(keeps = false): readonly Readonly<Record<string, unknown>>[] {
    if (keeps) void this.body;
    const rows = this.#fields.rows(this.#pushed, () => this.#document);
    this.#isOver = true;
    return rows;
  }
}

export function pageOf(done: DonePage, fields: RowFields): Page {
  return Object.assign(new PageContent(done, fields), done.row);
}

function pageOver(url: string): CrawlError {
  return new CrawlError(
    "USAGE_PAGE_OVER",
    `The content of ${url} is no longer there: the crawl has gone on. Read body, content or $ before ` +
      "the handler returns, or before the next page of the loop.",
    { url },
  );
}
