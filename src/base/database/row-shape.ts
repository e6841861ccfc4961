/**
 * Checks that a call to a database fits the tables that were declared for it. A misfit is a mistake
 * in our own code, so it is an assertion, and it fails inside the call, before anything is queued
 * or written. The real and the simulated database share these checks.
 */
import assert from "node:assert/strict";
import type { Batch, DatabaseShape, Row } from "../seams/index.ts";

export type Schema = DatabaseShape["tables"];
export type TableShape = Schema[string];
export type ColumnType = TableShape["columns"][string];
export type Value = Row[string];

const NAME = /^[a-z][a-z0-9_]*$/;
const MARK_NAME = /^[A-Za-z0-9][A-Za-z0-9._/:-]*$/;

export function assertSchema(schema: Schema): void {
  for (const [table, shape] of Object.entries(schema)) {
    const isName = NAME.test(table) && table !== "marks";
    if (!isName) assert.fail(`"${table}" cannot be the name of a table`);
    if (table.startsWith("sqlite_")) assert.fail(`"${table}" is a name that SQLite reserves`);
    for (const column of Object.keys(shape.columns)) {
      const isColumn = NAME.test(column);
      if (!isColumn) assert.fail(`"${column}" in ${table} cannot be the name of a column`);
    }
    const keyType = shape.columns[shape.key];
    assert(keyType === "text" || keyType === "integer", `the key of ${table} is text or integer`);
  }
}

export function assertBatch(schema: Schema, batch: Batch): void {
  for (const { table, key } of batch.remove ?? []) assertKey(schema, table, key);
  for (const { table, row } of batch.put ?? []) assertRow(table, shapeOf(schema, table), row);
  for (const [name, value] of Object.entries(batch.marks ?? {})) {
    assert(MARK_NAME.test(name), `"${name}" cannot be the name of a mark`);
    const isRight = fits(typeof value === "string" ? "text" : "real", value);
    assert(isRight, `mark ${name} cannot be ${described(value)}`);
  }
}

export function assertKey(schema: Schema, table: string, key: string | number): void {
  const shape = shapeOf(schema, table);
  const isRight = key !== null && fits(shape.columns[shape.key], key);
  if (!isRight) assert.fail(`a key of ${table} cannot be ${described(key)}`);
}

export function shapeOf(schema: Schema, table: string): TableShape {
  const shape = Object.hasOwn(schema, table) ? schema[table] : undefined;
  if (shape === undefined) assert.fail(`no table ${table} was declared`);
  return shape;
}

/**
 * The hot one: twelve columns a row, ten thousand rows a batch. Messages are built only when an
 * assertion fails; built each time they would cost more than all the checks.
 */
function assertRow(table: string, shape: TableShape, row: Row): void {
  let columns = 0;
  for (const column in shape.columns) {
    columns += 1;
    const value = row[column];
    if (value === undefined || !fits(shape.columns[column], value)) {
      assert.fail(`column ${column} of ${table} cannot be ${described(value)}`);
    }
  }
  if (row[shape.key] === null) assert.fail(`the key ${shape.key} of ${table} is never null`);
  if (countOf(row) !== columns) assert.fail(`a row of ${table} has a column too many`);
}

function countOf(row: Row): number {
  let count = 0;
  for (const _column in row) count += 1;
  return count;
}

function fits(type: ColumnType | undefined, value: Value): boolean {
  if (value === null) return true;
  if (type === "text") return typeof value === "string" && value.isWellFormed();
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "real") return Number.isFinite(value);
  return value instanceof Uint8Array;
}

/** Short: a misfit may be megabytes long. */
function described(value: unknown): string {
  return typeof value === "number" ? String(value) : `a value of type ${typeof value}`;
}
