/** Runs on a simulated machine, beside the simplest model of one: a map from keys to payloads. */

import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import { findKey } from "../../../src/base/runs/find-keys.ts";
import {
  findKeys,
  openRun,
  type RunFile,
  type RunFormat,
  type RunMark,
  type RunWriter,
  startRun,
} from "../../../src/base/runs/index.ts";
import type { Random } from "../../../src/base/seams/index.ts";
import { SimBackground } from "../../../src/lab/simulator/index.ts";
import { SimulatedMachine } from "../lab/simulated-machine.ts";

export interface TestRecord {
  readonly high: number;
  readonly low: number;
  readonly payload: readonly number[];
}

export class RunRig {
  readonly machine: SimulatedMachine;
  readonly payloadBytes: number;
  readonly format: RunFormat;
  readonly background: SimBackground;

  constructor(seed: number | string, payloadBytes: number, blockRecords = 4096) {
    this.machine = new SimulatedMachine(seed);
    this.payloadBytes = payloadBytes;
    this.format = { payloadBytes, blockRecords };
    const { random, disk, time } = this.machine;
    this.background = new SimBackground({ clock: time, random, disk });
  }

  /** Writes a run of these records, whatever their order; of equal keys the last one counts. */
  write(name: string, records: readonly TestRecord[]): RunMark {
    const { storage } = this.machine;
    const run = { ...this.format, storage, name, beginning: null };
    const writer = this.machine.result<RunWriter>((done) => startRun(run, done));
    for (const { high, low, payload } of sorted(records)) {
      writer.add(high, low, Uint8Array.from(payload), 0);
      if (writer.waitingBytes > 0) this.machine.result((done) => writer.write(done));
    }
    return this.machine.result((done) => writer.finish(done));
  }

  open(mark: RunMark): RunFile {
    const { storage } = this.machine;
    return this.machine.result<RunFile>((done) => openRun(storage, mark, this.format, done));
  }

  /** All keys of the batch that the run has, with their payloads, as text; by the batch look-up. */
  find(run: RunFile, keys: readonly TestRecord[]): string[] {
    const wanted = sorted(keys);
    const found = new Uint8Array(wanted.length);
    const payloads = new Uint8Array(wanted.length * this.payloadBytes);
    const highs = Uint32Array.from(wanted, ({ high }) => high);
    const lows = Uint32Array.from(wanted, ({ low }) => low);
    const batch = { count: wanted.length, highs, lows, found, payloads };
    this.machine.result((done) => findKeys(run, batch, done));
    const width = this.payloadBytes;
    return wanted.flatMap(({ high, low }, at) => {
      const payload = [...payloads.subarray(at * width, at * width + width)];
      return found[at] === 1 ? [textOf({ high, low, payload })] : [];
    });
  }

  findOne(run: RunFile, high: number, low: number): readonly number[] | null {
    const payload = this.machine.result<Uint8Array | null>((done) =>
      findKey(run, { high, low }, done),
    );
    return payload === null ? null : [...payload];
  }

  /** The codes of the errors with which each way of reading the run ends. */
  readingCodes(mark: RunMark, keys: readonly TestRecord[]): string[] {
    const { storage } = this.machine;
    const opened = this.machine.outcome<RunFile>((done) =>
      openRun(storage, mark, this.format, done),
    );
    if (opened.error !== null) return [opened.error.code];
    const run = opened.value;
    assert(run !== undefined);
    const { found, highs, lows, count } = {
      count: keys.length,
      highs: Uint32Array.from(sorted(keys), ({ high }) => high),
      lows: Uint32Array.from(sorted(keys), ({ low }) => low),
      found: new Uint8Array(keys.length),
    };
    const payloads = new Uint8Array(keys.length * this.payloadBytes);
    const outcome: { error: CrawlError | null } = this.machine.outcome((done) =>
      findKeys(run, { count, highs, lows, found, payloads }, done),
    );
    return outcome.error === null ? [] : [outcome.error.code];
  }
}

/** Ascending, one record for each key: the last one. */
export function sorted(records: readonly TestRecord[]): TestRecord[] {
  const byKey = new Map(records.map((record) => [`${record.high} ${record.low}`, record]));
  return [...byKey.values()].sort((one, other) => one.high - other.high || one.low - other.low);
}

export function textOf({ high, low, payload }: TestRecord): string {
  return `${high} ${low} ${payload.join(",")}`;
}

/** Keys from a small world, so that runs share many. */
export function drawRecord(random: Random, payloadBytes: number, spread: number): TestRecord {
  const payload = Array.from({ length: payloadBytes }, () => random.below(256));
  return { high: Math.imul(random.below(spread), 7919) >>> 0, low: random.below(3), payload };
}

/** Compares long lists without printing them: a difference of thousands of lines is useless. */
export function assertSame(actual: readonly string[], expected: readonly string[]): void {
  const at = actual.findIndex((text, index) => text !== expected[index]);
  assert.equal(at, -1, `item ${at} is ${actual[at]}, not ${expected[at]}`);
  assert.equal(actual.length, expected.length);
}
