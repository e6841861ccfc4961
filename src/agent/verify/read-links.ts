/**
 * Reads the links of archived pages once more, as the units of the crawl did (`downloader`, `parser`,
 * `offers`), so that they can be compared with the link graph. Text, language and digests of pages are
 * left out.
 */
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { answered, type FetchedOutcome, type Storage } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { MIB } from "../../base/units/index.ts";
import {
  ContentDecoder,
  DECODING_LIMITS,
  type DecodedContent,
  openSpool,
  type PooledSpool,
} from "../../fetch/body/index.ts";
import { type FetchableUrl, LinkResolver } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { LinkFollower, type ParsedPage, Parsing } from "../../parse/page/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { FILTER_PLACES, type Filter, importFrom, loadFilter } from "../../rules/filter/index.ts";
import { LinkLines, type PageLinks } from "../../store/links/index.ts";
import type { ArchivedPage } from "../../store/query/index.ts";
import { withRefresh } from "../links/lead-to.ts";
import { addLinks } from "../links/page-links.ts";
import { loadParsers } from "../providers/open-parsing.ts";
import { memoryBody } from "../units/memory-body.ts";
import { AnswerReading } from "../visit/answer-reading.ts";
import { PageFacts } from "../visit/page-facts.ts";

export interface LinkReaderOptions {
  readonly configuration: Configuration;
  /** The 16 secret bytes of the crawl. */
  readonly fingerprintKey: Uint8Array;
  /** For bodies that do not fit into memory. */
  readonly scratch: Storage;
}

const SPOOL_BYTES = 64 * MIB;
/** Nothing that the crawl had to cut is read here. */
const DECODED_BYTES_MAX = 1024 * MIB;

export class LinkReader {
  readonly #parts: ReaderParts;

  private constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /** Loads the modules that the configuration names; null if one of them cannot be. */
  static async open(options: LinkReaderOptions): Promise<LinkReader | null> {
    try {
      return new LinkReader(await openParts(options));
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      return null;
    }
  }

  /** Null if the crawl keeps no links of the page; undefined if that cannot be told. */
  async read(page: ArchivedPage): Promise<PageLinks | null | undefined> {
    const answer = answerOf(page);
    const content = await this.#decode(answer);
    try {
      return await this.#readContent(page, answer, content);
    } finally {
      if (content.body !== answer.body) content.body.release();
    }
  }

  async #readContent(
    page: ArchivedPage,
    answer: FetchedOutcome,
    { body, error, truncatedBy }: DecodedContent,
  ): Promise<PageLinks | null | undefined> {
    const { answers, parse, follow, parsing, follower } = this.#parts;
    // Of such pages the crawl would have noted it.
    if (truncatedBy !== null || error?.facts["how"] === "damaged") return undefined;
    const { url, depth } = ticketOf(page);
    const facts = new PageFacts(ticketOf(page), answer, body);
    if (parse !== null && !parse.accepts(facts)) return null;
    const source = { url, headers: answer.headers, received: answer.body, isCut: page.isCut };
    const parsed = await new Promise<ParsedPage>((done) => parsing.parse(source, body, done));
    const leads = answers.leadsTo(answer, url);
    const refresh = leads.kind === "refreshed" ? leads.to : null;
    // The filter may have seen what is known of other pages.
    if (refresh !== null && follow !== null) return undefined;
    const lines = new LinkLines();
    const whole = refresh === null ? parsed : withRefresh(parsed, refresh);
    addLinks(follower, { url, depth, parsed: whole }, lines);
    return lines;
  }

  #decode(answer: FetchedOutcome): Promise<DecodedContent> {
    return new Promise((done) => this.#parts.answers.decode(answer, done));
  }
}

interface ReaderParts {
  readonly answers: AnswerReading;
  readonly parsing: Parsing;
  readonly follower: LinkFollower;
  readonly parse: Filter<PageFacts> | null;
  readonly follow: Filter<PageFacts> | null;
}

async function openParts(options: LinkReaderOptions): Promise<ReaderParts> {
  const { configuration, fingerprintKey, scratch } = options;
  const { limits, filters, parse, frontier, url } = configuration;
  const clock = new SystemClock();
  const importModule = importFrom(".", clock);
  const spool = await answered<PooledSpool>((done) =>
    openSpool({ memoryBytes: SPOOL_BYTES, storage: scratch, clock }, done),
  );
  const limitsOfDecoding = { ...DECODING_LIMITS, outputBytesMax: DECODED_BYTES_MAX };
  const decoder = new ContentDecoder({ clock, spool, limits: limitsOfDecoding });
  const schemes = schemesOf(configuration);
  const loading = { importModule, use: filters.modules, onFailure: (_error: CrawlError) => {} };
  return {
    answers: new AnswerReading({ clock, decoder, schemes, urlLengthMax: limits.urlLength }),
    parsing: new Parsing({
      settings: { ...parse, language: false, nearDuplicates: false, words: false, text: false },
      ...{ linksMax: limits.linksPerPage, urlLengthMax: limits.urlLength, robotsToken: "" },
      ...{ crawlKey: fingerprintKey, clock, language: null },
      modules: await loadParsers(parse.parsers, importModule),
    }),
    follower: new LinkFollower(
      new LinkResolver({
        ...{ fingerprintKey, shards: frontier.shards, rules: url, schemes },
        urlLengthMax: limits.urlLength,
      }),
    ),
    parse:
      filters.parse === null ? null : await loadFilter(filters.parse, FILTER_PLACES.parse, loading),
    follow:
      filters.follow === null
        ? null
        : await loadFilter(filters.follow, FILTER_PLACES.follow, loading),
  };
}

function ticketOf({ url, depth, via }: ArchivedPage): Ticket {
  const page = { url: url as FetchableUrl, depth, via: via as FetchableUrl | null };
  return { ...page, high: 0, low: 0, redirects: 0, priority: 0 };
}

function answerOf({ status, headers, payload }: ArchivedPage): FetchedOutcome {
  const body = memoryBody(payload);
  return {
    ...{ kind: "fetched", request: null, status, reason: "", headers, body },
    ...{ answerMs: 0, truncatedBy: null },
  };
}
