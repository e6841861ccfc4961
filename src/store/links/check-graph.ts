/**
 * Reads a whole link graph for those who check it: its runs, and every block with its pages and links.
 * The runs `places` and `arcs` are compared with the blocks: each block is where they say, and is found
 * from exactly the targets of its links. Which pages the blocks have is told; the runs `pages`, which
 * lead to the block of each page, are asked afterwards, in the order of the pages' fingerprints.
 *
 * Memory does not depend on links: each block, of some tens of pages, takes 16 bytes.
 */
import { crc32 } from "node:zlib";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { numberIn, RunWalk } from "../../base/runs/index.ts";
import { answered, type FileName, type Storage } from "../../base/seams/index.ts";
import { LINK_FORMATS, type LinkMarks, type LinkRuns, linkLogName } from "./link-marks.ts";
import { readMarks } from "./open-link-graph.ts";
import { type LinkBlock, LinkWalk } from "./walk-links.ts";

/** The links of one page, as they are written. */
export interface WrittenPage {
  readonly url: string;
  /** Its number; null if that is not known. */
  readonly block: number | null;
  readonly links: number;
  /** CRC-32 of their lines, in UTF-8. */
  readonly sum: number;
}

export interface CheckedGraphOptions {
  readonly storage: Storage;
  readonly folder: FileName;
  /** What a URL is compared by; null for what is not a URL. */
  readonly fingerprintOf: (url: string) => Fingerprint | null;
  /** Told of each page, in the order in which they were written; of one page the last counts. */
  readonly page: (page: WrittenPage) => void;
  readonly tell: (file: FileName, at: number | null, problem: string) => void;
}

/** A running crawl merges runs, and removes those that it has merged. */
const TRIES = 5;
const NOWHERE = -1;

export class CheckedGraph {
  readonly #options: CheckedGraphOptions;
  readonly #marks: LinkMarks;
  readonly #arcs: RunWalk;
  readonly #places: RunWalk;
  readonly #pages: RunWalk;
  /** By the numbers of the blocks: where each is, and how many targets lead to it, with their sum. */
  readonly #positions: Float64Array;
  readonly #targets: Uint32Array;
  readonly #sums: Uint32Array;
  /** The next block that should come. */
  #next = 0;
  #links = 0;

  private constructor(options: CheckedGraphOptions, marks: LinkMarks) {
    this.#options = options;
    this.#marks = marks;
    this.#positions = new Float64Array(marks.nextBlock).fill(NOWHERE);
    this.#targets = new Uint32Array(marks.nextBlock);
    this.#sums = new Uint32Array(marks.nextBlock);
    this.#arcs = this.#walk("arcs", ({ high, low }) => this.#addTarget(high, low));
    this.#places = this.#walk("places", ({ low }, payload) => {
      if (low < this.#positions.length) this.#positions[low] = numberIn(payload);
    });
    this.#pages = this.#walk("pages", () => undefined);
  }

  /** Opens it as of now. `LINKS_DAMAGED` if its marks cannot be read. */
  static async open(options: CheckedGraphOptions): Promise<CheckedGraph> {
    const { storage, folder } = options;
    for (let tries = TRIES; ; tries -= 1) {
      const marks = await answered<LinkMarks>((done) => readMarks(storage, folder, done));
      const graph = new CheckedGraph(options, marks);
      if (await graph.#begin(tries > 1)) return graph;
      await graph.close();
    }
  }

  /** Reads all blocks, and tells of their pages; answers with the number of links. `LOG_DAMAGED` without a log. */
  async read(): Promise<number> {
    const { storage, folder } = this.#options;
    await this.#arcs.end();
    await this.#places.end();
    const walk = await answered<LinkWalk | null>((done) =>
      LinkWalk.openAt(storage, folder, this.#marks, done),
    );
    try {
      for (let blocks = await nextOf(walk); blocks !== null; blocks = await nextOf(walk)) {
        for (const block of blocks) this.#take(block);
      }
    } finally {
      await answered((done) => (walk === null ? done(null) : walk.close(done)));
    }
    this.#missing(Number.POSITIVE_INFINITY);
    const { countOfLinks, linksWritten = countOfLinks } = this.#marks;
    const isRight = this.#links === linksWritten && countOfLinks <= linksWritten;
    if (!this.#places.isBlind && !isRight) {
      const due = Math.max(linksWritten, countOfLinks);
      this.#tell(null, `it has ${this.#links} links and not ${due}`);
    }
    return this.#links;
  }

  /**
   * The block that the runs name for a page; null if they do not have it, undefined if that cannot be
   * known. Fingerprints are asked for in their order.
   */
  async blockOf({ high, low }: Fingerprint): Promise<number | null | undefined> {
    const payload = await this.#pages.find(high, low);
    return payload == null ? payload : numberIn(payload);
  }

  async close(): Promise<void> {
    for (const walk of [this.#arcs, this.#places, this.#pages]) await walk.close();
  }

  #walk(name: LinkRuns, passed: (key: Fingerprint, payload: Uint8Array) => void): RunWalk {
    const { storage, tell } = this.#options;
    return new RunWalk(storage, this.#marks[name].runs, {
      ...{ format: LINK_FORMATS[name], passed },
      damaged: (file, reason) => tell(file, null, reason),
    });
  }

  async #begin(mayBeGone: boolean): Promise<boolean> {
    for (const walk of [this.#arcs, this.#places, this.#pages]) {
      if (!(await walk.begin(mayBeGone))) return false;
    }
    return true;
  }

  #addTarget(high: number, block: number): void {
    if (block >= this.#targets.length) return;
    this.#targets[block] = (this.#targets[block] as number) + 1;
    this.#sums[block] = (this.#sums[block] as number) + mixed(high);
  }

  /** Blocks that no run names were written by a batch that failed halfway, and once more afterwards. */
  #take({ position, text }: LinkBlock): void {
    this.#missing(position);
    const isNamed = this.#positions[this.#next] === position;
    if (!isNamed && !this.#places.isBlind) return;
    if (text === null) this.#tell(position, "the links of some tens of pages cannot be read");
    else this.#read(isNamed ? this.#next : null, position, text);
    if (isNamed) this.#next += 1;
  }

  #read(block: number | null, position: number, text: string): void {
    const { fingerprintOf, page } = this.#options;
    const highs = new Set<number>();
    for (const { url, lines, targets } of writtenPages(text)) {
      this.#links += targets.length;
      for (const target of targets) {
        const high = fingerprintOf(target)?.high;
        if (high !== undefined) highs.add(high);
      }
      page({ url, block, links: targets.length, sum: crc32(lines) });
    }
    if (this.#arcs.isBlind || block === null) return;
    const sums = new Uint32Array(1);
    for (const high of highs) sums[0] = (sums[0] as number) + mixed(high);
    if (highs.size === this.#targets[block] && sums[0] === this.#sums[block]) return;
    this.#tell(position, "some of its links are not found from the pages that they lead to");
  }

  /** Blocks that should have come before this position. */
  #missing(before: number): void {
    if (this.#places.isBlind) return;
    while (this.#next < this.#positions.length) {
      const position = this.#positions[this.#next] as number;
      if (position >= before) return;
      const at = position === NOWHERE ? null : position;
      this.#tell(at, `its block ${this.#next} is not where the runs say`);
      this.#next += 1;
    }
  }

  #tell(at: number | null, problem: string): void {
    this.#options.tell(`${linkLogName(this.#options.folder)}.log`, at, problem);
  }
}

async function nextOf(walk: LinkWalk | null): Promise<readonly LinkBlock[] | null> {
  if (walk === null) return null;
  return await answered<readonly LinkBlock[] | null>((done) => walk.next(done));
}

/** The pages of a block, with the lines of their links as they are, and where these lead. */
function* writtenPages(
  text: string,
): Generator<{ readonly url: string; readonly lines: string; readonly targets: string[] }> {
  let url = "";
  let from = 0;
  let targets: string[] = [];
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    if (text[at] === "\t") targets.push(text.slice(text.lastIndexOf("\t", end) + 1, end));
    else {
      if (url !== "") yield { url, lines: text.slice(from, at), targets };
      url = text.slice(at, end);
      from = end + 1;
      targets = [];
    }
    at = end + 1;
  }
  if (url !== "") yield { url, lines: text.slice(from), targets };
}

/** Sums of these tell sets apart. */
function mixed(word: number): number {
  const bits = Math.imul(word ^ (word >>> 15), 0x9e3779b1);
  return (bits ^ (bits >>> 13)) >>> 0;
}
