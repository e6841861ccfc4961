/**
 * Trials of a log, each of which throws when the log breaks a promise. They are used twice: on the
 * log as it is, which must pass, and on copies of it with a bug planted, which must not.
 */
import assert from "node:assert/strict";
import { type CrawlError, isCrawlError } from "../../../../src/base/errors/index.ts";
import type { FramingKind, openLog } from "../../../../src/base/log/index.ts";
import type { DiskCall } from "../../../../src/lab/simulator/index.ts";
import { LogRig, MOMENT, type Reading, sameFrames } from "./log-rig.ts";

export type OpenLog = typeof openLog;

export type LogStep =
  | { readonly do: "append"; readonly bytes: number }
  | { readonly do: "commit" | "commit and wait" | "reopen" | "crash" | "kill" }
  | { readonly do: "cut" | "drop" | "read"; readonly at: number }
  | { readonly do: "pass"; readonly events: number }
  | { readonly do: "fill"; readonly freeBytes: number };

const append = (bytes: number): LogStep => ({ do: "append", bytes });
const COMMIT: LogStep = { do: "commit" };
const WAIT: LogStep = { do: "commit and wait" };

/** A little of everything: groups, segments that fill, frames larger than a chunk, cuts, drops. */
const SCRIPT: readonly LogStep[] = [
  ...[append(10), append(0), append(30), COMMIT, append(100), append(70), WAIT],
  ...[append(200), COMMIT, append(50), append(60), append(70), WAIT],
  ...[append(300), append(20), COMMIT, { do: "pass", events: 2 } as const, append(90), WAIT],
  ...[{ do: "cut", at: 11 } as const, append(40), append(41), WAIT],
  ...[{ do: "drop", at: 6 } as const, append(42), append(43), WAIT, append(120), append(130)],
  ...[WAIT, { do: "cut", at: 2 } as const, append(44), WAIT, { do: "reopen" } as const],
  ...[append(45), WAIT, ...Array.from({ length: 12 }, () => append(70)), COMMIT],
  ...[append(46), { do: "pass", events: 1 } as const, append(47), WAIT],
];

/** Power fails, or the process dies, after each single event of the script. */
export function crashEverywhere(open: OpenLog, framing: FramingKind, seeds: number): number {
  let runs = 0;
  for (const death of ["crash", "kill"] as const) {
    for (let seed = 0; seed < seeds; seed += 1) {
      for (let moment = 0, ended = false; !ended; moment += 1) {
        const scale = seed % 2 === 0 ? 1 : 6;
        ended = dieAt(new LogRig({ seed, openLog: open, framing, scale }), moment, death);
        runs += 1;
      }
    }
  }
  return runs;
}

/** Whether the script came to its end before the moment. */
function dieAt(rig: LogRig, moment: number, death: "crash" | "kill"): boolean {
  rig.patience = moment;
  const ended = finishes(() => perform(rig, SCRIPT));
  rig.patience = Number.POSITIVE_INFINITY;
  rig[death]();
  rig.open();
  // What opening showed must itself survive, and so must what is appended to it.
  rig.crash();
  rig.open();
  perform(rig, [append(60), append(61), WAIT, { do: "crash" }]);
  return ended;
}

/** Each call to the storage fails in turn, until a run meets no failure. */
export function failEverywhere(open: OpenLog, framing: FramingKind, seeds: number): number {
  let runs = 0;
  for (let seed = 0; seed < seeds; seed += 1) {
    for (let number = 1, isClean = false; !isClean; number += 1) {
      const rig = new LogRig({ seed, openLog: open, framing });
      isClean = true;
      rig.machine.disk.failWhen = (call: DiskCall) => {
        if (call.number === number) isClean = false;
        return call.number === number;
      };
      performDespiteFailures(rig, SCRIPT);
      rig.machine.disk.failWhen = () => false;
      rig.crash();
      rig.open();
      runs += 1;
    }
  }
  return runs;
}

/** The disk is full at each possible length in turn; room is made when the log says so. */
export function fillEverywhere(open: OpenLog, framing: FramingKind): number {
  let runs = 0;
  for (let freeBytes = 0, wasFull = true; wasFull; freeBytes += 23) {
    const rig = new LogRig({ seed: freeBytes, openLog: open, framing });
    rig.machine.disk.capacityBytes = freeBytes;
    wasFull = performWithRoomMade(rig, SCRIPT);
    assert.equal(rig.committed, rig.log.end, "everything was committed in the end");
    sameFrames(rig.read().frames, rig.frames);
    rig.crash();
    rig.open();
    runs += 1;
  }
  return runs;
}

/**
 * Flips a bit of every single byte of a small log with several segments, or every bit, then opens
 * and reads it: the frames that the bit is not in are all there, and no frame is altered.
 */
export function flipEverywhere(open: OpenLog, framing: FramingKind, everyBit: boolean): number {
  const size = filesOf(flipRig(open, framing));
  let runs = 0;
  for (const [name, lengthBytes] of size) {
    // Nine bits on is another bit of the next byte.
    for (let bit = 0; bit < lengthBytes * 8; bit += everyBit ? 1 : 9) {
      flipAt(flipRig(open, framing), name, bit);
      runs += 1;
    }
  }
  return runs;
}

const FLIP_SCRIPT: readonly LogStep[] = [
  ...[append(20), append(33), WAIT, append(47), append(10), append(0), WAIT],
  ...[append(25), append(26), WAIT, append(27), WAIT, append(1), WAIT],
];

function flipRig(openLogToTry: OpenLog, framing: FramingKind): LogRig {
  const rig = new LogRig({ seed: 1, openLog: openLogToTry, framing, segmentBytesMax: 150 });
  perform(rig, FLIP_SCRIPT);
  rig.close();
  return rig;
}

function filesOf(rig: LogRig): [string, number][] {
  const { disk } = rig.machine;
  return disk.fileNames().map((name) => [name, disk.contentOf(name)?.length ?? 0]);
}

function flipAt(rig: LogRig, name: string, bit: number): void {
  rig.machine.disk.flipBit(name, bit);
  const appended = rig.frames;
  const last = appended.at(-1);
  // The flipped bit may be taken for a torn tail, but only behind the last sync that is proven.
  rig.committed = last?.position ?? 0;
  const wasRead = openDamaged(rig);
  const lost = appended.filter(
    (frame) => !wasRead.frames.some((found) => found.position === frame.position),
  );
  assert.ok(lost.length <= 1, `a bit of ${name} cost ${lost.length} frames`);
  sameFrames(
    wasRead.frames,
    appended.filter((frame) => !lost.includes(frame)),
  );
  const told = wasRead.damage.filter((range) => range.from < range.to);
  const isTold = told.length > 0 || wasRead.isCut;
  assert.equal(isTold, lost.length > 0, "what was lost is told, and nothing else");
}

function openDamaged(rig: LogRig): Reading & { readonly isCut: boolean } {
  const opened = rig.openUnchecked();
  assert.ok(opened.log.end >= rig.committed, "what was surely committed is not cut off");
  return { ...rig.read(opened.log), isCut: opened.cut !== null };
}

/** Steps in any order, each with any fault that leaves the machine running; power fails at the end. */
export function schedule(open: OpenLog, plan: LogPlan): void {
  const rig = new LogRig({ ...plan, openLog: open });
  rig.machine.disk.failWhen = (call) => plan.failingCalls.includes(call.number);
  const withFaults = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (error === MOMENT) rig[plan.death]();
      else if (!isCrawlError(error)) throw error;
      else recover(rig, error);
    }
  };
  for (const step of plan.steps) {
    rig.patience = step.patience;
    withFaults(() => perform(rig, [step]));
  }
  rig.patience = Number.POSITIVE_INFINITY;
  rig.machine.disk.failWhen = () => false;
  rig.machine.disk.capacityBytes = 2 ** 40;
  rig.crash();
  rig.open();
}

/** A full disk gets room; a broken log is closed, and opened by the next step. */
function recover(rig: LogRig, error: CrawlError): void {
  rig.machine.disk.capacityBytes = 2 ** 40;
  if (error.code === "STORAGE_FULL" || !rig.isOpen) return;
  try {
    rig.close();
  } catch (closeError) {
    if (closeError === MOMENT) rig.crash();
    else if (!isCrawlError(closeError)) throw closeError;
  }
}

export interface LogPlan {
  readonly seed: number;
  readonly framing: FramingKind;
  readonly scale: number;
  readonly death: "crash" | "kill";
  /** Numbers of the calls to the disk that fail. */
  readonly failingCalls: readonly number[];
  /** What happens, and after how many events of it the machine or the process dies. */
  readonly steps: readonly (LogStep & { readonly patience: number })[];
}

/** Carries steps out; errors of the log are thrown. */
export function perform(rig: LogRig, steps: readonly LogStep[]): void {
  if (!rig.isOpen) rig.open();
  for (const step of steps) performStep(rig, step);
}

function performStep(rig: LogRig, step: LogStep): void {
  switch (step.do) {
    case "append":
      if (rig.append(payloadOf(step.bytes * rig.scale, rig.end))) break;
      waitForCommit(rig);
      assert.ok(rig.append(payloadOf(step.bytes * rig.scale, rig.end)), "a commit makes room");
      break;
    case "commit":
      rig.commit();
      break;
    case "commit and wait":
      waitForCommit(rig);
      break;
    case "cut":
      rig.cutTo(step.at % (rig.frames.length + 1));
      break;
    case "drop":
      rig.dropBefore(step.at % (rig.frames.length + 1));
      break;
    case "read":
      rig.readFrom(step.at % (rig.frames.length + 1));
      break;
    case "pass":
      rig.pass(step.events);
      break;
    case "fill":
      rig.machine.disk.capacityBytes -= rig.machine.disk.freeBytes - step.freeBytes;
      break;
    case "reopen":
      waitForCommit(rig);
      rig.close();
      rig.open();
      break;
    case "crash":
    case "kill":
      rig[step.do]();
      rig.open();
      break;
  }
}

function waitForCommit(rig: LogRig): void {
  rig.ask((done) => rig.commit(done));
}

/** After an error the log is closed and opened again, and the steps go on. */
function performDespiteFailures(rig: LogRig, steps: readonly LogStep[]): void {
  const despite = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      if (rig.isOpen) despite(() => rig.close());
      if (!rig.isOpen) rig.open();
    }
  };
  despite(() => rig.open());
  for (const step of steps) despite(() => performStep(rig, step));
  despite(() => waitForCommit(rig));
}

/** Carries out steps, making room whenever the disk is full; whether it ever was. */
function performWithRoomMade(rig: LogRig, steps: readonly LogStep[]): boolean {
  let wasFull = false;
  const withRoom = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!isCrawlError(error) || error.code !== "STORAGE_FULL") throw error;
      wasFull = true;
      rig.machine.disk.capacityBytes += 150;
      withRoom(act);
    }
  };
  withRoom(() => rig.open());
  for (const step of steps) withRoom(() => performStep(rig, step));
  withRoom(() => waitForCommit(rig));
  return wasFull;
}

function finishes(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error === MOMENT) return false;
    throw error;
  }
}

/** Bytes that differ by place and length, with line ends and backslashes among them. */
export function payloadOf(bytes: number, salt: number): Uint8Array {
  return new Uint8Array(bytes).map(
    (_, at) => (at * 7 + salt * 31 + (at % 5 === 0 ? 10 : 92)) & 255,
  );
}
