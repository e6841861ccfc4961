/**
 * The real database of a lane: rows of declared tables and named marks, changed together, durable
 * wholly or not at all. The contract is `Database` in `seams`, its suite
 * `lab/conformance/database-suite.ts`; why SQLite as Node brings it: `docs/adr/0007`.
 *
 * `SqliteDatabase.open` makes the declared tables in a new file and refuses a file whose tables
 * have another shape, with every difference named. From then on each batch is one transaction. A
 * call checks its arguments against the declaration at once (a misfit is our own mistake) and then
 * queues its work; the queue is worked off in order, in turns of the event loop, so that every
 * answer is an event. Errors of SQLite become ours by one table: full, locked, corrupt, and
 * the rest. After a full disk nothing of the batch is there and it can be committed again.
 *
 * The tables are plain ones that people may query with any SQLite program while the crawl runs:
 * readers do not disturb us; a writer may, and is waited for briefly.
 *
 * Read `sqlite-database.ts` first, then `table-sql.ts`. `row-shape.ts` is shared with the
 * simulated database.
 */

export { OpenedDatabases } from "./opened-databases.ts";
export {
  assertBatch,
  assertKey,
  assertSchema,
  type ColumnType,
  type Schema,
  shapeOf,
  type TableShape,
  type Value,
} from "./row-shape.ts";
export { hasTables, SqliteDatabase, type SqliteOptions } from "./sqlite-database.ts";
export { sqliteDatabases } from "./sqlite-databases.ts";
