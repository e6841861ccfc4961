/**
 * Questions about the pages of the whole crawl, asked of any of its agents (Q1 to Q3): a page comes from
 * whoever shows it, everything else from all agents. An answer says who has not answered; a page of which
 * only those could know is `CLUSTER_ANSWER_MISSING`.
 */
import { CrawlError, isCrawlError } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { quoted } from "../../../base/text/index.ts";
import { SECOND_MS } from "../../../base/units/index.ts";
import { type Place, placeText } from "../../../cluster/messages/index.ts";
import type { ClusterNode } from "../../../cluster/node/index.ts";
import type {
  PageAnswer as FoundPage,
  Query,
  StreamBatch,
} from "../../../cluster/queries/index.ts";
import type { RingKey } from "../../../cluster/ring/index.ts";
import type { PageRow } from "../../../store/export/index.ts";
import { loadPageFilter } from "../../../store/query/index.ts";
import {
  answerIn,
  contentIn,
  type Kind,
  type LinksAsked,
  type LinksFound,
  linksAbsent,
  type MissingAgent,
  type PageAnswer,
  type PageContent,
  type PagesAsked,
  type PagesFound,
  pageAbsent,
  type Questions,
  refused,
} from "../../control/ask-crawl.ts";
import type { PageAnswers } from "../../control/page-questions.ts";
import { bestStory, type Explanation } from "../../explain/explanation.ts";
import {
  type Positions,
  positionsIn,
  printMemberCursor,
  queryCursorOf,
  readMemberCursor,
} from "./member-cursor.ts";
import { type AskedPage, readPage, readRow } from "./page-message.ts";
import {
  itemIn,
  type LinkItem,
  PAGE_QUERIES,
  type PageItem,
  pagesQuery,
  type StoryItem,
  wholeQuery,
} from "./page-queries.ts";

export interface MemberPagesParts {
  readonly clock: Clock;
  readonly queries: Pick<ClusterNode["queries"], "get" | "stream">;
  /** Of the directory of this agent. */
  readonly own: Pick<PageAnswers, "ask">;
  /** The crawl, for its cursors. */
  readonly crawl: string;
  /** Whose owner knows of a URL; null for a text that is not one. */
  readonly hostOf: (url: string) => RingKey | null;
}

type PageEnd = Awaited<ReturnType<Extract<FoundPage, { kind: "page" }>["read"]>>;

/** Looking through pages ends after about this long, and goes on with the next question. */
const LOOK_MS = 5 * SECOND_MS;
/** How often a page is read again that is fetched again meanwhile. */
const READS_MAX = 3;

type Missing = StreamBatch["missing"];

interface Texts {
  readonly texts: readonly Uint8Array[];
  readonly missing: readonly MissingAgent[];
}

type Asks = {
  readonly [Of in Kind]: (asked: Questions[Of]["asks"]) => Promise<Questions[Of]["gives"]>;
};

export class MemberPages implements PageAnswers {
  readonly #parts: MemberPagesParts;
  readonly #asks: Asks;

  constructor(parts: MemberPagesParts) {
    const { own } = parts;
    this.#parts = parts;
    this.#asks = {
      page: ({ url, text = false, links = false }) =>
        text || links ? this.#whole({ url, text, links }) : this.#row(url),
      pages: (asked) => this.#pages(asked),
      content: ({ url }) => this.#content(url),
      answer: ({ url }) => this.#answer(url),
      links: (asked) => this.#links(asked),
      explain: ({ url }) => this.#story(url),
      // What happens here, and what is tried again here.
      latest: (asked) => own.ask("latest", asked),
      failed: (asked) => own.ask("failed", asked),
    };
  }

  ask<Of extends Kind>(kind: Of, asked: Questions[Of]["asks"]): Promise<Questions[Of]["gives"]> {
    return this.#asks[kind](asked);
  }

  /** What reads the directory of this agent is closed with the agent. */
  async close(): Promise<void> {}

  async #row(url: string): Promise<PageRow | null> {
    const found = await this.#find(url);
    if (found === null) return null;
    const pieces: Uint8Array[] = [];
    let row: PageRow | CrawlError | null = null;
    const end = await readUntil(found, (bytes) => {
      pieces.push(bytes);
      row = readRow(Buffer.concat(pieces));
      return row !== null;
    });
    if (end !== null && "missing" in end) throw unanswered(url, [missingOf(end.missing)]);
    if (row === null) throw unanswered(url, [{ agent: found.holder.id, why: "failed" }]);
    if (isCrawlError(row)) throw row;
    return row;
  }

  async #content(url: string): Promise<PageContent> {
    const { row, outcome } = await this.#read(url);
    return contentIn(row, outcome);
  }

  async #answer(url: string): Promise<PageAnswer> {
    const { row, outcome } = await this.#read(url);
    return answerIn(row, outcome);
  }

  /** Where the page is, once it is known that it is somewhere; null if it is nowhere. */
  async #find(url: string): Promise<Extract<FoundPage, { kind: "page" }> | null> {
    const host = this.#parts.hostOf(url);
    if (host === null) return null;
    const found = await new Promise<FoundPage>((resolve) =>
      this.#parts.queries.get(url, host, resolve),
    );
    if (found.kind === "absent") return null;
    if (found.kind === "page") return found;
    throw unanswered(url, found.missing.map(missingOf));
  }

  async #read(url: string): Promise<AskedPage> {
    for (let tries = 1; ; tries += 1) {
      const found = await this.#find(url);
      if (found === null) throw pageAbsent(url);
      const pieces: Uint8Array[] = [];
      const end = await found.read((bytes) => void pieces.push(bytes));
      if (end.kind === "cut") throw unanswered(url, [missingOf(end.missing)]);
      if (end.kind === "changed") {
        if (tries < READS_MAX) continue;
        throw unanswered(url, [{ agent: found.holder.id, why: "failed" }]);
      }
      const page = readPage(Buffer.concat(pieces));
      if (isCrawlError(page)) throw page;
      return page;
    }
  }

  async #pages(asked: PagesAsked): Promise<PagesFound> {
    const { crawl, clock } = this.#parts;
    const { prefix, filter = null, text = false, links = false, after, limit } = asked;
    const positions = after === null ? new Map<string, string>() : this.#positionsAt(after);
    if (filter !== null) await loadPageFilter(filter, "filter");
    const wanted = { prefix, filter, text, links };
    const untilMs = clock.nowMs() + LOOK_MS;
    const found: PageRow[] = [];
    const cursors: string[] = [];
    let reached: Positions = positions;
    let missing: readonly MissingAgent[] = [];
    const stream = this.#stream(pagesQuery(wanted), queryCursorOf(positions));
    const isAll = await stream(async (batch) => {
      missing = batch.missing.map(missingOf);
      for (const bytes of batch.items) {
        const item = itemIn<PageItem>(bytes);
        if (item === null || batch.from === null) continue;
        reached = new Map([...reached, [placeText(batch.from), String(item.at)]]);
        const { page, isCut = false } = item;
        found.push(isCut ? await this.#wholeOf(page, wanted) : page);
        cursors.push(printMemberCursor(crawl, reached));
        if (found.length >= limit) return false;
      }
      reached = positionsIn(batch.cursor);
      return clock.nowMs() < untilMs;
    });
    const end = printMemberCursor(crawl, reached);
    return { pages: found, cursors, cursor: isAll ? null : end, end, missing };
  }

  #positionsAt(cursor: string): Positions {
    const positions = readMemberCursor(this.#parts.crawl, cursor);
    if (positions !== null) return positions;
    throw refused(`${quoted(cursor)} is not a cursor of this crawl.`);
  }

  /** The page with its text and links, or bare if it has gone meanwhile. */
  async #wholeOf(page: PageRow, wanted: { text: boolean; links: boolean }): Promise<PageRow> {
    const { text, links } = wanted;
    return (await this.#whole({ url: page.url, text, links })) ?? page;
  }

  async #whole(wanted: Parameters<typeof wholeQuery>[0]): Promise<PageRow | null> {
    const { texts, missing } = await this.#texts(wholeQuery(wanted));
    for (const text of texts) {
      const page = itemIn<PageRow>(text);
      if (page !== null) return page;
    }
    if (missing.length > 0) throw unanswered(wanted.url, missing);
    return null;
  }

  async #links(asked: LinksAsked): Promise<LinksFound> {
    const { crawl } = this.#parts;
    const { url, direction, after, limit } = asked;
    const what = direction === "in" ? PAGE_QUERIES.linksIn : PAGE_QUERIES.linksOut;
    let reached = after === null ? new Map<string, string>() : this.#positionsAt(after);
    let isKnown = after !== null || direction === "in";
    let missing: readonly MissingAgent[] = [];
    const links: LinksFound["links"][number][] = [];
    const stream = this.#stream({ what, argument: url }, queryCursorOf(reached));
    const isAll = await stream(async (batch) => {
      missing = batch.missing.map(missingOf);
      for (const bytes of batch.items) {
        const item = itemIn<LinkItem>(bytes);
        if (item === null || batch.from === null) continue;
        isKnown = true;
        reached = new Map([...reached, [placeText(batch.from), String(item.at)]]);
        if (item.link !== null) links.push(item.link);
        if (links.length >= limit) return false;
      }
      reached = positionsIn(batch.cursor);
      return true;
    });
    if (!isKnown && missing.length > 0) throw unanswered(url, missing);
    if (!isKnown) throw linksAbsent(url);
    return { links, cursor: isAll ? null : printMemberCursor(crawl, reached), missing };
  }

  /** That of the agent that knows most of it. */
  async #story(url: string): Promise<Explanation | null> {
    const { texts, missing } = await this.#texts({ what: PAGE_QUERIES.story, argument: url });
    const best = bestStory(texts.map((text) => itemIn<StoryItem>(text)));
    const isMet = best !== null && best.state !== "unknown";
    if (!isMet && missing.length > 0) throw unanswered(url, missing);
    return best;
  }

  /** What each agent has told in pieces. */
  async #texts(query: Query): Promise<Texts> {
    for (let tries = 1; ; tries += 1) {
      const { told, missing } = await this.#pieces(query);
      const isTorn = missing.some(({ place }) => told.has(placeText(place)));
      if (isTorn && tries < READS_MAX) continue;
      const texts = [...told.values()].map((pieces) => Buffer.concat(pieces));
      return { texts, missing: missing.map(missingOf) };
    }
  }

  /** Once. Whoever has told some pieces and is missing may have another text by now. */
  async #pieces(query: Query): Promise<{ told: Map<string, Uint8Array[]>; missing: Missing }> {
    const told = new Map<string, Uint8Array[]>();
    let missing: Missing = [];
    const stream = this.#stream(query, "");
    await stream(async (batch) => {
      missing = batch.missing;
      if (batch.from === null) return true;
      const place = placeText(batch.from);
      told.set(place, [...(told.get(place) ?? []), ...batch.items]);
      return true;
    });
    return { told, missing };
  }

  /** Reads until the end, or until `take` has enough; resolves with whether it was the end. */
  #stream(
    query: Query,
    cursor: string,
  ): (take: (batch: StreamBatch) => Promise<boolean>) => Promise<boolean> {
    return async (take) => {
      const stream = this.#parts.queries.stream(query, cursor);
      try {
        for (;;) {
          const batch = await new Promise<StreamBatch>((resolve) => stream.next(resolve));
          const goesOn = await take(batch);
          if (batch.from === null) return true;
          if (!goesOn) return false;
        }
      } finally {
        stream.close();
      }
    };
  }
}

const ENOUGH = Symbol("enough was read");

/** Reads a page until `take` has enough; what else ended it, or null. */
async function readUntil(
  { read }: Extract<FoundPage, { kind: "page" }>,
  take: (bytes: Uint8Array) => boolean,
): Promise<PageEnd | null> {
  try {
    return await read((bytes) => {
      if (take(bytes)) throw ENOUGH;
    });
  } catch (thrown) {
    if (thrown !== ENOUGH) throw thrown;
    return null;
  }
}

function missingOf({ place, why }: { place: Place; why: MissingAgent["why"] }): MissingAgent {
  return { agent: place.id, why };
}

const WHY: Readonly<Record<MissingAgent["why"], string>> = {
  dead: "is dead",
  "given-up": "was given up",
  "timed-out": "does not answer",
  failed: "could not answer",
};

function unanswered(url: string, missing: readonly MissingAgent[]): CrawlError {
  const agents = missing.map(({ agent, why }) => `agent ${agent} ${WHY[why]}`);
  const who = agents.length === 0 ? "nobody is there who could know" : agents.join(", ");
  return new CrawlError(
    "CLUSTER_ANSWER_MISSING",
    `What the crawl has of ${quoted(url)} cannot be said: ${who}.`,
    { agents: missing.map(({ agent }) => agent).join(",") },
  );
}
