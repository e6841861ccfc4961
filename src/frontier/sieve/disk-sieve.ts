/**
 * The sieve on disk. Offers go through three places, each of which holds at most one batch:
 *
 * - *filling*: keys in memory, text appended to the log;
 * - *frozen*: text made durable, keys decided in the background against all runs;
 * - *given*: text read back from the log, what is new reported to the listener as it asks for more.
 *
 * While one batch is given out the next is decided and the one after fills; when all three places
 * are taken, offers are refused. Between two batches the background merges runs, a slice at a time.
 *
 * Invariants: the three batches are neighbours in the log; a run joins the stack when its batch is
 * given out completely. So marks need only say which runs are in the stack, where the oldest batch
 * begins, up to where it was reported, and where the offers end: everything else follows by deciding
 * the text in between again, which gives the same result however it is divided into batches.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Log } from "../../base/log/index.ts";
import type { RunMark, RunStack } from "../../base/runs/index.ts";
import { type Acknowledge, type Done, whenDone } from "../../base/seams/index.ts";
import { BatchDecider, type DeciderOptions, type FrozenBatch } from "./batch-decider.ts";
import { type Gift, Giving, type GivingProgress } from "./giving.ts";
import type { OfferBatch } from "./offer-batch.ts";
import { OfferFrame } from "./offer-frame.ts";
import {
  DEPTH_MAX,
  RECORD_BYTES_MAX,
  type Sieve,
  type SieveListener,
  type SieveMarks,
} from "./sieve.ts";
import { printState, type SieveState } from "./sieve-state.ts";
import { TextReplay } from "./text-replay.ts";

export interface DiskSieveParts extends DeciderOptions {
  readonly listener: SieveListener;
}

interface GivenBatch extends Gift {
  readonly run: RunMark | null;
}

/** How many slices of a merge may go before a batch that waits, unless merges fall behind. */
const SLICES_BETWEEN_BATCHES = 6;

/** Made by `openDiskSieve`. */
export class DiskSieve implements Sieve {
  readonly #listener: SieveListener;
  readonly #withDepth: boolean;
  readonly #log: Log;
  readonly #stack: RunStack;
  readonly #decider: BatchDecider;
  readonly #frame = new OfferFrame();
  readonly #progress: GivingProgress;
  #filling: OfferBatch;
  #frozen: FrozenBatch | null = null;
  #given: GivenBatch | null = null;
  #giving: Giving | null = null;
  /** Reads what the marks left undecided; offers are refused until it has. */
  #replay: TextReplay | null;
  #unreplayed: number;
  #isReplaying = false;
  /** The filling batch is to be frozen: it is full, or everything is to be decided. */
  #isReplayFull = false;
  #isFlushDue = false;
  /** The background works for this sieve. */
  #isTasked = false;
  #slices = 0;
  #isCommitting = false;
  /** Something failed; nothing is begun until the next `flush` or `checkpoint`. */
  #isHalted = false;
  #wasRefused = false;
  #isIdleTold = true;
  /** The checkpoint that was answered last, or that the sieve was opened with. */
  #answered: Pick<SieveState, "runs" | "from"> | null;
  #isCheckpointing = false;
  #underWay = 0;
  #closed: Acknowledge | null = null;
  #isLogClosed = false;

  /** `isNew`: no checkpoint has this state. */
  constructor(parts: DiskSieveParts, state: SieveState, isNew: boolean) {
    this.#listener = parts.listener;
    this.#withDepth = parts.withDepth;
    this.#log = parts.log;
    this.#stack = parts.stack;
    this.#decider = new BatchDecider(parts);
    this.#filling = this.#decider.newBatch(state.from);
    this.#progress = { givenTo: state.given, seen: state.seen, isTelling: false };
    this.#unreplayed = state.pending;
    this.#answered = isNew ? null : state;
    const { from, to, given: givenTo } = state;
    const isWhole = from === to;
    this.#replay = isWhole ? null : new TextReplay({ reader: parts.log.reader(from), to, givenTo });
    this.#isIdleTold = this.pending === 0;
  }

  /** For opening: begins to work; the listener is not called before. */
  start(): void {
    this.#work();
  }

  get pending(): number {
    const older = (this.#frozen?.batch.unheard ?? 0) + (this.#given?.batch.unheard ?? 0);
    return this.#unreplayed + this.#filling.unheard + older;
  }

  get memoryBytes(): number {
    const frozen = this.#frozen;
    const verdictBytes =
      (frozen?.decided?.verdicts.length ?? 0) + (this.#given?.verdicts.length ?? 0);
    // The decider counts columns that are lent or spare.
    const frozenBytes = frozen === null || frozen.isLost ? 0 : frozen.batch.memoryBytes;
    const keyBytes = this.#filling.memoryBytes + frozenBytes + this.#decider.memoryBytes;
    return keyBytes + verdictBytes + RECORD_BYTES_MAX + this.#log.memoryBytes;
  }

  get seen(): number {
    return this.#progress.seen;
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
      return false;
    }
    const kept = depth > DEPTH_MAX ? DEPTH_MAX : depth;
    this.#frame.add(high, low, kept, record, from, to);
    this.#filling.add(high, low, kept);
    this.#isIdleTold = false;
    if (this.#filling.room === 0) this.#work();
    return true;
  }

  flush(): void {
    this.#isFlushDue = true;
    this.#isHalted = false;
    this.#work();
  }

  checkpoint(done: Done<SieveMarks>): void {
    assert(!this.#progress.isTelling, "a checkpoint is not taken inside a call to the listener");
    assert(this.#closed === null, "a closed sieve is not used");
    assert(!this.#isCheckpointing, "one checkpoint at a time");
    this.#isCheckpointing = true;
    this.#isHalted = false;
    const { givenTo: given, seen } = this.#progress;
    const { pending } = this;
    const { from } = this.#oldest();
    const runs = this.#stack.mark();
    const state = { withDepth: this.#withDepth, runs, from, given, seen, pending };
    const fail = (error: CrawlError): void => {
      this.#isCheckpointing = false;
      this.#stack.forget(runs);
      done(error, undefined);
    };
    this.#seal();
    const marks = printState({ ...state, to: this.#log.end });
    const answer = (): void => {
      this.#isCheckpointing = false;
      this.#answered = state;
      done(null, marks);
    };
    this.#commitLog(whenDone(fail, answer));
    this.#work();
  }

  committed(): void {
    if (this.#answered === null || this.#closed !== null) return;
    this.#stack.keepOnly(this.#answered.runs);
    const told = this.#later((error: CrawlError | null) => {
      if (error !== null) this.#listener.failed(error);
    });
    this.#log.dropBefore(this.#answered.from, told);
  }

  close(done: Acknowledge): void {
    assert(!this.#progress.isTelling, "a sieve is not closed inside a call to its listener");
    assert(this.#closed === null, "a sieve is closed once");
    this.#closed = done;
    this.#underWay++;
    const ended = (): void => {
      this.#underWay--;
      this.#afterwards();
    };
    const closeReplay = (): void => {
      if (this.#replay === null) ended();
      else this.#replay.close(ended);
    };
    if (this.#giving === null) closeReplay();
    else this.#giving.close(closeReplay);
  }

  /** The batch that the oldest offers are in. */
  #oldest(): OfferBatch {
    return this.#given?.batch ?? this.#frozen?.batch ?? this.#filling;
  }

  #hasRoom(recordBytes: number): boolean {
    if (this.#replay !== null || this.#filling.room === 0 || this.#closed !== null) return false;
    if (this.#frame.hasRoom(recordBytes)) return true;
    if (this.#log.isFull) {
      if (!this.#isHalted) this.#commit();
      return false;
    }
    this.#seal();
    return true;
  }

  /** Appends the frame that was being filled to the log. */
  #seal(): void {
    const { count, payload } = this.#frame;
    if (count === 0) return;
    this.#filling.endFrame(this.#log.append(payload), this.#log.end, count);
    this.#frame.clear();
  }

  /** Begins whatever is due. */
  #work(): void {
    if (this.#isHalted || this.#closed !== null) return;
    this.#give();
    this.#freeze();
    this.#commit();
    this.#decideOrMerge();
    this.#goOnReplaying();
  }

  #give(): void {
    const frozen = this.#frozen;
    if (this.#given === null && frozen !== null && frozen.decided !== null) {
      this.#given = { batch: frozen.batch, ...frozen.decided };
      this.#frozen = null;
    }
    const given = this.#given;
    if (given === null || this.#giving !== null) return;
    const world = { log: this.#log, listener: this.#listener, progress: this.#progress };
    this.#giving = new Giving(given, world, (error) => {
      this.#giving = null;
      if (error !== null) this.#fail(error);
      else {
        if (given.run !== null) this.#stack.push(given.run);
        this.#given = null;
      }
      this.#work();
      this.#afterwards();
    });
    this.#giving.start();
  }

  #freeze(): void {
    const batch = this.#filling;
    const isFlushing = this.#isFlushDue && this.#replay === null;
    const isDue = batch.room === 0 || this.#isReplayFull || isFlushing;
    if (!isDue || this.#frozen !== null) return;
    if (batch.count === 0) this.#isFlushDue = false;
    else {
      this.#seal();
      this.#frozen = { batch, isDurable: false, isLost: false, decided: null };
      this.#decider.reclaim(batch);
      this.#filling = this.#decider.newBatch(batch.to);
      this.#isReplayFull = false;
      if (isFlushing) this.#isFlushDue = false;
    }
  }

  /** Makes the log write and sync: for a batch that is to be decided, or to have room again. */
  #commit(): void {
    const frozen = this.#frozen;
    const isDue = this.#log.isFull || (frozen !== null && !frozen.isDurable);
    if (!isDue || this.#isCommitting) return;
    this.#isCommitting = true;
    this.#commitLog((error) => {
      this.#isCommitting = false;
      if (error === null && frozen !== null) frozen.isDurable = true;
      if (error !== null) this.#fail(error);
      this.#work();
    });
  }

  /** Also answers while the sieve is being closed, which waits for it. */
  #commitLog(done: Acknowledge): void {
    this.#underWay++;
    this.#log.commit((error) => {
      this.#underWay--;
      done(error);
      this.#afterwards();
    });
  }

  #decideOrMerge(): void {
    if (this.#isTasked) return;
    const frozen = this.#frozen;
    const ready = frozen?.isDurable && frozen.decided === null ? frozen : null;
    const isMergeDue = this.#stack.isMergeDue;
    const isMergeFirst = isMergeDue && (this.#slices > 0 || this.#stack.isCrowded);
    if (ready !== null && !isMergeFirst) {
      this.#slices = SLICES_BETWEEN_BATCHES;
      this.#decider.decide(ready, this.#runs(), this.#tasked());
    } else if (isMergeDue) {
      this.#slices = Math.max(0, this.#slices - 1);
      this.#stack.mergeSlice(this.#tasked());
    }
  }

  #tasked(): Acknowledge {
    this.#isTasked = true;
    return this.#later((error) => {
      this.#isTasked = false;
      if (error !== null) this.#fail(error);
      this.#work();
    });
  }

  /** Everything that was found to be new so far. */
  #runs(): readonly RunMark[] {
    const newest = this.#given?.run ?? null;
    return newest === null ? this.#stack.runs : [...this.#stack.runs, newest];
  }

  #goOnReplaying(): void {
    const replay = this.#replay;
    if (replay === null || this.#isReplaying || this.#isReplayFull) return;
    this.#isReplaying = true;
    const batch = this.#filling;
    const before = batch.unheard;
    replay.fill(batch, (error, filled) => {
      this.#isReplaying = false;
      if (error !== null) this.#fail(error);
      else this.#replayed(replay, filled === "ended", batch.unheard - before);
    });
  }

  #replayed(replay: TextReplay, isOver: boolean, offers: number): void {
    this.#unreplayed = isOver ? 0 : Math.max(0, this.#unreplayed - offers);
    this.#isReplayFull = !isOver;
    if (!isOver) this.#work();
    else {
      replay.close(
        this.#later(() => {
          this.#replay = null;
          this.#work();
        }),
      );
    }
  }

  #fail(error: CrawlError): void {
    if (this.#closed !== null) return;
    this.#isHalted = true;
    this.#listener.failed(error);
  }

  /** For answers to what was begun: counts them, so that closing waits for them. */
  #later<Outcome extends unknown[]>(
    then: (...outcome: Outcome) => void,
  ): (...outcome: Outcome) => void {
    this.#underWay++;
    return (...outcome) => {
      this.#underWay--;
      if (this.#closed === null) then(...outcome);
      this.#afterwards();
    };
  }

  /** Reports what has changed; or, when closing, closes the log once nothing is under way. */
  #afterwards(): void {
    if (this.#closed !== null) {
      if (this.#underWay === 0 && !this.#isLogClosed) {
        this.#isLogClosed = true;
        this.#log.close(this.#closed);
      }
      return;
    }
    const hasRoom = this.#replay === null && this.#filling.room > 0 && !this.#log.isFull;
    if (this.#wasRefused && hasRoom) {
      this.#wasRefused = false;
      this.#listener.room();
    }
    if (this.pending > 0 || this.#isIdleTold || this.#given !== null) return;
    this.#isIdleTold = true;
    this.#listener.idle();
  }
}
