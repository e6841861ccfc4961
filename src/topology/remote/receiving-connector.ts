/**
 * The side of a remote connector that has the consumers. A frame that is the next of its stream goes
 * into the log; when that is durable, its sender is told so and its items become available, in a local
 * connector. Marks in the log say what consumers have taken: they are written with the next arrival,
 * after a while, and at the end.
 *
 * So each item is taken once, whatever the network does, whenever a sender dies, and over every orderly
 * end of the receiver. If the receiver dies, what its consumers took since the last mark comes again:
 * their memory is gone as well.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../base/errors/index.ts";
import type { Log, Position } from "../../base/log/index.ts";
import type { Acknowledge, Timer } from "../../base/seams/index.ts";
import {
  type Connector,
  type Inlet,
  LocalConnector,
  type Outlet,
  type Retire,
} from "../connector/index.ts";
import type { ItemType } from "../items/index.ts";
import { FedItems } from "./fed-items.ts";
import { isCrowded, itemsOf, nonsenseOf } from "./frame-sense.ts";
import { encodeArrival, encodeMark } from "./inbound-record.ts";
import type { InboundStream, InboundStreams } from "./inbound-streams.ts";
import { decodePiece, type Frame, type FrameAnswer } from "./remote-frame.ts";
import type { RemotePlace } from "./remote-place.ts";
import { isTold, type Respond, type Switchboard } from "./switchboard.ts";

export interface ReceivingOptions {
  /** The same at both sides. */
  readonly id: string;
  /** Items that can be taken, and as many that wait for room among these. */
  readonly capacity: number;
  /** It has come to its end when this many senders have closed. */
  readonly senders: number;
  /** What was taken is marked after this time at the latest. */
  readonly markAfterMs: number;
  readonly segmentBytesMax: number;
}

export type ReceivingPlace = Omit<RemotePlace, "transport"> & { readonly switchboard: Switchboard };

/** Items that arrived together and were not taken. */
export interface InboundBatch<Item> {
  /** Items that had arrived before them. */
  readonly number: number;
  readonly items: readonly Item[];
  /** Where the first of its pieces is in the log. */
  readonly position: Position;
}

export interface FoundInbound<Item> {
  readonly log: Log;
  readonly streams: InboundStreams;
  readonly batches: readonly InboundBatch<Item>[];
  /** Items that have ever arrived, and how many of them were taken. */
  readonly number: number;
  readonly taken: number;
}

interface Owed {
  readonly stream: InboundStream;
  readonly respond: Respond;
}

/** Answers that are owed at a time; a sender has far fewer frames on the way. */
const OWED_MAX = 4096;
/** After the disk was full, the next attempt. */
const FULL_RETRY_MS = 500;

/** Made by `openReceivingConnector`. */
export class ReceivingConnector<Item> implements Connector<Item> {
  readonly type: ItemType<Item>;
  readonly capacity: number;
  readonly isTee: boolean = false;
  /** Given by whoever opens it for a topology. */
  retire?: Retire<Item>;
  readonly #options: ReceivingOptions;
  readonly #place: ReceivingPlace;
  readonly #log: Log;
  readonly #streams: InboundStreams;
  readonly #local: LocalConnector<Item>;
  readonly #inlet: Inlet<Item>;
  /** Arrived and not durable; durable and not yet in the local connector; and in there, or taken. */
  #arrived: InboundBatch<Item>[] = [];
  #waiting: InboundBatch<Item>[] = [];
  readonly #fed: FedItems;
  /** Items of `#arrived` and `#waiting`, and how many of the first of them are in already. */
  #waitingItems = 0;
  #begunItems = 0;
  #number: number;
  #marked: number;
  #durablyMarked: number;
  /** From here on the log is needed, by the last mark; and by the last that is durable. */
  #neededByMark: Position;
  #needed: Position;
  #owed: Owed[] = [];
  #refused = 0;
  #markTimer: Timer | null = null;
  #retryTimer: Timer | null = null;
  #isFeeding = false;
  #isCommitting = false;
  #isFull = false;
  #isDropping = false;
  #isOver = false;
  #isEnding = false;

  constructor(
    type: ItemType<Item>,
    options: ReceivingOptions,
    place: ReceivingPlace,
    found: FoundInbound<Item>,
  ) {
    this.type = type;
    this.capacity = options.capacity;
    this.#options = options;
    this.#place = place;
    this.#log = found.log;
    this.#streams = found.streams;
    this.#number = found.number;
    this.#fed = new FedItems(found.taken);
    this.#marked = found.taken;
    this.#durablyMarked = found.taken;
    this.#neededByMark = found.log.begin;
    this.#needed = found.log.begin;
    this.#waiting = [...found.batches];
    this.#waitingItems = found.batches.reduce((sum, { items }) => sum + items.length, 0);
    this.#local = new LocalConnector<Item>(type, { capacity: options.capacity });
    this.#inlet = this.#local.openInlet();
    this.#feed();
  }

  get length(): number {
    return this.#local.length + this.#waitingItems;
  }

  get isClosed(): boolean {
    return this.#local.isClosed;
  }

  /** Items that will not come again after a crash, of all that ever arrived. */
  get marked(): number {
    return this.#durablyMarked;
  }

  /** Frames that were refused because they make no sense here. */
  get refused(): number {
    return this.#refused;
  }

  openInlet(): Inlet<Item> {
    assert.fail("the producers of this connector are in another process");
  }

  openOutlet(consumer: string): Outlet<Item> {
    return this.#local.openOutlet(consumer);
  }

  handOver(): never {
    assert.fail("its items are in a log, which its successor opens");
  }

  takeOver(): never {
    const { id } = this.#options;
    const message = `The topology was not changed: items come into ${id} from elsewhere alone.`;
    throw new CrawlError("TOPOLOGY_REFUSED", message, { connector: id });
  }

  /** For the switchboard. */
  receive(frame: Frame, respond: Respond): void {
    if (this.#isEnding) return;
    const nonsense = nonsenseOf(frame, this.type, this.#streams);
    if (nonsense !== null) {
      respond({ kind: "refused", at: 0, reason: this.#refuse(nonsense) });
      return;
    }
    const stream = this.#streams.of(frame);
    const verdict = this.#streams.verdict(stream, frame);
    const answer = (kind: FrameAnswer["kind"]): void =>
      respond({ kind, at: stream.durableAt, reason: "" });
    if (verdict === "gap") answer("gap");
    else if (verdict === "known") this.#answerWhenDurable(stream, respond);
    else if (!this.#hasRoom) answer("full");
    else this.#take(frame, stream, respond);
  }

  /**
   * Told by whoever runs the consumers when these have finished; calls back at once. If it is drained
   * then, its next life is a new beginning.
   */
  whenSettled(listener: () => void): void {
    this.#isOver = this.#local.isClosed && this.#local.length === 0;
    this.#place.clock.after(0, listener);
  }

  /** Marks what was taken, makes all durable, and ends; what was not taken comes in the next life. */
  close(done: Acknowledge): void {
    this.#isEnding = true;
    this.#place.switchboard.disconnect(this.#options.id);
    this.#markTimer?.cancel();
    // The first commit makes room for the mark.
    this.#log.commit(() => {
      this.#tryMark(this.#isOver);
      this.#log.commit((error) => this.#log.close((closing) => done(error ?? closing)));
    });
  }

  get #hasRoom(): boolean {
    return !this.#local.isClosed && !this.#isFull && this.#waitingItems < this.capacity;
  }

  #take(frame: Frame, stream: InboundStream, respond: Respond): void {
    const piece = decodePiece(frame.piece);
    const items = piece === null ? null : itemsOf(this.type, stream, piece);
    if (piece === null || items === null) {
      const reason = this.#refuse(`it has no items of type ${this.type.name}`);
      respond({ kind: "refused", at: stream.durableAt, reason });
      return;
    }
    if (isCrowded(stream, piece, this.#streams)) {
      respond({ kind: "full", at: stream.durableAt, reason: "" });
      return;
    }
    this.#tryMark(false);
    const { stream: name, end, piece: bytes } = frame;
    const arrival = { stream: name, end, number: this.#number, piece: bytes };
    const position = this.#log.tryAppend(encodeArrival(arrival));
    if (position === null) {
      respond({ kind: "full", at: stream.durableAt, reason: "" });
      return;
    }
    const batch = this.#streams.add(stream, end, piece, position);
    if (batch !== null && items.length > 0) {
      this.#arrived.push({ number: this.#number, items, position: batch.position });
      this.#number += items.length;
      this.#waitingItems += items.length;
    }
    this.#answerWhenDurable(stream, respond);
  }

  #refuse(reason: string): string {
    this.#refused += 1;
    if (isTold(this.#refused)) {
      const { id } = this.#options;
      const message =
        `The connector ${id} refused ${this.#refused} frames, the last because ${reason}. Both ends ` +
        "must run the same version and declare the same type of items.";
      this.#place.report(new CrawlError("TOPOLOGY_ITEM_MALFORMED", message, { id, reason }));
    }
    return reason;
  }

  #answerWhenDurable(stream: InboundStream, respond: Respond): void {
    if (stream.durableAt === stream.at) respond({ kind: "taken", at: stream.at, reason: "" });
    else if (this.#owed.length >= OWED_MAX) {
      respond({ kind: "full", at: stream.durableAt, reason: "" });
    } else {
      this.#owed.push({ stream, respond });
      this.#commit();
    }
  }

  #commit(): void {
    if (this.#isCommitting || this.#isEnding) return;
    this.#isCommitting = true;
    const [count, owed] = [this.#arrived.length, this.#owed];
    this.#owed = [];
    const [needed, marked] = [this.#neededByMark, this.#marked];
    const reached = Array.from(this.#streams.all(), (stream) => ({ stream, at: stream.at }));
    this.#log.commit((error) => {
      this.#isCommitting = false;
      if (error === null) {
        this.#isFull = false;
        this.#needed = needed;
        this.#durablyMarked = marked;
        for (const { stream, at } of reached) stream.durableAt = Math.max(stream.durableAt, at);
        this.#waiting.push(...this.#arrived.splice(0, count));
      }
      const kind = error === null ? "taken" : "full";
      for (const { stream, respond } of owed) respond({ kind, at: stream.durableAt, reason: "" });
      if (error === null) this.#committed();
      else if (error.code === "STORAGE_FULL") this.#waitForRoom(error);
      else this.#break(error);
    });
  }

  #committed(): void {
    this.#feed();
    this.#shorten();
    if (this.#owed.length > 0 || this.#arrived.length > 0) this.#commit();
  }

  #break(error: CrawlError): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#place.fail(error);
  }

  #waitForRoom(error: CrawlError): void {
    if (!this.#isFull) this.#place.report(error);
    this.#isFull = true;
    this.#retryTimer ??= this.#place.clock.after(FULL_RETRY_MS, () => {
      this.#retryTimer = null;
      this.#commit();
    });
  }

  /** Puts what is durable into the local connector, as far as there is room. */
  #feed(): void {
    if (this.#isFeeding || this.#isEnding) return;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const left = first.items.length - this.#begunItems;
      const room = Math.min(left, this.capacity - this.#local.length);
      if (room === 0) {
        this.#feedLater(Math.min(left, Math.ceil(this.capacity / 2)));
        return;
      }
      this.#offer(first, room);
    }
    const { senders } = this.#options;
    const isDurable = !this.#isCommitting && this.#owed.length === 0;
    if (isDurable && this.#arrived.length === 0 && this.#streams.closed >= senders)
      this.#inlet.close();
  }

  #offer(batch: InboundBatch<Item>, count: number): void {
    const { items, number, position } = batch;
    const from = this.#begunItems;
    const isWhole = from === 0 && count === items.length;
    const isOffered = this.#inlet.tryOffer(isWhole ? items : items.slice(from, from + count));
    assert(isOffered, "nobody else fills the local connector");
    this.#fed.add({ number: number + from, count, position });
    this.#waitingItems -= count;
    this.#begunItems += count;
    if (this.#begunItems === items.length) {
      this.#waiting.shift();
      this.#begunItems = 0;
    }
    this.#markLater();
  }

  #feedLater(count: number): void {
    this.#isFeeding = true;
    this.#inlet.whenRoom(count, () =>
      // A listener may only note what is to be done.
      this.#place.clock.after(0, () => {
        this.#isFeeding = false;
        this.#feed();
      }),
    );
  }

  #markLater(): void {
    this.#markTimer ??= this.#place.clock.after(this.#options.markAfterMs, () => {
      this.#markTimer = null;
      if (this.#isEnding) return;
      if (this.#tryMark(false)) this.#commit();
      if (!this.#fed.isEmpty) this.#markLater();
    });
  }

  /** Appends a mark if something was taken since the last; false if there is none to be made durable. */
  #tryMark(isOver: boolean): boolean {
    const taken = this.#fed.countTaken(this.#local.length);
    if (taken === this.#marked && !isOver) return false;
    const mark = encodeMark({ taken, isOver, streams: this.#streams.marked() });
    const position = this.#log.tryAppend(mark);
    if (position === null) return false;
    this.#marked = taken;
    if (this.#log.end - this.#log.begin >= 2 * this.#options.segmentBytesMax) {
      this.#neededByMark = this.#firstNeeded(position);
    }
    return true;
  }

  /** Where the log is needed from, if a mark at this position is the last. */
  #firstNeeded(mark: Position): Position {
    let needed = mark;
    const batches = [
      ...this.#fed.all(),
      ...this.#waiting,
      ...this.#arrived,
      ...this.#streams.all(),
    ];
    for (const { position } of batches) needed = Math.min(needed, position ?? needed);
    return needed;
  }

  #shorten(): void {
    const isWorthwhile = this.#needed - this.#log.begin >= this.#options.segmentBytesMax;
    if (!isWorthwhile || this.#isDropping || this.#isEnding) return;
    this.#isDropping = true;
    this.#log.dropBefore(this.#needed, () => {
      this.#isDropping = false;
    });
  }
}
