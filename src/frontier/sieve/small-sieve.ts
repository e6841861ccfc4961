/**
 * A sieve on disk while it is small: all keys are in memory, so offers are decided at once, and what is
 * new is told without waiting for the disk. The text goes to the log as ever, and a checkpoint makes it
 * durable; its marks say that all of it is to be decided again, up to where it was told.
 *
 * There are no runs. When the keys or the text become too many, the sieve refuses offers and asks its
 * owner to put a `DiskSieve` in its place (`growing-sieve.ts`).
 *
 * Invariant: `known` has exactly what was told before `givenTo`; `waiting` has the frames after it.
 */
import assert from "node:assert/strict";
import type { FingerprintTable } from "../../base/fingerprints/index.ts";
import type { FrameBatch, Log, Position } from "../../base/log/index.ts";
import { NO_RUNS } from "../../base/runs/index.ts";
import { type Acknowledge, type Clock, type Done, whenDone } from "../../base/seams/index.ts";
import { DecidedKeys } from "./decided-keys.ts";
import { FreshColumns } from "./fresh-columns.ts";
import { damagedText } from "./giving.ts";
import { countOffers, FrameOffers, OfferFrame } from "./offer-frame.ts";
import {
  DEPTH_MAX,
  RECORD_BYTES_MAX,
  type Sieve,
  type SieveListener,
  type SieveMarks,
} from "./sieve.ts";
import { printState, type SieveState } from "./sieve-state.ts";

export interface SmallSieveParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly listener: SieveListener;
  readonly withDepth: boolean;
  /** As many offers are gathered before they are decided, unless that is asked for earlier. */
  readonly batchOffers: number;
  readonly keysMax: number;
  /** Called, never inside a call, when the sieve has become too large; it takes no more offers. */
  readonly outgrown: () => void;
}

/** The most text that is decided again at opening. */
export const SMALL_TEXT_BYTES_MAX: number = 8 * 1024 * 1024;

interface WaitingFrame {
  readonly payload: Uint8Array;
  readonly offers: number;
  /** Where it ends in the log. */
  readonly end: Position;
}

/** What another sieve needs to go on. */
export interface SmallKeys {
  readonly known: FingerprintTable;
  readonly givenTo: Position;
  readonly seen: number;
  readonly pending: number;
}

export class SmallSieve implements Sieve {
  readonly #parts: SmallSieveParts;
  readonly #from: Position;
  readonly #known: DecidedKeys;
  readonly #frame = new OfferFrame();
  readonly #offers = new FrameOffers();
  readonly #fresh = new FreshColumns();
  #waiting: WaitingFrame[] = [];
  /** How many of the waiting frames are to be told now. */
  #due = 0;
  #givenTo: Position;
  #pending: number;
  #seen: number;
  #waitingBytes = 0;
  /** Offers since the last flush. */
  #unflushed = 0;
  /** The text that the marks speak of is being read, up to here. */
  #isReading = false;
  #readTo: Position;
  /** Something failed; nothing is tried again until the next `flush` or `checkpoint`. */
  #isHalted = false;
  #isFlushDue = false;
  #isCommitting = false;
  #isTurnAsked = false;
  /** A batch is with the listener, which has not yet asked for more. */
  #isGiven = false;
  #isTelling = false;
  #isOutgrown = false;
  #wasRefused = false;
  #isIdleTold: boolean;
  #isClosed = false;
  #closed: Acknowledge | null = null;

  constructor(parts: SmallSieveParts, { from, given, to, pending, seen }: SieveState) {
    this.#parts = parts;
    this.#from = from;
    this.#givenTo = given;
    this.#pending = pending;
    this.#seen = seen;
    this.#known = new DecidedKeys(parts.withDepth);
    this.#isIdleTold = pending === 0;
    this.#readTo = to;
    this.#isReading = from < to;
  }

  get pending(): number {
    return this.#pending;
  }

  get seen(): number {
    return this.#seen;
  }

  get memoryBytes(): number {
    const textBytes = this.#waitingBytes + RECORD_BYTES_MAX + this.#parts.log.memoryBytes;
    return this.#known.table.memoryBytes + textBytes;
  }

  /** Whether offers were refused, and the listener was not told of room since. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** For the owner of a sieve that is outgrown: what it holds. All offers are in the log. */
  get keys(): SmallKeys {
    const { pending, seen } = this;
    return { known: this.#known.table, givenTo: this.#givenTo, pending, seen };
  }

  /** For opening: begins to work. Offers are refused until the text that the marks speak of is read. */
  start(): void {
    if (this.#isReading) this.#replay();
    else this.#settle();
  }

  tryOffer(
    high: number,
    low: number,
    depth: number,
    record: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    if (to - from > RECORD_BYTES_MAX) assert.fail("a record that is offered is not too long");
    if (!this.#hasRoom(to - from)) {
      this.#wasRefused = true;
      // If it is outgrown, that is found out in a turn.
      this.#askTurn();
      return false;
    }
    const kept = depth > DEPTH_MAX ? DEPTH_MAX : depth;
    this.#frame.add(high, low, kept, record, from, to);
    this.#pending += 1;
    this.#unflushed += 1;
    this.#isIdleTold = false;
    if (this.#unflushed >= this.#parts.batchOffers) this.flush();
    return true;
  }

  flush(): void {
    if (this.#isClosed) return;
    this.#resume();
    this.#isFlushDue = this.#isReading;
    if (this.#isReading || this.#isOutgrown) return;
    this.#unflushed = 0;
    this.#seal();
    this.#due = this.#waiting.length;
    this.#askTurn();
  }

  checkpoint(done: Done<SieveMarks>): void {
    assert(!this.#isTelling, "a checkpoint is not taken inside a call to the listener");
    assert(!this.#isClosed, "a closed sieve is not used");
    const { log, withDepth } = this.#parts;
    this.#resume();
    this.#seal();
    const { seen, pending } = this;
    const state = { withDepth, runs: NO_RUNS, from: this.#from, given: this.#givenTo };
    const marks = printState({ ...state, to: log.end, seen, pending });
    log.commit(
      whenDone(done, () => {
        done(null, marks);
        this.#settle();
      }),
    );
  }

  /** All of the text is needed for as long as the sieve is small. */
  committed(): void {}

  close(done: Acknowledge): void {
    assert(!this.#isTelling, "a sieve is not closed inside a call to its listener");
    assert(this.#closed === null, "a sieve is closed once");
    this.stop();
    this.#closed = done;
    if (!this.#isReading || this.#isHalted) this.#parts.log.close(done);
  }

  /** Tells and takes nothing more; another sieve goes on with the log. */
  stop(): void {
    this.#isClosed = true;
  }

  #hasRoom(recordBytes: number): boolean {
    if (this.#isReading || this.#isOutgrown || this.#isLarge || this.#isClosed) return false;
    if (this.#pending >= 2 * this.#parts.batchOffers) return false;
    if (this.#frame.hasRoom(recordBytes)) return true;
    if (this.#parts.log.isFull) {
      this.#makeRoom();
      return false;
    }
    this.#seal();
    return true;
  }

  get #isLarge(): boolean {
    const { log, keysMax } = this.#parts;
    return this.#known.table.count > keysMax || log.end - this.#from > SMALL_TEXT_BYTES_MAX;
  }

  /** Tries again what has failed. */
  #resume(): void {
    const isReadAgain = this.#isHalted && this.#isReading;
    this.#isHalted = false;
    if (isReadAgain) this.#replay();
  }

  /**
   * Reads the text that the marks speak of. If any of it is damaged, nothing is decided: the URLs in it that
   * were told would be told again, as nobody knows them any more, and those that were not would be lost.
   */
  #replay(): void {
    const { log, listener } = this.#parts;
    const reader = log.reader(this.#from);
    this.#waiting = [];
    this.#waitingBytes = 0;
    let pending = 0;
    const finish: Acknowledge = (error) =>
      reader.close(() => {
        if (this.#closed !== null) log.close(this.#closed);
        else if (error !== null) {
          this.#isHalted = true;
          listener.failed(error);
        } else this.#replayed(pending);
      });
    const step = (): void =>
      reader.read((error, frames) => {
        if (error !== null || this.#isClosed) {
          finish(error);
          return;
        }
        const damage = frames.damage.find(({ from }) => from < this.#readTo);
        if (damage !== undefined) {
          finish(damagedText(damage.from, damage.to));
          return;
        }
        pending += this.#takeFrames(frames);
        const isOver = frames.count + frames.damage.length === 0;
        if (isOver || reader.position >= this.#readTo) finish(null);
        else step();
      });
    step();
  }

  #replayed(pending: number): void {
    this.#isReading = false;
    this.#pending = pending;
    if (this.#isFlushDue) this.flush();
    this.#settle();
  }

  #makeRoom(): void {
    if (this.#isCommitting || this.#isHalted) return;
    this.#isCommitting = true;
    this.#parts.log.commit((error) => {
      this.#isCommitting = false;
      if (this.#isClosed) return;
      if (error === null) this.#settle();
      else {
        this.#isHalted = true;
        this.#parts.listener.failed(error);
      }
    });
  }

  /** Appends the frame that was being filled to the log. */
  #seal(): void {
    const { count, payload } = this.#frame;
    if (count === 0) return;
    const { log } = this.#parts;
    log.append(payload);
    this.#wait(payload, count, log.end);
    this.#frame.clear();
  }

  #wait(payload: Uint8Array, offers: number, end: Position): void {
    this.#waiting.push({ payload: payload.slice(), offers, end });
    this.#waitingBytes += payload.length;
  }

  /** Returns how many offers of them have not been told. */
  #takeFrames(frames: FrameBatch): number {
    const to = this.#readTo;
    let pending = 0;
    for (let at = 0; at < frames.count && frames.positionOf(at) < to; at += 1) {
      const payload = frames.payloadOf(at);
      const end = frames.endOf(at);
      if (end <= this.#givenTo) this.#known.learn(payload);
      else {
        const offers = countOffers(payload, this.#offers);
        this.#wait(payload, offers, end);
        pending += offers;
      }
    }
    return pending;
  }

  #askTurn(): void {
    if (this.#isTurnAsked || this.#isGiven) return;
    this.#isTurnAsked = true;
    this.#parts.clock.after(0, () => {
      this.#isTurnAsked = false;
      if (!this.#isClosed && !this.#isReading) this.#turn();
    });
  }

  #turn(): void {
    const frame = this.#due > 0 ? this.#waiting.shift() : undefined;
    if (frame !== undefined) {
      this.#due -= 1;
      this.#tell(frame);
    }
    this.#settle();
    if (this.#due > 0) this.#askTurn();
  }

  #tell({ payload, offers: count, end }: WaitingFrame): void {
    const { listener } = this.#parts;
    const offers = this.#offers;
    const improved: Parameters<SieveListener["improved"]>[] = [];
    this.#fresh.clear();
    this.#fresh.bytes = payload;
    offers.read(payload);
    while (offers.next()) {
      const { high, low, start } = offers;
      const verdict = this.#known.decide(offers);
      if (verdict === "fresh") this.#fresh.add(offers, start, offers.end);
      else if (verdict === "improved") {
        const record = payload.subarray(start, offers.end);
        improved.push([high, low, this.#known.table.get(high, low), record]);
      }
    }
    this.#givenTo = end;
    this.#waitingBytes -= payload.length;
    this.#isTelling = true;
    if (this.#fresh.count > 0) this.#tellFresh();
    for (const better of improved) listener.improved(...better);
    this.#isTelling = false;
    // Not before: whoever hears of the last new URL may take a sieve with nothing pending for the end.
    this.#pending -= count;
  }

  #tellFresh(): void {
    this.#seen += this.#fresh.count;
    this.#isGiven = true;
    let isAsked = false;
    this.#parts.listener.fresh(this.#fresh, () => {
      assert(!isAsked, "more is asked for once");
      isAsked = true;
      this.#isGiven = false;
      this.#askTurn();
    });
  }

  /** Reports what has changed. */
  #settle(): void {
    if (this.#isClosed || this.#isReading) return;
    const { listener, outgrown } = this.#parts;
    if (this.pending === 0 && !this.#isGiven && !this.#isIdleTold) {
      this.#isIdleTold = true;
      listener.idle();
    }
    if (this.#isOutgrown) return;
    if (this.#isLarge) {
      if (this.#isGiven) return;
      this.#isOutgrown = true;
      this.#due = 0;
      this.#seal();
      outgrown();
    } else if (this.#wasRefused && this.#hasRoom(0)) {
      this.#wasRefused = false;
      listener.room();
    }
  }
}
