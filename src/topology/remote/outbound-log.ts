/**
 * What is to be sent, in a log: pieces go in, and come out as frames once they are durable, so that a
 * sender that dies and starts again never uses a sequence number for something else. It does not know to
 * whom frames go; whoever sends asks for those after a position, and says what may be dropped.
 *
 * Frames that were just committed are still in memory and are taken from there; others are read back.
 * While nobody takes them the log is the spill.
 */
import { CrawlError } from "../../base/errors/index.ts";
import {
  type FrameBatch,
  type Log,
  type LogReader,
  openLog,
  type Position,
} from "../../base/log/index.ts";
import type {
  Acknowledge,
  Clock,
  Done,
  FileName,
  Random,
  Storage,
  Timer,
} from "../../base/seams/index.ts";
import { decodePiece } from "./remote-frame.ts";

export interface OutboundFrame {
  /** Where the frame before it ends. */
  readonly after: Position;
  readonly end: Position;
  readonly piece: Uint8Array;
  /** Items of the stream before this frame, and with it. */
  readonly itemsFrom: number;
  readonly itemsEnd: number;
}

export type NumberedPiece = Pick<OutboundFrame, "piece" | "itemsFrom" | "itemsEnd">;

export interface OutboundLogParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly folder: FileName;
  readonly segmentBytesMax: number;
  readonly report: (error: CrawlError) => void;
  /** The log is broken: nothing more goes in. */
  readonly fail: (error: CrawlError) => void;
}

/** Frames in memory at most, by their bytes. */
const TAIL_BYTES_MAX = 4 * 1024 * 1024;
/** Frames that have arrived are forgotten when there are this many. */
const TAIL_FRAMES_KEPT = 256;
/** After the disk was full, the next attempt. */
const FULL_RETRY_MS = 500;

const STREAM = /^[0-9a-f]{24}$/;

/** The file that holds the name of the stream. */
export function streamFile(folder: FileName): FileName {
  return `${folder}/stream`;
}

export function openOutboundLog(parts: OutboundLogParts, done: Done<OutboundLog>): void {
  const { storage, random, folder: name, segmentBytesMax } = parts;
  openStream(parts, (streamError, stream) => {
    if (streamError !== null) done(streamError, undefined);
    else {
      const folder = `${name}/out`;
      openLog(
        { storage, random, name: folder, framing: "binary", segmentBytesMax },
        (...opened) => {
          const [error, found] = opened;
          if (error !== null) done(error, undefined);
          else new OutboundLog(parts, found.log, stream).recover(done);
        },
      );
    }
  });
}

/** The name of the stream, which is drawn when the log is made. */
function openStream({ storage, random, folder }: OutboundLogParts, done: Done<string>): void {
  const name = streamFile(folder);
  storage.readWhole(name, (error, bytes) => {
    const known = error === null ? new TextDecoder().decode(bytes) : "";
    if (error !== null && error.code !== "STORAGE_MISSING") done(error, undefined);
    else if (STREAM.test(known)) done(null, known);
    else {
      // A name that was cut would be refused. With another one frames are sent again, which does no harm.
      const drawn = [random.u32(), random.u32(), random.u32()];
      const stream = drawn.map((word) => word.toString(16).padStart(8, "0")).join("");
      storage.replace(name, new TextEncoder().encode(stream), (failure) => {
        if (failure === null) done(null, stream);
        else done(failure, undefined);
      });
    }
  });
}

export class OutboundLog {
  readonly stream: string;
  /** Called when more frames are there to be sent, and when there is room for more pieces. */
  changed: () => void = () => undefined;
  readonly #parts: OutboundLogParts;
  readonly #log: Log;
  /** Pieces for which the log had no room yet. */
  #waiting: NumberedPiece[] = [];
  #waitingBytes = 0;
  /** Appended, and not known to be committed. */
  #appended: OutboundFrame[] = [];
  #tail: OutboundFrame[] = [];
  #tailBytes = 0;
  #reader: LogReader | null = null;
  #readAt: Position = 0;
  #itemsCommitted = 0;
  #itemsEnd = 0;
  #isCommitting = false;
  #isFull = false;
  #isBroken = false;
  #isDropping = false;
  #isClosed = false;
  #isReading = false;
  #retryTimer: Timer | null = null;
  #whenRead: () => void = () => undefined;

  constructor(parts: OutboundLogParts, log: Log, stream: string) {
    this.#parts = parts;
    this.#log = log;
    this.stream = stream;
  }

  get begin(): Position {
    return this.#log.begin;
  }

  /** Frames that end at or before this position can be sent. */
  get committed(): Position {
    return this.#log.committed;
  }

  get endBytes(): Position {
    return this.#log.end + this.#waitingBytes;
  }

  /** Items of the stream that are durable. */
  get itemsCommitted(): number {
    return this.#itemsCommitted;
  }

  /** Items of the stream. */
  get itemsEnd(): number {
    return this.#itemsEnd;
  }

  /** Whether it can take pieces: not while the disk is full. */
  get isOpen(): boolean {
    return !this.#isFull && !this.#isBroken;
  }

  /** Whether its disk has failed: only the next life can go on. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether everything that was put in is durable. */
  get isCommitted(): boolean {
    return this.#waiting.length === 0 && this.#appended.length === 0;
  }

  put(numbered: NumberedPiece): void {
    this.#waiting.push(numbered);
    this.#waitingBytes += numbered.piece.byteLength;
    this.#itemsEnd = numbered.itemsEnd;
    this.#commit();
  }

  /** Tries again to write what a full disk had no room for; `changed` is called then. */
  retry(): void {
    this.#isFull = false;
    this.#commit();
  }

  /** Up to `countMax` frames after a position, from memory; null if they must be read. */
  inMemoryAfter(position: Position, countMax: number): readonly OutboundFrame[] | null {
    const [first, last] = [this.#tail[0], this.#tail.at(-1)];
    const isThere = first !== undefined && position >= first.after && position < (last?.end ?? 0);
    if (!isThere) return position >= this.committed ? [] : null;
    const from = placeAfter(this.#tail, position);
    return this.#tail.slice(from, from + countMax);
  }

  /**
   * The next few frames after a position, or none if nothing but damage is left; one reading at a time.
   */
  read(position: Position, done: Done<readonly OutboundFrame[]>): void {
    const old = this.#reader;
    if (old !== null && this.#readAt !== position) {
      this.#reader = null;
      old.close(() => {
        if (!this.#isClosed) this.read(position, done);
      });
      return;
    }
    const reader = old ?? this.#log.reader(position);
    this.#reader = reader;
    this.#readAt = position;
    this.#isReading = true;
    reader.read((error, batch) => {
      this.#isReading = false;
      if (this.#isClosed) this.#whenRead();
      else if (error !== null) done(error, undefined);
      else {
        const frames = this.#framesOf(batch);
        const isMore = frames.length === 0 && batch.count + batch.damage.length > 0;
        if (isMore) this.read(position, done);
        else done(null, frames);
      }
    });
  }

  /** Reads what is committed from a position on, beside whoever sends; its owner closes it. */
  readerFrom(position: Position): LogReader {
    return this.#log.reader(position);
  }

  /** Everything before this position has arrived. */
  dropBefore(position: Position): void {
    const arrived = placeAfter(this.#tail, position);
    if (arrived >= TAIL_FRAMES_KEPT) this.#trimTail(arrived);
    const isWorthwhile = position - this.begin >= this.#parts.segmentBytesMax;
    if (!isWorthwhile || this.#isDropping || this.#isClosed) return;
    this.#isDropping = true;
    this.#log.dropBefore(position, () => {
      this.#isDropping = false;
    });
  }

  /** Ends after what is being read; nothing is answered any more. */
  close(done: Acknowledge): void {
    this.#isClosed = true;
    const reader = this.#reader;
    this.#whenRead = () => {
      if (reader === null) this.#log.close(done);
      else reader.close(() => this.#log.close(done));
    };
    if (!this.#isReading) this.#whenRead();
  }

  /** Looks at everything in the log, to know how many items there are. */
  recover(done: Done<OutboundLog>): void {
    const reader = this.#log.reader();
    const next = (): void =>
      reader.read((error, batch) => {
        if (error !== null) {
          reader.close(() => this.#log.close(() => done(error, undefined)));
          return;
        }
        const last = this.#framesOf(batch).at(-1);
        for (const { from, to } of batch.damage) this.#parts.report(this.#damaged(to - from));
        this.#itemsEnd = last?.itemsEnd ?? this.#itemsEnd;
        this.#itemsCommitted = this.#itemsEnd;
        if (last !== undefined || batch.damage.length > 0) next();
        else reader.close(() => done(null, this));
      });
    this.#readAt = this.begin;
    next();
  }

  #framesOf(batch: FrameBatch): OutboundFrame[] {
    const frames: OutboundFrame[] = [];
    for (let index = 0; index < batch.count; index += 1) {
      const piece = batch.payloadOf(index);
      const header = decodePiece(piece);
      // What is not a piece was written by something else than this: it is as good as damaged.
      if (header === null) continue;
      const itemsEnd = header.first + (header.isLast ? header.count : 0);
      const [after, end] = [this.#readAt, batch.endOf(index)];
      this.#readAt = end;
      frames.push({ after, end, piece, itemsFrom: header.first, itemsEnd });
    }
    return frames;
  }

  #commit(): void {
    if (this.#isCommitting || this.#isBroken || this.#isClosed) return;
    this.#append();
    if (this.#appended.length === 0) return;
    this.#isCommitting = true;
    this.#log.commit((error) => {
      this.#isCommitting = false;
      if (error === null) this.#committed();
      else if (error.code === "STORAGE_FULL") this.#waitForRoom(error);
      else this.#break(error);
    });
  }

  #append(): void {
    let count = 0;
    for (const numbered of this.#waiting) {
      const after = this.#log.tryAppend(numbered.piece);
      if (after === null) break;
      this.#appended.push({ ...numbered, after, end: this.#log.end });
      this.#waitingBytes -= numbered.piece.byteLength;
      count += 1;
    }
    this.#waiting = this.#waiting.slice(count);
  }

  #committed(): void {
    this.#isFull = false;
    const { committed } = this;
    const count = this.#appended.findLastIndex(({ end }) => end <= committed) + 1;
    for (const frame of this.#appended.slice(0, count)) {
      this.#tail.push(frame);
      this.#tailBytes += frame.piece.byteLength;
      this.#itemsCommitted = frame.itemsEnd;
    }
    this.#appended = this.#appended.slice(count);
    this.#trimTail(0);
    this.#commit();
    this.changed();
  }

  /** Forgets this many frames, and more if those that are left are too large. */
  #trimTail(least: number): void {
    let count = 0;
    while (count < least || (this.#tailBytes > TAIL_BYTES_MAX && count < this.#tail.length - 1)) {
      this.#tailBytes -= this.#tail[count]?.piece.byteLength ?? 0;
      count += 1;
    }
    if (count > 0) this.#tail = this.#tail.slice(count);
  }

  #damaged(bytes: number): CrawlError {
    const { folder } = this.#parts;
    return new CrawlError(
      "TOPOLOGY_ITEM_LOST",
      `Items of ${folder} that were to be sent are lost: ${bytes} bytes of its log are damaged.`,
      { folder, bytes },
    );
  }

  #waitForRoom(error: CrawlError): void {
    if (!this.#isFull) this.#parts.report(error);
    this.#isFull = true;
    this.#retryTimer ??= this.#parts.clock.after(FULL_RETRY_MS, () => {
      this.#retryTimer = null;
      this.#commit();
    });
    this.changed();
  }

  #break(error: CrawlError): void {
    this.#isBroken = true;
    this.#parts.fail(error);
  }
}

/** Index of the first frame that does not end before or at the position. */
function placeAfter(frames: readonly OutboundFrame[], position: Position): number {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
