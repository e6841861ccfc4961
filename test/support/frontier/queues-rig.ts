/**
 * Host queues on a simulated disk, beside a model of what they must hold: plain lists. Every answer
 * is compared with the model at the moment it comes, even when many pulls are in flight at once.
 *
 * The rig is also the owner who records marks: a checkpoint that was answered is recorded at once,
 * or only when the next one is asked for, and a crash before that brings the one before back.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import {
  bandOf,
  type DiskHostQueues,
  openDiskHostQueues,
  type QueueMarks,
  type QueueOrder,
  type RecordBatch,
} from "../../../src/frontier/queues/index.ts";
import { type Asking, SimulatedMachine } from "../lab/simulated-machine.ts";

export interface ModelRecord {
  readonly text: string;
  readonly band: number;
}

export type Model = ReadonlyMap<number, readonly ModelRecord[]>;

export interface QueuesRigOptions {
  readonly seed: number | string;
  readonly order: QueueOrder;
  readonly memoryBytes?: number;
  readonly segmentBytesMax?: number;
  readonly chunkBytes?: number;
}

/** Thrown when the rig's number of events is used up: the moment at which a test wants a crash. */
export const MOMENT: unique symbol = Symbol("moment");

const NOTHING: Model = new Map();

export class QueuesRig {
  readonly machine: SimulatedMachine;
  readonly options: QueuesRigOptions;
  readonly reports: CrawlError[] = [];
  /** After this many events `MOMENT` is thrown. */
  patience: number = Number.POSITIVE_INFINITY;
  model: Map<number, readonly ModelRecord[]> = new Map();
  #queues: DiskHostQueues | null = null;
  #pulled = new Map<number, "waits" | "dropped">();
  #checkpoints = 0;
  /** What opening is given, and what it must bring back. */
  #recorded: { readonly marks: QueueMarks | null; readonly model: Model } = {
    marks: null,
    model: NOTHING,
  };
  /** A checkpoint that was answered and is not recorded yet. */
  #answered: { readonly marks: QueueMarks; readonly model: Model } | null = null;
  #serial = 0;

  constructor(options: QueuesRigOptions) {
    this.options = options;
    this.machine = new SimulatedMachine(options.seed);
  }

  get queues(): DiskHostQueues {
    assert(this.#queues !== null, "the queues are open");
    return this.#queues;
  }

  get isOpen(): boolean {
    return this.#queues !== null;
  }

  get marks(): QueueMarks | null {
    return this.#recorded.marks;
  }

  opening(): Asking<DiskHostQueues> {
    const { storage, random } = this.machine;
    const { order, memoryBytes = 600, segmentBytesMax = 400, chunkBytes = 100 } = this.options;
    const report = (error: CrawlError): void => void this.reports.push(error);
    // Marks go through a database on their way.
    const marks = JSON.parse(JSON.stringify(this.#recorded.marks)) as QueueMarks | null;
    const folder = "frontier/queues";
    const sizes = { memoryBytes, segmentBytesMax, chunkBytes };
    const options = { storage, random, folder, order, marks, report, ...sizes };
    return (done) => openDiskHostQueues(options, done);
  }

  /** Opens what was recorded last, and compares. */
  open(): void {
    this.#queues = this.ask<DiskHostQueues>(this.opening());
    this.model = new Map(this.#recorded.model);
    this.#answered = null;
    this.compareCounts();
  }

  push(host: number, bytes: number, priority: number): void {
    this.#serial += 1;
    const text = `${this.#serial}.`.padEnd(bytes, String(this.#serial % 10));
    const record = Buffer.from(`<${text}>`, "latin1");
    this.queues.push(host, record, 1, record.length - 1, priority);
    // The memory is the caller's again at once.
    record.fill(0x21);
    const band = this.options.order === "priority" ? bandOf(priority) : 0;
    this.model.set(host, [...(this.model.get(host) ?? []), { text, band }]);
  }

  /** Begins a pull, unless one of this host is in flight. */
  startPull(host: number, recordsMax: number, answered: () => void = () => undefined): void {
    if (this.#pulled.has(host)) {
      answered();
      return;
    }
    this.#pulled.set(host, "waits");
    const { queues } = this;
    const countBefore = queues.count(host);
    queues.pull(host, recordsMax, (error, batch) => {
      if (error !== null) throw error;
      assert.equal(this.#queues, queues, "dead queues do not answer");
      const isDropped = this.#pulled.get(host) === "dropped";
      this.#pulled.delete(host);
      if (isDropped) assert.equal(batch.count, 0, "nothing comes from a queue that was dropped");
      else this.#take(host, recordsMax, batch);
      answered();
    });
    assert.equal(queues.count(host), countBefore, "a pull takes nothing before it answers");
  }

  pull(host: number, recordsMax: number): void {
    this.#wait((ended) => this.startPull(host, recordsMax, ended));
  }

  drop(host: number): void {
    const expected = this.model.get(host)?.length ?? 0;
    this.model.delete(host);
    if (this.#pulled.has(host)) this.#pulled.set(host, "dropped");
    assert.equal(this.queues.drop(host), expected);
    assert.equal(this.queues.count(host), 0);
  }

  /** Begins a checkpoint, unless one is in flight; `isSlow`: recording it takes a while. */
  startCheckpoint(isSlow: boolean, answered: (error: CrawlError | null) => void): void {
    if (this.#checkpoints > 0) {
      answered(null);
      return;
    }
    this.record();
    this.#checkpoints += 1;
    const model = new Map(this.model);
    this.queues.checkpoint((error, marks) => {
      this.#checkpoints -= 1;
      if (error === null) {
        this.#answered = { marks, model };
        if (!isSlow) this.record();
      }
      answered(error);
    });
  }

  checkpoint(isSlow: boolean = false): void {
    const failures: CrawlError[] = [];
    this.#wait((ended) =>
      this.startCheckpoint(isSlow, (error) => {
        if (error !== null) failures.push(error);
        ended();
      }),
    );
    if (failures[0] !== undefined) throw failures[0];
  }

  record(): void {
    if (this.#answered === null) return;
    this.#recorded = this.#answered;
    this.#answered = null;
    this.queues.committed();
  }

  close(): void {
    const { queues } = this;
    this.#wait(
      (ended) => ended(),
      () => this.#pulled.size === 0 && this.#checkpoints === 0,
    );
    this.ask((done) => queues.close(done));
    this.#forget();
  }

  crash(): void {
    this.machine.crash();
    this.#forget();
  }

  kill(): void {
    this.machine.kill();
    this.#forget();
  }

  pass(events: number): void {
    for (let count = 0; count < events && this.#step(); count += 1);
  }

  settle(): void {
    while (this.#step());
  }

  /** Pulls until nothing is left anywhere. */
  drain(): void {
    for (const host of [...this.model.keys()]) {
      while ((this.model.get(host)?.length ?? 0) > 0) this.pull(host, 7);
    }
    assert.equal(this.queues.total, 0);
  }

  compareCounts(): void {
    let total = 0;
    for (const [host, records] of this.model) {
      assert.equal(this.queues.count(host), records.length, `records of host ${host}`);
      total += records.length;
    }
    assert.equal(this.queues.total, total);
  }

  ask<Value>(start: Asking<Value>): Value {
    const answers: [CrawlError | null, Value | undefined][] = [];
    start((error, value) => answers.push([error, value]));
    assert.equal(answers.length, 0, "an answer never comes inside the call");
    while (answers.length === 0) assert.ok(this.#step(), "the simulated world fell silent");
    const [error, value] = answers[0] ?? [];
    if (error) throw error;
    return value as Value;
  }

  #wait(start: (ended: () => void) => void, isOver: () => boolean = () => true): void {
    let hasEnded = false;
    start(() => {
      hasEnded = true;
    });
    while (!hasEnded || !isOver()) assert.ok(this.#step(), "the simulated world fell silent");
  }

  #forget(): void {
    this.#queues = null;
    this.#pulled = new Map();
    this.#checkpoints = 0;
  }

  #step(): boolean {
    if (this.patience <= 0) throw MOMENT;
    this.patience -= 1;
    return this.machine.time.step();
  }

  #take(host: number, recordsMax: number, batch: RecordBatch): void {
    const records = this.model.get(host) ?? [];
    const due = inOrder(records, this.options.order);
    assert.ok(batch.count <= recordsMax, "no more is given than was asked for");
    assert.equal(batch.count === 0, due.length === 0, "something is given if something is there");
    const texts = Array.from({ length: batch.count }, (_, index) =>
      Buffer.from(batch.recordOf(index)).toString("latin1"),
    );
    const taken = due.slice(0, batch.count);
    assert.deepEqual(
      texts,
      taken.map(({ text }) => text),
    );
    const gone = new Set(taken);
    this.model.set(
      host,
      records.filter((record) => !gone.has(record)),
    );
    assert.equal(this.queues.count(host), records.length - batch.count);
  }
}

/** The records in the order in which they must come. */
export function inOrder(records: readonly ModelRecord[], order: QueueOrder): ModelRecord[] {
  if (order === "fifo") return [...records];
  if (order === "lifo") return records.toReversed();
  return records.toSorted((one, other) => other.band - one.band);
}

/** Lets the simulated disk work until the promise is settled. */
export async function driven<Value>(
  { machine }: QueuesRig,
  promise: Promise<Value>,
): Promise<Value> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  while (!isOver) {
    machine.time.step();
    for (let turn = 0; turn < 10; turn += 1) await null;
  }
  return await promise;
}
