/**
 * Reads a whole run in the background, checks it, and makes the table that is kept in memory.
 */
import {
  openRun,
  RunCursor,
  type RunFile,
  type RunFormat,
  type RunMark,
} from "../../base/runs/index.ts";
import { type Acknowledge, type Task, whenDone, withValue } from "../../base/seams/index.ts";
import { type HalfColumns, halfColumns } from "./half-table.ts";

export interface TableToLoad {
  readonly mark: RunMark;
  readonly format: RunFormat;
}

export const loadHalfTable: Task<TableToLoad, HalfColumns> = {
  module: import.meta.url,
  name: "loadHalfTable",
  run({ mark, format }, { storage }, done) {
    const halves = new Uint32Array(mark.count);
    const load = (run: RunFile): void =>
      readHalves(new RunCursor(run, 0), halves, (error) =>
        run.close((closeError) => {
          const failure = error ?? closeError;
          if (failure !== null) done(failure, undefined);
          else done(null, halfColumns(halves));
        }),
      );
    openRun(storage, mark, format, withValue(done, load));
  },
  moves: {
    output: ({ straight, turned }) =>
      [straight, turned].flatMap(({ starts, values }) => [starts.buffer, values.buffer]),
  },
};

function readHalves(cursor: RunCursor, halves: Uint32Array, done: Acknowledge, from = 0): void {
  if (cursor.isAtEnd) {
    done(null);
    return;
  }
  const take = (): void => {
    let at = from;
    while (cursor.hasRecord) {
      halves.set(cursor.block.highs, at);
      at += cursor.block.count;
      cursor.moveTo(cursor.block.count);
    }
    readHalves(cursor, halves, done, at);
  };
  cursor.fill(whenDone(done, take));
}
