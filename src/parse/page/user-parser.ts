/**
 * Parsers of users: modules that `parse.parsers` names. Such a module exports `createParser()`, which
 * gives an object with `accepts(document)` and `read(document)`. It gets the first megabyte of a document,
 * or more on request, at once and gives what it found there; whatever it leaves out is empty.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import { FirstBytes } from "./first-bytes.ts";
import { type Findings, type FoundLink, NOTHING_FOUND } from "./parsed-page.ts";

/** This much of a document is read unless more is asked for; the rest is only digested. */
const BYTES_MAX = 1024 * 1024;

/** A document as a user's parser sees it. */
export interface UserDocument {
  /** Absolute. */
  readonly url: string;
  /** In lower case, without parameters; "" when not declared. */
  readonly media: string;
  /** Its first bytes for `accepts`, up to `bytesMax` of it for `read`. */
  readonly bytes: Uint8Array;
}

/** What a user's parser finds; links are as written, relative ones to the document's URL. */
export interface UserFindings {
  readonly links?: readonly (string | { readonly url: string; readonly text?: string })[];
  readonly title?: string;
  readonly description?: string;
  /** ISO 639-1. */
  readonly language?: string;
  readonly text?: string;
}

export interface UserParser {
  /** What a document without a media type is recorded as. */
  readonly media?: string;
  /** How many bytes of a document `read` gets: a megabyte unless said otherwise. */
  readonly bytesMax?: number;
  accepts(document: UserDocument): boolean;
  read(document: UserDocument): UserFindings;
}

/** Rejects with `PARSE_PARSER_UNKNOWN` when the module cannot be used. */
export async function loadParser(
  module: string,
  importModule: (name: string) => Promise<Readonly<Record<string, unknown>>>,
): Promise<DocumentParser> {
  let parser: unknown;
  try {
    const { createParser } = await importModule(module);
    if (typeof createParser !== "function") throw new Error("it exports no function createParser");
    parser = await createParser();
  } catch (error) {
    throw unusable(module, thrownReason(error), error);
  }
  if (isParser(parser)) return new UserDocuments(parser);
  throw unusable(module, "what createParser returned has no methods accepts and read");
}

class UserDocuments implements DocumentParser {
  readonly media: string;
  readonly digest = "bytes";
  readonly #parser: UserParser;

  constructor(parser: UserParser) {
    this.media = parser.media ?? "application/octet-stream";
    this.#parser = parser;
  }

  accepts({ url, media, bytes }: DocumentHead): boolean {
    return this.#parser.accepts({ url, media, bytes }) === true;
  }

  open({ url, media }: DocumentHead): DocumentReader {
    const first = new FirstBytes(this.#parser.bytesMax ?? BYTES_MAX);
    return {
      write: (bytes) => first.write(bytes),
      end: () => findingsOf(this.#parser.read({ url, media, bytes: first.joined() })),
    };
  }
}

function findingsOf(found: UserFindings): Findings {
  const { links = [], title = "", description = "", language = "", text = "" } = found;
  return { ...NOTHING_FOUND, title, description, language, text, links: links.map(linkOf) };
}

function linkOf(link: NonNullable<UserFindings["links"]>[number]): FoundLink {
  const { url, text = "" } = typeof link === "string" ? { url: link } : link;
  return { url: String(url), kind: "a", rel: "", text };
}

function isParser(value: unknown): value is UserParser {
  if (typeof value !== "object" || value === null) return false;
  const { accepts, read } = value as Partial<Record<keyof UserParser, unknown>>;
  return typeof accepts === "function" && typeof read === "function";
}

function unusable(module: string, reason: string, cause?: unknown): CrawlError {
  const message =
    `parse.parsers names the module ${module}, which cannot be used: ${reason}. ` +
    "A parser is a module that exports createParser(), which returns an object with " +
    "accepts(document) and read(document); docs/topologies.md has an example.";
  return new CrawlError("PARSE_PARSER_UNKNOWN", message, { parser: module }, cause);
}
