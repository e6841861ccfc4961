/**
 * What one place is told: a stream of entries in a log. Everything before the acknowledged position is
 * *retained*, everything after it is *pending*. Frames, their numbers and the window are those of remote
 * connectors (`topology/remote`); but what has arrived is kept, compressed, in a second log.
 *
 * An acknowledgement is a position, and comes from exactly this place (U3): the stream is named by its
 * log, and another disk of the same agent has another outbox. An entry is sent only when it is durable
 * here (D1).
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  type Timer,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import type { Transport } from "../../base/transport/index.ts";
import {
  BatchWriter,
  type FrameSource,
  type OutboundLog,
  openOutboundLog,
  SendWindow,
  streamFile,
} from "../../topology/remote/index.ts";
import { type Place, placeText } from "../messages/index.ts";
import type { BatchPace, BatchPaceSettings } from "./batch-pace.ts";
import { compactRetained } from "./compact-retained.ts";
import { type Entry, EntryType } from "./entry.ts";
import { packBlock } from "./entry-blocks.ts";
import { placeFolder } from "./place-folders.ts";
import { openRetainedLog, type RetainedLog, type TakeEntries } from "./retained-log.ts";
import { readStream, type StreamReading } from "./stream-pieces.ts";
import { WaitingSince } from "./waiting-since.ts";

export interface DeliverySettings extends BatchPaceSettings {
  /** A batch is sent when it has this many entries or bytes, or when its time has come (`batch-pace.ts`). */
  readonly batchEntries: number;
  readonly batchBytes: number;
  /** Without an answer in this time a batch is sent again. */
  readonly timeoutMs: number;
  readonly segmentBytesMax: number;
  /** What is acknowledged is compressed when there is this much of it. */
  readonly retainBytes: number;
  /** Compacting begins when this many entries were told more than once. */
  readonly repeatsMax: number;
}

export interface OutboxParts {
  readonly place: Place;
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly settings: DeliverySettings;
  /** Of all outboxes of the agent. */
  readonly pace: BatchPace;
  /** Asks this place, and believes only answers of this place. */
  readonly transport: Pick<Transport, "request">;
  readonly report: (error: CrawlError) => void;
  /** The disk failed for good. */
  readonly fail: (error: CrawlError) => void;
  /** Something became durable, or was acknowledged. */
  readonly changed: () => void;
}

/** The name of the stream for both sides. */
export const CONNECTOR = "urls";
const COMPACT_ENTRIES_MAX = 250_000;

/** The folder of all outboxes. */
export const OUTBOXES = "outbox";

export function openOutbox(parts: OutboxParts, done: Done<Outbox>): void {
  const { storage, clock, random, settings, place, report, fail } = parts;
  const { segmentBytesMax } = settings;
  const folder = placeFolder(OUTBOXES, place);
  const damaged = (bytes: number): CrawlError => lost(place, bytes);
  openOutboundLog(
    { storage, clock, random, folder, segmentBytesMax, report, fail },
    withValue(done, (log) =>
      openRetainedLog(
        { storage, random, folder, segmentBytesMax, report, damaged },
        (error, kept) => {
          if (error !== null) log.close(() => done(error, undefined));
          else done(null, new Outbox(parts, log, kept));
        },
      ),
    ),
  );
}

/** Made by `openOutbox`. */
export class Outbox {
  readonly place: Place;
  readonly #parts: OutboxParts;
  readonly #log: OutboundLog;
  readonly #retained: RetainedLog;
  readonly #batch: BatchWriter<Entry>;
  readonly #window: SendWindow;
  readonly #waiting: WaitingSince;
  /** Of the stream, everything before this is in the retained log too. */
  #retainedAt: Position;
  #linger: Timer | null = null;
  /** Since when the first entry of the batch waits. */
  #lingersSinceMs = 0;
  #isHurrying = false;
  #isRetaining = false;
  /** How often it is being read: nothing is retained then, since that removes files. */
  #readings = 0;
  /** Readings that wait for what is being retained. */
  readonly #toRead: (() => void)[] = [];
  #repeats = 0;
  #isClosed = false;

  constructor(parts: OutboxParts, log: OutboundLog, retained: RetainedLog) {
    const { place, settings, transport, clock, random, report } = parts;
    this.place = place;
    this.#parts = parts;
    this.#log = log;
    this.#retained = retained;
    this.#retainedAt = log.begin;
    this.#batch = new BatchWriter({
      ...{ type: EntryType, report, first: log.itemsEnd, put: (piece) => log.put(piece) },
      ...{ batchItems: settings.batchEntries, batchBytes: settings.batchBytes },
    });
    this.#window = new SendWindow({
      ...{
        to: place.id,
        connector: CONNECTOR,
        type: EntryType.name,
        timeoutMs: settings.timeoutMs,
      },
      ...{ transport, clock, random, from: log.begin },
      // Who is away is told by membership.
      report: (error) => {
        if (error.code !== "TOPOLOGY_REMOTE_AWAY") report(error);
      },
      log: this.#source(),
      progressed: () => this.#progressed(),
    });
    log.changed = () => {
      this.#window.pump();
      this.#parts.changed();
    };
    this.#window.isHeld = true;
    this.#waiting = new WaitingSince(clock);
    if (this.pending > 0) this.#waiting.appended(log.itemsEnd);
  }

  /** Entries that it was ever told, in all lives of this agent. */
  get told(): number {
    return this.#batch.itemsEnd;
  }

  /** How long the oldest of those waits that the place has not acknowledged; 0 if none does. */
  get lagMs(): number {
    return this.pending === 0 ? 0 : this.#waiting.lagMs;
  }

  /** Entries that the place has not acknowledged. */
  get pending(): number {
    if (this.#window.isSettled && this.#batch.count === 0 && this.#log.isCommitted) return 0;
    return Math.max(1, this.#batch.itemsEnd - this.#window.itemsAcknowledged);
  }

  get retainedBytes(): number {
    return this.#retained.bytes + (this.#window.acknowledged - this.#retainedAt);
  }

  get isDurable(): boolean {
    return this.#batch.count === 0 && this.#log.isCommitted;
  }

  /** Whether its disk is full. */
  get isFull(): boolean {
    return !this.#log.isOpen;
  }

  /** Whether entries are sent: not to a place that is thought to be away. */
  get isSending(): boolean {
    return !this.#window.isHeld;
  }

  set isSending(isSending: boolean) {
    this.#window.isHeld = !isSending;
  }

  /** `isRepeat`: the place may have been told of it before. */
  append(entry: Entry, isRepeat: boolean): void {
    if (isRepeat) this.#repeats += 1;
    this.#batch.add([entry]);
    this.#waiting.appended(this.#batch.itemsEnd);
    if (this.#batch.count === 0 || this.#linger !== null) return;
    const { clock, pace } = this.#parts;
    this.#lingersSinceMs = clock.nowMs();
    this.#linger = clock.after(pace.waitMs, () => this.flush());
  }

  /** What waits for others that go with it goes out soon. */
  hurry(): void {
    if (this.#linger === null || this.#isHurrying) return;
    const { clock, settings } = this.#parts;
    this.#isHurrying = true;
    this.#linger.cancel();
    const waitedMs = clock.nowMs() - this.#lingersSinceMs;
    this.#linger = clock.after(Math.max(0, settings.lingerMs - waitedMs), () => this.flush());
  }

  /** Makes durable, and sends, what waits for a full batch. */
  flush(): void {
    this.#linger?.cancel();
    this.#linger = null;
    this.#isHurrying = false;
    if (this.#isClosed || this.#batch.count === 0) return;
    this.#parts.pace.sent();
    this.#batch.flush();
  }

  /** Everything that it was ever told and is durable here: for when it is given up. */
  each(take: TakeEntries, done: Acknowledge): void {
    this.#read((over) => {
      const readRest = (): void => this.#readFrom(this.#retainedAt, take, over);
      this.#retained.each(take, whenDone(over, readRest));
    }, done);
  }

  /** What it was told, is durable here, and that it has not acknowledged. */
  eachPending(take: TakeEntries, done: Acknowledge): void {
    this.#read((over) => this.#readFrom(this.#window.acknowledged, take, over), done);
  }

  close(done: Acknowledge): void {
    this.flush();
    this.#isClosed = true;
    this.#window.close();
    this.#log.changed = () => undefined;
    this.#log.close((error) => this.#retained.close((closing) => done(error ?? closing)));
  }

  /**
   * Closes it and removes all of it: the place is given up, and everything was dispatched anew. The name of the
   * stream goes first: of one that begins anew under its old name, the place would believe that it has had the
   * first frames.
   */
  remove(done: Acknowledge): void {
    const { storage } = this.#parts;
    const folder = placeFolder(OUTBOXES, this.place);
    const name = streamFile(folder);
    const removeAll = (files: readonly FileName[]): void =>
      inTurn(
        [name, ...files.filter((file) => file !== name)],
        (file, next) => storage.remove(file, next),
        done,
      );
    this.close(whenDone(done, () => storage.list(folder, withValue(done, removeAll))));
  }

  /** When nothing is being retained, and so that nothing is until it is over. */
  #read(read: (over: Acknowledge) => void, done: Acknowledge): void {
    const begin = (): void => {
      this.#readings += 1;
      read((error) => {
        this.#readings -= 1;
        this.#retain();
        done(error);
      });
    };
    if (this.#isRetaining) this.#toRead.push(begin);
    else begin();
  }

  #readFrom(from: Position, take: TakeEntries, done: Acknowledge): void {
    const reading = this.#reading(this.#log.committed, (entries, _bytes, next) =>
      take(entries, next),
    );
    readStream(this.#log.readerFrom(from), reading, done);
  }

  #source(): FrameSource {
    const log = this.#log;
    return {
      stream: log.stream,
      get begin(): Position {
        return log.begin;
      },
      get committed(): Position {
        return log.committed;
      },
      get itemsCommitted(): number {
        return log.itemsCommitted;
      },
      inMemoryAfter: log.inMemoryAfter.bind(log),
      read: log.read.bind(log),
      dropBefore: () => this.#retain(),
    };
  }

  #progressed(): void {
    this.#waiting.acknowledged(this.#window.itemsAcknowledged);
    this.#retain();
    this.#parts.changed();
  }

  /** Moves what was acknowledged into the retained log, when it is worth it. */
  #retain(): void {
    const to = this.#window.acknowledged;
    const isWorthwhile = to - this.#retainedAt >= this.#parts.settings.retainBytes;
    if (!isWorthwhile || this.#isRetaining || this.#readings > 0 || this.#isClosed) return;
    this.#isRetaining = true;
    const keep: StreamReading["take"] = (entries, bytes, next) => {
      if (!this.#isClosed) this.#retained.keep(packBlock(entries.length, bytes));
      next();
    };
    readStream(this.#log.readerFrom(this.#retainedAt), this.#reading(to, keep), (readError) => {
      if (this.#isClosed) return;
      if (readError !== null) this.#hasRetained(this.#retainedAt, readError);
      else this.#retained.commit((error) => this.#hasRetained(to, error));
    });
  }

  #hasRetained(to: Position, error: CrawlError | null): void {
    if (this.#isClosed) return;
    // What is in the retained log twice then is merged some time; the next acknowledgement tries again.
    if (error !== null) this.#parts.report(error);
    else {
      this.#retainedAt = to;
      this.#log.dropBefore(to);
    }
    if (error === null && this.#repeats >= this.#parts.settings.repeatsMax) this.#compact();
    else this.#retainingIsOver();
  }

  #compact(): void {
    this.#repeats = 0;
    const { batchEntries: blockEntries } = this.#parts.settings;
    const size = { entries: this.#log.itemsEnd, entriesMax: COMPACT_ENTRIES_MAX, blockEntries };
    compactRetained(this.#retained, size, (error) => {
      if (error !== null) this.#parts.report(error);
      this.#retainingIsOver();
      this.#retain();
    });
  }

  #retainingIsOver(): void {
    this.#isRetaining = false;
    for (const begin of this.#toRead.splice(0)) begin();
  }

  #reading(to: Position, take: StreamReading["take"]): StreamReading {
    const damaged = (bytes: number): void => this.#parts.report(lost(this.place, bytes));
    return { to, take, damaged };
  }
}

function lost(place: Place, bytes: number): CrawlError {
  const facts = { place: placeText(place), bytes };
  return new CrawlError(
    "OUTBOX_DAMAGED",
    `What ${facts.place} was told about is known no more in part: ${bytes} bytes of its outbox are ` +
      "damaged. If that agent is lost with its disk, some of its pages may not be found again.",
    facts,
  );
}
