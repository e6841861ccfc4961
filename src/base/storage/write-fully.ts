/**
 * Writes buffers completely at an offset of a file, however little the system takes at a time.
 *
 * One `writev` takes at most 1,024 buffers on Linux and may write less than it was given (a full
 * disk, a signal); both only mean another round.
 */
import { type DiskCalls, isInterruption } from "./disk-calls.ts";

export interface Target {
  readonly calls: DiskCalls;
  readonly descriptor: number;
  /** Where in the file the first byte goes. */
  readonly offset: number;
}

const BUFFERS_MAX = 1024;
const FRUITLESS_ROUNDS_MAX = 100;

/** Answers with how many bytes are certain to be written: all of them, or fewer and the error. */
export function writeFully(
  target: Target,
  buffers: readonly Uint8Array[],
  done: (error: NodeJS.ErrnoException | null, writtenBytes: number) => void,
): void {
  let rest = buffers.filter((buffer) => buffer.length > 0);
  let writtenBytes = 0;
  let fruitlessRounds = 0;
  const round = (): void => {
    const some = rest.slice(0, BUFFERS_MAX);
    target.calls.writev(target.descriptor, some, target.offset + writtenBytes, took);
  };
  const took = (error: NodeJS.ErrnoException | null, count: number): void => {
    const taken = error === null ? count : 0;
    writtenBytes += taken;
    rest = without(rest, taken);
    fruitlessRounds = taken > 0 ? 0 : fruitlessRounds + 1;
    if (error !== null && !isInterruption(error)) done(error, writtenBytes);
    else if (fruitlessRounds > FRUITLESS_ROUNDS_MAX) done(error ?? stuck(), writtenBytes);
    else if (rest.length === 0) done(null, writtenBytes);
    else round();
  };
  if (rest.length === 0) target.calls.soon(() => done(null, 0));
  else round();
}

/** The buffers without their first `count` bytes. */
function without(buffers: readonly Uint8Array[], count: number): Uint8Array[] {
  let index = 0;
  let restBytes = count;
  let first = buffers[0];
  while (first !== undefined && restBytes >= first.length) {
    restBytes -= first.length;
    index += 1;
    first = buffers[index];
  }
  if (first === undefined) return [];
  return [first.subarray(restBytes), ...buffers.slice(index + 1)];
}

function stuck(): NodeJS.ErrnoException {
  return Object.assign(new Error("EIO: the system takes no more bytes"), { code: "EIO" });
}
