/**
 * The simulated database: operations take virtual time, fail when a fault was arranged, and die
 * with the process.
 *
 * An operation has two moments: when it takes effect, and when it is answered. The process may die
 * (its clock's timers then never fire) before the first, between the two, or after: so a commit in
 * flight is there completely or not at all, by chance, and an answered one is there.
 */
import assert from "node:assert/strict";
import type { Schema } from "../../../base/database/index.ts";
import {
  assertBatch,
  assertKey,
  assertSchema,
  shapeOf,
  type TableShape,
} from "../../../base/database/index.ts";
import { CrawlError, type ErrorCode } from "../../../base/errors/index.ts";
import type {
  Acknowledge,
  Batch,
  Clock,
  Database,
  Done,
  Random,
  Row,
} from "../../../base/seams/index.ts";
import type { SimDatabaseDisk } from "./sim-database-disk.ts";

export interface SimDatabaseOptions {
  readonly disk: SimDatabaseDisk;
  readonly schema: Schema;
  /** The clock of the process: its timers must die with it. */
  readonly clock: Clock;
  readonly random: Random;
  /** Commits that would need more are `DATABASE_FULL`. */
  readonly bytesMax?: number;
}

/** After these errors nothing of a commit is there; after others it is unknown. */
const LEAVES_NOTHING: ReadonlySet<ErrorCode> = new Set(["DATABASE_FULL", "DATABASE_LOCKED"]);

type Outcome<Value> = { readonly value: Value } | { readonly code: ErrorCode };

export class SimDatabase implements Database {
  readonly #disk: SimDatabaseDisk;
  readonly #schema: Schema;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #bytesMax: number;
  /** Each carries one operation out and returns what gives its answer. */
  readonly #queue: (() => () => void)[] = [];
  #isBusy = false;
  #isClosed = false;
  #isDead = false;

  static open(options: SimDatabaseOptions, done: Done<SimDatabase>): void {
    assertSchema(options.schema);
    const database = new SimDatabase(options);
    database.#enqueue(() => database.#declare(), done);
  }

  private constructor(options: SimDatabaseOptions) {
    this.#disk = options.disk;
    this.#schema = options.schema;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#bytesMax = options.bytesMax ?? Number.POSITIVE_INFINITY;
  }

  commit(batch: Batch, done: Acknowledge): void {
    assertBatch(this.#schema, batch);
    const apply = (): Outcome<null> => {
      const isFull = this.#disk.isFull || this.#disk.bytesAfter(batch) > this.#bytesMax;
      if (isFull) return { code: "DATABASE_FULL" };
      this.#disk.apply(batch);
      return { value: null };
    };
    const doubt = () => {
      if (this.#random.below(2) === 0) this.#disk.doubt(batch);
    };
    this.#enqueue(apply, (...[error]) => done(error), doubt);
  }

  get(table: string, key: string | number, done: Done<Row | null>): void {
    assertKey(this.#schema, table, key);
    this.#enqueue(() => ({ value: this.#disk.row(table, key) }), done);
  }

  scan(
    table: string,
    after: string | number | null,
    limit: number,
    done: Done<readonly Row[]>,
  ): void {
    if (after === null) shapeOf(this.#schema, table);
    else assertKey(this.#schema, table, after);
    assert(Number.isSafeInteger(limit) && limit > 0, "a scan has a limit");
    this.#enqueue(() => ({ value: this.#disk.rowsAfter(table, after, limit) }), done);
  }

  marks(done: Done<Readonly<Record<string, string | number>>>): void {
    this.#enqueue(() => ({ value: this.#disk.marks() }), done);
  }

  logBytes(done: Done<number>): void {
    this.#enqueue(() => ({ value: this.#disk.logBytes }), done);
  }

  close(done: Acknowledge): void {
    this.#enqueue(
      () => ({ value: null }),
      (...[error]) => done(error),
    );
    this.#isClosed = true;
  }

  /** Its thread or process dies: nothing that has not taken effect does, and nothing is answered. */
  kill(): void {
    this.#isDead = true;
    this.#queue.splice(0);
  }

  #declare(): Outcome<SimDatabase> {
    for (const [table, shape] of Object.entries(this.#schema)) {
      const found = this.#disk.schema[table];
      const isSame = found === undefined || signatureOf(found) === signatureOf(shape);
      if (!isSame) return { code: "DATABASE_SCHEMA" };
    }
    this.#disk.schema = { ...this.#disk.schema, ...this.#schema };
    this.#disk.recover();
    return { value: this };
  }

  #enqueue<Value>(effect: () => Outcome<Value>, done: Done<Value>, doubt = () => {}): void {
    assert(!this.#isClosed, "nothing is asked of a closed database");
    this.#queue.push(() => {
      const failure = this.#disk.nextFailure();
      if (failure !== undefined && !LEAVES_NOTHING.has(failure)) doubt();
      const outcome = failure === undefined ? effect() : { code: failure };
      return () => answer(done, outcome);
    });
    this.#begin();
  }

  /** Operations run one after the other: the effect at one moment, the answer at a later one. */
  #begin(): void {
    if (this.#isBusy) return;
    const takeEffect = this.#queue.shift();
    if (takeEffect === undefined) return;
    this.#isBusy = true;
    const { latencyMsMin, latencyMsMax } = this.#disk;
    const latencyMs = latencyMsMin + this.#random.unit() * (latencyMsMax - latencyMsMin);
    const effectMs = this.#random.unit() * latencyMs;
    this.#clock.after(effectMs, () => {
      if (this.#isDead) return;
      const giveAnswer = takeEffect();
      this.#clock.after(latencyMs - effectMs, () => {
        if (this.#isDead) return;
        this.#isBusy = false;
        this.#begin();
        giveAnswer();
      });
    });
  }
}

function answer<Value>(done: Done<Value>, outcome: Outcome<Value>): void {
  if ("value" in outcome) done(null, outcome.value);
  else {
    const error = new CrawlError(outcome.code, `The simulated database failed: ${outcome.code}.`);
    done(error, undefined);
  }
}

function signatureOf(shape: TableShape): string {
  const known = signatures.get(shape) ?? signed(shape);
  signatures.set(shape, known);
  return known;
}

/** Shapes are written once in the program, and opened in every simulated process. */
const signatures = new WeakMap<TableShape, string>();

function signed({ key, columns }: TableShape): string {
  return JSON.stringify([key, Object.entries(columns).sort()]);
}
