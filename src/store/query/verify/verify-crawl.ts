/**
 * Checks every part of a crawl directory against every other: its own files, the crawl log, the
 * archive, the page index, the link graph. The crawl may be running: what depends on something else is
 * read first, so that what it depends on is complete when it is read.
 */
import { join } from "node:path";
import { isCrawlError } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import { checkLog } from "../../../base/log/index.ts";
import { answered, type FileName } from "../../../base/seams/index.ts";
import { DiskStorage } from "../../../base/storage/index.ts";
import { readConfiguration } from "../../../rules/config/index.ts";
import { baseName, noteOf, openName, WARC_FOLDER } from "../../archive/index.ts";
import { CrawlDirectory } from "../../directory/index.ts";
import { LineSorter } from "../../export/index.ts";
import { LinkView } from "../../links/index.ts";
import { scanFile } from "../archive-files.ts";
import { CrawlKeys, GRAPH_FOLDER } from "../crawl-parts.ts";
import { rowOf } from "../line-row.ts";
import { logSteps } from "../log-steps.ts";
import { RecordReader } from "../record-reader.ts";
import { scanPieces } from "../scan-pieces.ts";
import { type Problem, ProblemList, SORTED_BYTES_MAX } from "./problem-list.ts";
import { IndexCheck } from "./verify-index.ts";
import { verifyLinks } from "./verify-links.ts";
import { type LoggedPlace, RecordCheck } from "./verify-records.ts";

export interface Verification {
  readonly files: number;
  readonly records: number;
  /** Of the crawl log. */
  readonly lines: number;
  /** Of the page index. */
  readonly rows: number;
  readonly links: number;
  /** Problems by the kind of file. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The first thousand. */
  readonly problems: readonly Problem[];
  readonly countOfProblems: number;
}

export interface VerifyOptions {
  /** Absolute, of a folder that exists and is removed by the caller. */
  readonly scratch: string;
  /** Told after every line and record. */
  readonly told: (counts: { readonly records: number; readonly lines: number }) => void;
  /** Told of the last line of each page, in the order of the log. */
  readonly page?: (page: LoggedPage) => void;
  /** Told where the crawl log ends, if there is one. */
  readonly logEnd?: (end: number) => void;
}

/** A page, as the last line about it says. */
export interface LoggedPage extends Fingerprint {
  readonly url: string;
  /** Where its line begins. */
  readonly position: number;
  /** Without an answer, or with a status of 400 and above. */
  readonly isFailure: boolean;
}

/** Checks archives alone: records, digests. */
export async function verifyArchives(
  paths: readonly string[],
  { told }: Pick<VerifyOptions, "told">,
): Promise<Verification> {
  const problems = new ProblemList();
  const counts = { files: 0, records: 0, lines: 0, rows: 0, links: 0 };
  const check = new RecordCheck(problems, counts, null);
  for (const path of paths) {
    const file = { name: path, path, isSettled: true, steps: scanFile(path) };
    await check.check(file, () => told(counts));
  }
  const { kept, kinds, count: countOfProblems } = problems;
  return { ...counts, kinds, problems: kept, countOfProblems };
}

/** `path` is absolute, and holds a crawl; `problems` may have some already. */
export async function verifyCrawl(
  path: string,
  options: VerifyOptions,
  problems: ProblemList = new ProblemList(),
): Promise<Verification> {
  return await new CrawlCheck(path, options, problems).run();
}

const PLACE_DIGITS = 15;

class CrawlCheck {
  readonly #path: string;
  readonly #options: VerifyOptions;
  readonly #storage: DiskStorage;
  readonly #problems: ProblemList;
  readonly #counts = { files: 0, records: 0, lines: 0, rows: 0, links: 0 };
  readonly #places: LineSorter;

  constructor(path: string, options: VerifyOptions, problems: ProblemList) {
    this.#path = path;
    this.#options = options;
    this.#problems = problems;
    this.#storage = new DiskStorage(path);
    this.#places = new LineSorter(join(options.scratch, "places"), SORTED_BYTES_MAX);
  }

  async run(): Promise<Verification> {
    const { keys, store } = this.#directory();
    const names = await this.#archiveNames();
    const { scratch } = this.#options;
    const parts = { storage: this.#storage, keys, scratch, problems: this.#problems };
    const index = store.index ? new IndexCheck(parts) : null;
    try {
      this.#counts.rows = (await index?.read()) ?? 0;
      const hasLog = await this.#readLog(keys, index);
      await this.#checkArchive(names, hasLog);
      if (hasLog) await index?.compare();
    } finally {
      this.#places.close();
      await index?.close();
    }
    await this.#checkRefused();
    if (store.links) {
      const { fingerprintOf } = keys;
      const graph = { storage: this.#storage, folder: GRAPH_FOLDER };
      const view = new LinkView({ ...graph, fingerprintOf });
      this.#counts.links = await verifyLinks({ ...graph, view }, this.#problems);
    }
    const { kept: problems, kinds, count: countOfProblems } = this.#problems;
    return { ...this.#counts, kinds, problems, countOfProblems };
  }

  /** Its own files; where they cannot be read, what a new crawl would have. */
  #directory() {
    const identity = this.#tried("crawl.json", () => CrawlDirectory.identityOf(this.#path));
    const read = this.#tried("config.yaml", () => CrawlDirectory.configurationOf(this.#path));
    const defaults = readConfiguration({});
    const configuration = read ?? (defaults.ok ? defaults.configuration : null);
    if (configuration === null) throw new Error("the default configuration has mistakes");
    const nobody = { fingerprintKey: "0".repeat(32), shards: 1 };
    const keys = new CrawlKeys(identity ?? nobody, configuration);
    const { index, links } = configuration.store;
    // Without the secret of the crawl neither index nor graph can be searched.
    return { keys, store: identity === null ? { index: false, links: false } : { index, links } };
  }

  #tried<Value>(file: string, read: () => Value): Value | null {
    try {
      return read();
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      const remedy = `Restore ${file} from a copy; archives can be read with \`--warc\` without it.`;
      this.#problems.add({ file, at: null, url: null, problem: error.message, remedy });
      return null;
    }
  }

  async #archiveNames(): Promise<readonly FileName[]> {
    const names = await answered<readonly FileName[]>((done) =>
      this.#storage.list(WARC_FOLDER, done),
    );
    return names.filter((name) => /\.warc(?:\.gz|\.zst)?(?:\.open)?$/.test(name)).sort();
  }

  /** False when there is no log. */
  async #readLog(keys: CrawlKeys, index: IndexCheck | null): Promise<boolean> {
    const add = (at: number | null, problem: string, remedy: string): void =>
      this.#problems.add({ file: "logs/crawl.log", at, url: null, problem, remedy });
    try {
      let logEnd = 0;
      for await (const { lines, positions, damage, end } of logSteps(this.#storage, 0)) {
        logEnd = end;
        for (const { from, to } of damage) {
          const remedy = "The answers of those lines are in the archive; `--warc` shows them.";
          add(from, `${to - from} bytes are not lines of the log`, remedy);
        }
        for (const [at, line] of lines.entries()) {
          this.#counts.lines += 1;
          this.#options.told(this.#counts);
          const { place, digest, url } = line;
          if (place !== null) this.#places.add(placeLine(place, digest, url));
          const row = rowOf(line);
          const key = row === null ? null : keys.keyOf(row.url);
          if (row === null || key === null) continue;
          const position = positions[at] ?? 0;
          const isFailure = row.status === 0 || row.status >= 400;
          const page = keys.ofKey(key);
          this.#options.page?.({ ...page, url: row.url, position, isFailure });
          const isUnfetched = noteOf(line, "unfetched") !== null;
          index?.addLine(page, { row, position, isUnfetched });
        }
      }
      this.#options.logEnd?.(logEnd);
      return true;
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      const remedy =
        "Restore the folder logs from a copy. The archive can be read without it: `trobar store list --warc DIR/warc/*.warc*`.";
      add(null, error.message, remedy);
      return false;
    }
  }

  /** URLs that were not taken up, if the crawl keeps them. */
  async #checkRefused(): Promise<void> {
    const name = "logs/refused";
    const names = await answered<readonly FileName[]>((done) => this.#storage.list("logs", done));
    if (!names.includes(`${name}.manifest`)) return;
    const remedy = "Nothing depends on it; the other lines can be read.";
    const log = { storage: this.#storage, name, from: null, to: null };
    await checkLog(
      log,
      () => true,
      (file, at, problem) => this.#problems.add({ file, at, url: null, problem, remedy }),
    );
  }

  async #checkArchive(names: readonly FileName[], hasLog: boolean): Promise<void> {
    const reader = new RecordReader(this.#storage);
    const places = hasLog ? placesIn(this.#places.sorted()) : null;
    const check = new RecordCheck(this.#problems, this.#counts, places);
    const told = (): void => this.#options.told(this.#counts);
    try {
      for (const listed of names) {
        const isOpen = listed.endsWith(openName(""));
        const name = baseName(isOpen ? listed.slice(0, -openName("").length) : listed);
        const steps = scanPieces(reader.bytes(name, Number.MAX_SAFE_INTEGER));
        const path = `${WARC_FOLDER}/${name}`;
        await check.check({ name, path, isSettled: !isOpen, steps }, told);
      }
      check.end();
    } finally {
      await reader.close();
    }
  }
}

/** Sorted lines are in the order of file and offset. */
function placeLine(
  place: { readonly file: string; readonly offset: number; readonly lengthBytes: number },
  digest: string | null,
  url: string,
): string {
  const offset = String(place.offset).padStart(PLACE_DIGITS, "0");
  return `${baseName(place.file)}\t${offset}\t${place.lengthBytes}\t${digest ?? "-"}\t${url}`;
}

function* placesIn(lines: Iterable<string>): Generator<LoggedPlace> {
  for (const line of lines) {
    const [warc = "", offset = "", length = "", digest = "", url = ""] = line.split("\t");
    const place = { warc, offset: Number(offset), length: Number(length), url };
    yield { ...place, digest: digest === "-" ? null : digest };
  }
}
