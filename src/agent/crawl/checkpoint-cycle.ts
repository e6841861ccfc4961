/**
 * Takes checkpoints of a crawl that runs. A cycle has four steps:
 *
 * 1. Answers are held back for some milliseconds until none is worked on.
 * 2. At that moment all parts are asked for their state, and it is noted where the lines of the crawl log
 *    end. Answers are let in again.
 * 3. The files that the state names are made durable, and the records, lines and rows of all pages until then.
 * 4. The state is recorded in one transaction. Files that only earlier checkpoints need are removed.
 *
 * If the process dies at any moment, the last state that was recorded is whole, its files are there, and
 * the crawl log tells what happened since.
 *
 * Few answers are worked on at once (`AnswerGate`), so that they are held back for less than 50 ms as a
 * rule. A crawl that needs longer, because the machine is busy, the disk is full or a unit of the user is
 * slow, is not held up: it has its checkpoint another time. Only if that happens again and again it waits
 * longer.
 */
import {
  type Acknowledge,
  type Clock,
  type Done,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { ReadingMark } from "../saving/reading-mark.ts";
import type { ArchiveMarks, GatheredCrawl } from "../saving/saved-crawl.ts";
import { type Committed, commitPages } from "./commits.ts";

export interface CycleParts {
  readonly clock: Clock;
  /** Null if the crawl cannot be continued. */
  readonly checkpoints: Pick<CheckpointKeeper, "write"> | null;
  readonly living: Saved;
  readonly elapsedMs: () => number;
  /** False once a part has failed: what that has lost must not be what the next run goes on from. */
  readonly isSound?: () => boolean;
  readonly reading?: ReadingMark | undefined;
}

/** The crawl of which checkpoints are taken. */
export interface Saved {
  /** What takes its pages. */
  readonly taking: Committed;
  /** Whether it replays what it did before it was killed: its last checkpoint holds until that is over. */
  readonly isReplaying: boolean;
  /** Lets no answer in. `quiet` is called when none is worked on; not after `letGo`. */
  hold(quiet: () => void): void;
  letGo(): void;
  /** What the next run goes on from, as of the call. No answer is worked on. */
  save(elapsedMs: number, done: Done<GatheredCrawl>): void;
  /** What was saved is recorded durably. */
  recorded(saved: GatheredCrawl): void;
}

/** Answers are held back no longer than this. */
const HOLD_MS = 50;
/** But before anything is fetched: lanes may take their time to begin, and nobody waits for answers. */
const FIRST_HOLD_MS = 60_000;
/** After this often in vain they are worked on for longer than that; then twice as long each further time. */
const IN_VAIN_MAX = 4;
const DOUBLINGS_MAX = 6;
/** What was needed this time is likely to be needed the next times. */
const KEPT_TIMES = 3;

export class CheckpointCycle {
  readonly #parts: CycleParts;
  #isUnderWay = false;
  /** How often answers were held back without a checkpoint, less a third of how often with one. */
  #inVain = 0;
  /** How often with one since `#inVain` has changed. */
  #taken = 0;
  #waiting: (() => void) | null = null;
  /** Whether nothing has been replayed yet, and no checkpoint has been recorded. */
  #isFirst = false;
  /** Resolved when the next checkpoint to be taken is recorded; null if nobody waits for that. */
  #next: PromiseWithResolvers<void> | null = null;

  constructor(parts: CycleParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when a checkpoint is recorded that knows everything done until now, or at once if the crawl
   * cannot be continued anyway; never if none comes.
   */
  nextRecorded(): Promise<void> {
    if (this.#parts.checkpoints === null) return Promise.resolve();
    this.#next ??= Promise.withResolvers<void>();
    return this.#next.promise;
  }

  /**
   * Takes a checkpoint before anything is fetched or replayed, unless there is one. A crawl that was killed
   * before it had one replays all of its lines.
   */
  runFirst(isMissing: boolean, done: Acknowledge): void {
    this.#isFirst = isMissing && this.#parts.living.isReplaying;
    this.#run(FIRST_HOLD_MS, (error) => {
      this.#isFirst = false;
      done(error);
    });
  }

  /** Makes what was taken durable, and takes a checkpoint if it can. Answers for both. */
  run(done: Acknowledge): void {
    this.#run(this.#holdMs, done);
  }

  #run(holdMs: number, done: Acknowledge): void {
    const { clock, living, checkpoints } = this.#parts;
    if (checkpoints === null || this.#isReplaying || this.#isUnderWay) {
      commitPages(living.taking, done);
      return;
    }
    const over = this.#begin(done);
    const timer = clock.after(holdMs, () => {
      this.#inVain = Math.min(this.#inVain + 1, IN_VAIN_MAX + DOUBLINGS_MAX);
      this.#taken = 0;
      living.letGo();
      commitPages(living.taking, over);
    });
    living.hold(() => {
      timer.cancel();
      this.#noteTaken();
      this.#take(false, over);
      living.letGo();
    });
  }

  /** Takes the last checkpoint; nothing is under way but perhaps a cycle, which is waited for. */
  runLast(done: Acknowledge): void {
    this.whenOver(() => this.#take(true, this.#begin(done)));
  }

  /** Calls back when no cycle is under way; perhaps at once. */
  whenOver(callback: () => void): void {
    if (this.#isUnderWay) this.#waiting = callback;
    else callback();
  }

  get #holdMs(): number {
    return HOLD_MS * 2 ** Math.max(0, this.#inVain - IN_VAIN_MAX);
  }

  #noteTaken(): void {
    this.#taken += 1;
    if (this.#taken < KEPT_TIMES) return;
    this.#taken = 0;
    this.#inVain = Math.max(0, this.#inVain - 1);
  }

  get #isReplaying(): boolean {
    return this.#parts.living.isReplaying && !this.#isFirst;
  }

  #begin(done: Acknowledge): Acknowledge {
    this.#isUnderWay = true;
    return (error) => {
      this.#isUnderWay = false;
      done(error);
      const waiting = this.#waiting;
      this.#waiting = null;
      waiting?.();
    };
  }

  #take(isLast: boolean, done: Acknowledge): void {
    const { living, checkpoints, elapsedMs, reading, isSound } = this.#parts;
    // A crawl that is stopped while it replays has its old checkpoint, and replays again.
    if (checkpoints === null || this.#isReplaying || isSound?.() === false) {
      done(null);
      return;
    }
    const { taking } = living;
    const awaited = this.#next;
    this.#next = null;
    const settled: Acknowledge = (error) => {
      if (error === null) awaited?.resolve();
      else if (awaited !== null) void this.nextRecorded().then(awaited.resolve);
      done(error);
    };
    const logEnd = (this.#isFirst ? null : taking.store.linesEnd?.()) ?? (() => 0);
    const { graph } = taking.links;
    // Before the first line there are none, whatever the graph has that is about to be added again.
    const links = this.#isFirst ? NO_LINKS : (graph?.counts ?? null);
    const written = new Gathered<Gatherings>(
      ["saved", "archive", "graph", "pages"],
      withValue(settled, ({ saved, archive }) => {
        const end = logEnd();
        const read = reading === undefined ? {} : { reading: reading.at(end) };
        checkpoints.write({ ...saved, ...read, archive, links, logEnd: end }, isLast, (error) => {
          if (error === null) living.recorded(saved);
          settled(error);
        });
      }),
    );
    living.save(elapsedMs(), written.take("saved"));
    const marked = written.take("archive");
    // One that knows no line yet knows no more of the archive.
    if (this.#isFirst || taking.store.mark === undefined) marked(null, null);
    else taking.store.mark(marked);
    const flushed = acknowledged(written.take("graph"));
    if (graph === null) flushed(null);
    else graph.flush(flushed);
    const { index } = taking;
    const indexed = acknowledged(written.take("pages"));
    // Lines before `logEnd` are not replayed, so their rows must be there.
    const committed = whenDone(indexed, () =>
      index === null ? indexed(null) : index.flushRows(indexed),
    );
    // At the end too: lanes have given lines since all pages were committed.
    commitPages(taking, committed);
  }
}

const NO_LINKS = { pages: 0, links: 0 };

/** What is written together. */
interface Gatherings {
  readonly saved: GatheredCrawl;
  readonly archive: ArchiveMarks | null;
  readonly graph: null;
  readonly pages: null;
}

function acknowledged(done: Done<null>): Acknowledge {
  return (error) => (error === null ? done(null, null) : done(error, undefined));
}
