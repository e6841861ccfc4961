/** What a suite needs of a database under test, and one such database asked with `await`. */
import assert from "node:assert/strict";
import type { Schema } from "../../base/database/index.ts";
import type { Batch, Database, Done, Row } from "../../base/seams/index.ts";
import { resultOf, succeed } from "./ask.ts";
import type { World } from "./world.ts";

export interface DatabaseSubject {
  readonly world: World;
  /** Opens the one database of this subject; it keeps its content between openings. */
  open(options: DatabaseOpening, done: Done<Database>): void;
  /** Removes it. All openings are closed before. */
  dispose(): Promise<void>;
}

export interface DatabaseOpening {
  readonly schema: Schema;
  /** How large it may grow; beyond that commits are `DATABASE_FULL`. */
  readonly bytesMax?: number;
}

/** Makes a new, empty subject. */
export type Opening = () => Promise<DatabaseSubject>;

/** One open database, asked with `await`. */
export class OpenDatabase implements AsyncDisposable {
  readonly subject: DatabaseSubject;
  #database: Database | null = null;

  private constructor(subject: DatabaseSubject) {
    this.subject = subject;
  }

  static async of(open: Opening, options: DatabaseOpening): Promise<OpenDatabase> {
    const opened = new OpenDatabase(await open());
    await opened.open(options);
    return opened;
  }

  get world(): World {
    return this.subject.world;
  }

  get database(): Database {
    assert(this.#database !== null);
    return this.#database;
  }

  async open(options: DatabaseOpening): Promise<void> {
    this.#database = await resultOf<Database>(this.world, (done) =>
      this.subject.open(options, done),
    );
  }

  async close(): Promise<void> {
    const { database } = this;
    this.#database = null;
    await succeed(this.world, (done) => database.close(done));
  }

  async reopen(options: DatabaseOpening): Promise<void> {
    await this.close();
    await this.open(options);
  }

  commit(batch: Batch): Promise<void> {
    return succeed(this.world, (done) => this.database.commit(batch, done));
  }

  get(table: string, key: string | number): Promise<Row | null> {
    return resultOf<Row | null>(this.world, (done) => this.database.get(table, key, done));
  }

  scan(table: string, after: string | number | null = null, limit = 1000): Promise<readonly Row[]> {
    return resultOf(this.world, (done) => this.database.scan(table, after, limit, done));
  }

  marks(): Promise<Readonly<Record<string, string | number>>> {
    return resultOf(this.world, (done) => this.database.marks(done));
  }

  /** Starts `count` effects without waiting in between; ends when all have succeeded. */
  whenAll(
    count: number,
    start: (number: number, done: (error: Error | null) => void) => void,
  ): Promise<void> {
    return succeed(this.world, (done) => {
      let open = count;
      for (let number = 0; number < count; number += 1) {
        start(number, (error) => {
          assert.equal(error, null);
          open -= 1;
          if (open === 0) done(null);
        });
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#database !== null) await this.close();
    await this.subject.dispose();
  }
}
