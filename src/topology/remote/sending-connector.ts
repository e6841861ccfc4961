/**
 * The side of a remote connector that has the producers. A block is encoded when it is offered; batches
 * go into the log when they are full, or after a short time; what is durable is sent.
 *
 * A block is taken in while no more than `capacity` items wait to become durable and no more than
 * `spillBytes` wait to arrive at the other side. So a receiver that is away or full holds producers up
 * only when the spill is full, or the disk.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, Done, Timer } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import {
  type Connector,
  type Inlet,
  Intake,
  type Outlet,
  type Retire,
} from "../connector/index.ts";
import type { ItemType } from "../items/index.ts";
import { type BatchLimits, BatchWriter } from "./batch-writer.ts";
import { leaveEndNote, takeEndNote } from "./end-note.ts";
import { type OutboundLog, openOutboundLog } from "./outbound-log.ts";
import { folderOf, type RemotePlace } from "./remote-place.ts";
import { SendWindow } from "./send-window.ts";

export interface SendingOptions extends BatchLimits {
  /** The same at both sides. */
  readonly id: string;
  readonly to: AgentId;
  /** Items that may wait to become durable. */
  readonly capacity: number;
  /** A batch that is not full is sent after this time. */
  readonly lingerMs: number;
  /** What may wait on disk for the other side. */
  readonly spillBytes: number;
  /** After this time without an answer a frame is sent again. */
  readonly timeoutMs: number;
  readonly segmentBytesMax: number;
  /** What a predecessor of this process has left beside the log. */
  readonly inherited?: Inherited;
}

export interface Inherited {
  /** All producers are done, which the log says already. */
  readonly isClosed: boolean;
  /** Where sending begins, if frames before it went to another receiver; null for the log's beginning. */
  readonly from: Position | null;
}

interface OpenedOptions extends SendingOptions {
  /** Where the last life said that all producers are done, if the receiver has not heard of it. */
  readonly endedAt: Position | null;
}

export function openSendingConnector<Item>(
  type: ItemType<Item>,
  options: SendingOptions,
  place: RemotePlace,
  done: Done<SendingConnector<Item>>,
): void {
  assert(type.codec !== null, "items that leave the process have a codec");
  const { id, segmentBytesMax } = options;
  openOutboundLog({ ...place, folder: folderOf(id), segmentBytesMax }, (error, log) => {
    if (error !== null) {
      done(error, undefined);
      return;
    }
    takeEndNote(place.storage, folderOf(id), (noteError, endedAt) => {
      if (noteError !== null) log.close(() => done(noteError, undefined));
      else done(null, new SendingConnector(type, { ...options, endedAt }, place, log));
    });
  });
}

/** Made by `openSendingConnector`. */
export class SendingConnector<Item> implements Connector<Item> {
  readonly type: ItemType<Item>;
  readonly capacity: number;
  readonly isTee: boolean = false;
  readonly leadsOut: boolean = true;
  /** Given by whoever opens it for a topology. */
  retire?: Retire<Item>;
  readonly #options: OpenedOptions;
  readonly #place: RemotePlace;
  readonly #log: OutboundLog;
  readonly #batch: BatchWriter<Item>;
  readonly #window: SendWindow;
  readonly #intake: Intake<Item>;
  #linger: Timer | null = null;
  #settled: (() => void)[] = [];
  #isEnding = false;

  constructor(type: ItemType<Item>, options: OpenedOptions, place: RemotePlace, log: OutboundLog) {
    const { id: connector, to, capacity, timeoutMs } = options;
    const { report, clock, random, transport } = place;
    this.type = type;
    this.capacity = capacity;
    this.#options = options;
    this.#place = place;
    this.#log = log;
    this.#batch = new BatchWriter({
      ...{ ...options, type, report, first: log.itemsEnd },
      put: (piece) => log.put(piece),
    });
    this.#window = new SendWindow({
      ...{ to, connector, type: type.name, log, timeoutMs, transport, clock, random, report },
      from: options.inherited?.from ?? log.begin,
      progressed: () => this.#changed(),
    });
    this.#intake = new Intake<Item>({
      capacity,
      free: () => this.#free(),
      accept: (block) => this.#accept(block),
      closed: () => this.#end(),
    });
    log.changed = () => {
      this.#window.pump();
      this.#changed();
    };
    this.#window.pump();
  }

  /** Items that have not arrived at the other side, wherever they are; the spill may hold many. */
  get length(): number {
    return this.#batch.itemsEnd - this.#window.itemsAcknowledged;
  }

  /** Items that were ever offered, over all lives; and those of them that survive a crash. */
  get offered(): number {
    return this.#batch.itemsEnd;
  }

  get durable(): number {
    return this.#log.itemsCommitted;
  }

  /** What waits to arrive, in bytes. */
  get waitingBytes(): number {
    return this.#batch.bytes + this.#log.endBytes - this.#window.acknowledged;
  }

  /** Everything before this has arrived. */
  get acknowledged(): Position {
    return this.#window.acknowledged;
  }

  /** Nothing before this is sent, if an earlier receiver had it. */
  get from(): Position | null {
    return this.#options.inherited?.from ?? null;
  }

  get isClosed(): boolean {
    return this.#intake.isClosed || this.#options.inherited?.isClosed === true;
  }

  openInlet(): Inlet<Item> {
    assert(!this.isClosed, "nothing is offered to a connector that is closed");
    return this.#intake.openInlet();
  }

  openOutlet(): Outlet<Item> {
    assert.fail("the consumers of this connector are in another process");
  }

  handOver(): never {
    assert.fail("its items are in a log, which its successor opens");
  }

  takeOver(items: ReadonlyMap<string, readonly Item[]>): void {
    for (const waiting of items.values()) this.#accept(waiting);
  }

  /** Calls back when everything that was offered has arrived. */
  whenSettled(listener: () => void): void {
    this.#batch.flush();
    this.#settled.push(listener);
    // Never inside the call.
    this.#place.clock.after(0, () => this.#changed());
  }

  /** Makes durable what was offered, and ends; the next life goes on sending. */
  close(done: Acknowledge): void {
    this.#linger?.cancel();
    this.#batch.flush();
    this.#window.close();
    this.#isEnding = true;
    let hasEnded = false;
    const end = (): void => {
      // A commit may have come before the timer below.
      if (hasEnded || (!this.#log.isCommitted && this.#log.isOpen)) return;
      hasEnded = true;
      this.#log.changed = () => undefined;
      if (!this.#log.isCommitted) this.#tellLost();
      this.#leaveNote((noteError) => this.#log.close((error) => done(noteError ?? error)));
    };
    this.#log.changed = end;
    this.#log.retry();
    this.#place.clock.after(0, end);
  }

  /** For the next life, if the receiver has not heard yet that all producers are done. */
  #leaveNote(done: Acknowledge): void {
    const { storage } = this.#place;
    const isTold = this.#window.acknowledged >= this.#log.committed;
    if (!this.isClosed || isTold || !this.#log.isCommitted) done(null);
    else leaveEndNote(storage, folderOf(this.#options.id), this.#log.committed, done);
  }

  #tellLost(): void {
    const { id } = this.#options;
    const items = this.offered - this.durable;
    const why = this.#log.isBroken ? "its log is broken" : "the disk has no room for them";
    const message = `The last ${items} items that were offered to ${id} are lost: ${why}.`;
    this.#place.report(new CrawlError("TOPOLOGY_ITEM_LOST", message, { connector: id, items }));
  }

  #free(): number {
    if (!this.#log.isOpen || this.#isEnding || this.waitingBytes > this.#options.spillBytes)
      return 0;
    return this.capacity - (this.#batch.itemsEnd - this.#log.itemsCommitted);
  }

  #accept(block: readonly Item[]): void {
    this.#batch.add(block);
    if (this.#batch.count === 0) {
      this.#linger?.cancel();
      this.#linger = null;
    } else if (this.#linger === null) {
      this.#linger = this.#place.clock.after(this.#options.lingerMs, () => {
        this.#linger = null;
        this.#batch.flush();
      });
    }
  }

  #end(): void {
    this.#linger?.cancel();
    const hasSaidSo = this.#options.endedAt === this.#log.endBytes && this.#batch.count === 0;
    if (!hasSaidSo) this.#batch.close();
  }

  #changed(): void {
    this.#intake.admit();
    const isSettled = this.#window.isSettled && this.#log.isCommitted && this.#batch.count === 0;
    if (!isSettled || this.#settled.length === 0) return;
    const listeners = this.#settled;
    this.#settled = [];
    for (const listener of listeners) listener();
  }
}
