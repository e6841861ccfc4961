/**
 * The parsing of one lane: made once from the configuration, then used for page after page.
 *
 * By construction, work is linear in the length of a body and memory is bounded, so there is no time
 * limit: 10 MiB of the worst markup take a fraction of a second.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Body, Clock } from "../../base/seams/index.ts";
import type { ExtractOptions } from "../../formats/html/index.ts";
import { type LanguageIdentifier, openLanguageIdentifier } from "../../formats/language/index.ts";
import type { LinkKind } from "../../formats/link/index.ts";
import { TDM_RESERVATION } from "../../formats/robots/index.ts";
import { type Configuration, PARSERS } from "../../rules/config/index.ts";
import { KeyedBlocks } from "../digest/index.ts";
import { bodySha1, readPieces } from "./body-pieces.ts";
import { CssDocuments } from "./css-documents.ts";
import type { DocumentParser } from "./document-parser.ts";
import { EntryDocuments } from "./entry-documents.ts";
import { HtmlDocuments } from "./html-documents.ts";
import { type PageDigestOptions, PageDigests } from "./page-digests.ts";
import { PageReading, type ReadingPlan } from "./page-reading.ts";
import type { ParsedPage, ParseSource } from "./parsed-page.ts";
import { BinaryDocuments, TextDocuments } from "./plain-documents.ts";
import { REQUISITE_LINKS } from "./requisites.ts";

/** What a parsing is made from, as far as it can be sent to another process. */
interface ParsingTerms {
  readonly settings: Configuration["parse"];
  /** `limits.linksPerPage` and `limits.urlLength`. */
  readonly linksMax: number;
  readonly urlLengthMax: number;
  /** The product token to which pages may address their directives. */
  readonly robotsToken: string;
  /** Whether the full text is needed, if `parse.text` is `auto`. */
  readonly wantsText?: boolean | undefined;
  /** Whether alternates, dates and types are needed. */
  readonly wantsFacts?: boolean | undefined;
}

export interface ParsingOptions extends ParsingTerms {
  /** The 16 secret bytes of the crawl. */
  readonly crawlKey: Uint8Array;
  /** For `unavailable_after` directives. */
  readonly clock: Clock;
  /** Used only if `parse.language` is on; null if no tables were loaded. */
  readonly language: LanguageIdentifier | null;
  /** Parsers of users, by the names that `parse.parsers` calls them. */
  readonly modules?: ReadonlyMap<string, DocumentParser> | undefined;
}

/** If text is needed only to identify its language, the beginning of it is enough. */
const LANGUAGE_TEXT_BYTES = 4096;

export class Parsing {
  readonly #options: ParsingOptions;
  readonly #plan: ReadingPlan;
  readonly #digestOptions: PageDigestOptions;
  /** Not used by any page now. */
  #idle: PageDigests | undefined;
  #terms: string | null | undefined;

  constructor(options: ParsingOptions) {
    const { settings, crawlKey, clock } = options;
    this.#options = options;
    this.#digestOptions = {
      blocks: new KeyedBlocks(crawlKey),
      crawlKey,
      near: settings.nearDuplicates,
    };
    this.#plan = {
      parsers: parsersOf(options),
      keepsText: keepsText(options),
      keepsWords: settings.words,
      keepsFacts: options.wantsFacts ?? false,
      takesHeaderLinks: settings.links.includes("link") || settings.requisites,
      robotsToken: options.robotsToken,
      language: settings.language ? options.language : null,
      wallMs: () => clock.wallMs(),
    };
  }

  /**
   * What another process must know to parse as this one does: `parsingByTerms` reads it. Null if that
   * cannot, since modules of the user parse too.
   */
  get terms(): string | null {
    if (this.#terms === undefined) this.#terms = termsOf(this.#options);
    return this.#terms;
  }

  /**
   * Reads a page and calls `done` exactly once: **inside this call** if both the body and the one it
   * was decoded from are in memory, later if one of them is on disk. Neither may be released before.
   * Whatever the body contains, the result is a page.
   */
  parse(source: ParseSource, body: Body, done: (parsed: ParsedPage) => void): void {
    bodySha1(source.received ?? body, (sha1, hashFailure) => {
      const digests = this.#idle ?? new PageDigests(this.#digestOptions);
      this.#idle = undefined;
      const reading = new PageReading(this.#plan, source, digests);
      readPieces(
        body,
        (piece) => reading.write(piece),
        (failure) => {
          const parsed = reading.end(sha1, failure ?? hashFailure);
          this.#idle = digests;
          done(parsed);
        },
      );
    });
  }
}

/**
 * A parsing that gives the same pages as the one whose terms these are. Throws if they are not the terms
 * of a parsing of this version.
 */
export async function parsingByTerms(terms: string, clock: Clock): Promise<Parsing> {
  const { crawlKey, ...options }: ParsingTerms & { readonly crawlKey: string } = JSON.parse(terms);
  return new Parsing({
    ...{ ...options, clock, crawlKey: Buffer.from(crawlKey, "hex") },
    language: options.settings.language ? await openLanguageIdentifier() : null,
  });
}

function termsOf(options: ParsingOptions): string | null {
  if ((options.modules?.size ?? 0) > 0) return null;
  const { linksMax, urlLengthMax, robotsToken, wantsText, wantsFacts } = options;
  const language = options.settings.language && options.language !== null;
  const settings = { ...options.settings, language };
  const terms: ParsingTerms = {
    ...{ settings, linksMax, urlLengthMax, robotsToken, wantsText, wantsFacts },
  };
  return JSON.stringify({ ...terms, crawlKey: Buffer.from(options.crawlKey).toString("hex") });
}

function parsersOf(options: ParsingOptions): ReadingPlan["parsers"] {
  const { settings, linksMax, urlLengthMax, modules } = options;
  const extract = extractOptions(options);
  const own: Readonly<Record<(typeof PARSERS)[number], () => DocumentParser>> = {
    html: () => new HtmlDocuments(extract),
    sitemap: () => new EntryDocuments("sitemap", { urlLengthMax }),
    feed: () => new EntryDocuments("feed", { urlLengthMax, entriesMax: linksMax }),
    text: () => new TextDocuments(extract),
    binary: () => new BinaryDocuments(),
  };
  const named = settings.parsers.map((name): readonly [string, DocumentParser] => {
    const ours = PARSERS.find((parser) => parser === name);
    const parser = modules?.get(name) ?? (ours === undefined ? undefined : own[ours]());
    if (parser === undefined) throw unknownParser(name);
    return [name, parser];
  });
  const sheets: ReadingPlan["parsers"] = settings.requisites
    ? [["css", new CssDocuments(linksMax)]]
    : [];
  // Whatever is configured, every body is digested.
  return [...sheets, ...named, ["binary", new BinaryDocuments()]];
}

function keepsText({ settings, wantsText = false }: ParsingOptions): boolean {
  return settings.text === "auto" ? wantsText : settings.text;
}

function extractOptions(options: ParsingOptions): ExtractOptions {
  const { settings, linksMax, robotsToken, language } = options;
  const followed: readonly LinkKind[] = settings.links;
  const kinds = settings.requisites ? [...followed, ...REQUISITE_LINKS] : followed;
  const needsText = keepsText(options) || settings.words;
  return {
    kinds: settings.scripts ? [...kinds, "string"] : kinds,
    robotsNames: ["robots", TDM_RESERVATION, robotsToken.toLowerCase()],
    linksMax,
    facts: options.wantsFacts ?? false,
    text: needsText || (settings.language && language !== null),
    ...(needsText ? {} : { textBytesMax: LANGUAGE_TEXT_BYTES }),
  };
}

function unknownParser(name: string): CrawlError {
  return new CrawlError(
    "PARSE_PARSER_UNKNOWN",
    `There is no parser ${JSON.stringify(name)}: parse.parsers takes ${PARSERS.join(", ")}, and ` +
      "modules that were loaded. Correct the name, or check that the module is loaded.",
    { parser: name },
  );
}
