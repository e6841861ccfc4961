/**
 * Makes the sieves of some lanes from those of others, while none of them is open. Runs are divided by
 * ranges of keys. Of the text, only what the marks leave undecided is copied, in two passes: first what
 * was given out before, then the rest. So each new sieve has one position that tells the two apart,
 * and since offers of one URL are all from one old sieve, they keep their order.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { type FrameBatch, type Log, type OpenedLog, openLog } from "../../base/log/index.ts";
import { type RunStackMarks, splitStacks } from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn, valuesInTurn } from "../../base/steps/index.ts";
import { DEPTH_BYTES } from "./decide-batch.ts";
import { damagedText } from "./giving.ts";
import { FrameOffers, OfferFrame } from "./offer-frame.ts";
import type { SieveMarks } from "./sieve.ts";
import { printState, readState, type SieveState } from "./sieve-state.ts";

export interface SievesToSplit {
  readonly storage: Storage;
  /** The salts of new logs are drawn from it. */
  readonly random: Random;
  readonly withDepth: boolean;
  /** The old sieves, in the order of their ranges; what their marks speak of is not changed. */
  readonly from: readonly { readonly folder: FileName; readonly marks: SieveMarks }[];
  /** The folders of the new ones, in the order of their ranges; what is in them is replaced. */
  readonly folders: readonly FileName[];
  /** Which of them has the keys with this high half; never falls when keys rise. */
  partOf(high: number): number;
}

const PENDING_BYTES_MAX = 1024 * 1024;

/** Answers with the marks of the new sieves. The first one counts as seen what all have seen. */
export function splitSieves(options: SievesToSplit, done: Done<readonly SieveMarks[]>): void {
  const { storage, from, folders, withDepth, partOf } = options;
  const states: SieveState[] = [];
  for (const { marks } of from) {
    const state = readState(marks, withDepth);
    if (state instanceof CrawlError) {
      storage.freeBytes(() => done(state, undefined));
      return;
    }
    states.push(state);
  }
  const runs = {
    ...{ storage, partOf, payloadBytes: withDepth ? DEPTH_BYTES : 0 },
    from: states.map((state) => state.runs),
    folders: folders.map((folder) => `${folder}/runs`),
  };
  const copyText = (stacks: readonly RunStackMarks[]): void =>
    openTexts(
      options,
      withValue(done, (texts) => new TextSplit(options, states, texts).copy(stacks, done)),
    );
  splitStacks(runs, withValue(done, copyText));
}

/** Empty logs for the new sieves. */
function openTexts(
  { storage, random, folders }: SievesToSplit,
  done: Done<readonly NewText[]>,
): void {
  const open = (folder: FileName, opened: Done<NewText>): void => {
    const empty = ({ log }: OpenedLog): void => {
      const answer = (): void => opened(null, new NewText(log));
      log.cutTo(log.begin, whenDone(opened, answer));
    };
    openLog(logOptions(storage, random, folder), withValue(opened, empty));
  };
  valuesInTurn(folders, open, done);
}

function logOptions(storage: Storage, random: Random, folder: FileName) {
  const pendingBytesMax = PENDING_BYTES_MAX;
  const framing = "binary" as const;
  return { storage, random, name: `${folder}/text`, framing, pendingBytesMax };
}

/** The text of a new sieve, as it is being written. */
class NewText {
  readonly log: Log;
  readonly #frame = new OfferFrame();
  readonly begin: number;
  /** Where the offers begin that were not given out before. */
  given: number;
  /** How many those are. */
  pending = 0;
  #isGiven = true;

  constructor(log: Log) {
    this.log = log;
    this.begin = log.end;
    this.given = log.end;
  }

  add({ high, low, depth, bytes, start, end }: FrameOffers): void {
    if (!this.#frame.hasRoom(end - start)) this.seal();
    this.#frame.add(high, low, depth, bytes, start, end);
    if (!this.#isGiven) this.pending += 1;
  }

  seal(): void {
    if (this.#frame.count === 0) return;
    this.log.append(this.#frame.payload);
    this.#frame.clear();
  }

  /** What follows was not given out. */
  endGiven(): void {
    this.seal();
    this.given = this.log.end;
    this.#isGiven = false;
  }
}

class TextSplit {
  readonly #options: SievesToSplit;
  readonly #states: readonly SieveState[];
  readonly #texts: readonly NewText[];
  readonly #offers = new FrameOffers();

  constructor(options: SievesToSplit, states: readonly SieveState[], texts: readonly NewText[]) {
    this.#options = options;
    this.#states = states;
    this.#texts = texts;
  }

  copy(stacks: readonly RunStackMarks[], done: Done<readonly SieveMarks[]>): void {
    const end: Acknowledge = (error) =>
      this.#close((closeError) => {
        const failure = error ?? closeError;
        if (failure === null) done(null, this.#marks(stacks));
        else done(failure, undefined);
      });
    const copyRest = (): void => {
      for (const text of this.#texts) text.endGiven();
      this.#copyAll(
        ({ given, from }) => Math.max(given, from),
        ({ to }) => to,
        end,
      );
    };
    this.#copyAll(
      ({ from }) => from,
      ({ given }) => given,
      whenDone(end, copyRest),
    );
  }

  #marks(stacks: readonly RunStackMarks[]): SieveMarks[] {
    const { withDepth } = this.#options;
    const seen = this.#states.reduce((sum, state) => sum + state.seen, 0);
    return this.#texts.map(({ begin: from, given, pending, log }, part) =>
      printState({
        ...{ withDepth, from, given, pending, to: log.end },
        runs: stacks[part] as RunStackMarks,
        seen: part === 0 ? seen : 0,
      }),
    );
  }

  #copyAll(
    fromOf: (state: SieveState) => number,
    toOf: (state: SieveState) => number,
    done: Acknowledge,
  ): void {
    const copy = (lane: number, next: Acknowledge): void => {
      const state = this.#states[lane] as SieveState;
      const [from, to] = [fromOf(state), toOf(state)];
      if (from < to) this.#copyStretch(lane, from, to, next);
      else next(null);
    };
    inTurn(this.#states.keys(), copy, done);
  }

  #copyStretch(lane: number, from: number, to: number, done: Acknowledge): void {
    const { storage, random, from: sieves } = this.#options;
    const { folder } = sieves[lane] as SievesToSplit["from"][number];
    const read = ({ log }: OpenedLog): void => {
      const stop = Math.min(to, log.end);
      const marked = this.#states[lane]?.to ?? stop;
      const reader = log.reader(from);
      const end: Acknowledge = (error) =>
        reader.close(() => log.close((closeError) => done(error ?? closeError)));
      const goOn = (): void =>
        reader.read(
          withValue(end, (frames) => {
            const damage = frames.damage.find((range) => range.from < stop);
            if (damage !== undefined) {
              end(damagedText(damage.from, damage.to));
              return;
            }
            this.#takeFrames(frames, stop);
            const isOver = reader.position >= stop || frames.count + frames.damage.length === 0;
            this.#makeRoom(whenDone(end, isOver ? () => end(null) : goOn));
          }),
        );
      // As when the sieve is opened: what the marks speak of must be there.
      log.cutTo(marked, whenDone(end, goOn));
    };
    openLog(logOptions(storage, random, folder), withValue(done, read));
  }

  #takeFrames(frames: FrameBatch, to: number): void {
    const { partOf } = this.#options;
    const offers = this.#offers;
    for (let at = 0; at < frames.count && frames.positionOf(at) < to; at += 1) {
      offers.read(frames.payloadOf(at));
      while (offers.next()) this.#texts[partOf(offers.high)]?.add(offers);
    }
  }

  #makeRoom(done: Acknowledge): void {
    const full = this.#texts.filter(({ log }) => log.isFull);
    inTurn(full, ({ log }, next) => log.commit(next), done);
  }

  /** Makes the new texts durable and closes them. */
  #close(done: Acknowledge): void {
    for (const text of this.#texts) text.seal();
    inTurn(
      this.#texts,
      ({ log }, next) =>
        log.commit((error) => log.close((closeError) => next(error ?? closeError))),
      done,
    );
  }
}
