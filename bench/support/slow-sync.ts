/**
 * Loaded into a program and its threads before they start: whatever makes bytes durable takes half a second
 * longer, as on a disk that is overloaded. A transaction of SQLite holds its thread up meanwhile.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";

const SLOW_MS = 500;
const { fsync, fdatasync, fsyncSync } = fs;
const { exec } = DatabaseSync.prototype;

type Sync = (descriptor: number, callback: (error: NodeJS.ErrnoException | null) => void) => void;

const slowly =
  (sync: Sync): Sync =>
  (descriptor, callback) =>
    sync(descriptor, (error) => setTimeout(callback, SLOW_MS, error));

function rest(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS);
}

Object.assign(fs, {
  fsync: slowly(fsync),
  fdatasync: slowly(fdatasync),
  fsyncSync: (descriptor: number) => {
    fsyncSync(descriptor);
    rest();
  },
});
syncBuiltinESMExports();

DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql);
  if (sql.startsWith("COMMIT")) rest();
};
