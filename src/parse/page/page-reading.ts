/**
 * One page being read: its first bytes decide which parser reads it; all of them go to that parser
 * and to the digests, in one pass.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../base/errors/index.ts";
import { encodingOfLabel } from "../../formats/charset/index.ts";
import {
  countWords,
  type Declared,
  documentBase,
  isoDate,
  resolveLink,
} from "../../formats/html/index.ts";
import { headerValue, headerValues, parseContentType } from "../../formats/http/index.ts";
import type { LanguageIdentifier } from "../../formats/language/index.ts";
import { type PageDirectives, pageDirectives } from "../../formats/robots/index.ts";
import type { DocumentParser, DocumentReader } from "./document-parser.ts";
import { type HeaderFacts, headerFacts, headerLinks } from "./link-header.ts";
import type { PageDigests } from "./page-digests.ts";
import type { Findings, FoundLink, ParsedPage, ParseSource } from "./parsed-page.ts";

/** How all pages of a lane are read. */
export interface ReadingPlan {
  /** By name, in the order in which they are asked; the last one accepts everything. */
  readonly parsers: readonly (readonly [name: string, parser: DocumentParser])[];
  readonly keepsText: boolean;
  readonly keepsWords: boolean;
  readonly keepsFacts: boolean;
  /** Whether the links of `Link` headers count. */
  readonly takesHeaderLinks: boolean;
  readonly robotsToken: string;
  readonly language: LanguageIdentifier | null;
  readonly wallMs: () => number;
}

const NO_BYTES = new Uint8Array(0);

const NOTHING_DECLARED: Declared = { alternates: [], published: "", modified: "", types: [] };

const NO_FACTS: HeaderFacts = { canonical: undefined, alternates: [] };

const NO_DIRECTIVES = pageDirectives({ headers: [], metas: [] }, "");

export class PageReading {
  readonly #plan: ReadingPlan;
  readonly #source: ParseSource;
  readonly #digests: PageDigests;
  readonly #linkHeaders: readonly string[];
  #parserName = "";
  #parser: DocumentParser | null = null;
  #reader: DocumentReader | null = null;
  #media = "";

  constructor(plan: ReadingPlan, source: ParseSource, digests: PageDigests) {
    this.#plan = plan;
    this.#source = source;
    this.#digests = digests;
    this.#linkHeaders = headerValues(source.headers, "link");
  }

  write(bytes: Uint8Array): void {
    if (this.#reader === null) this.#begin(bytes);
    const digest = this.#parser?.digest;
    if (digest !== "tags") this.#digests.body(bytes, digest === "text");
    this.#reader?.write(bytes);
  }

  end(payloadSha1: Uint8Array, failure: CrawlError | null): ParsedPage {
    if (this.#reader === null) this.#begin(NO_BYTES);
    assert(this.#reader !== null, "every document has a parser");
    const findings = this.#reader.end(failure === null && this.#source.isCut !== true);
    const digests = this.#digests;
    digests.finish(this.#source.redirectTo);
    const { text } = findings;
    const links = this.#links(findings);
    const base = this.#base(findings);
    return {
      parser: this.#parserName,
      media: this.#media,
      encoding: findings.encoding,
      title: findings.title,
      description: findings.description,
      canonical: this.#canonical(findings, base),
      declaredLanguage: findings.language || this.#headerLanguage,
      language: this.#plan.language?.identify(text) ?? "",
      links,
      linksTooLong: findings.linksTooLong,
      base,
      directives: this.#directives(findings),
      text: this.#plan.keepsText ? text : "",
      declared: this.#plan.keepsFacts ? this.#declared(findings, base) : null,
      words: this.#plan.keepsWords ? countWords(text) : null,
      stripped: digests.stripped,
      near: digests.near,
      payloadSha1,
      truncated: findings.truncated,
      failure,
      ...this.#fault(),
    };
  }

  /** What a kernel threw while its twins made the digests in its place. */
  #fault(): Pick<ParsedPage, "fault"> {
    const thrown = this.#digests.takeThrown();
    if (thrown === null) return {};
    const { url } = this.#source;
    const why = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    const message =
      `A kernel failed while ${url} was digested: ${why}. It was digested without the kernel, so ` +
      "nothing is lost; please report the entry of logs/faults.log.";
    return { fault: new CrawlError("INTERNAL_KERNEL", message, { url }, thrown) };
  }

  #begin(bytes: Uint8Array): void {
    const { url, headers, isSitemap = false } = this.#source;
    const { media, charset } = parseContentType(headerValue(headers, "content-type"));
    const head = { url, media, headerEncoding: encodingOfLabel(charset), bytes, isSitemap };
    const found = this.#plan.parsers.find(([, parser]) => parser.accepts(head));
    assert(found !== undefined, "the last parser accepts everything");
    [this.#parserName, this.#parser] = found;
    this.#media = media === "" ? this.#parser.media : media;
    this.#digests.begin();
    this.#reader = this.#parser.open(head, this.#digests);
  }

  /** The links of headers come before those of the body. */
  #links({ links }: Findings): readonly FoundLink[] {
    if (this.#linkHeaders.length === 0 || !this.#plan.takesHeaderLinks) return links;
    return [...headerLinks(this.#linkHeaders), ...links];
  }

  get #headerLanguage(): string {
    return headerValue(this.#source.headers, "content-language") ?? "";
  }

  #base({ base, encoding }: Findings): string {
    return encoding === "" ? this.#source.url : documentBase(this.#source.url, base, encoding);
  }

  /** What the page says counts before what its header says. */
  #canonical({ canonical: written, encoding }: Findings, base: string): string {
    if (written === undefined) return this.#fromHeader(this.#headerFacts.canonical);
    if (encoding === "") return URL.parse(written, base)?.href ?? "";
    return resolveLink(written, base, encoding) ?? "";
  }

  get #headerFacts(): HeaderFacts {
    return this.#linkHeaders.length === 0 ? NO_FACTS : headerFacts(this.#linkHeaders);
  }

  /** A base in the page does not count for its headers (RFC 8288). */
  #fromHeader(written: string | undefined): string {
    return written === undefined ? "" : (URL.parse(written, this.#source.url)?.href ?? "");
  }

  /** A page that does not say when it was modified was when its server says so. */
  #declared({ declared, encoding }: Findings, base: string): Declared {
    const { alternates, published, modified, types } = declared ?? NOTHING_DECLARED;
    const absolute = (written: string): string =>
      encoding === "" ? "" : (resolveLink(written, base, encoding) ?? "");
    const all = [
      ...this.#headerFacts.alternates.map((one) => ({ ...one, url: this.#fromHeader(one.url) })),
      ...alternates.map((alternate) => ({ ...alternate, url: absolute(alternate.url) })),
    ];
    return {
      ...{ published, types },
      modified: modified || isoDate(headerValue(this.#source.headers, "last-modified") ?? ""),
      alternates: all.filter(({ url }) => url !== ""),
    };
  }

  /**
   * After its `unavailable_after` a page must be neither indexed nor archived: the stricter of the two
   * readings of the directive. Its links are not affected.
   */
  #directives(findings: Findings): PageDirectives {
    const robotsTags = headerValues(this.#source.headers, "x-robots-tag");
    if (robotsTags.length === 0 && findings.robots.length === 0) return NO_DIRECTIVES;
    const sources = { headers: robotsTags, metas: findings.robots };
    const directives = pageDirectives(sources, this.#plan.robotsToken);
    const { unavailableAfterMs } = directives;
    if (unavailableAfterMs === null || unavailableAfterMs > this.#plan.wallMs()) return directives;
    return { ...directives, noindex: true, noarchive: true };
  }
}
