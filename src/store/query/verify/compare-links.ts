/**
 * Compares the link graph with what the pages of the archive say, page by page, in the order of their
 * fingerprints. The graph is read first and sorted on disk; so is what the crawl log and the archive say,
 * of which the last word about the links of a page counts.
 *
 * The graph has at least what the checkpoint knows. A page whose line follows may have its links there
 * or not: the crawl will read it again.
 */
import {
  type Fingerprint,
  printFingerprint,
  readFingerprint,
} from "../../../base/fingerprints/index.ts";
import type { CheckedGraph, WrittenPage } from "../../links/index.ts";
import { type ProblemList, REBUILD } from "./problem-list.ts";

/** Which pages have their links by the settings of now. */
export interface LinkSpan {
  /** Lines before it were read by other settings. */
  readonly from: number;
  /** Where the lines end that the checkpoint knows. */
  readonly to: number;
  /** Whether the crawl has ended, so that nothing follows. */
  readonly isWhole: boolean;
}

/** What is said of the links of a page by one of its lines. */
export type SaidOfLinks =
  /** They are these. */
  | { readonly kind: "links"; readonly links: number; readonly sum: number }
  /** They are not known: the body was not archived, or cannot be read. */
  | { readonly kind: "unknown" }
  /** It has none to be kept: it was not a page, or nobody read it. */
  | { readonly kind: "none" };

/** What is sorted. */
interface Lines {
  add(line: string): void;
  sorted(): Iterable<string>;
}

/** How many pages were compared, and of how many the archive does not say which links they have. */
export interface ComparedPages {
  compared: number;
  unknown: number;
}

export interface ComparedLinks extends ComparedPages {
  /** That pages have in the graph. */
  links: number;
}

const DIGITS = 15;
const REMEDY = `${REBUILD}; the archive is not affected, and pages still have their links there.`;
const LETTERS = { links: "e", unknown: "u", none: "n" } as const;

export class LinkComparison {
  readonly #lines: Lines;
  readonly #file: string;
  readonly #problems: ProblemList;
  #written = 0;

  /** `file` is what is wrong if something is. */
  constructor(lines: Lines, file: string, problems: ProblemList) {
    this.#lines = lines;
    this.#file = file;
    this.#problems = problems;
  }

  /** Of one page the last that is added counts. */
  addWritten(page: Fingerprint, { url, block, links, sum }: WrittenPage): void {
    this.#written += 1;
    this.#add(page, "g", this.#written, [block ?? "-", links, sum, url]);
  }

  addSaid(page: Fingerprint, position: number, url: string, said: SaidOfLinks): void {
    const [links, sum] = said.kind === "links" ? [said.links, said.sum] : ["-", "-"];
    this.#add(page, LETTERS[said.kind], position, ["-", links, sum, url]);
  }

  /** Null for the span if nothing is known of how the links were read. */
  async compare(
    graph: Pick<CheckedGraph, "blockOf">,
    span: LinkSpan | null,
  ): Promise<ComparedLinks> {
    const counts: ComparedLinks = { links: 0, compared: 0, unknown: 0 };
    for (const group of groupsOf(this.#lines.sorted())) {
      counts.links += Number(group.written?.links ?? 0);
      await this.#compareRuns(group, graph);
      if (span !== null) this.#compareSaid(group, span, counts);
    }
    return counts;
  }

  async #compareRuns({ page, written }: Group, graph: Pick<CheckedGraph, "blockOf">) {
    const block = await graph.blockOf(readFingerprint(page));
    if (block === undefined || written?.block === NOT_KNOWN) return;
    if (written === null) {
      if (block !== null) this.#tell(null, "the runs lead to links of a page that are not there");
    } else if (block !== written.block) {
      this.#tell(written.url, "the links of the page are there, but are not found");
    }
  }

  #compareSaid({ written, said }: Group, span: LinkSpan, counts: ComparedLinks): void {
    const due = said.findLast(({ order, kind }) => order < span.to && kind !== "n");
    const isReadAgain = said.some(({ order, kind }) => order >= span.to && kind !== "n");
    const url = written?.url ?? due?.url ?? null;
    if (due === undefined) {
      const isStray = written !== null && span.isWhole && span.from === 0;
      if (isStray) this.#tell(url, "the archive has no page with the links that are there");
      return;
    }
    if (due.kind === "u" || due.order < span.from) {
      counts.unknown += 1;
      return;
    }
    counts.compared += 1;
    if (written === null) this.#tell(url, "the links of the page are not there");
    else if ((written.sum !== due.sum || written.links !== due.links) && !isReadAgain) {
      const what = `it has ${written.links} links of the page, and the archived page has`;
      const rest = written.links === due.links ? "others" : String(due.links);
      this.#tell(url, `${what} ${rest}`);
    }
  }

  #add(page: Fingerprint, letter: string, order: number, rest: readonly unknown[]): void {
    const place = String(order).padStart(DIGITS, "0");
    this.#lines.add([printFingerprint(page), letter, place, ...rest].join("\t"));
  }

  #tell(url: string | null, problem: string): void {
    this.#problems.add({ file: this.#file, at: null, url, problem, remedy: REMEDY });
  }
}

const NOT_KNOWN = -1;

interface Entry {
  readonly kind: string;
  readonly order: number;
  readonly block: number;
  readonly links: string;
  readonly sum: string;
  readonly url: string;
}

interface Group {
  readonly page: string;
  /** What the graph has of it. */
  written: Entry | null;
  /** In the order of the log. */
  said: Entry[];
}

function* groupsOf(lines: Iterable<string>): Generator<Group> {
  let group: Group = { page: "", written: null, said: [] };
  for (const line of lines) {
    const [page = "", kind = "", order, block, links = "", sum = "", url = ""] = line.split("\t");
    if (group.page !== page) {
      if (group.page !== "") yield inOrder(group);
      group = { page, written: null, said: [] };
    }
    const number = block === "-" ? NOT_KNOWN : Number(block);
    const entry: Entry = { kind, order: Number(order), block: number, links, sum, url };
    if (kind === "g") group.written = entry;
    else group.said.push(entry);
  }
  if (group.page !== "") yield inOrder(group);
}

function inOrder(group: Group): Group {
  if (group.said.length > 1) group.said.sort((one, other) => one.order - other.order);
  return group;
}
