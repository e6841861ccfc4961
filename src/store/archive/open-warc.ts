/**
 * What a process that died left of the archive: files still named `.open`, whose last bytes may be
 * missing or wrong. Each is read, from where a checkpoint knows it to be whole, up to the first bytes
 * that are not a record; what follows is discarded. After a power failure there may be zeros anywhere in
 * what was not synced, and without compression a record with such a gap may still look like one: so it
 * must have its digest, and be where its line says.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type ReadableFile,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn, valuesInTurn } from "../../base/steps/index.ts";
import { type ReadRecord, RecordScanner, verifyRecord } from "../../formats/warc/index.ts";
import type { CrawlLine } from "./crawl-line.ts";
import { lineField } from "./line-field.ts";
import { finalName, openName, serialOf, WARC_FOLDER } from "./warc-name.ts";

export interface LeftOpen {
  /** The name it will have. */
  readonly file: FileName;
  /** Everything before is whole records. */
  readonly wholeBytes: number;
  /** Where the last ones of them end. */
  readonly ends: readonly number[];
  readonly lengthBytes: number;
}

export interface FoundArchive {
  /** Of all files. */
  readonly names: readonly FileName[];
  /** The names that files will have which were left open. */
  readonly leftOpen: readonly FileName[];
  readonly nextSerial: number;
}

export function findArchive(storage: Storage, done: Done<FoundArchive>): void {
  storage.list(
    WARC_FOLDER,
    withValue(done, (names) => {
      const serials = names.map((name) => serialOf(name) ?? -1);
      const nextSerial = serials.reduce((most, serial) => Math.max(most, serial), -1) + 1;
      const leftOpen = names.flatMap((name) => finalName(name) ?? []);
      done(null, { names, leftOpen, nextSerial });
    }),
  );
}

/**
 * The first file, under its final name or the one before, that is shorter than what is known to be in it;
 * null if none is. Files that are not there were moved elsewhere.
 */
export function findShort(
  storage: Storage,
  { names }: Pick<FoundArchive, "names">,
  known: ReadonlyMap<FileName, number>,
  done: Done<FileName | null>,
): void {
  const there = new Set(names);
  let short: FileName | null = null;
  const look = ([file, bytes]: readonly [FileName, number], next: Acknowledge): void => {
    const name = [openName(file), file].find((one) => there.has(one));
    if (name === undefined || bytes === 0 || short !== null) {
      next(null);
      return;
    }
    hasByte(
      ...([storage, name, bytes - 1] as const),
      withValue(next, (isThere) => {
        if (!isThere) short = name;
        next(null);
      }),
    );
  };
  inTurn(
    known,
    look,
    whenDone(done, () => done(null, short)),
  );
}

function hasByte(storage: Storage, name: FileName, at: number, done: Done<boolean>): void {
  storage.openToRead(
    name,
    withValue(done, (file) =>
      file.read(at, 1, (error, bytes) =>
        file.close((closeError) => {
          const failure = error ?? closeError;
          if (failure !== null) done(failure, undefined);
          else done(null, bytes?.length === 1);
        }),
      ),
    ),
  );
}

/** What is known of files that were left open. */
export interface KnownRecords {
  /** Up to where each is known to be whole. */
  readonly bytes: ReadonlyMap<FileName, number>;
  /** Lines of records behind that, in any order; they need not be all. */
  readonly lines: readonly CrawlLine[];
}

/** Reads how far files are whole, each from where it is known to be. */
export function examineAll(
  storage: Storage,
  files: readonly FileName[],
  { bytes, lines }: KnownRecords,
  done: Done<readonly LeftOpen[]>,
): void {
  valuesInTurn(
    files,
    (file, next: Done<LeftOpen>) => {
      const expected = new ExpectedRecords(lines.filter(({ place }) => place?.file === file));
      examine(storage, file, { bytes: bytes.get(file) ?? 0, expected }, next);
    },
    done,
  );
}

/** The records of a file that its lines tell of. */
class ExpectedRecords {
  readonly #lines: readonly CrawlLine[];
  #next = 0;

  constructor(lines: readonly CrawlLine[]) {
    this.#lines = lines.toSorted((one, other) => offsetOf(one) - offsetOf(other));
  }

  /** Whether a record that begins at `offset`, behind all that was asked for before, may be there. */
  hasRoomFor(record: ReadRecord, offset: number): boolean {
    const line = this.#lines[this.#next];
    if (line === undefined || offsetOf(line) >= offset + record.lengthBytes) return true;
    this.#next += 1;
    const isThere = offsetOf(line) === offset && line.place?.lengthBytes === record.lengthBytes;
    return isThere && lineField(record.targetUri) === line.url;
  }
}

function offsetOf({ place }: CrawlLine): number {
  return place?.offset ?? 0;
}

/** Few records are written before their lines. */
const ENDS_MAX = 10_000;
const PIECE_BYTES = 1024 * 1024;

interface KnownFile {
  readonly bytes: number;
  readonly expected: ExpectedRecords;
}

function examine(storage: Storage, name: FileName, known: KnownFile, done: Done<LeftOpen>): void {
  storage.openToRead(openName(name), (error, file) => {
    if (error !== null) return done(error, undefined);
    scan(file, known, (failure, extent) => {
      file.close((closeError) => {
        if (failure !== null) done(failure, undefined);
        else if (closeError !== null) done(closeError, undefined);
        else done(null, { file: name, ...extent });
      });
    });
  });
}

interface Extent {
  readonly wholeBytes: number;
  readonly ends: readonly number[];
  readonly lengthBytes: number;
}

function scan(
  file: ReadableFile,
  { bytes: knownBytes, expected }: KnownFile,
  done: Done<Extent>,
): void {
  const scanner = new RecordScanner();
  let wholeBytes = knownBytes;
  let ends: number[] = [];
  let isDamaged = false;
  const takeSteps = (): void => {
    for (let step = scanner.next(); step !== null; step = scanner.next()) {
      isDamaged ||= step.kind === "damage" || !isSound(step.record, expected, knownBytes);
      if (step.kind === "record" && !isDamaged) {
        wholeBytes = knownBytes + step.record.offset + step.record.lengthBytes;
        ends.push(wholeBytes);
        if (ends.length > 2 * ENDS_MAX) ends = ends.slice(-ENDS_MAX);
      }
    }
  };
  const readFrom = (offset: number): void =>
    file.read(offset, PIECE_BYTES, (error, bytes) => {
      if (error !== null) return done(error, undefined);
      const lengthBytes = offset + bytes.length;
      if (!isDamaged) scanner.push(bytes);
      if (bytes.length < PIECE_BYTES) scanner.end();
      takeSteps();
      if (bytes.length === PIECE_BYTES) readFrom(lengthBytes);
      else done(null, { wholeBytes, ends, lengthBytes });
    });
  readFrom(knownBytes);
}

function isSound(record: ReadRecord, expected: ExpectedRecords, knownBytes: number): boolean {
  const isItself = verifyRecord(record, null).block !== "wrong";
  return isItself && expected.hasRoomFor(record, knownBytes + record.offset);
}

/** How many records are cut off, one that is not whole included. */
export function recordsBeyond(
  { ends, wholeBytes, lengthBytes }: LeftOpen,
  endBytes: number,
): number {
  // The first record says what file this is, and is none of a page.
  const whole = ends.filter((end) => end > endBytes).length - (endBytes === 0 ? 1 : 0);
  return Math.max(0, whole) + (lengthBytes > wholeBytes ? 1 : 0);
}

/**
 * Ends a file that was left open at `endBytes`, where its last logged record ends, and gives it its
 * final name; a file with nothing logged is removed.
 */
export function closeLeftOpen(
  storage: Storage,
  left: LeftOpen,
  endBytes: number,
  done: Acknowledge,
): void {
  const open = openName(left.file);
  const rename = (): void => storage.rename(open, left.file, done);
  if (endBytes === 0) storage.remove(open, done);
  else cutFile(storage, open, endBytes, whenDone(done, rename));
}

/** Ends a file at `endBytes`, durably; one with nothing before that is removed. */
export function cutFile(
  storage: Storage,
  name: FileName,
  endBytes: number,
  done: Acknowledge,
): void {
  if (endBytes === 0) storage.remove(name, done);
  else {
    storage.open(
      name,
      withValue(done, (file) => {
        const end = (cutError: CrawlError | null): void =>
          file.sync((error) => file.close((closeError) => done(cutError ?? error ?? closeError)));
        if (file.lengthBytes > endBytes) file.cut(endBytes, end);
        else end(null);
      }),
    );
  }
}
