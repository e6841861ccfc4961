/** The real databases of one thread: SQLite files below one folder. */
import { join } from "node:path";
import type { Clock, Databases } from "../seams/index.ts";
import { OpenedDatabases } from "./opened-databases.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

export interface SqliteDatabasesOptions {
  /** An absolute path. */
  readonly root: string;
  readonly clock: Clock;
  /** Only reads: a missing file is an error, and nothing is made or changed. */
  readonly isReader?: boolean;
}

export function sqliteDatabases(options: SqliteDatabasesOptions): Databases {
  const { root, clock, isReader = false } = options;
  return new OpenedDatabases(clock, (file, { tables, views = {} }, done) =>
    SqliteDatabase.open({ path: join(root, file), schema: tables, views, clock, isReader }, done),
  );
}
