/** A page as the filters `parse`, `follow` and `store` see it; it is filled while the page is read. */

import type { Body, FetchedOutcome, Header } from "../../base/seams/index.ts";
import { headerValue } from "../../formats/http/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import { FetchableView, type PageView, type UrlView } from "../../rules/filter/index.ts";

const NO_BYTES = new Uint8Array(0);

export class PageFacts extends FetchableView implements PageView {
  readonly depth: number;
  readonly status: number;
  readonly bodyBytes: number;
  language = "";
  isDuplicate = false;
  isNearDuplicate = false;
  readonly #via: string | null;
  readonly #headers: readonly Header[];
  readonly #body: Body;
  #sha1: Uint8Array | null = null;

  constructor(ticket: Ticket, { status, headers, body }: FetchedOutcome, decoded: Body) {
    super(ticket.url);
    this.depth = ticket.depth;
    this.status = status;
    this.bodyBytes = body.lengthBytes;
    this.#via = ticket.via;
    this.#headers = headers;
    this.#body = decoded;
  }

  get source(): UrlView | undefined {
    return this.#via === null ? undefined : new FetchableView(this.#via as FetchableUrl);
  }

  /** SHA-1 of the payload; few filters look at it. */
  get digest(): string {
    return this.#sha1 === null ? "" : Buffer.from(this.#sha1).toString("hex");
  }

  header(name: string): string | undefined {
    return headerValue(this.#headers, name);
  }

  /** Empty for a body on disk, since a filter answers at once. */
  bodyPrefix(bytesMax: number): Uint8Array {
    return this.#body.bytes?.subarray(0, bytesMax) ?? NO_BYTES;
  }

  take({ language, declaredLanguage, payloadSha1 }: ParsedPage): void {
    this.language = language || declaredLanguage;
    this.#sha1 = payloadSha1;
  }
}
