/**
 * Reads offers back from the text log into batches: when the sieve is opened, those that were not
 * yet given out; and those of a batch whose keys were lost with a thread.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { FrameBatch, LogReader, Position } from "../../base/log/index.ts";
import type { OfferBatch } from "./offer-batch.ts";
import { countOffers, FrameOffers } from "./offer-frame.ts";

export interface ReplayOptions {
  readonly reader: LogReader;
  /** Where to stop; a frame begins or the log ends there. */
  readonly to: Position;
  /** Offers before this position have been reported. */
  readonly givenTo: Position;
}

/** `full`: the batch has no room for the next frame. `ended`: everything is read. */
export type Filled = "full" | "ended";

export class TextReplay {
  readonly #options: ReplayOptions;
  readonly #offers = new FrameOffers();
  #frames: FrameBatch | null = null;
  #next = 0;
  #isReading = false;
  #closed: (() => void) | null = null;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /** Fills the batch as far as it goes; may answer at once. After an error it may be asked again. */
  fill(batch: OfferBatch, done: (error: CrawlError | null, filled?: Filled) => void): void {
    assert(!this.#isReading, "one batch is filled at a time");
    const { reader, to } = this.#options;
    if (!this.#takeFrames(batch)) done(null, "full");
    else if (reader.position < to) this.#read(batch, done);
    else {
      // What is damaged at the end has no offers, but is a part of the stretch.
      batch.skipTo(to);
      done(null, "ended");
    }
  }

  /** Closes the reader; a read that is under way is waited for, and then not answered. */
  close(done: () => void): void {
    if (this.#isReading) this.#closed = done;
    else this.#options.reader.close(done);
  }

  #read(batch: OfferBatch, done: (error: CrawlError | null, filled?: Filled) => void): void {
    const { reader } = this.#options;
    this.#isReading = true;
    reader.read((error, frames) => {
      this.#isReading = false;
      if (this.#closed !== null) reader.close(this.#closed);
      else if (error !== null) done(error);
      else {
        assert(frames.count + frames.damage.length > 0, "a batch's text is in the log");
        this.#frames = frames;
        this.#next = 0;
        this.fill(batch, done);
      }
    });
  }

  /** Takes the frames that were read; false when the batch has no room for the next. */
  #takeFrames(batch: OfferBatch): boolean {
    const frames = this.#frames;
    for (; frames !== null && this.#next < frames.count; this.#next++) {
      if (frames.positionOf(this.#next) >= this.#options.to) return true;
      if (!this.#takeFrame(batch, frames, this.#next)) return false;
    }
    return true;
  }

  #takeFrame(batch: OfferBatch, frames: FrameBatch, frame: number): boolean {
    const offers = this.#offers;
    const payload = frames.payloadOf(frame);
    const count = countOffers(payload, offers);
    if (count > batch.room && batch.count > 0) return false;
    batch.reserve(count);
    offers.read(payload);
    while (offers.next()) batch.add(offers.high, offers.low, offers.depth);
    const end = frames.endOf(frame);
    batch.endFrame(frames.positionOf(frame), end, count);
    if (end <= this.#options.givenTo) batch.heard += count;
    return true;
  }
}
