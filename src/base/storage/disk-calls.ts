/**
 * The operating system's file calls that storage uses, and the only place that names them. They are
 * an argument of `DiskStorage`, so that tests can substitute a system that writes half, interrupts,
 * or fails at a chosen call.
 *
 * Every call answers later, never inside itself.
 */
import fs from "node:fs";

/** The callback functions of `node:fs` that storage needs, and `soon`, which only defers. */
export type DiskCalls = Pick<
  typeof fs,
  | "close"
  | "fdatasync"
  | "fstat"
  | "fsync"
  | "ftruncate"
  | "mkdir"
  | "open"
  | "read"
  | "readFile"
  | "readdir"
  | "rename"
  | "stat"
  | "statfs"
  | "unlink"
  | "writev"
> & { soon(callback: () => void): void };

export const DISK_CALLS: DiskCalls = { ...fs, soon: (callback) => void setImmediate(callback) };

/** Larger reads go to a thread, so that they do not hold up everything else. */
const DIRECT_BYTES_MAX = 256 * 1024;

/**
 * For a process that only looks things up, as SQLite does beside it: files are opened and read at
 * once, which takes a tenth of the processor time of asking another thread. Not for a lane, which
 * would wait for the disk.
 */
export const DIRECT_CALLS: DiskCalls = {
  ...DISK_CALLS,
  close: direct(fs.closeSync) as typeof fs.close,
  fstat: direct(fs.fstatSync) as typeof fs.fstat,
  open: direct(fs.openSync) as typeof fs.open,
  read: ((...args: Parameters<ReadCall>): void => {
    const [, , , lengthBytes] = args;
    if (lengthBytes > DIRECT_BYTES_MAX) fs.read(...args);
    else readDirectly(...args);
  }) as typeof fs.read,
  readFile: direct(fs.readFileSync) as typeof fs.readFile,
};

type ReadCall = (
  ...args: [
    ...[descriptor: number, memory: Buffer, at: number, lengthBytes: number, offset: number],
    answer: (error: NodeJS.ErrnoException | null, count: number) => void,
  ]
) => void;

const readDirectly = direct(fs.readSync);

/** Makes the call at once and answers later. */
function direct(call: (...args: never[]) => unknown): (...args: unknown[]) => void {
  return (...args) => {
    const answer = args.at(-1) as (error: unknown, result?: unknown) => void;
    let outcome: [error: unknown, result?: unknown];
    try {
      outcome = [null, call(...(args.slice(0, -1) as never[]))];
    } catch (error) {
      outcome = [error];
    }
    setImmediate(answer, ...outcome);
  };
}

/** Opening a pipe would wait for its writer, for ever in a folder of somebody else's. */
export const READ_ONLY: number = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;
export const READ_WRITE_CREATE: number = fs.constants.O_RDWR | fs.constants.O_CREAT;
export const WRITE_ANEW: number =
  fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC;

/** How `node:fs` answers calls without a result. */
export type SystemAnswer = (error: NodeJS.ErrnoException | null) => void;

const INTERRUPTIONS_MAX = 100;

/**
 * Repeats a call while a signal or a momentary lack of resources interrupts it. Only for calls that
 * may be repeated.
 */
export function uninterrupted<Result extends unknown[]>(
  call: (answer: (error: NodeJS.ErrnoException | null, ...result: Result) => void) => void,
  answer: (error: NodeJS.ErrnoException | null, ...result: Result) => void,
): void {
  let interruptions = 0;
  const attempt = (): void =>
    call((error, ...result) => {
      const again = isInterruption(error) && interruptions < INTERRUPTIONS_MAX;
      interruptions += 1;
      if (again) attempt();
      else answer(error, ...result);
    });
  attempt();
}

export function isInterruption(error: NodeJS.ErrnoException | null): boolean {
  return error?.code === "EINTR" || error?.code === "EAGAIN";
}
