/**
 * The outboxes of an agent, one for each place that it has ever told of something. They are opened when
 * the first entry comes, or when the agent starts and finds them on its disk.
 */
import { type Acknowledge, type Done, whenDone, withValue } from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import type { Transport } from "../../base/transport/index.ts";
import { type Place, placeText } from "../messages/index.ts";
import { BatchPace } from "./batch-pace.ts";
import type { Entry } from "./entry.ts";
import { OUTBOXES, type Outbox, type OutboxParts, openOutbox } from "./outbox.ts";
import { placesIn } from "./place-folders.ts";
import type { TakeEntries } from "./retained-log.ts";
import { untilRoom } from "./until-room.ts";

export interface OutboxesParts
  extends Omit<OutboxParts, "place" | "transport" | "pace" | "changed"> {
  readonly transportTo: (place: Place) => Pick<Transport, "request">;
  /** Whether entries are sent there now: it is known, not suspected, dead or given up. */
  readonly isReachable: (place: Place) => boolean;
}

/** Opens those that are on the disk. */
export function openOutboxes(parts: OutboxesParts, done: Done<Outboxes>): void {
  const outboxes = new Outboxes(parts);
  parts.storage.list(
    OUTBOXES,
    withValue(done, (files) =>
      inTurn(
        placesIn(OUTBOXES, files),
        (place, next) => outboxes.open(place, next),
        whenDone(done, () => done(null, outboxes)),
      ),
    ),
  );
}

interface Box {
  readonly place: Place;
  /** Null while it is being opened, which takes as long as the disk is full. */
  outbox: Outbox | null;
  /** What was appended meanwhile. */
  readonly waiting: { readonly entry: Entry; readonly isRepeat: boolean }[];
}

interface Waiter {
  readonly isMet: () => boolean;
  readonly done: () => void;
}

export class Outboxes {
  readonly #parts: OutboxesParts;
  readonly #pace: BatchPace;
  readonly #boxes = new Map<string, Box>();
  /** Outboxes whose files are being removed, with what waits for that. */
  readonly #removing = new Map<string, (() => void)[]>();
  #waiters: Waiter[] = [];
  #isTelling = false;
  #isClosed = false;

  constructor(parts: OutboxesParts) {
    this.#parts = parts;
    this.#pace = new BatchPace(parts.clock, parts.settings);
  }

  places(): readonly Place[] {
    return Array.from(this.#boxes.values(), ({ place }) => place);
  }

  /** Entries that were not acknowledged. */
  get pending(): number {
    let sum = 0;
    for (const { outbox, waiting } of this.#boxes.values()) {
      sum += (outbox?.pending ?? 0) + waiting.length;
    }
    return sum;
  }

  get retainedBytes(): number {
    let sum = 0;
    for (const { outbox } of this.#boxes.values()) sum += outbox?.retainedBytes ?? 0;
    return sum;
  }

  /** Entries that others were ever told, but for those who are given up. */
  get told(): number {
    let sum = 0;
    for (const { outbox, waiting } of this.#boxes.values()) {
      sum += (outbox?.told ?? 0) + waiting.length;
    }
    return sum;
  }

  /** How long the oldest of the entries waits that were not acknowledged. */
  get lagMs(): number {
    let longest = 0;
    for (const { outbox } of this.#boxes.values()) {
      longest = Math.max(longest, outbox?.lagMs ?? 0);
    }
    return longest;
  }

  pendingAt(place: Place): number {
    const box = this.#boxes.get(placeText(place));
    return (box?.outbox?.pending ?? 0) + (box?.waiting.length ?? 0);
  }

  /** Entries that the place was ever told. */
  toldTo(place: Place): number {
    const box = this.#boxes.get(placeText(place));
    return (box?.outbox?.told ?? 0) + (box?.waiting.length ?? 0);
  }

  /** `isRepeat`: the place may have been told of it before. */
  append(place: Place, entry: Entry, isRepeat = false): void {
    const box = this.#boxes.get(placeText(place));
    if (box === undefined) {
      this.open(place, (error) => {
        if (error !== null) this.#parts.fail(error);
      });
      this.append(place, entry, isRepeat);
    } else if (box.outbox === null) box.waiting.push({ entry, isRepeat });
    else box.outbox.append(entry, isRepeat);
  }

  /** Asks again who can be reached. */
  reachabilityChanged(): void {
    for (const { outbox, place } of this.#boxes.values()) {
      if (outbox !== null) outbox.isSending = this.#parts.isReachable(place);
    }
  }

  /** There is nothing else to do: what waits for others that go with it goes out soon. */
  hurry(): void {
    for (const { outbox } of this.#boxes.values()) outbox?.hurry();
  }

  /** Calls back when everything appended so far is durable. */
  whenDurable(done: () => void): void {
    const boxes = [...this.#boxes.values()];
    for (const { outbox } of boxes) outbox?.flush();
    this.#wait(() => boxes.every(({ outbox }) => outbox?.isDurable === true), done);
  }

  /** Calls back when the place has acknowledged everything, or is given up and its outbox is gone. */
  whenAcknowledged(place: Place, done: () => void): void {
    this.#boxes.get(placeText(place))?.outbox?.flush();
    this.#wait(() => this.pendingAt(place) === 0, done);
  }

  /** Everything that a place was ever told. */
  each(place: Place, take: TakeEntries, done: Acknowledge): void {
    this.#read(place, (outbox) => outbox.each(take, done), done);
  }

  /** What a place was told and has not acknowledged. */
  eachPending(place: Place, take: TakeEntries, done: Acknowledge): void {
    this.#read(place, (outbox) => outbox.eachPending(take, done), done);
  }

  /** Reads it when it is durable. */
  #read(place: Place, read: (outbox: Outbox) => void, done: Acknowledge): void {
    const box = this.#boxes.get(placeText(place));
    if (box === undefined) {
      this.#parts.clock.after(0, () => done(null));
      return;
    }
    box.outbox?.flush();
    this.#wait(
      () => box.outbox?.isDurable === true,
      () => {
        if (box.outbox !== null) read(box.outbox);
      },
    );
  }

  /** For a place that is given up: everything was dispatched anew, durably. */
  remove(place: Place, done: Acknowledge): void {
    const key = placeText(place);
    const outbox = this.#boxes.get(key)?.outbox ?? null;
    this.#boxes.delete(key);
    this.#changed();
    if (outbox === null) {
      this.#parts.clock.after(0, () => done(null));
      return;
    }
    this.#removing.set(key, []);
    outbox.remove((error) => {
      const waiting = this.#removing.get(key) ?? [];
      this.#removing.delete(key);
      done(error);
      for (const open of waiting) open();
    });
  }

  open(place: Place, done: Acknowledge): void {
    const box: Box = { place, outbox: null, waiting: [] };
    const key = placeText(place);
    this.#boxes.set(key, box);
    const removed = this.#removing.get(key);
    if (removed === undefined) this.#open(box, done);
    else removed.push(() => this.#open(box, done));
  }

  #open(box: Box, done: Acknowledge): void {
    const { place } = box;
    const transport = this.#parts.transportTo(place);
    const pace = this.#pace;
    const parts = { ...this.#parts, place, transport, pace, changed: () => this.#changed() };
    const attempt = (answer: Done<Outbox>): void => openOutbox(parts, answer);
    untilRoom(this.#parts, attempt, (error, outbox) => {
      if (error !== null) done(error);
      else if (this.#isClosed) outbox.close(done);
      else {
        box.outbox = outbox;
        for (const { entry, isRepeat } of box.waiting.splice(0)) outbox.append(entry, isRepeat);
        outbox.isSending = this.#parts.isReachable(place);
        this.#changed();
        done(null);
      }
    });
  }

  close(done: Acknowledge): void {
    this.#isClosed = true;
    this.#waiters = [];
    const open = [...this.#boxes.values()].flatMap(({ outbox }) => outbox ?? []);
    inTurn(open, (outbox, next) => outbox.close(next), done);
  }

  #wait(isMet: () => boolean, done: () => void): void {
    this.#waiters.push({ isMet, done });
    this.#changed();
  }

  /** Tells waiters, never inside a call to this. */
  #changed(): void {
    if (this.#isTelling || this.#isClosed || this.#waiters.length === 0) return;
    this.#isTelling = true;
    this.#parts.clock.after(0, () => {
      this.#isTelling = false;
      if (this.#isClosed) return;
      const met = this.#waiters.filter(({ isMet }) => isMet());
      this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
      for (const { done } of met) done();
    });
  }
}
