/**
 * Gives out what is new in a decided batch. The batch's text is read from the log from beginning to
 * end and reported frame by frame: so what is new comes out in first-seen order, and no turn takes
 * longer than a few frames. What lies before `givenTo` was reported before a restart or a failure.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../base/errors/index.ts";
import type { FrameBatch, Log, LogReader, Position, Range } from "../../base/log/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import { FRESH, IMPROVED } from "./decide-batch.ts";
import { FreshColumns } from "./fresh-columns.ts";
import type { OfferBatch } from "./offer-batch.ts";
import { FrameOffers } from "./offer-frame.ts";
import type { SieveListener } from "./sieve.ts";

/** What is given out, and how far that has come. */
export interface Gift {
  readonly batch: OfferBatch;
  readonly verdicts: Uint8Array;
  /** For each improvement, the best of all offers so far; empty where that is its own depth. */
  readonly bests: Uint16Array;
}

/** How far the sieve has come, over all batches. */
export interface GivingProgress {
  givenTo: Position;
  seen: number;
  /** The listener is being called right now. */
  isTelling: boolean;
}

export class Giving {
  readonly #gift: Gift;
  readonly #progress: GivingProgress;
  readonly #listener: SieveListener;
  readonly #reader: LogReader;
  readonly #offers = new FrameOffers();
  readonly #fresh = new FreshColumns();
  readonly #done: Acknowledge;
  #frames: FrameBatch | null = null;
  /** Which of the frames that were read is reported next. */
  #next = 0;
  #isReading = false;
  /** A batch is with the listener, which has not yet asked for more. */
  #isGiven = false;
  #isWalking = false;
  #isClosed = false;
  #closed: (() => void) | null = null;

  /** `done` is called when everything is reported, or reading failed; never after `close`. */
  constructor(
    gift: Gift,
    world: { log: Log; listener: SieveListener; progress: GivingProgress },
    done: Acknowledge,
  ) {
    this.#gift = gift;
    this.#progress = world.progress;
    this.#listener = world.listener;
    this.#reader = world.log.reader(gift.batch.from);
    this.#done = done;
  }

  start(): void {
    this.#read();
  }

  /** Stops; a read that is under way is waited for. */
  close(done: () => void): void {
    this.#isClosed = true;
    this.#closed = done;
    if (!this.#isReading) this.#reader.close(done);
  }

  #read(): void {
    this.#isReading = true;
    this.#reader.read((error, frames) => {
      this.#isReading = false;
      if (this.#closed !== null) this.#reader.close(this.#closed);
      else if (error !== null) this.#finish(error);
      else {
        for (const range of frames.damage) this.#tellDamage(range);
        this.#frames = frames;
        this.#next = 0;
        this.#walk();
      }
    });
  }

  /** Reports frame after frame, until the listener must ask for more or no frame is left. */
  #walk(): void {
    const frames = this.#frames;
    assert(frames !== null && !this.#isWalking, "frames are reported one after the other");
    this.#isWalking = true;
    const { to } = this.#gift.batch;
    while (!this.#isGiven && !this.#isClosed && this.#next < frames.count) {
      const frame = this.#next++;
      if (frames.positionOf(frame) < to) this.#tell(frames, frame);
    }
    this.#isWalking = false;
    if (this.#isGiven || this.#isClosed) return;
    if (this.#reader.position < to) this.#read();
    else this.#finish(null);
  }

  #finish(error: CrawlError | null): void {
    const { batch } = this.#gift;
    this.#isClosed = true;
    if (error === null) {
      this.#progress.givenTo = Math.max(this.#progress.givenTo, batch.to);
      batch.heard = batch.count;
    }
    this.#reader.close(() => {
      if (this.#closed === null) this.#done(error);
    });
  }

  #tell(frames: FrameBatch, frame: number): void {
    const end = frames.endOf(frame);
    const first = this.#gift.batch.firstOf(frames.positionOf(frame));
    if (first < 0 || end <= this.#progress.givenTo) return;
    this.#progress.givenTo = end;
    this.#progress.isTelling = true;
    this.#tellOffers(frames.payloadOf(frame), first);
    this.#progress.isTelling = false;
  }

  #tellOffers(payload: Uint8Array, first: number): void {
    const offers = this.#offers;
    const { verdicts, batch } = this.#gift;
    let index = first;
    let improved = 0;
    this.#fresh.clear();
    this.#fresh.bytes = payload;
    offers.read(payload);
    for (; offers.next(); index++) {
      const verdict = verdicts[index];
      if (verdict === FRESH) this.#fresh.add(offers, offers.start, offers.end);
      else if (verdict === IMPROVED) improved++;
    }
    if (this.#fresh.count > 0) this.#tellFresh();
    if (improved > 0) this.#tellImproved(payload, first);
    // Not before: whoever hears of the last new URL may take a sieve with nothing pending for the end.
    batch.heard += index - first;
  }

  #tellFresh(): void {
    this.#progress.seen += this.#fresh.count;
    this.#isGiven = true;
    let isAsked = false;
    this.#listener.fresh(this.#fresh, () => {
      assert(!isAsked, "more is asked for once");
      isAsked = true;
      this.#isGiven = false;
      if (!this.#isWalking && !this.#isClosed) this.#walk();
    });
  }

  #tellImproved(payload: Uint8Array, first: number): void {
    const offers = this.#offers;
    offers.read(payload);
    for (let index = first; offers.next(); index++) {
      if (this.#gift.verdicts[index] !== IMPROVED) continue;
      const best = this.#gift.bests[index] ?? offers.depth;
      const record = payload.subarray(offers.start, offers.end);
      this.#listener.improved(offers.high, offers.low, best, record);
    }
  }

  #tellDamage({ from, to }: Range): void {
    const { batch } = this.#gift;
    if (from >= batch.to || to <= this.#progress.givenTo) return;
    this.#listener.failed(damagedText(from, to));
  }
}

export function damagedText(from: Position, to: Position): CrawlError {
  const message =
    `The sieve's text from ${from} to ${to} is not as it was written, so URLs that were found are not ` +
    "known any more. Check the disk; `trobar store verify --rebuild` finds them again.";
  return new CrawlError("SIEVE_TEXT_DAMAGED", message, { from, to });
}
