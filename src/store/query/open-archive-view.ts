/**
 * Opens archives that others made (WARC and ARC, of wget, warcio, Heritrix and so on) as if they were
 * a crawl: every answer becomes a line of a crawl log in a temporary folder.
 */
import { hash } from "node:crypto";
import { basename, join } from "node:path";
import { type Log, type OpenedLog, openLog } from "../../base/log/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { keyOf } from "../../formats/url/index.ts";
import { CRAWL_LOG, CRAWL_LOG_LIMITS, HeldLines, WARC_FOLDER } from "../archive/index.ts";
import {
  archiveName,
  isPackedAsWhole,
  linkFile,
  scanFile,
  sizeOf,
  unlinkFile,
  unpackedPath,
} from "./archive-files.ts";
import { lineOfRecord, parseArchiveUrl } from "./archive-lines.ts";
import { CrawlView } from "./crawl-view.ts";
import { UNPACK_LIMITS, type UnpackEnd, type UnpackLimits, unpackFile } from "./unpack-file.ts";

export interface ArchiveViewOptions {
  readonly paths: readonly string[];
  /** A folder that exists, is empty, and is removed by the caller. */
  readonly scratch: string;
  /** Told what a user should know of a file, such as damage. */
  readonly tell: (path: string, note: string) => void;
  readonly limits?: UnpackLimits;
}

export async function openArchiveView(options: ArchiveViewOptions): Promise<CrawlView> {
  const { paths, scratch } = options;
  const storage = new DiskStorage(scratch);
  const random = new SeededRandom(freshSeed());
  const { log } = await answered<OpenedLog>((done) =>
    openLog({ storage, random, name: CRAWL_LOG, framing: "line", ...CRAWL_LOG_LIMITS }, done),
  );
  const intake = new ArchiveIntake(options, log);
  for (const path of paths) await intake.add(path);
  await answered((done) => log.close(done));
  const facts = paths.map((path) => `${basename(path)} ${sizeOf(path)}`);
  return new CrawlView({
    ...{ storage, name: archiveTitle(paths), id: hash("sha1", facts.join("\n"), "hex") },
    keyOf: (url) => {
      const parsed = parseArchiveUrl(url);
      return parsed.kind === "refused" ? null : keyOf(parsed.url);
    },
    ...{ links: null, index: null, readsPages: true, faults: [], archives: intake.names },
  });
}

/** The name of the first file, without what says how it is compressed. */
export function archiveTitle([first = "archive"]: readonly string[]): string {
  return (
    basename(first)
      .replace(/\.(?:gz|zst)$/i, "")
      .replace(/\.w?arc$/i, "") || "archive"
  );
}

const DAMAGE_TOLD_MAX = 5;
const PACKED =
  "is compressed as a whole or in groups of records, not record by record, so it was unpacked to be read";

/** Takes the lines of one file after the other. */
class ArchiveIntake {
  /** Of the files that were added, in the folder of the archive. */
  readonly names: string[] = [];
  readonly #options: ArchiveViewOptions;
  readonly #log: Log;
  readonly #folder: string;

  constructor(options: ArchiveViewOptions, log: Log) {
    this.#options = options;
    this.#log = log;
    this.#folder = join(options.scratch, WARC_FOLDER);
  }

  async add(path: string): Promise<void> {
    const name = archiveName(path, new Set(this.names));
    if (!(await isPackedAsWhole(path))) {
      linkFile(path, this.#folder, name);
      if (await this.#tryLines(path, name)) return;
      unlinkFile(this.#folder, name);
    }
    await this.#addUnpacked(path);
  }

  async #addUnpacked(path: string): Promise<void> {
    const name = archiveName(unpackedPath(path), new Set(this.names));
    const { tell, limits = UNPACK_LIMITS } = this.#options;
    const target = join(this.#folder, name);
    const end = await unpackFile(path, target, limits);
    tell(path, PACKED);
    if (end !== "whole") tell(path, `${UNPACK_ENDS[end]} after ${sizeOf(target)} bytes`);
    if (await this.#tryLines(path, name)) return;
    tell(path, "is compressed twice; unpack it once to have it read");
    this.names.push(name);
  }

  /** False, and nothing is taken, when records share a member, since no place leads to each of them. */
  async #tryLines(path: string, name: string): Promise<boolean> {
    const { tell } = this.#options;
    const log = this.#log;
    const commit = (): Promise<void> => answered((done) => log.commit(done));
    const from = log.end;
    const lines = new HeldLines(log);
    const damage: string[] = [];
    let records = 0;
    let damaged = 0;
    for await (const step of scanFile(join(this.#folder, name))) {
      if (step.kind === "damage") {
        const { offset, lengthBytes, reason } = step;
        damaged += 1;
        if (damaged <= DAMAGE_TOLD_MAX) {
          damage.push(`cannot be read from ${offset}, ${lengthBytes} bytes: ${reason}`);
        }
        continue;
      }
      if (step.record.sharesMember) {
        await answered((done) => log.cutTo(from, done));
        return false;
      }
      records += 1;
      const line = lineOfRecord(step.record, name);
      if (line === null) continue;
      lines.add(line, 0);
      while (lines.release(0)) await commit();
    }
    await commit();
    for (const note of damage) tell(path, note);
    if (damaged > DAMAGE_TOLD_MAX) tell(path, `has ${damaged - DAMAGE_TOLD_MAX} more such places`);
    if (records === 0) tell(path, "has no records: it is empty, or not a WARC or ARC file");
    this.names.push(name);
    return true;
  }
}

const UNPACK_ENDS: Readonly<Record<Exclude<UnpackEnd, "whole">, string>> = {
  damaged: "ends in the middle or is damaged: what comes next is missing,",
  "too-large": "grows too much when it is unpacked, like a decompression bomb: reading it stopped",
};
