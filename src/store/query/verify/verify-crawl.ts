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
import { baseName, type CrawlLine, noteOf, openName, WARC_FOLDER } from "../../archive/index.ts";
import { CrawlDirectory } from "../../directory/index.ts";
import { LineSorter } from "../../export/index.ts";
import { scanFile } from "../archive-files.ts";
import { CrawlKeys } from "../crawl-parts.ts";
import { rowOf } from "../line-row.ts";
import { logSteps } from "../log-steps.ts";
import { RecordReader } from "../record-reader.ts";
import { scanPieces } from "../scan-pieces.ts";
import type { ArchivedLinks, LinkReading } from "./archived-links.ts";
import type { ComparedPages } from "./compare-links.ts";
import { type Problem, ProblemList, SORTED_BYTES_MAX } from "./problem-list.ts";
import { AnswerCheck, type ReplayedLines } from "./verify-answers.ts";
import { IndexCheck } from "./verify-index.ts";
import { GraphCheck } from "./verify-links.ts";
import { type LoggedPlace, RecordCheck } from "./verify-records.ts";
import { type KnownRows, RowCheck } from "./verify-rows.ts";

export interface Verification {
  readonly files: number;
  readonly records: number;
  /** Of the crawl log. */
  readonly lines: number;
  /** Of the page index. */
  readonly rows: number;
  readonly links: number;
  /** Pages whose links were read once more from the archive, and those whose links cannot be. */
  readonly linkedPages: ComparedPages;
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
  /** How the crawl reads links; without it, or null, the link graph is not compared with the archive. */
  readonly reading?: LinkReading | null;
  /** What is read once more when the crawl goes on; without it, or null, nothing is. */
  readonly replayed?: ReplayedLines | null;
  /** What the checkpoint says of files with rows; without it, or null, they are not looked at. */
  readonly rows?: KnownRows | null;
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
  const check = new RecordCheck({ problems, counts, places: null, links: null });
  for (const path of paths) {
    const file = { name: path, path, isSettled: true, steps: scanFile(path) };
    await check.check(file, () => told(counts));
  }
  const { kept, kinds, count: countOfProblems } = problems;
  const linkedPages = { compared: 0, unknown: 0 };
  return { ...counts, linkedPages, kinds, problems: kept, countOfProblems };
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

/** Those who are told of every line; null where they have nothing to check. */
interface LineTakers {
  readonly index: IndexCheck | null;
  readonly archived: ArchivedLinks | null;
  readonly answers: AnswerCheck | null;
  readonly rows: RowCheck | null;
}

class CrawlCheck {
  readonly #path: string;
  readonly #options: VerifyOptions;
  readonly #storage: DiskStorage;
  readonly #problems: ProblemList;
  readonly #counts = { files: 0, records: 0, lines: 0, rows: 0, links: 0 };
  readonly #places: LineSorter;
  readonly #reader: RecordReader;

  constructor(path: string, options: VerifyOptions, problems: ProblemList) {
    this.#path = path;
    this.#options = options;
    this.#problems = problems;
    this.#storage = new DiskStorage(path);
    this.#places = new LineSorter(join(options.scratch, "places"), SORTED_BYTES_MAX);
    this.#reader = new RecordReader(this.#storage);
  }

  async run(): Promise<Verification> {
    const { keys, store, agent } = this.#directory();
    const names = await this.#archiveNames();
    const { scratch, reading = null, replayed = null, rows: known = null } = this.#options;
    const parts = { storage: this.#storage, keys, scratch, problems: this.#problems };
    const index = store.index ? new IndexCheck(parts) : null;
    const graph = store.links ? new GraphCheck({ ...parts, reader: this.#reader, reading }) : null;
    const answers = replayed === null ? null : new AnswerCheck(this.#storage, replayed);
    const rows = known === null || agent === null ? null : new RowCheck({ ...parts, agent }, known);
    let linkedPages: ComparedPages = { compared: 0, unknown: 0 };
    try {
      await rows?.read();
      this.#counts.rows = (await index?.read()) ?? 0;
      this.#counts.links = (await graph?.read()) ?? 0;
      const archived = graph?.archived ?? null;
      const hasLog = await this.#readLog(keys, { index, archived, answers, rows });
      await this.#checkArchive(names, hasLog, archived);
      if (hasLog) {
        await answers?.compare(this.#problems);
        rows?.compare();
        await index?.compare();
        linkedPages = await this.#compareLinks(graph);
      }
    } finally {
      this.#places.close();
      rows?.close();
      await index?.close();
      await graph?.close();
      await this.#reader.close();
    }
    await this.#checkRefused();
    const { kept: problems, kinds, count: countOfProblems } = this.#problems;
    return { ...this.#counts, linkedPages, kinds, problems, countOfProblems };
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
    if (identity === null) return { keys, store: { index: false, links: false }, agent: null };
    return { keys, store: { index, links }, agent: identity.agent };
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
  async #compareLinks(graph: GraphCheck | null): Promise<ComparedPages> {
    if (graph === null) return { compared: 0, unknown: 0 };
    const { links, ...pages } = await graph.compare();
    this.#counts.links = links;
    return pages;
  }

  async #readLog(keys: CrawlKeys, takers: LineTakers): Promise<boolean> {
    const { index, archived, answers, rows } = takers;
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
          const position = positions[at] ?? 0;
          answers?.addLine(line, position);
          rows?.addLine(line, position);
          const page = archived?.addLine(line, position) ?? null;
          if (line.place !== null) this.#places.add(placeLine(line.place, line, page));
          const row = rowOf(line);
          const key = row === null ? null : keys.keyOf(row.url);
          if (row === null || key === null) continue;
          const isFailure = row.status === 0 || row.status >= 400;
          const print = keys.ofKey(key);
          this.#options.page?.({ ...print, url: row.url, position, isFailure });
          const isUnfetched = noteOf(line, "unfetched") !== null;
          index?.addLine(print, { row, position, isUnfetched });
        }
      }
      this.#options.logEnd?.(logEnd);
      return true;
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      const remedy =
        "Restore the folder logs from a copy, or let `trobar store verify --rebuild` make it of the archive and " +
        "what can be read of it. The archive can be read without it: `trobar store list --warc DIR/warc/*.warc*`.";
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

  async #checkArchive(
    names: readonly FileName[],
    hasLog: boolean,
    links: ArchivedLinks | null,
  ): Promise<void> {
    const places = hasLog ? placesIn(this.#places.sorted()) : null;
    const check = new RecordCheck({
      ...{ problems: this.#problems, counts: this.#counts, places, links },
    });
    const told = (): void => this.#options.told(this.#counts);
    for (const listed of names) {
      const isOpen = listed.endsWith(openName(""));
      const name = baseName(isOpen ? listed.slice(0, -openName("").length) : listed);
      const steps = scanPieces(this.#reader.bytes(name, Number.MAX_SAFE_INTEGER));
      const path = `${WARC_FOLDER}/${name}`;
      await check.check({ name, path, isSettled: !isOpen, steps }, told);
    }
    check.end();
  }
}

/** Sorted lines are in the order of file and offset. */
function placeLine(
  { file, offset, lengthBytes }: NonNullable<CrawlLine["place"]>,
  { digest, url }: CrawlLine,
  page: string | null,
): string {
  const at = String(offset).padStart(PLACE_DIGITS, "0");
  return [baseName(file), at, lengthBytes, digest ?? "-", page ?? "-", url].join("\t");
}

function* placesIn(lines: Iterable<string>): Generator<LoggedPlace> {
  for (const line of lines) {
    const [warc = "", offset, length, digest = "-", page = "-", url = ""] = line.split("\t");
    yield {
      ...{ warc, offset: Number(offset), length: Number(length), url },
      ...{ digest: digest === "-" ? null : digest, page: page === "-" ? null : page },
    };
  }
}
