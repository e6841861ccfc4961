/** The real databases of one thread: SQLite files below one folder, each opened once. */
import { join } from "node:path";
import {
  type Acknowledge,
  type Clock,
  type Database,
  type DatabaseShape,
  type Databases,
  type Done,
  type FileName,
  withValue,
} from "../seams/index.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

export interface SqliteDatabasesOptions {
  /** An absolute path. */
  readonly root: string;
  readonly clock: Clock;
  /** Only reads: a missing file is an error, and nothing is made or changed. */
  readonly isReader?: boolean;
}

export class SqliteDatabases implements Databases {
  readonly #options: SqliteDatabasesOptions;
  readonly #open = new Map<FileName, Database>();

  constructor(options: SqliteDatabasesOptions) {
    this.#options = options;
  }

  open(file: FileName, { tables, views }: DatabaseShape, done: Done<Database>): void {
    const { root, clock, isReader = false } = this.#options;
    const known = this.#open.get(file);
    if (known !== undefined) {
      clock.after(0, () => done(null, known));
      return;
    }
    const options = { path: join(root, file), schema: tables, views: views ?? {}, clock, isReader };
    SqliteDatabase.open(
      options,
      withValue(done, (database) => {
        this.#open.set(file, database);
        done(null, database);
      }),
    );
  }

  close(file: FileName, done: Acknowledge): void {
    const database = this.#open.get(file);
    this.#open.delete(file);
    if (database === undefined) this.#options.clock.after(0, () => done(null));
    else database.close(done);
  }
}
