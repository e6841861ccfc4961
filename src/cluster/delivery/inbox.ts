/**
 * What other agents tell this one. A frame that is the next of its stream goes into one log; when that is
 * durable, its entries are handed over and its sender is told (D1). Nothing that was acknowledged is ever
 * cut: after a crash the log is replayed to its last whole frame (D3).
 *
 * What was handed over is part of the crawl's state only from the crawl's next checkpoint on. So a
 * checkpoint records a *mark* of this log, and what came after it is handed over again if the process
 * dies; when the checkpoint is recorded, everything before its mark is dropped.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { type FrameBatch, type Log, openLog, type Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type Random,
  type Storage,
  type Timer,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import {
  decodeFrame,
  decodePiece,
  decodeRecord,
  encodeAnswer,
  encodeArrival,
  encodeMark,
  type Frame,
  type FrameAnswer,
  type InboundStream,
  InboundStreams,
  nonsenseOf,
  type Piece,
} from "../../topology/remote/index.ts";
import { type Entry, EntryType } from "./entry.ts";
import { packBlock, readEntries, unpackBlock, writeEntries } from "./entry-blocks.ts";

export interface InboxParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly segmentBytesMax: number;
  /** Takes entries, durable here; again those that came after the last recorded mark. */
  readonly arrived: (entries: readonly Entry[]) => void;
  /** While true, senders are asked to wait. */
  readonly isBusy: () => boolean;
  readonly report: (error: CrawlError) => void;
  /** The disk failed for good. */
  readonly fail: (error: CrawlError) => void;
}

type Respond = (answer: FrameAnswer) => void;

interface Arrived {
  readonly entries: readonly Entry[];
  /** Where it is in the log. */
  readonly position: Position;
  /** Who is to be answered; null for what was kept. */
  readonly frame: {
    readonly stream: InboundStream;
    readonly end: number;
    readonly respond: Respond;
  } | null;
}

export const INBOX = "inbox/in";
/** The first byte of entries that this agent has kept itself; other records begin with other bytes. */
const KEPT_TAG = 0x4b;
/** After the disk was full, the next attempt. */
const FULL_RETRY_MS = 500;

/** `mark` is the one that the last checkpoint has recorded; null without one. */
export function openInbox(parts: InboxParts, mark: Position | null, done: Done<Inbox>): void {
  const { storage, random, segmentBytesMax } = parts;
  openLog(
    { storage, random, name: INBOX, framing: "binary", segmentBytesMax },
    withValue(done, ({ log }) => {
      const streams = new InboundStreams();
      readAll(log, log.begin, {
        take: (bytes, position) => {
          const record = decodeRecord(bytes);
          if (record?.kind === "mark") streams.replayMark(record.mark);
          const piece = record?.kind === "arrival" ? decodePiece(record.arrival.piece) : null;
          if (record?.kind === "arrival" && piece !== null) {
            streams.replay(record.arrival, piece, position);
          }
        },
        // Of what is damaged only that matters which is to be handed over; it is told then.
        damaged: () => undefined,
        done: (error) => {
          if (error !== null) log.close(() => done(error, undefined));
          else done(null, new Inbox(parts, log, streams, mark ?? log.begin));
        },
      });
    }),
  );
}

/** Made by `openInbox`. */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #log: Log;
  readonly #streams: InboundStreams;
  readonly #replayFrom: Position;
  #arrived: Arrived[] = [];
  /** Whether entries are handed over as they come: not before those of the last life were. */
  #isReplayed = false;
  #isCommitting = false;
  #isFull = false;
  #isClosed = false;
  #retryTimer: Timer | null = null;
  #refused = 0;
  #received = 0;

  constructor(parts: InboxParts, log: Log, streams: InboundStreams, replayFrom: Position) {
    this.#parts = parts;
    this.#log = log;
    this.#streams = streams;
    this.#replayFrom = Math.max(replayFrom, log.begin);
  }

  /** Frames that made no sense. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether something is here that was not handed over. */
  get isBehind(): boolean {
    return !this.#isReplayed || this.#arrived.length > 0;
  }

  /** Hands over what the last life acknowledged, and its checkpoint does not have; then takes frames. */
  replay(done: Acknowledge): void {
    const end = this.#log.committed;
    const damaged = (bytes: number): void => this.#parts.report(lost(bytes));
    readAll(this.#log, this.#replayFrom, {
      damaged,
      take: (bytes, position) => {
        if (position >= end) return;
        const entries = entriesIn(bytes);
        if (entries !== null) this.#parts.arrived(entries);
        else if (decodeRecord(bytes)?.kind !== "mark") damaged(bytes.byteLength);
      },
      done: whenDone(done, () => {
        this.#isReplayed = true;
        done(null);
      }),
    });
  }

  /** How often something has come, in all: entries of others, or kept ones. */
  get received(): number {
    return this.#received;
  }

  /** A message of another agent that this one listens to. */
  receive(body: Uint8Array, answer: (body: Uint8Array) => void): void {
    const respond: Respond = (given) => answer(encodeAnswer(given));
    const frame = decodeFrame(body);
    if (frame === null) {
      this.#refused += 1;
      respond({ kind: "refused", at: 0, reason: "it is not a frame of this version" });
    } else if (!this.#isClosed) this.#receive(frame, respond);
  }

  /**
   * Entries of this agent's own that nobody can take yet: they are handed over, when they are durable here,
   * like those that arrive.
   */
  keep(entries: readonly Entry[]): void {
    const block = packBlock(entries.length, writeEntries(entries));
    const position = this.#log.append(Buffer.concat([Uint8Array.of(KEPT_TAG), block]));
    this.#await({ entries, position, frame: null });
  }

  /** Answers when what was kept so far is durable. */
  commit(done: Acknowledge): void {
    this.#log.commit(done);
  }

  /**
   * Answers with a mark when it is durable: everything handed over before this call is before it. The
   * caller puts it into its checkpoint.
   */
  mark(done: Done<Position>): void {
    const streams = this.#streams.marked();
    const end = this.#log.append(encodeMark({ taken: 0, isOver: false, streams }));
    // What was not handed over yet comes after the moment of the checkpoint, and so after its mark.
    const position = this.#arrived.find(({ entries }) => entries.length > 0)?.position ?? end;
    this.#log.commit(whenDone(done, () => done(null, position)));
  }

  /** A checkpoint with this mark is recorded. */
  recorded(mark: Position): void {
    if (this.#isClosed) return;
    this.#log.dropBefore(mark, (error) => {
      if (error !== null && !this.#isClosed) this.#parts.report(error);
    });
  }

  close(done: Acknowledge): void {
    this.#isClosed = true;
    this.#retryTimer?.cancel();
    this.#log.close(done);
  }

  #receive(frame: Frame, respond: Respond): void {
    const piece = decodePiece(frame.piece);
    const entries = piece === null ? null : readEntries(piece.bytes, piece.count);
    const nonsense = nonsenseOf(frame, EntryType, this.#streams);
    if (
      piece === null ||
      entries === null ||
      nonsense !== null ||
      !piece.isFirst ||
      !piece.isLast
    ) {
      this.#refused += 1;
      respond({ kind: "refused", at: 0, reason: nonsense ?? "it has no entries" });
      return;
    }
    const stream = this.#streams.of(frame);
    const verdict = this.#streams.verdict(stream, frame);
    const isBusy = !this.#isReplayed || this.#isFull || this.#parts.isBusy();
    if (verdict === "known" && stream.durableAt >= frame.end) answerAt("taken", stream, respond);
    else if (verdict === "known")
      this.#await({ entries: [], position: 0, frame: { stream, end: 0, respond } });
    else if (verdict === "gap") answerAt("gap", stream, respond);
    else if (isBusy) answerAt("full", stream, respond);
    else this.#take(frame, { piece, entries, stream, respond });
  }

  #take(
    frame: Frame,
    taken: { piece: Piece; entries: readonly Entry[]; stream: InboundStream; respond: Respond },
  ): void {
    const { piece, entries, stream, respond } = taken;
    const { stream: name, end } = frame;
    const arrival = encodeArrival({ stream: name, end, number: 0, piece: frame.piece });
    const position = this.#log.tryAppend(arrival);
    if (position === null) {
      answerAt("full", stream, respond);
      return;
    }
    this.#streams.add(stream, end, piece, position);
    this.#await({ entries, position, frame: { stream, end, respond } });
  }

  #await(arrived: Arrived): void {
    this.#arrived.push(arrived);
    this.#received += 1;
    this.#commit();
  }

  #commit(): void {
    if (this.#isCommitting || this.#isClosed) return;
    this.#isCommitting = true;
    const count = this.#arrived.length;
    this.#log.commit((error) => {
      this.#isCommitting = false;
      if (this.#isClosed) return;
      if (error === null) this.#committed(count);
      else if (error.code === "STORAGE_FULL") this.#waitForRoom(error);
      else this.#parts.fail(error);
    });
  }

  /** Handed over before it is acknowledged, so that whoever hears of the one can see the other. */
  #committed(count: number): void {
    this.#isFull = false;
    for (const { entries, frame } of this.#arrived.splice(0, count)) {
      if (frame !== null) frame.stream.durableAt = Math.max(frame.stream.durableAt, frame.end);
      if (entries.length > 0) this.#parts.arrived(entries);
      if (frame !== null) answerAt("taken", frame.stream, frame.respond);
    }
    if (this.#arrived.length > 0) this.#commit();
  }

  #waitForRoom(error: CrawlError): void {
    if (!this.#isFull) this.#parts.report(error);
    this.#isFull = true;
    for (const { frame } of this.#arrived) {
      if (frame !== null) answerAt("full", frame.stream, frame.respond);
    }
    this.#retryTimer ??= this.#parts.clock.after(FULL_RETRY_MS, () => {
      this.#retryTimer = null;
      this.#commit();
    });
  }
}

/** The entries of a record; null for a mark, and for what cannot be read. */
export function entriesIn(bytes: Uint8Array): readonly Entry[] | null {
  if (bytes[0] === KEPT_TAG) return unpackBlock(bytes.subarray(1));
  const record = decodeRecord(bytes);
  const piece = record?.kind === "arrival" ? decodePiece(record.arrival.piece) : null;
  return piece === null ? null : readEntries(piece.bytes, piece.count);
}

function answerAt(kind: FrameAnswer["kind"], stream: InboundStream, respond: Respond): void {
  respond({ kind, at: stream.durableAt, reason: "" });
}

function lost(bytes: number): CrawlError {
  return new CrawlError(
    "INBOX_DAMAGED",
    `Of what other agents have told this one, ${bytes} bytes are damaged that no checkpoint has: URLs in ` +
      "them are known no more here. Remove the crawl directory of this agent and let it join anew, so " +
      "that the others tell it again.",
    { bytes },
  );
}

interface Reading {
  readonly take: (payload: Uint8Array, position: Position) => void;
  /** Told of bytes that were acknowledged once. */
  readonly damaged: (bytes: number) => void;
  readonly done: Acknowledge;
}

/** Reads the frames of a log from a position to its end. */
function readAll(log: Log, from: Position, { take, damaged, done }: Reading): void {
  const reader = log.reader(from);
  const read = (): void =>
    reader.read((error, batch: FrameBatch | undefined) => {
      if (error !== null || batch === undefined) reader.close(() => done(error));
      else if (batch.count + batch.damage.length === 0) reader.close(done);
      else {
        for (const range of batch.damage) damaged(range.to - range.from);
        for (let at = 0; at < batch.count; at += 1) take(batch.payloadOf(at), batch.positionOf(at));
        read();
      }
    });
  read();
}
