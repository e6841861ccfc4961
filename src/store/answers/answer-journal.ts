/**
 * Answers that the archive does not keep, for as long as no checkpoint knows their pages: those of pages
 * that must not be archived, and all of a crawl with another store than WARC. A crawl that is killed
 * replays pages from their answers; these it finds here (`found-answers.ts`).
 *
 * Two logs take turns. With every checkpoint the other one is written; when the checkpoint is recorded,
 * the first is emptied. So nothing stays on the disk for much longer than `store.checkpoint`, and when
 * the crawl ends the files are removed.
 */
import { type Log, type OpenedLog, openLog } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Body,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import { type Answer, journalFrames, moreFrame } from "./answer-frames.ts";

export const ANSWERS_FOLDER: FileName = "spool/answers";

export interface AnswerJournalOptions {
  readonly storage: Storage;
  readonly random: Random;
  /** Of several lanes, the one that writes it; 0 of 1 for the only one. */
  readonly lane: { readonly number: number; readonly count: number };
}

/** One of the two logs; opened when there is something for it. */
interface Turn {
  readonly name: FileName;
  log: Log | null;
  isCutting: boolean;
}

/** A body on its way into a log. */
interface Copied {
  readonly id: number;
  readonly body: Body;
  readonly from: number;
}

const PIECE_BYTES = 256 * 1024;

export class AnswerJournal {
  readonly #options: AnswerJournalOptions;
  readonly #turns: readonly [Turn, Turn];
  #now: Turn;
  /** Written until the checkpoint that is being taken, and no more; null if there is none. */
  #before: Turn | null = null;
  /** Whether a checkpoint is being taken that knows all of it. */
  #isSaved = false;
  #nextId = 0;
  /** Who waits until a log has been opened, or old ones are removed; null if neither is under way. */
  #waiting: (() => void)[] | null = null;
  /** Whether everything in it is known by a checkpoint. */
  #isSpent = true;
  /** Whether what earlier runs left was removed. */
  #isSwept = false;

  constructor(options: AnswerJournalOptions) {
    const turn = (name: string): Turn => ({
      ...{ name: `${ANSWERS_FOLDER}/${options.lane.number}-${name}`, log: null, isCutting: false },
    });
    this.#options = options;
    this.#turns = [turn("a"), turn("b")];
    this.#now = this.#turns[0];
  }

  /** Answers when the answer survives the end of the process; it need not be durable. */
  keep(page: Answer, done: Acknowledge): void {
    this.#isSpent = false;
    this.#withLog(done, (log) => this.#append(log, page, done));
  }

  /** Answers when everything that was kept before is durable. */
  commit(done: Acknowledge): void {
    // Until a checkpoint is recorded, what was kept before it is needed too.
    const logs = this.#turns.flatMap(({ log, isCutting }) => (isCutting ? [] : (log ?? [])));
    inTurn(logs, (log, next) => log.commit(next), done);
  }

  /** A checkpoint is taken at this moment, and knows every page whose answer is kept. */
  saved(): void {
    const [a, b] = this.#turns;
    const other = this.#now === a ? b : a;
    this.#isSpent = true;
    this.#isSaved = true;
    this.#before = other.isCutting ? null : this.#now;
    if (!other.isCutting) this.#now = other;
  }

  /** A checkpoint is recorded. A log that cannot be emptied now is emptied another time. */
  recorded(): void {
    if (!this.#isSaved) return;
    this.#isSaved = false;
    const before = this.#before;
    this.#before = null;
    if (!this.#isSwept && this.#waiting === null) this.#sweep();
    const log = before?.log ?? null;
    if (before === null || log === null || log.end === log.begin) return;
    before.isCutting = true;
    log.cutTo(log.begin, () => {
      before.isCutting = false;
    });
  }

  close(done: Acknowledge): void {
    const logs = this.#turns.flatMap(({ log }) => log ?? []);
    const closed = (): void => {
      if (this.#isSpent && logs.length > 0) this.#remove(() => true, done);
      else done(null);
    };
    inTurn(logs, (log, next) => log.close(next), whenDone(done, closed));
  }

  /** Lanes of earlier runs that are no more, and logs of this one that were not opened again. */
  #sweep(): void {
    this.#isSwept = true;
    this.#waiting = [];
    const open = this.#turns.filter(({ log }) => log !== null).map(({ name }) => `${name}.`);
    this.#remove(
      (file) => !open.some((begin) => file.startsWith(begin)),
      () => this.#letGoOn(),
    );
  }

  #remove(isWanted: (file: FileName) => boolean, done: Acknowledge): void {
    const { storage, lane } = this.#options;
    const isOurs = (file: FileName): boolean => {
      const number = Number(/\/(\d+)-[ab]\.[^/]+$/.exec(file)?.[1] ?? Number.NaN);
      return number === lane.number || (lane.number === 0 && number >= lane.count);
    };
    storage.list(
      ANSWERS_FOLDER,
      withValue(done, (files) => {
        const gone = files.filter((file) => isOurs(file) && isWanted(file));
        inTurn(gone, (file, next) => storage.remove(file, next), done);
      }),
    );
  }

  #append(log: Log, page: Answer, done: Acknowledge): void {
    const id = this.#nextId;
    this.#nextId += 1;
    for (const frame of journalFrames(id, page)) log.append(frame);
    if (page.body.bytes !== null) log.flush(done);
    else this.#copy(log, { id, body: page.body, from: 0 }, done);
  }

  /** A body on disk is copied a piece at a time. */
  #copy(log: Log, { id, body, from }: Copied, done: Acknowledge): void {
    body.read(
      from,
      PIECE_BYTES,
      withValue(done, (piece) => {
        const next = from + piece.length;
        log.append(moreFrame(id, piece));
        const goOn = (): void =>
          piece.length === 0 || next === body.lengthBytes
            ? done(null)
            : this.#copy(log, { id, body, from: next }, done);
        log.flush(whenDone(done, goOn));
      }),
    );
  }

  #withLog(failed: Acknowledge, use: (log: Log) => void): void {
    const turn = this.#now;
    if (turn.log !== null) {
      use(turn.log);
      return;
    }
    const again = (): void => this.#withLog(failed, use);
    if (this.#waiting !== null) {
      this.#waiting.push(again);
      return;
    }
    this.#waiting = [];
    const { storage, random } = this.#options;
    openLog({ storage, random, name: turn.name, framing: "binary" }, (...[error, opened]) => {
      if (error === null) turn.log = (opened as OpenedLog).log;
      if (turn.log === null) failed(error);
      else use(turn.log);
      this.#letGoOn();
    });
  }

  #letGoOn(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const each of waiting) each();
  }
}
