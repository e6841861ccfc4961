/**
 * The texts of pages while a crawl adds to them. Texts gather in blocks; full ones are packed in the
 * background and appended to a log. A text has its *place* when its block is durable: only then may a
 * row of the page index refer to it.
 *
 * Invariants: every text that is added is answered once, in the order of the adding; with null only
 * after a failure for good, or when its block is too large for a frame. While the disk is full nothing
 * is answered, and the next flush tries again.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Log, Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Background,
  type Clock,
  withValue,
} from "../../base/seams/index.ts";
import { charactersOf, type KeptText } from "./kept-text.ts";
import { type PackedTexts, packTexts } from "./pack-texts.ts";

/** Where a text is. */
export interface TextPlace {
  /** The block's position in the log. */
  readonly block: Position;
  /** Which of the block's texts, from 0. */
  readonly entry: number;
}

export interface PageTextsParts {
  readonly clock: Clock;
  readonly background: Background;
  readonly log: Log;
  /** How many characters gather in a block. */
  readonly blockCharacters: number;
  /** Called once for each problem; a full disk passes. */
  readonly failed: (error: CrawlError) => void;
}

type Placed = (place: TextPlace | null) => void;

/** Texts that are read at once, with those who wait for their places. */
class TextBlock {
  readonly texts: KeptText[] = [];
  readonly placed: Placed[] = [];
  characters = 0;
}

/** Blocks on their way to the log. */
interface Batch {
  readonly blocks: readonly TextBlock[];
  packed: PackedTexts | null;
  /** How many of them are in the log, durable or not. */
  appended: number;
}

interface Flush {
  /** So many texts must have been answered. */
  readonly upTo: number;
  readonly done: Acknowledge;
}

/** So many blocks may be in memory before no more pages should be begun. */
const BLOCKS_MAX = 32;
/** So many are packed at once. */
const BATCH_BLOCKS = 8;
/** Errors after which the same can be tried again. */
const PASSING: ReadonlySet<string> = new Set(["STORAGE_FULL", "BACKGROUND_TASK_FAILED"]);
const FAILURES_MAX = 5;

export class PageTexts {
  readonly #parts: PageTextsParts;
  #filling = new TextBlock();
  #full: TextBlock[] = [];
  #batch: Batch | null = null;
  /** In the log, but perhaps not durable yet. */
  #unplaced: { readonly block: TextBlock; readonly position: Position | null }[] = [];
  #flushes: Flush[] = [];
  #waiting: (() => void)[] = [];
  /** Of the texts that are not in the log yet. */
  #characters = 0;
  #added = 0;
  #answered = 0;
  #isBusy = false;
  #failures = 0;
  #trouble: CrawlError | null = null;
  /** The last step failed, and no flush has asked for it again. */
  #hasFailed = false;
  #isBroken = false;
  #closed: Acknowledge | null = null;

  constructor(parts: PageTextsParts) {
    this.#parts = parts;
  }

  /** Whether more pages should be begun. After a failure for good nothing waits. */
  get hasRoom(): boolean {
    const { blockCharacters } = this.#parts;
    const isBelow = this.#characters < BLOCKS_MAX * blockCharacters;
    return this.#isBroken || (this.#trouble === null && isBelow);
  }

  /** Why nothing is written now. */
  get trouble(): CrawlError | null {
    return this.#trouble;
  }

  get memoryBytes(): number {
    return 2 * this.#characters + this.#parts.log.memoryBytes;
  }

  /** Every text that was answered with a place is before this position: the log's length. */
  get committed(): Position {
    return this.#parts.log.committed;
  }

  /** Calls back, never inside this call, when there is room again. */
  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
    if (this.hasRoom) this.#parts.clock.after(0, () => this.#tellRoom());
  }

  /** Takes a text, and answers when it is durable: within the next flush. */
  add(text: KeptText, placed: Placed): void {
    assert(this.#closed === null, "closed texts take nothing");
    this.#added += 1;
    if (this.#isBroken) {
      this.#answer(placed, null);
      return;
    }
    const block = this.#filling;
    block.texts.push(text);
    block.placed.push(placed);
    const characters = charactersOf(text);
    block.characters += characters;
    this.#characters += characters;
    if (block.characters < this.#parts.blockCharacters) return;
    this.#endBlock();
    this.#work();
  }

  /** Answers when every text added before is durable and answered, or with what prevents it. */
  flush(done: Acknowledge): void {
    this.#flushes.push({ upTo: this.#added, done });
    if (this.#filling.texts.length > 0) this.#endBlock();
    this.#hasFailed = false;
    this.#parts.clock.after(0, () => this.#work());
  }

  /** Closes them after earlier flushes; what is not durable then is answered with null. */
  close(done: Acknowledge): void {
    assert(this.#closed === null, "texts are closed once");
    this.#closed = done;
    this.#work();
  }

  #endBlock(): void {
    this.#full.push(this.#filling);
    this.#filling = new TextBlock();
  }

  /** Begins the next step, if none is under way. */
  #work(): void {
    if (this.#isBusy) return;
    if (this.#hasFailed) this.#endFlushes(this.#trouble);
    else if (this.#batch !== null) this.#write(this.#batch);
    else if (this.#full.length > 0) {
      this.#batch = { blocks: this.#full.splice(0, BATCH_BLOCKS), packed: null, appended: 0 };
      this.#write(this.#batch);
    } else if (this.#flushes.length > 0 && this.#unplaced.length > 0) this.#commit();
    else this.#endFlushes(null);
    if (!this.#isBusy && this.#flushes.length === 0 && this.#closed !== null) {
      this.#end(this.#closed);
    }
  }

  #write(batch: Batch): void {
    const { background, log } = this.#parts;
    if (batch.packed === null) {
      const ended = this.#begun();
      const take = (packed: PackedTexts): void => {
        batch.packed = packed;
        this.#failures = 0;
        ended(null);
      };
      const texts = batch.blocks.map((block) => block.texts);
      background.run(packTexts, texts, withValue(ended, take));
      return;
    }
    for (; batch.appended < batch.blocks.length; batch.appended += 1) {
      const bytes = batch.packed[batch.appended] as Uint8Array;
      const position = log.fits(bytes) ? log.tryAppend(bytes) : NO_POSITION;
      if (position === null) {
        this.#commit();
        return;
      }
      const block = batch.blocks[batch.appended] as TextBlock;
      this.#unplaced.push({ block, position: position === NO_POSITION ? null : position });
    }
    this.#batch = null;
    for (const { characters } of batch.blocks) this.#characters -= characters;
    this.#tellRoom();
    this.#work();
  }

  #commit(): void {
    const ended = this.#begun();
    const durable = this.#unplaced.length;
    this.#parts.log.commit((error) => {
      if (error === null) {
        this.#trouble = null;
        for (const { block, position } of this.#unplaced.splice(0, durable)) {
          this.#answerAll(block, position);
        }
      }
      ended(error);
    });
  }

  #begun(): Acknowledge {
    this.#isBusy = true;
    return (error) => {
      this.#isBusy = false;
      if (error !== null) this.#fail(error);
      this.#work();
      this.#tellRoom();
    };
  }

  #fail(error: CrawlError): void {
    this.#failures += error.code === "STORAGE_FULL" ? 0 : 1;
    this.#isBroken = !PASSING.has(error.code) || this.#failures > FAILURES_MAX;
    const isNew = this.#trouble?.code !== error.code;
    this.#trouble = error;
    this.#hasFailed = !this.#isBroken;
    if (isNew || this.#isBroken) this.#parts.failed(error);
    if (this.#isBroken) this.#giveUp();
  }

  #giveUp(): void {
    if (this.#filling.texts.length > 0) this.#endBlock();
    const appended = this.#unplaced.splice(0).map(({ block }) => block);
    const batch = this.#batch?.blocks.slice(this.#batch.appended) ?? [];
    const lost = [...appended, ...batch, ...this.#full.splice(0)];
    this.#batch = null;
    this.#characters = 0;
    for (const block of lost) this.#answerAll(block, null);
  }

  #answerAll({ placed }: TextBlock, block: Position | null): void {
    for (const [entry, each] of placed.entries()) {
      this.#answer(each, block === null ? null : { block, entry });
    }
  }

  #answer(placed: Placed, place: TextPlace | null): void {
    this.#answered += 1;
    placed(place);
  }

  #endFlushes(error: CrawlError | null): void {
    const isOver = ({ upTo }: Flush): boolean => error !== null || upTo <= this.#answered;
    const ended = this.#flushes.filter(isOver);
    this.#flushes = this.#flushes.filter((flush) => !isOver(flush));
    for (const { done } of ended) done(error);
  }

  #tellRoom(): void {
    if (!this.hasRoom) return;
    for (const callback of this.#waiting.splice(0)) callback();
  }

  #end(done: Acknowledge): void {
    this.#isBusy = true;
    this.#isBroken = true;
    this.#giveUp();
    this.#parts.log.close(done);
  }
}

/** Of a block that no frame can hold. */
const NO_POSITION = -1;
