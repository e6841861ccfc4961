/**
 * A page as one agent sends it to another that takes it over: what its row tells, the head of its answer and
 * the body, or what was found in a body that stays where it is. The receiver works on it as on a page that
 * it replays, but stores it.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Header, SentRequest } from "../../../base/seams/index.ts";
import { parsePlace } from "../../../cluster/messages/index.ts";
import { hostOf } from "../../../formats/url/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import type { CrawlLine, CrawlNote } from "../../../store/archive/index.ts";
import type { IndexedPage } from "../../../store/index/index.ts";
import type { PastAnswer } from "../../../store/query/index.ts";
import type { GivenPage } from "../../crawl/lane/lane.ts";
import { replayedPage } from "../../recovery/replayed-page.ts";
import { printFramed, readFramed } from "../queries/page-message.ts";

type SentRow = Pick<
  IndexedPage,
  "url" | "status" | "error" | "mime" | "bytes" | "digest" | "truncated" | "redirectTo"
> & { readonly fetchedAt: string };

/** Its answer with the body; what was found in a body that is kept at a place; or nothing more. */
export type SentAnswer =
  | {
      readonly kind: "whole";
      readonly reason: string;
      readonly headers: readonly Header[];
      readonly request: SentRequest | null;
      readonly address: string | null;
      readonly payload: Uint8Array;
    }
  | { readonly kind: "found"; readonly at: string; readonly page: string }
  | { readonly kind: "none" };

export interface SentMessage {
  readonly row: SentRow;
  /** The place that sends it. */
  readonly from: string;
  readonly redirects: number;
  /** Null where steps inside hosts are not limited. */
  readonly hostDepth: number | null;
  readonly answer: SentAnswer;
}

const NO_BYTES = new Uint8Array(0);

export function printSentPage({ row, answer, ...rest }: SentMessage): Buffer {
  const { url, status, error, mime, bytes, digest, truncated, redirectTo, fetchedAt } = row;
  const sent = { url, status, error, mime, bytes, digest, truncated, redirectTo, fetchedAt };
  if (answer.kind !== "whole") return printFramed({ ...rest, row: sent, answer }, NO_BYTES);
  const { payload, ...head } = answer;
  return printFramed({ ...rest, row: sent, answer: head }, payload);
}

/** An error if it is not a page of this URL. */
export function readSentPage(bytes: Buffer, url: string): SentMessage | CrawlError {
  return readFramed<SentMessage>(bytes, (head, payload) => {
    const { row, from, redirects, hostDepth, answer } = head;
    if (row?.url !== url) throw new Error("it is another page");
    const isRow =
      Number.isSafeInteger(row.status) &&
      Number.isSafeInteger(row.bytes) &&
      !Number.isNaN(Date.parse(row.fetchedAt)) &&
      [row.mime, row.digest, row.truncated, row.redirectTo].every(isTextOrNull) &&
      (row.status > 0 ? row.error === null : /^[A-Z][A-Z0-9_]+$/.test(row.error));
    if (!isRow) throw new Error("its row is not one");
    if (parsePlace(String(from)) === null) throw new Error("it comes from no place");
    if (!isCount(redirects) || !(hostDepth === null || isCount(hostDepth))) {
      throw new Error("how it was reached cannot be read");
    }
    return { row, from, redirects, hostDepth, answer: answerIn(answer, payload) };
  });
}

/** As a lane works on it. `tell` is called when the frontier is to be told that it has ended. */
export function givenPage(
  { row, from, redirects, hostDepth, answer }: SentMessage,
  ticket: Ticket,
  tell: () => void,
): GivenPage {
  const address = answer.kind === "whole" ? answer.address : null;
  const notes: CrawlNote[] = [["from", from]];
  if (answer.kind === "found") notes.push(["kept", answer.at]);
  if (row.truncated !== null) notes.push(["truncated", row.truncated]);
  const line: CrawlLine = {
    atMs: Date.parse(row.fetchedAt),
    result: row.error ?? row.status,
    ...{ bodyBytes: row.bytes, url: row.url, depth: ticket.depth, via: ticket.via },
    ...{ mime: row.mime, digest: row.digest, durationMs: 0, attempt: 1, address, place: null },
    notes,
  };
  const page = replayedPage(line, row.error === null ? pastAnswer(row, answer) : null);
  const { outcome, sent } = page;
  if (sent === null) throw new CrawlError("INTERNAL_STORE", `${row.url} was sent by nobody.`);
  const request = answer.kind === "whole" ? answer.request : null;
  const steps = hostDepth === null ? {} : { hostDepth };
  return {
    kind: "page",
    errand: {
      ...{ kind: "page", host: hostOf(ticket.url), address, attempt: 0 },
      ticket: { ...ticket, redirects, ...steps },
    },
    page: {
      ...{ ...page, stored: null, isTold: false, sent: { ...sent, tell } },
      outcome: outcome.kind === "fetched" ? { ...outcome, request } : outcome,
    },
  };
}

function pastAnswer({ redirectTo }: SentRow, answer: SentAnswer): PastAnswer {
  if (answer.kind === "whole") return answer;
  if (answer.kind === "found") {
    return { reason: "", headers: [], payload: Buffer.from(answer.page) };
  }
  const headers: Header[] = redirectTo === null ? [] : [["Location", redirectTo]];
  return { reason: "", headers, payload: NO_BYTES };
}

function answerIn(head: Readonly<Record<string, unknown>>, payload: Buffer): SentAnswer {
  const { kind, at, page, reason, headers, request, address } = head;
  if (kind === "none") return { kind };
  if (kind === "found") {
    const isFound = typeof at === "string" && parsePlace(at) !== null && typeof page === "string";
    if (!isFound || !/^[!-~]*$/.test(page)) throw new Error("what was found in it is missing");
    return { kind, at, page };
  }
  const isWhole = kind === "whole" && typeof reason === "string" && Array.isArray(headers);
  if (!isWhole || !headers.every(isHeader) || !isTextOrNull(address)) {
    throw new Error("its answer is missing");
  }
  return { kind, reason, headers, address, request: requestIn(request), payload };
}

function requestIn(request: unknown): SentRequest | null {
  if (request === null) return null;
  const { head, protocol } = request as Readonly<Record<string, unknown>>;
  if (typeof head !== "string") throw new Error("its request is none");
  return { head, protocol: protocol === "h2" ? "h2" : "http/1.1" };
}

function isHeader(value: unknown): value is Header {
  return (
    Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === "string")
  );
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
