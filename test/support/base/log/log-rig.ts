/**
 * A log on a simulated machine beside a model of what it must hold. The rig carries out steps on
 * both, lets power fail or the process die at any moment, and after every opening compares: the log
 * is a beginning of what was appended, it holds everything whose commit was answered, and not a
 * byte of it is altered.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../../src/base/errors/index.ts";
import type {
  FrameBatch,
  Log,
  LogOptions,
  OpenedLog,
  openLog,
} from "../../../../src/base/log/index.ts";
import { type Asking, SimulatedMachine } from "../../lab/simulated-machine.ts";

export interface ModelFrame {
  readonly position: number;
  readonly end: number;
  readonly payload: Uint8Array;
}

export interface Reading {
  readonly frames: ModelFrame[];
  readonly damage: { readonly from: number; readonly to: number }[];
}

/** Thrown inside a step when its number of events is used up: the moment for a crash. */
export const MOMENT: unique symbol = Symbol("the chosen moment");

/** Far more than any trial needs. */
const EVENTS_MAX = 50_000;

export interface RigOptions extends Partial<LogOptions> {
  readonly seed: number | string;
  readonly openLog: typeof openLog;
  /**
   * 1 for segments smaller than a sector, so that there are many; more for segments of several
   * sectors, so that a crash may keep later bytes and lose earlier ones.
   */
  readonly scale?: number;
}

export class LogRig {
  readonly machine: SimulatedMachine;
  readonly #options: RigOptions;
  #log: Log | null = null;
  /** What was appended since the last opening, or found by it. */
  frames: ModelFrame[] = [];
  begin = 0;
  committed = 0;
  /** Cuts and drops that have not answered yet: they may or may not happen. */
  #cutting: number | null = null;
  #dropping: number | null = null;
  /** How many events may still happen before `MOMENT` is thrown. */
  patience: number = Number.POSITIVE_INFINITY;
  /** Events that have happened. */
  events = 0;

  constructor(options: RigOptions) {
    this.#options = options;
    this.machine = new SimulatedMachine(options.seed);
  }

  get log(): Log {
    assert(this.#log !== null, "the log is open");
    return this.#log;
  }

  get end(): number {
    return this.frames.at(-1)?.end ?? this.begin;
  }

  get isOpen(): boolean {
    return this.#log !== null;
  }

  /** Opens the log and compares what it finds with the model. */
  open(): OpenedLog {
    const opened = this.openUnchecked();
    this.#compare();
    return opened;
  }

  get scale(): number {
    return this.#options.scale ?? 1;
  }

  openUnchecked(): OpenedLog {
    const opened = this.ask<OpenedLog>((done) =>
      this.#options.openLog(
        {
          name: "a/log",
          framing: "binary",
          segmentBytesMax: 400 * this.scale,
          chunkBytes: 150 * this.scale,
          pendingBytesMax: 700 * this.scale,
          ...this.#options,
          storage: this.machine.storage,
          random: this.machine.random.fork("salt"),
        },
        done,
      ),
    );
    this.#log = opened.log;
    return opened;
  }

  /** Appends if there is room. */
  append(payload: Uint8Array): boolean {
    const { log } = this;
    const position = log.tryAppend(payload);
    // The memory is the caller's again at once.
    const kept = payload.slice();
    payload.fill(0xee);
    if (position === null) return false;
    assert.equal(position, this.end, "a frame begins where the one before ends");
    this.frames.push({ position, end: log.end, payload: kept });
    return true;
  }

  /** Begins a commit, and does not wait for it. */
  commit(answered: (error: CrawlError | null) => void = () => undefined): void {
    const upTo = this.end;
    const { log } = this;
    log.commit((error) => {
      if (error === null) {
        assert.equal(this.#log, log, "a dead log does not answer");
        this.committed = Math.max(this.committed, upTo);
        assert.ok(log.committed >= upTo, "the log knows what it has committed");
      }
      answered(error);
    });
  }

  cutTo(index: number): void {
    const position = this.frames[index]?.position ?? this.end;
    this.#cutting = position;
    let wasCommitted = false;
    this.ask((done) => {
      this.log.cutTo(position, done);
      // A commit may be asked for at any time, and is about what is left.
      this.log.commit((error) => {
        wasCommitted = error === null;
      });
    });
    this.#cutting = null;
    this.frames = this.frames.filter((frame) => frame.position < position);
    this.committed = Math.min(this.committed, position);
    assert.equal(this.log.end, position);
    assert.ok(!wasCommitted, "answers come in the order of the questions");
  }

  dropBefore(index: number): void {
    const position = this.frames[index]?.position ?? this.end;
    this.#dropping = position;
    this.ask((done) => this.log.dropBefore(position, done));
    this.#dropBefore(this.log.begin);
    this.#dropping = null;
  }

  close(): void {
    const { log } = this;
    try {
      this.ask((done) => log.close(done));
    } finally {
      this.#log = null;
    }
  }

  /** Power fails; the log must be opened again. */
  crash(): void {
    this.#log = null;
    this.machine.crash();
  }

  /** The process dies; the log must be opened again. */
  kill(): void {
    this.#log = null;
    this.machine.kill();
  }

  /** Lets some time pass. */
  pass(events: number): void {
    for (let count = 0; count < events && this.#step(); count += 1);
  }

  /** The answer to something that must succeed; throws the error if it does not. */
  ask<Value>(start: Asking<Value>): Value {
    const answers: [CrawlError | null, Value | undefined][] = [];
    start((error, value) => answers.push([error, value]));
    assert.equal(answers.length, 0, "an answer never comes inside the call");
    while (answers.length === 0) assert.ok(this.#step(), "the simulated world fell silent");
    const [error, value] = answers[0] ?? [];
    if (error) throw error;
    return value as Value;
  }

  /** Reads from a frame on while the log goes on, and compares. */
  readFrom(index: number): void {
    const from = this.frames[index]?.position ?? this.end;
    const upTo = this.log.committed;
    const { frames, damage } = this.read(this.log, Math.min(from, upTo));
    assert.deepEqual(damage, []);
    const isRead = (frame: ModelFrame): boolean =>
      frame.position >= from && frame.end <= Math.max(upTo, frames.at(-1)?.end ?? 0);
    sameFrames(frames, this.frames.filter(isRead));
    assert.ok((frames.at(-1)?.end ?? 0) <= this.log.committed, "only committed frames are read");
  }

  /** Every committed frame that a reader finds, and the damage. */
  read(log: Log = this.log, from: number = log.begin): Reading {
    const reader = log.reader(from);
    const frames: ModelFrame[] = [];
    const damage: { from: number; to: number }[] = [];
    const upTo = log.committed;
    while (reader.position < upTo) {
      const batch = this.ask<FrameBatch>((done) => reader.read(done));
      for (let index = 0; index < batch.count; index += 1) {
        const payload = batch.payloadOf(index);
        frames.push({ position: batch.positionOf(index), end: batch.endOf(index), payload });
      }
      damage.push(...batch.damage);
    }
    this.ask((done) => reader.close(done));
    return { frames, damage };
  }

  #step(): boolean {
    if (this.patience <= 0) throw MOMENT;
    this.patience -= 1;
    this.events += 1;
    assert.ok(this.events < EVENTS_MAX, "the log does not come to an end");
    return this.machine.time.step();
  }

  #compare(): void {
    const { log } = this;
    const least = Math.min(this.committed, this.#cutting ?? this.committed);
    assert.ok(log.end >= least, `the log ends at ${log.end}, but ${least} was committed`);
    assert.equal(log.committed, log.end, "what was opened is durable");
    const mayBegin = log.begin === this.begin || log.begin <= (this.#dropping ?? -1);
    assert.ok(mayBegin && log.begin >= this.begin, `the log begins at ${log.begin}`);
    this.#cutting = null;
    this.#dropping = null;
    this.#dropBefore(log.begin);
    this.frames = this.frames.filter((frame) => frame.end <= log.end);
    assert.equal(this.end, log.end, "the log ends where a frame ended");
    // Before reading, which may be interrupted by a crash: what was opened is durable already.
    this.committed = log.end;
    const { frames, damage } = this.read();
    assert.deepEqual(damage, []);
    sameFrames(frames, this.frames);
  }

  #dropBefore(begin: number): void {
    this.frames = this.frames.filter((frame) => frame.position >= begin);
    this.begin = begin;
  }
}

export function sameFrames(found: readonly ModelFrame[], expected: readonly ModelFrame[]): void {
  assert.deepEqual(
    found.map((frame) => [frame.position, frame.end]),
    expected.map((frame) => [frame.position, frame.end]),
  );
  found.forEach((frame, index) => {
    const same = Buffer.compare(frame.payload, expected[index]?.payload ?? new Uint8Array(0)) === 0;
    assert.ok(same, `the frame at ${frame.position} is altered`);
  });
}
