/** A `Parsing` with the defaults of the configuration, and bodies to give it. */
import assert from "node:assert/strict";
import { CrawlError } from "../../../src/base/errors/index.ts";
import type { Body, Clock, Done } from "../../../src/base/seams/index.ts";
import { Fingerprinter } from "../../../src/formats/url/fingerprinter.ts";
import { type ParsedPage, type ParseSource, Parsing } from "../../../src/parse/page/index.ts";
import { type Configuration, readConfiguration } from "../../../src/rules/config/index.ts";

export const CRAWL_KEY: Uint8Array = Buffer.from("sixteen bytes ok");
export const HASHING: { fingerprintKey: Uint8Array; shards: number } = {
  fingerprintKey: CRAWL_KEY,
  shards: 64,
};
export const fingerprinter: Fingerprinter = new Fingerprinter(HASHING);
/** 2026-01-01, whatever the machine says. */
const WALL_MS = Date.UTC(2026, 0, 1);

export function parsingWith(
  changes: Partial<Configuration["parse"]> = {},
  more: Partial<ConstructorParameters<typeof Parsing>[0]> = {},
): Parsing {
  const reading = readConfiguration({});
  assert(reading.ok, "the defaults are legal");
  const { parse, limits } = reading.configuration;
  return new Parsing({
    settings: { ...parse, ...changes },
    linksMax: limits.linksPerPage,
    urlLengthMax: limits.urlLength,
    robotsToken: "trobar",
    crawlKey: CRAWL_KEY,
    clock: stillClock,
    language: null,
    wantsText: true,
    ...more,
  });
}

const stillClock: Clock = {
  nowMs: () => 0,
  wallMs: () => WALL_MS,
  after: () => assert.fail("parsing sets no timer"),
};

export class MemoryBody implements Body {
  readonly bytes: Uint8Array;
  readonly lengthBytes: number;

  constructor(content: string | Uint8Array) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.lengthBytes = this.bytes.length;
  }

  read(): void {
    assert.fail("a body in memory needs no reading");
  }

  release(): void {}
}

/** A body on disk: gives pieces of at most `pieceBytes`, later, and fails where it is told to. */
export class DiskBody implements Body {
  readonly bytes: null = null;
  readonly lengthBytes: number;
  readonly #content: Uint8Array;
  readonly #pieceBytes: number;
  readonly #failsAt: number;

  constructor(content: Uint8Array, pieceBytes: number, failsAt: number = Number.POSITIVE_INFINITY) {
    this.#content = content;
    this.lengthBytes = content.length;
    this.#pieceBytes = pieceBytes;
    this.#failsAt = failsAt;
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    const to = offset + Math.min(lengthBytes, this.#pieceBytes);
    const piece = Uint8Array.prototype.slice.call(this.#content, offset, to);
    queueMicrotask(() => {
      if (to > this.#failsAt) done(new CrawlError("STORAGE_FAILED", "broken"), undefined);
      else done(null, piece);
      // Code that kept the piece instead of reading it finds this.
      piece.fill(0x58);
    });
  }

  release(): void {}
}

export function parsed(parsing: Parsing, source: ParseSource, body: Body): ParsedPage {
  let page: ParsedPage | undefined;
  parsing.parse(source, body, (one) => {
    page = one;
  });
  assert(page !== undefined, "a body in memory is parsed inside the call");
  return page;
}

export function parsedLater(
  parsing: Parsing,
  source: ParseSource,
  body: Body,
): Promise<ParsedPage> {
  return new Promise((resolve) => {
    parsing.parse(source, body, resolve);
  });
}
