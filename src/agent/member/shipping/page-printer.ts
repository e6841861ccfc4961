/**
 * Pages of the store as bytes, for others to take over. Where the body is to stay here, it is parsed instead,
 * and what was found in it is sent: so the receiver finds the links that whoever fetches the page would find.
 * That is done by the lane of the host, which knows how its pages were reached.
 */
import { CrawlError, isInternalFault } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import {
  answered,
  type Done,
  type FetchedOutcome,
  type Storage,
} from "../../../base/seams/index.ts";
import type { DecodedContent } from "../../../fetch/body/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { ParsedPage, Parsing } from "../../../parse/page/index.ts";
import type { NumberedPage } from "../../../store/index/index.ts";
import { type ArchivedExchange, PastAnswers } from "../../../store/query/index.ts";
import type { RememberedPage } from "../../links/link-memory.ts";
import type { Links, Web } from "../../topology/roles.ts";
import { memoryBody } from "../../units/memory-body.ts";
import { isSuccess } from "../../visit/page-record.ts";
import { printKeptPage } from "./print-kept-page.ts";
import { printSentPage, type SentAnswer } from "./sent-page.ts";

export interface PagePrinterParts {
  readonly storage: Storage;
  readonly web: () => Pick<Web, "answers">;
  /** As the crawl parses pages: for those whose bodies stay here. */
  readonly parsing: () => Promise<Pick<Parsing, "parse">>;
  readonly links: () => Pick<Links, "memory">;
  /** The row of a page; null if it has none. */
  readonly rowOf: (page: Fingerprint, done: Done<NumberedPage | null>) => void;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
  readonly keyOf: (url: string) => string | null;
}

type Exchange = Extract<ArchivedExchange, { kind: "exchange" }>;

export class PagePrinter {
  readonly #parts: PagePrinterParts;
  readonly #answers: PastAnswers;

  constructor(parts: PagePrinterParts) {
    const { storage, keyOf } = parts;
    this.#parts = parts;
    this.#answers = new PastAnswers({ storage, keyOf, find: (url) => this.#find(url) });
  }

  /** All bytes of the page with this row, from this place. */
  async print(row: NumberedPage, from: string, withBody: boolean): Promise<Buffer> {
    const [answer, { redirects, hostDepth = null }] = await Promise.all([
      this.#answerOf(row, from, withBody),
      this.#wayTo(row.url),
    ]);
    return printSentPage({ row, from, redirects, hostDepth, answer });
  }

  close(): Promise<void> {
    return this.#answers.close();
  }

  async #answerOf(row: NumberedPage, at: string, withBody: boolean): Promise<SentAnswer> {
    const archived: ArchivedExchange =
      row.error === null ? await this.#answers.ofRow(row) : { kind: "absent" };
    switch (archived.kind) {
      case "damaged":
        throw unreadable(row.url, archived.reason);
      case "absent":
        return { kind: "none" };
      case "found":
        return archived;
      default:
        if (withBody) return { ...archived, kind: "whole" };
        return {
          ...{ kind: "found", at },
          ...(await this.#findings(row, archived)),
        };
    }
  }

  /** How it was reached is in no row: it is known as far as links are remembered. */
  async #wayTo(url: string): Promise<Pick<RememberedPage, "redirects" | "hostDepth">> {
    const { links, fingerprintOf } = this.#parts;
    const { memory } = links();
    const page = fingerprintOf(url as FetchableUrl);
    if (memory === null || page === null) return { redirects: 0 };
    const { high, low } = page;
    const known = await answered<RememberedPage | null>((done) => memory.recall(high, low, done));
    return known === null
      ? { redirects: 0 }
      : { ...known, redirects: Math.max(0, known.redirects) };
  }

  async #findings(
    row: NumberedPage,
    { reason, headers, payload }: Exchange,
  ): Promise<{ readonly page: string }> {
    const parsed = isSuccess(row.status)
      ? await this.#parse(row, { reason, headers, payload })
      : null;
    return { page: printKeptPage({ reason, headers, parsed }) };
  }

  /** Null for damaged content, whose links are not followed. */
  async #parse(
    { url, status, truncated }: NumberedPage,
    { reason, headers, payload }: Pick<Exchange, "reason" | "headers" | "payload">,
  ): Promise<ParsedPage | null> {
    const { web, parsing } = this.#parts;
    const { answers } = web();
    const received = memoryBody(payload);
    const outcome: FetchedOutcome = {
      ...{ kind: "fetched", request: null, status, reason, headers, body: received },
      ...{ answerMs: 0, truncatedBy: null },
    };
    const { body, error, truncatedBy } = await new Promise<DecodedContent>((done) =>
      answers.decode(outcome, done),
    );
    try {
      if (error?.facts["how"] === "damaged") return null;
      // A disk that fails is no fault of the page.
      if (isInternalFault(error) || error?.facts["storageCode"] !== undefined) throw error;
      const isCut = truncated !== null || truncatedBy !== null;
      const source = { url, headers, received, isCut };
      const opened = await parsing();
      return await new Promise<ParsedPage>((done) => opened.parse(source, body, done));
    } finally {
      body.release();
    }
  }

  /** The row of the page with a body that this one repeats. */
  async #find(url: string): Promise<NumberedPage | null> {
    const { rowOf, fingerprintOf } = this.#parts;
    const page = fingerprintOf(url as FetchableUrl);
    if (page === null) return null;
    return await answered<NumberedPage | null>((done) => rowOf(page, done));
  }
}

/** What is told of a page that cannot be sent. */
export function unreadable(what: string, why: string): CrawlError {
  return new CrawlError(
    "STORE_RECORD_DAMAGED",
    `${what} cannot be sent to the agent that takes it over: ${why}. Others fetch it again; ` +
      "`trobar store verify` says what else is damaged.",
  );
}
