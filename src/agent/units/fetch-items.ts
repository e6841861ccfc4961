/**
 * What goes between a crawl and the processes that fetch for it: requests one way, answers the other.
 * Every request is answered once, by what became of the page in the end; retries are the fetching
 * process's own. Beside that it tells of sitemaps that it met, since only the crawl follows links.
 */
import { CrawlError, type ErrorCode } from "../../base/errors/index.ts";
import type { FetchedOutcome, SentRequest } from "../../base/seams/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { RefusedSeed } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { type Codec, codec, type ItemType, itemType } from "../../topology/items/index.ts";
import { header, keptBytes, text } from "./parse-items.ts";

/** Which visit a request, and its answer, belong to. */
export interface Claim {
  /** The life of the unit that sent it; answers for an earlier life belong to nobody. */
  readonly run: string;
  /** Counts up in each run. */
  readonly number: number;
}

/** Depths inside hosts are limited by the process that asks. */
type AskedTicket = Required<Omit<Ticket, "hostDepth">>;

export interface PageRequest extends Claim {
  /** Whether it was sent before, to an earlier life of the other process. */
  readonly isAgain: boolean;
  readonly ticket: AskedTicket;
}

/** When, where and how often a page was asked for. */
export interface FetchFacts {
  readonly address: string | null;
  /** 0 for the first try. */
  readonly attempt: number;
  readonly durationMs: number;
  /** By the wall clock. */
  readonly fetchedAtMs: number;
}

export interface FetchedAnswer extends Claim, FetchFacts, Omit<FetchedOutcome, "body"> {
  readonly body: Uint8Array;
}

export interface FailedAnswer extends Claim, FetchFacts {
  readonly kind: "failed";
  readonly code: ErrorCode;
  readonly message: string;
}

/** Its host was given up before. */
export interface UnfetchedAnswer extends Claim {
  readonly kind: "unfetched";
  readonly code: ErrorCode;
}

export interface RefusedAnswer extends Claim, Omit<RefusedSeed, "ticket"> {
  readonly kind: "refused";
}

/** A robots.txt names sitemaps. */
interface SitemapsAnswer {
  readonly kind: "sitemaps";
  readonly urls: readonly FetchableUrl[];
  readonly via: FetchableUrl;
}

/** A life of the other process begins, which knows of no request of an earlier one. */
interface BegunAnswer {
  readonly kind: "begun";
}

export type ClaimedAnswer = FetchedAnswer | FailedAnswer | UnfetchedAnswer | RefusedAnswer;
export type PageAnswer = ClaimedAnswer | SitemapsAnswer | BegunAnswer;

/** A text that has a narrower type on our side; both ends run the same version. */
const narrow = <Narrow extends string>(): Codec<Narrow> => text as unknown as Codec<Narrow>;

const claim = { run: codec.text, number: codec.count };

const facts = {
  ...{ address: codec.nullable(text), attempt: codec.count },
  ...{ durationMs: codec.float, fetchedAtMs: codec.float },
};

const ticket = codec.struct<AskedTicket>({
  ...{ url: narrow<FetchableUrl>(), high: codec.count, low: codec.count, depth: codec.count },
  ...{ via: codec.nullable(text), redirects: codec.count, priority: codec.float },
  requisite: codec.count,
});

const sent = codec.struct<SentRequest>({ head: text, protocol: narrow<SentRequest["protocol"]>() });

type Bare<Kind extends PageAnswer["kind"]> = Omit<Extract<PageAnswer, { kind: Kind }>, "kind">;

const KINDS: { readonly [Kind in PageAnswer["kind"]]: Codec<Bare<Kind>> } = {
  fetched: codec.struct<Bare<"fetched">>({
    ...{ ...claim, ...facts, status: codec.count, reason: text, headers: codec.list(header) },
    ...{ request: codec.nullable(sent), body: keptBytes, answerMs: codec.float },
    truncatedBy: codec.nullable(narrow<NonNullable<FetchedOutcome["truncatedBy"]>>()),
  }),
  failed: codec.struct<Bare<"failed">>({
    ...{ ...claim, ...facts, code: narrow<ErrorCode>(), message: text },
  }),
  unfetched: codec.struct<Bare<"unfetched">>({ ...claim, code: narrow<ErrorCode>() }),
  refused: codec.struct<Bare<"refused">>({
    ...{ ...claim, reason: narrow<RefusedSeed["reason"]>() },
    cause: codec.json<RefusedSeed["cause"]>(),
  }),
  sitemaps: codec.struct<Bare<"sitemaps">>({
    ...{ urls: codec.list(narrow<FetchableUrl>()), via: narrow<FetchableUrl>() },
  }),
  begun: codec.struct<Bare<"begun">>({}),
};

const answer: Codec<PageAnswer> = {
  write(item, into) {
    into.text(item.kind);
    (KINDS[item.kind] as Codec<unknown>).write(item, into);
  },
  read(from) {
    const kind = from.text();
    const known = (KINDS as Readonly<Record<string, Codec<object>>>)[kind];
    if (known === undefined || !Object.hasOwn(KINDS, kind)) {
      throw new CrawlError("TOPOLOGY_ITEM_MALFORMED", `There is no answer of the kind ${kind}.`);
    }
    return { ...known.read(from), kind } as PageAnswer;
  },
};

export const RequestItem: ItemType<PageRequest> = itemType(
  "page-request",
  codec.struct<PageRequest>({ ...claim, isAgain: codec.flag, ticket }),
);

export const AnswerItem: ItemType<PageAnswer> = itemType("page-answer", answer);
