/**
 * Loaded into a process of the command line before anything else, and into each of its threads: wraps the
 * calls by which a crawl directory is changed, and sends the process a signal, SIGKILL unless told otherwise,
 * at the n-th time that a named moment comes, if need be after a file is there that arms it. The program
 * itself is as users have it.
 *
 * All threads count together, in a file of which each time makes one byte more.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, relative } from "node:path";
import sqlite, { type DatabaseSync, type StatementSync } from "node:sqlite";
import { partOf } from "./failpoint-names.ts";

type Call = (...args: unknown[]) => unknown;
type Calls = Record<string, Call>;
type Answer = (error: unknown, ...rest: unknown[]) => void;

const {
  FAILPOINT_FOR_TEST: chosen = "",
  FAILPOINT_TIME_FOR_TEST: time = "1",
  FAILPOINT_SIGNAL_FOR_TEST: signal = "SIGKILL",
  FAILPOINT_COUNT_FOR_TEST: countFile = "",
  FAILPOINT_ARMED_FOR_TEST: armedFile = "",
  FAILPOINT_ROOT_FOR_TEST: root = "",
  FAILPOINT_TRACE_FOR_TEST: traceFile = "",
} = process.env;

const real = { ...fs } as unknown as Calls;
const wrapped = fs as unknown as Calls;
const { existsSync, openSync, writeSync, writevSync, fstatSync, closeSync } = fs;
const trace = traceFile === "" ? null : openSync(traceFile, "a");
/** Of the descriptors that this thread has opened. */
const paths = new Map<number, string>();

function nameOf(place: unknown): string | null {
  const path = typeof place === "number" ? paths.get(place) : String(place);
  return path === undefined ? null : partOf(relative(root, path));
}

/** Returns if it is another moment, or not yet the time. */
function pass(point: string, beforehand: () => void = () => undefined): void {
  if (trace !== null) writeSync(trace, `${point}\n`);
  if (point !== chosen || (armedFile !== "" && !existsSync(armedFile))) return;
  const counter = openSync(countFile, "a");
  writeSync(counter, ".");
  const { size } = fstatSync(counter);
  closeSync(counter);
  if (size !== Number(time)) return;
  beforehand();
  process.kill(process.pid, signal);
}

/** Wraps a call that is answered later, with the place as its first argument. */
function wrapCall(call: string, action: string): void {
  wrapped[call] = (place, ...args) => {
    const name = nameOf(place);
    if (name === null) return real[call]?.(place, ...args);
    const point = `${name}.${action}`;
    const answer = args.pop() as Answer;
    pass(`${point}.before`);
    if (call === "writev") {
      const [chunks, offset] = args as [Uint8Array[], number];
      pass(`${point}.middle`, () => writevSync(place as number, halfOf(chunks), offset));
    }
    const after: Answer = (...outcome) => {
      pass(`${point}.after`);
      answer(...outcome);
    };
    return real[call]?.(place, ...args, after);
  };
}

/** Wraps a call that returns when it is done. */
function wrapDirect(call: string, action: string): void {
  wrapped[call] = (place, ...args) => {
    const name = nameOf(place);
    if (name === null) return real[call]?.(place, ...args);
    const point = `${name}.${action}`;
    pass(`${point}.before`);
    if (call === "writeFileSync") {
      const text = String(args[0]);
      const half = text.slice(0, text.length / 2);
      pass(`${point}.middle`, () => writeSync(place as number, half));
    }
    const result = real[call]?.(place, ...args);
    pass(`${point}.after`);
    return result;
  };
}

function halfOf(chunks: readonly Uint8Array[]): Uint8Array[] {
  const whole = Buffer.concat(chunks);
  return [whole.subarray(0, Math.floor(whole.length / 2))];
}

wrapped["open"] = (path, ...args) => {
  const answer = args.pop() as Answer;
  const opened: Answer = (error, descriptor) => {
    if (!error) paths.set(descriptor as number, String(path));
    answer(error, descriptor);
  };
  return real["open"]?.(path, ...args, opened);
};
wrapped["openSync"] = (path, ...args) => {
  const descriptor = real["openSync"]?.(path, ...args);
  paths.set(descriptor as number, String(path));
  return descriptor;
};
wrapCall("writev", "append");
wrapCall("write", "append");
wrapCall("fdatasync", "sync");
wrapCall("fsync", "sync");
wrapCall("ftruncate", "cut");
wrapCall("rename", "rename");
wrapCall("unlink", "remove");
wrapDirect("writeFileSync", "append");
wrapDirect("writeSync", "append");
wrapDirect("fsyncSync", "sync");
wrapDirect("ftruncateSync", "cut");
wrapDirect("truncateSync", "cut");
wrapDirect("renameSync", "rename");
wrapDirect("rmSync", "remove");
wrapDirect("unlinkSync", "remove");
syncBuiltinESMExports();

/** What the transaction that is under way in this thread has written. */
let written: "tables" | "marks" | "rows" | "checkpoint" = "marks";
const databases = sqlite.DatabaseSync.prototype as unknown as Calls;
const statements = sqlite.StatementSync.prototype as unknown as Calls;
const { exec, close } = databases;
const { run } = statements;

function isCrawl(database: unknown): boolean {
  return basename((database as DatabaseSync).location() ?? "") === "crawl.db";
}

databases["exec"] = function (this: DatabaseSync, ...args) {
  const sql = String(args[0]);
  if (!isCrawl(this)) return exec?.apply(this, args);
  if (sql.startsWith("BEGIN")) written = "marks";
  if (sql.startsWith("CREATE TABLE")) written = "tables";
  const point = sql.startsWith("BEGIN") ? "database.begin" : `${written}.commit`;
  const isPoint = /^(?:BEGIN|COMMIT)/.test(sql);
  if (isPoint) pass(`${point}.before`);
  const result = exec?.apply(this, args);
  if (isPoint) pass(`${point}.after`);
  return result;
};
databases["close"] = function (this: DatabaseSync) {
  const isPoint = isCrawl(this);
  if (isPoint) pass("database.close.before");
  close?.call(this);
  if (isPoint) pass("database.close.after");
};
statements["run"] = function (this: StatementSync, ...args) {
  const table = /(?:INTO|FROM) "(\w+)"/.exec(this.sourceSQL)?.[1];
  if (table === "checkpoints") written = "checkpoint";
  if (table === "pages") written = "rows";
  const result = run?.apply(this, args);
  pass(`${written}.put.after`);
  return result;
};
