/**
 * Loaded into a program and its threads before they start: what would make bytes durable answers at once
 * and does nothing. For comparisons with a program that takes no care.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";

const done = (_descriptor: number, callback: (error: null) => void): void => {
  setImmediate(callback, null);
};
Object.assign(fs, { fsync: done, fdatasync: done, fsyncSync: () => undefined });
syncBuiltinESMExports();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  return exec.call(this, sql.replace("synchronous = FULL", "synchronous = OFF"));
};
