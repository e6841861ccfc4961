/**
 * The table of bodies on disk, so that going on with a crawl need not read its whole crawl log: a log to
 * which each checkpoint adds what the table has got since the last one. Its frames are origins, and
 * entries as they lie in memory, in the order in which they came, so that the numbers of origins stay right.
 *
 * It only saves work. If it is not as a checkpoint knows it, the table is made again from the crawl log,
 * and this from the table.
 */
import {
  checkLog,
  type FrameBatch,
  type Log,
  type LogReader,
  openLog,
  type Position,
  type TellOfLog,
} from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import { PayloadTable, walkEntries } from "./payload-table.ts";

const FOLDER: FileName = "frontier/bodies";
const NAME: FileName = `${FOLDER}/table`;

/** What a checkpoint knows of it. */
export interface PayloadMarks {
  readonly end: Position;
  readonly origins: number;
  readonly entries: number;
}

export interface PayloadLogOptions {
  readonly storage: Storage;
  readonly random: Random;
  /** Memory for the table. */
  readonly bytesMax?: number | undefined;
  /** What is to be read; null for nothing. */
  readonly marks: PayloadMarks | null;
}

export interface OpenedPayloads {
  readonly log: PayloadLog;
  readonly table: PayloadTable;
  /** Whether the table has all that the marks know; else it is empty. */
  readonly isWhole: boolean;
}

export function openPayloadLog(options: PayloadLogOptions, done: Done<OpenedPayloads>): void {
  const { storage, random, marks } = options;
  const again = (): void => openPayloadLog({ ...options, marks: null }, done);
  const durableEnd = marks?.end ?? 0;
  const log = { storage, random, name: NAME, framing: "binary", durableEnd } as const;
  openLog(log, (error, opened) => {
    if (error?.code === "LOG_DAMAGED") removeAll(storage, whenDone(done, again));
    else if (error !== null) done(error, undefined);
    else new Opening(options, opened.log, done).start();
  });
}

function removeAll(storage: Storage, done: Acknowledge): void {
  storage.list(
    FOLDER,
    withValue(done, (names) => inTurn(names, (name, next) => storage.remove(name, next), done)),
  );
}

/** The first byte of a frame. */
const ORIGINS = 0;
const ENTRIES = 1;
const ORIGINS_AT_ONCE = 1000;

/** Reads what a checkpoint knows, and tells what is wrong with it. */
export async function checkPayloadLog(
  storage: Storage,
  marks: PayloadMarks,
  tell: TellOfLog,
): Promise<void> {
  const counts: Counts = { origins: 0, entries: 0 };
  let isTold = false;
  const told: TellOfLog = (...told) => {
    isTold = true;
    tell(...told);
  };
  const sink: EntrySink = {
    addOrigin: () => {},
    addEntries: (entries) => walkEntries(entries, counts.origins, () => {}),
  };
  const take = (payload: Uint8Array): boolean => takeFrame(payload, sink, counts);
  await checkLog({ storage, name: NAME, from: null, to: marks.end }, take, told);
  const isAll = counts.origins === marks.origins && counts.entries === marks.entries;
  if (!isTold && !isAll) {
    const problem = `it has ${counts.entries} bodies of ${counts.origins} origins, and the checkpoint`;
    tell(`${NAME}.log`, null, `${problem} knows ${marks.entries} of ${marks.origins}`);
  }
}

class Opening {
  readonly #options: PayloadLogOptions;
  readonly #log: Log;
  readonly #done: Done<OpenedPayloads>;
  readonly #table: PayloadTable;

  constructor(options: PayloadLogOptions, log: Log, done: Done<OpenedPayloads>) {
    this.#options = options;
    this.#log = log;
    this.#done = done;
    this.#table = this.#newTable();
  }

  start(): void {
    const { marks } = this.#options;
    if (marks === null || this.#log.end < marks.end) this.#end(null);
    else this.#read(this.#log.reader(), marks, { origins: 0, entries: 0 });
  }

  #newTable(): PayloadTable {
    const { random, bytesMax } = this.#options;
    return new PayloadTable(random.fork("payloads"), bytesMax);
  }

  #read(reader: LogReader, marks: PayloadMarks, counts: Counts): void {
    const close = (found: PayloadMarks | null): void => reader.close(() => this.#end(found));
    if (reader.position >= marks.end) {
      const isAll = counts.origins === marks.origins && counts.entries === marks.entries;
      close(isAll ? marks : null);
      return;
    }
    reader.read((error, frames) => {
      if (error !== null) reader.close(() => this.#fail(error));
      else if (takeFrames(frames, marks.end, this.#table, counts)) {
        this.#read(reader, marks, counts);
      } else close(null);
    });
  }

  /** What follows the checkpoint, or all if nothing is known of it, is cut off. */
  #end(found: PayloadMarks | null): void {
    const log = this.#log;
    const table = found === null ? this.#newTable() : this.#table;
    const opened = (): void =>
      this.#done(null, {
        ...{ table, isWhole: found !== null },
        log: new PayloadLog(log, table, found?.entries ?? 0),
      });
    log.cutTo(
      found?.end ?? log.begin,
      whenDone((error) => this.#fail(error), opened),
    );
  }

  #fail(error: Parameters<Acknowledge>[0]): void {
    if (error !== null) this.#log.close(() => this.#done(error, undefined));
  }
}

interface Counts {
  origins: number;
  entries: number;
}

/** False if there are none, or some cannot be what was written. */
function takeFrames(
  frames: FrameBatch,
  end: Position,
  table: PayloadTable,
  counts: Counts,
): boolean {
  let isSound = frames.damage.length === 0 && frames.count > 0;
  for (let at = 0; at < frames.count && isSound && frames.positionOf(at) < end; at += 1) {
    isSound = takeFrame(frames.payloadOf(at), table, counts);
  }
  return isSound;
}

type EntrySink = Pick<PayloadTable, "addOrigin" | "addEntries">;

function takeFrame(payload: Uint8Array, sink: EntrySink, counts: Counts): boolean {
  const { buffer, byteOffset, length } = payload.subarray(1);
  const bytes = Buffer.from(buffer, byteOffset, length);
  if (payload[0] === ORIGINS) {
    const origins = JSON.parse(bytes.toString()) as readonly string[];
    for (const origin of origins) sink.addOrigin(origin);
    counts.origins += origins.length;
    return true;
  }
  const entries = payload[0] === ENTRIES ? sink.addEntries(bytes) : null;
  counts.entries += entries ?? 0;
  return entries !== null;
}

export class PayloadLog {
  readonly #log: Log;
  readonly #table: PayloadTable;
  /** How much of the table is in the log. */
  #origins: number;
  #entries: number;
  #place: number;

  /** The log has all that the table has now, in so many entries; some may have found no memory. */
  constructor(log: Log, table: PayloadTable, entries: number) {
    this.#log = log;
    this.#table = table;
    this.#origins = table.origins.length;
    this.#entries = entries;
    this.#place = table.end;
  }

  /** Makes what the table has at this moment durable. */
  checkpoint(done: Done<PayloadMarks>): void {
    this.#write({ origins: this.#table.origins.length, end: this.#table.end }, done);
  }

  close(done: Acknowledge): void {
    this.#log.close(done);
  }

  #write(
    wanted: { readonly origins: number; readonly end: number },
    done: Done<PayloadMarks>,
  ): void {
    const log = this.#log;
    while (!log.isFull && (this.#origins < wanted.origins || this.#place < wanted.end)) {
      if (this.#origins < wanted.origins) this.#writeOrigins(wanted.origins);
      else this.#writeEntries(wanted.end);
    }
    const isAll = this.#origins >= wanted.origins && this.#place >= wanted.end;
    const marks = { end: log.end, origins: this.#origins, entries: this.#entries };
    log.commit(
      whenDone(done, () => {
        if (isAll) done(null, marks);
        else this.#write(wanted, done);
      }),
    );
  }

  #writeOrigins(to: number): void {
    const end = Math.min(to, this.#origins + ORIGINS_AT_ONCE);
    const origins = this.#table.origins.slice(this.#origins, end);
    this.#log.append(Buffer.concat([KIND[ORIGINS], Buffer.from(JSON.stringify(origins))]));
    this.#origins = end;
  }

  #writeEntries(to: number): void {
    const { bytes, entries, next } = this.#table.entriesFrom(this.#place, to);
    this.#log.append(Buffer.concat([KIND[ENTRIES], bytes]));
    this.#entries += entries;
    this.#place = next;
  }
}

const KIND = [Buffer.from([ORIGINS]), Buffer.from([ENTRIES])] as const;
