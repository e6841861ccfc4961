/**
 * Reads the links of the pages of the archive once more, while its records are checked. A page whose
 * record leaves the body out (a revisit) is read at the end, with the body of another record: those are
 * found by the digests of the bodies, sorted on disk.
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Header } from "../../../base/seams/index.ts";
import { parseHttpBlock, type ReadRecord } from "../../../formats/warc/index.ts";
import { baseName, type CrawlLine, isAboutPage, isFinal, noteOf } from "../../archive/index.ts";
import { LineSorter } from "../../export/index.ts";
import type { PageLinks } from "../../links/index.ts";
import type { CrawlKeys } from "../crawl-parts.ts";
import type { Place, RecordReader } from "../record-reader.ts";
import type { LinkComparison, LinkSpan, SaidOfLinks } from "./compare-links.ts";
import { SORTED_BYTES_MAX } from "./problem-list.ts";

/** An answer as it came from the web, with what its line says. */
export interface ArchivedPage {
  readonly url: string;
  readonly depth: number;
  readonly via: string | null;
  readonly status: number;
  /** Whether a limit has cut the body. */
  readonly isCut: boolean;
  readonly headers: readonly Header[];
  /** With its content encoding. */
  readonly payload: Uint8Array;
}

/** How the crawl reads the links of its pages. */
export interface LinkReading {
  /** Null if that is not known for any page. */
  readonly span: LinkSpan | null;
  /** Null if the crawl keeps none of the page; undefined if what it would keep cannot be told. */
  read(page: ArchivedPage): Promise<PageLinks | null | undefined>;
}

export interface ArchivedLinksParts {
  readonly reading: LinkReading;
  readonly comparison: LinkComparison;
  readonly keys: CrawlKeys;
  readonly reader: RecordReader;
  /** Absolute. */
  readonly scratch: string;
}

/** What a line says of the page whose record is read, as text that can be sorted. */
type PageText = string;

export class ArchivedLinks {
  readonly #parts: ArchivedLinksParts;
  readonly #bodies: LineSorter;
  #hasRevisits = false;

  constructor(parts: ArchivedLinksParts) {
    this.#parts = parts;
    this.#bodies = new LineSorter(join(parts.scratch, "bodies"), SORTED_BYTES_MAX);
  }

  /** Takes a line of the log: with what its record is to be read, or null if it is not. */
  addLine(line: CrawlLine, position: number): PageText | null {
    const { place, digest, url } = line;
    const isRevisit = noteOf(line, "duplicate") !== null;
    const isBare = noteOf(line, "noarchive") !== null || noteOf(line, "kept") !== null;
    const isBody = place !== null && !isRevisit && !isBare;
    if (isBody && digest !== null) this.#bodies.add(`${digest}\t0\t${placeText(place)}`);
    if (!isAboutPage(line) || !isFinal(line)) return null;
    const kind = this.#kindOf(line, position);
    if (kind !== "links" || place === null) {
      this.#say(url, position, { kind: kind === "none" ? "none" : "unknown" });
      return null;
    }
    const page = pageText(line, position);
    if (!isRevisit) return page;
    this.#hasRevisits = true;
    this.#bodies.add(`${digest}\t1\t${placeText(place)}\t${page}\t${url}`);
    return null;
  }

  /** Takes the record of a line. */
  async take(url: string, page: PageText, record: ReadRecord): Promise<void> {
    await this.#read(url, page, record.block, record.block);
  }

  /** The record of a line cannot be read. */
  lose(url: string, page: PageText): void {
    this.#say(url, readPageText(page).position, { kind: "unknown" });
  }

  /** After the last record: reads pages whose bodies are in the records of others. */
  async finish(): Promise<void> {
    if (!this.#hasRevisits) return;
    let original: Original = { digest: "", place: null, block: undefined };
    for (const line of this.#bodies.sorted()) {
      const [digest = "", kind, warc = "", offset, length, page = "", url = ""] = line.split("\t");
      const place = { warc, offset: Number(offset), length: Number(length) };
      if (digest !== original.digest) {
        original = { digest, place: kind === "0" ? place : null, block: undefined };
      }
      if (kind === "0") continue;
      if (original.block === undefined) original.block = await this.#blockAt(original.place);
      await this.#read(url, page, await this.#blockAt(place), original.block);
    }
  }

  close(): void {
    this.#bodies.close();
  }

  #kindOf(line: CrawlLine, position: number): SaidOfLinks["kind"] {
    const { span } = this.#parts.reading;
    const { result } = line;
    if (typeof result === "string") return result.startsWith("INTERNAL_") ? "unknown" : "none";
    if (result < 200 || result >= 300 || noteOf(line, "damaged") !== null) return "none";
    const isKept = NOT_ARCHIVED.every((word) => noteOf(line, word) === null);
    // How far decoding came may depend on the machine.
    const isDecoded = !(noteOf(line, "truncated") ?? "").startsWith("decoding-");
    const isSpanned = span !== null && position >= span.from && position < span.to;
    return isKept && isDecoded && isSpanned ? "links" : "unknown";
  }

  /** `head` is the block with the headers, `body` that with the body; null if they cannot be read. */
  async #read(
    url: string,
    page: PageText,
    head: Uint8Array | null,
    body: Uint8Array | null,
  ): Promise<void> {
    const { position, ...facts } = readPageText(page);
    const headers = head === null ? undefined : parseHttpBlock(head)?.headers;
    const payload = body === null ? undefined : parseHttpBlock(body)?.payload;
    // What modules of users fetch has no headers in the archive.
    const isKnown = headers !== undefined && payload !== undefined;
    const links = isKnown
      ? await this.#parts.reading.read({ url, ...facts, headers, payload })
      : undefined;
    this.#say(url, position, saidOf(links));
  }

  async #blockAt(place: Place | null): Promise<Uint8Array | null> {
    const found = place === null ? null : await this.#parts.reader.read(place);
    return found?.kind === "record" ? found.record.block : null;
  }

  #say(url: string, position: number, said: SaidOfLinks): void {
    const page = this.#parts.keys.fingerprintOf(url);
    if (page !== null) this.#parts.comparison.addSaid(page, position, url, said);
  }
}

/** Pages whose bodies are not in the archive. */
const NOT_ARCHIVED = ["noarchive", "unstored", "kept"] as const;

/** The first record with a body. */
interface Original {
  readonly digest: string;
  readonly place: Place | null;
  /** Undefined until it is read, null if it cannot be. */
  block: Uint8Array | null | undefined;
}

function saidOf(links: PageLinks | null | undefined): SaidOfLinks {
  if (links === undefined) return { kind: "unknown" };
  if (links === null) return { kind: "none" };
  return { kind: "links", links: links.highs.length, sum: crc32(links.bytes) };
}

function placeText({ file, offset, lengthBytes }: NonNullable<CrawlLine["place"]>): string {
  return `${baseName(file)}\t${offset}\t${lengthBytes}`;
}

function pageText(line: CrawlLine, position: number): PageText {
  const cut = noteOf(line, "truncated") === null ? "-" : "c";
  return `${position} ${line.depth} ${line.result} ${cut} ${line.via ?? "-"}`;
}

function readPageText(text: PageText) {
  const [position, depth, status, cut, via = "-"] = text.split(" ");
  return {
    ...{ position: Number(position), depth: Number(depth), status: Number(status) },
    ...{ isCut: cut === "c", via: via === "-" ? null : via },
  };
}
