/** Sorts keys that were gathered in memory and writes them as a run: a task in the background. */
import type { FingerprintTable } from "../fingerprints/index.ts";
import { type Acknowledge, type FileName, type Task, whenDone, withValue } from "../seams/index.ts";
import { sortKeys } from "./radix-sort.ts";
import type { RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";
import { type RunWriter, startRun } from "./run-writer.ts";

/** Keys, all different, in any order, with their payloads one behind the other. */
export interface BatchToWrite extends RunFormat {
  readonly name: FileName;
  readonly highs: Uint32Array<ArrayBuffer>;
  readonly lows: Uint32Array<ArrayBuffer>;
  readonly payloads: Uint8Array<ArrayBuffer>;
}

/** The keys of a table, with their numbers as payloads. */
export function batchOf(batch: FingerprintTable, name: string, payloadBytes: number): BatchToWrite {
  const highs = new Uint32Array(batch.count);
  const lows = new Uint32Array(batch.count);
  const payloads = new Uint8Array(batch.count * payloadBytes);
  const view = Buffer.from(payloads.buffer);
  let at = 0;
  batch.each((high, low, value) => {
    highs[at] = high;
    lows[at] = low;
    if (payloadBytes > 0) view.writeUIntLE(value, at * payloadBytes, payloadBytes);
    at += 1;
  });
  return { name, payloadBytes, highs, lows, payloads };
}

const WAITING_BYTES_MAX = 1024 * 1024;

export const writeBatch: Task<BatchToWrite, RunMark> = {
  module: import.meta.url,
  name: "writeBatch",
  run(batch, { storage }, done) {
    const indexes = sorted(batch);
    const write = (writer: RunWriter): void =>
      writeFrom(writer, batch, indexes, 0, (error) => {
        if (error === null) writer.finish(done);
        else writer.close(() => done(error, undefined));
      });
    startRun({ ...batch, storage, beginning: null }, withValue(done, write));
  },
  moves: {
    input: ({ highs, lows, payloads }) => [highs.buffer, lows.buffer, payloads.buffer],
  },
};

/** Sorts the keys in place; where the payload of each was before. */
function sorted({ highs, lows }: BatchToWrite): Uint32Array {
  const { length } = highs;
  const column = (): Uint32Array => new Uint32Array(length);
  const indexes = column();
  sortKeys(
    { highs, lows, indexes },
    { highs: column(), lows: column(), indexes: column() },
    length,
  );
  return indexes;
}

function writeFrom(
  writer: RunWriter,
  batch: BatchToWrite,
  indexes: Uint32Array,
  from: number,
  done: Acknowledge,
): void {
  const { highs, lows, payloads, payloadBytes } = batch;
  let at = from;
  while (at < highs.length && writer.waitingBytes < WAITING_BYTES_MAX) {
    const place = (indexes[at] as number) * payloadBytes;
    writer.add(highs[at] as number, lows[at] as number, payloads, place);
    at += 1;
  }
  if (at === highs.length) done(null);
  else writer.write(whenDone(done, () => writeFrom(writer, batch, indexes, at, done)));
}
