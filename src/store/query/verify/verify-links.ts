/**
 * Checks the link graph: its runs and blocks with one another (`CheckedGraph`), and what they say with
 * the pages of the archive (`archived-links.ts`, `compare-links.ts`). It is read before the log, so that
 * the pages of a crawl that runs have their lines.
 */
import { join } from "node:path";
import { isCrawlError } from "../../../base/errors/index.ts";
import type { DiskStorage } from "../../../base/storage/index.ts";
import { LineSorter } from "../../export/index.ts";
import { CheckedGraph } from "../../links/index.ts";
import { type CrawlKeys, GRAPH_FOLDER } from "../crawl-parts.ts";
import type { RecordReader } from "../record-reader.ts";
import { ArchivedLinks, type LinkReading } from "./archived-links.ts";
import { type ComparedLinks, LinkComparison } from "./compare-links.ts";
import { type ProblemList, REBUILD, SORTED_BYTES_MAX } from "./problem-list.ts";

const LOG_FILE = `${GRAPH_FOLDER}/log.log`;
const REMEDY = `${REBUILD}; the archive is not affected, and pages still have their links there.`;

export interface GraphCheckParts {
  readonly storage: DiskStorage;
  readonly keys: CrawlKeys;
  /** Of the archive. */
  readonly reader: RecordReader;
  /** How links are read from pages; null if they are not compared. */
  readonly reading: LinkReading | null;
  /** Absolute. */
  readonly scratch: string;
  readonly problems: ProblemList;
}

export class GraphCheck {
  /** Null if no page is read. */
  readonly archived: ArchivedLinks | null;
  readonly #parts: GraphCheckParts;
  readonly #sorter: LineSorter;
  readonly #comparison: LinkComparison;
  #graph: CheckedGraph | null = null;

  constructor(parts: GraphCheckParts) {
    const { scratch, reading, problems } = parts;
    this.#parts = parts;
    this.#sorter = new LineSorter(join(scratch, "links"), SORTED_BYTES_MAX);
    this.#comparison = new LinkComparison(this.#sorter, LOG_FILE, problems);
    this.archived =
      reading === null
        ? null
        : new ArchivedLinks({ ...parts, reading, comparison: this.#comparison });
  }

  /** Reads the graph; answers with the number of links in it, also of what pages had before. */
  async read(): Promise<number> {
    const { storage, keys } = this.#parts;
    try {
      this.#graph = await CheckedGraph.open({
        ...{ storage, folder: GRAPH_FOLDER, fingerprintOf: keys.fingerprintOf },
        page: (written) => {
          const page = keys.fingerprintOf(written.url);
          if (page !== null) this.#comparison.addWritten(page, written);
        },
        tell: (file, at, problem) => this.#tell(file, at, problem),
      });
      return await this.#graph.read();
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      this.#tell(LOG_FILE, null, error.message);
      await this.#graph?.close();
      this.#graph = null;
      return 0;
    }
  }

  /** After the last line and record. */
  async compare(): Promise<ComparedLinks> {
    const { reading } = this.#parts;
    if (this.#graph === null) return { links: 0, compared: 0, unknown: 0 };
    await this.archived?.finish();
    return await this.#comparison.compare(this.#graph, reading?.span ?? null);
  }

  async close(): Promise<void> {
    this.#sorter.close();
    this.archived?.close();
    await this.#graph?.close();
  }

  #tell(file: string, at: number | null, problem: string): void {
    this.#parts.problems.add({ file, at, url: null, problem, remedy: REMEDY });
  }
}
