/**
 * Brings archive and crawl log of a crawl that rests in order: afterwards every line has its record,
 * every answer its line, and all bytes can be read. What has to change is written beside, under
 * `rebuild/new/`; whoever called puts it in place. If nothing has to, nothing is written.
 *
 * - Of an archive file with damage, the records that are whole are copied. If there are none, the file goes.
 * - A page whose answer cannot be read, or was never archived, gets the note `lost` in its line: it
 *   counts as not yet fetched. So does one whose body another record had that is lost.
 * - An answer without a line gets one, as far as the record tells. Where depth is limited it is left
 *   out, since no record says how far a page is from a seed.
 */
import { type Log, type OpenedLog, openLog } from "../../../base/log/index.ts";
import {
  answered,
  type FileName,
  type Random,
  type ReadableFile,
  type Storage,
  type StorageFile,
} from "../../../base/seams/index.ts";
import {
  baseName,
  CRAWL_LOG,
  CRAWL_LOG_LIMITS,
  type CrawlLine,
  HeldLines,
  isAboutPage,
  WARC_FOLDER,
} from "../../archive/index.ts";
import { lineOfRecord } from "../archive-lines.ts";
import { RecordReader } from "../record-reader.ts";
import { ArchiveComparison, type Comparison, type DamagedFile } from "./compare-archive.ts";
import { salvagedLines } from "./read-lines.ts";

export interface SalvageParts {
  readonly storage: Storage;
  readonly random: Random;
  /** Where the new files are written: a folder of the crawl directory. */
  readonly folder: FileName;
  /** Absolute, of a folder that exists and is removed by the caller. */
  readonly scratch: string;
  /** What a URL is compared by; null for what is not a URL. */
  readonly keyOf: (url: string) => string | null;
  readonly seeds: ReadonlySet<string>;
  readonly hasDepthLimit: boolean;
  readonly told: (counts: { readonly lines: number; readonly records: number }) => void;
  /** Told of each page that has to be fetched again. */
  readonly lost: (url: string) => void;
}

/** What was found, in numbers. */
export interface Salvaged {
  readonly lines: number;
  readonly records: number;
  /** Pages that have to be fetched again. */
  readonly lost: number;
  /** Answers that got a line. */
  readonly found: number;
  /** Bytes of the crawl log that are not lines, and of the archive that are not records. */
  readonly cutBytes: number;
  /** Files that were written anew, under `folder`, and in whose places they belong. */
  readonly files: readonly NewFile[];
}

export interface NewFile {
  /** Null if nothing takes its place. */
  readonly name: FileName | null;
  /** The files that are in its place. */
  readonly old: readonly FileName[];
  /** Whether those have bytes that could not be read, so that they are kept. */
  readonly isDamaged: boolean;
}

export async function salvage(parts: SalvageParts): Promise<Salvaged> {
  const names = await answered<readonly FileName[]>((done) =>
    parts.storage.list(WARC_FOLDER, done),
  );
  const archives = names.filter((name) => /\.warc(?:\.gz|\.zst)?(?:\.open)?$/.test(name)).sort();
  const comparison = await new ArchiveComparison(parts).run(archives);
  const { lines, records, lost, found, damagedBytes } = comparison;
  const files: NewFile[] = [];
  const moves = new Map<string, Moves>();
  let cutBytes = damagedBytes;
  for (const [warc, damaged] of comparison.files) {
    const { file, records, cutBytes: cut } = damaged;
    cutBytes += cut;
    // A file with nothing in it is not one that readers of archives take.
    const isEmpty = records.length === 0;
    if (!isEmpty) moves.set(warc, await copyRecords(parts, warc, damaged));
    files.push({
      name: isEmpty ? null : `${WARC_FOLDER}/${warc}`,
      old: [file],
      isDamaged: cut > 0,
    });
  }
  const isChanged = lost.size + found.size + damagedBytes + files.length > 0;
  if (isChanged || !(await hasLog(parts.storage))) {
    files.push(...(await writeLog(parts, comparison, moves)));
  }
  return { lines, records, lost: lost.size, found: found.size, cutBytes, files };
}

/** Where records have gone: offsets before and after. */
type Moves = ReadonlyMap<number, number>;

async function copyRecords(
  { storage, folder }: SalvageParts,
  warc: string,
  { file, records }: DamagedFile,
): Promise<Moves> {
  const moves = new Map<number, number>();
  const from = await answered<ReadableFile>((done) => storage.openToRead(file, done));
  const to = await answered<StorageFile>((done) =>
    storage.open(`${folder}/${WARC_FOLDER}/${warc}`, done),
  );
  try {
    for (let at = 0; at < records.length; at += 2) {
      const offset = records[at] ?? 0;
      const length = records[at + 1] ?? 0;
      const bytes = await answered<Uint8Array>((done) => from.read(offset, length, done));
      moves.set(offset, to.lengthBytes);
      await answered((done) => to.append([bytes], done));
    }
    await answered((done) => to.sync(done));
  } finally {
    await answered((done) => to.close(done));
    await answered((done) => from.close(done));
  }
  return moves;
}

async function hasLog(storage: Storage): Promise<boolean> {
  const names = await answered<readonly FileName[]>((done) => storage.list("logs", done));
  return names.includes(`${CRAWL_LOG}.manifest`);
}

/** Writes the lines as they are from now on. */
async function writeLog(
  parts: SalvageParts,
  comparison: Comparison,
  moves: ReadonlyMap<string, Moves>,
): Promise<readonly NewFile[]> {
  const { storage, random, folder } = parts;
  const { log } = await answered<OpenedLog>((done) =>
    openLog(
      { storage, random, name: `${folder}/${CRAWL_LOG}`, framing: "line", ...CRAWL_LOG_LIMITS },
      done,
    ),
  );
  const lines = new NewLines(log);
  let number = 0;
  for await (const step of salvagedLines(storage)) {
    for (const line of step.lines) {
      const isLost = comparison.lost.has(number);
      if (isLost && isAboutPage(line)) parts.lost(line.url);
      const isPlaced = !comparison.unplaced.has(number);
      const moved = movedLine(isPlaced ? line : { ...line, place: null }, moves);
      await lines.add(isLost ? { ...moved, notes: [...moved.notes, ["lost"]] } : moved);
      number += 1;
    }
  }
  await addFound(parts, comparison, moves, lines);
  await answered((done) => log.commit(done));
  await answered((done) => log.close(done));
  const isOfLog = (name: FileName): boolean =>
    /^logs\/crawl(?:\.\d+)?\.(?:log|manifest)$/.test(name);
  const old = await answered<readonly FileName[]>((done) => storage.list("logs", done));
  const made = await answered<readonly FileName[]>((done) => storage.list(folder, done));
  const isDamaged = comparison.damagedBytes > 0;
  const gone = old.filter(isOfLog).map((name): NewFile => ({ name: null, old: [name], isDamaged }));
  const come = made
    .map((name) => name.slice(folder.length + 1))
    .filter(isOfLog)
    .map((name): NewFile => ({ name, old: [], isDamaged }));
  return [...gone, ...come];
}

class NewLines {
  readonly #log: Log;
  readonly #held: HeldLines;

  constructor(log: Log) {
    this.#log = log;
    this.#held = new HeldLines(log);
  }

  async add(line: CrawlLine): Promise<void> {
    this.#held.add(line, 0);
    while (this.#held.release(0)) await answered((done) => this.#log.commit(done));
  }
}

function movedLine(line: CrawlLine, moves: ReadonlyMap<string, Moves>): CrawlLine {
  const { place } = line;
  if (place === null) return line;
  const offset = moves.get(baseName(place.file))?.get(place.offset) ?? place.offset;
  return offset === place.offset ? line : { ...line, place: { ...place, offset } };
}

async function addFound(
  { storage, seeds, keyOf }: SalvageParts,
  { found }: Comparison,
  moves: ReadonlyMap<string, Moves>,
  lines: NewLines,
): Promise<void> {
  const reader = new RecordReader(storage);
  const seedKeys = new Set([...seeds].map(keyOf));
  try {
    for (const [text, length] of [...found].sort()) {
      const [warc = "", offset = ""] = text.split("\t");
      const read = await reader.read({ warc, offset: Number(offset), length });
      const line = read.kind === "record" ? lineOfRecord(read.record, warc) : null;
      if (line === null) continue;
      const depth = seedKeys.has(keyOf(line.url)) ? 0 : 1;
      const notes = /^[^?#]*\/robots\.txt$/.test(line.url)
        ? [...line.notes, ["robots"] as const]
        : line.notes;
      await lines.add(movedLine({ ...line, depth, notes }, moves));
    }
  } finally {
    await reader.close();
  }
}
