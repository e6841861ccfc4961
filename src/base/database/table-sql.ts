/**
 * The SQL of one declared table, and the comparison of the declaration with what a file has.
 *
 * Tables keep SQLite's own row numbers beside a text key: `WITHOUT ROWID` would store rows in key
 * order and move hundreds of bytes for each insertion, which was half as fast for page rows. All
 * are STRICT, so that other programs cannot insert a value of the wrong type either.
 */
import type { TableShape } from "./row-shape.ts";

export interface TableSql {
  readonly create: string;
  /** Takes the values in the order of `columns`. */
  readonly put: string;
  readonly remove: string;
  readonly get: string;
  /** Takes the limit. */
  readonly scan: string;
  /** Takes the key to begin after, and the limit. */
  readonly scanAfter: string;
  readonly columns: readonly string[];
}

/** Names need no escaping beyond quotes: the schema was checked to hold plain identifiers only. */
export function tableSql(table: string, shape: TableShape): TableSql {
  const columns = Object.keys(shape.columns);
  const list = columns.map(quoted).join(", ");
  const key = quoted(shape.key);
  const from = `SELECT ${list} FROM ${quoted(table)}`;
  return {
    create: `CREATE TABLE ${quoted(table)} (${columns.map((c) => declared(c, shape))}) STRICT`,
    put:
      `INSERT INTO ${quoted(table)} (${list}) VALUES (${columns.map(() => "?")}) ` +
      `ON CONFLICT (${key}) DO ${replacement(columns, shape.key)}`,
    remove: `DELETE FROM ${quoted(table)} WHERE ${key} = ?`,
    get: `${from} WHERE ${key} = ?`,
    scan: `${from} ORDER BY ${key} LIMIT ?`,
    scanAfter: `${from} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`,
    columns,
  };
}

export const MARKS_SQL: {
  readonly create: string;
  readonly set: string;
  readonly unset: string;
  readonly all: string;
} = {
  create: 'CREATE TABLE "marks" ("name" TEXT PRIMARY KEY NOT NULL, "value" ANY NOT NULL) STRICT',
  set:
    'INSERT INTO "marks" VALUES (?, ?) ' +
    'ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"',
  unset: 'DELETE FROM "marks" WHERE "name" = ?',
  all: 'SELECT "name", "value" FROM "marks"',
};

/** A table as its columns' types, in SQL's words, and its key. */
interface FileShape {
  readonly key: string;
  readonly columns: Readonly<Record<string, string>>;
}

export const MARKS_SHAPE: FileShape = { key: "name", columns: { name: "text", value: "any" } };

/** One line of `PRAGMA table_info`. */
export interface FoundColumn {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** How the file's table differs from the declaration, one sentence for each difference. */
export function misfits(table: string, shape: FileShape, found: readonly FoundColumn[]): string[] {
  const wrong: string[] = [];
  const types = new Map(found.map((column) => [column.name, column.type.toLowerCase()]));
  for (const [column, type] of Object.entries(shape.columns)) {
    const has = types.get(column);
    if (has === undefined) wrong.push(`${table}.${column} is missing`);
    else if (has !== type) wrong.push(`${table}.${column} is ${has}, not ${type}`);
    types.delete(column);
  }
  for (const column of types.keys()) wrong.push(`${table}.${column} is not known`);
  const keys = found.filter((column) => column.pk > 0).map((column) => column.name);
  if (keys.join() !== shape.key) {
    wrong.push(`the key of ${table} is ${keys.join() || "nothing"}, not ${shape.key}`);
  }
  return wrong;
}

function declared(column: string, shape: TableShape): string {
  const key = column === shape.key ? " PRIMARY KEY NOT NULL" : "";
  return `${quoted(column)} ${shape.columns[column]?.toUpperCase()}${key}`;
}

function replacement(columns: readonly string[], key: string): string {
  const others = columns.filter((column) => column !== key);
  if (others.length === 0) return "NOTHING";
  return `UPDATE SET ${others.map((column) => `${quoted(column)} = excluded.${quoted(column)}`)}`;
}

function quoted(name: string): string {
  return `"${name}"`;
}
