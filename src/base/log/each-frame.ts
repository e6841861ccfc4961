/** Reads logs from outside: frame after frame, or to see whether all of it is as it was written. */
import { isCrawlError } from "../errors/index.ts";
import { answered, type FileName, type Storage } from "../seams/index.ts";
import type { FrameBatch } from "./frame-batch.ts";
import type { LogReader } from "./log-reader.ts";
import type { Position, Range } from "./position.ts";
import { type ViewedLog, viewLog } from "./view-log.ts";

/** Which part of a log. */
export interface Stretch {
  /** Null for the beginning. */
  readonly from: Position | null;
  /** Null for the end. */
  readonly to: Position | null;
}

/** Gets the payloads of frames in order; false ends the reading. */
type TakePayload = (payload: Uint8Array, position: Position) => boolean;

/**
 * Reads the frames of a log, in order, until `take` returns false; answers with where it has arrived.
 * `damaged` is told of bytes that are no frames.
 */
export async function eachFrame(
  storage: Storage,
  name: FileName,
  { from, to }: Stretch,
  take: TakePayload,
  damaged: (range: Range) => void = () => undefined,
): Promise<Position> {
  const log = await answered<ViewedLog>((done) => viewLog(storage, name, done));
  const reader = from === null ? log.reader() : log.reader(from);
  const step = { to, take, damaged };
  try {
    while ((to === null || reader.position < to) && (await readStep(reader, step)));
    return reader.position;
  } finally {
    await answered((done) => reader.close(done));
  }
}

interface FrameStep {
  readonly to: Position | null;
  readonly take: TakePayload;
  readonly damaged: (range: Range) => void;
}

/** False at the end. */
async function readStep(reader: LogReader, { to, take, damaged }: FrameStep): Promise<boolean> {
  const frames = await answered<FrameBatch>((done) => reader.read(done));
  for (const range of frames.damage) if (to === null || range.from < to) damaged(range);
  for (let index = 0; index < frames.count; index += 1) {
    const position = frames.positionOf(index);
    if (to !== null && position >= to) return false;
    if (!take(frames.payloadOf(index), position)) return false;
  }
  return frames.count + frames.damage.length > 0;
}

export interface LogToCheck extends Stretch {
  readonly storage: Storage;
  readonly name: FileName;
  /** Whether its writer has closed it in order: then it ends with a whole frame. */
  readonly isClosed?: boolean;
}

/** Told of what is wrong; `at` is a position in the log, null for all of it. */
export type TellOfLog = (file: FileName, at: Position | null, problem: string) => void;

/**
 * Reads a log that must be there as it was written, up to a position. All of it is read, since whoever
 * opens the log looks at all of its last segment; `take` gets the payloads from `from` on, and returns
 * false for one that cannot be what was written.
 */
export async function checkLog(
  { storage, name, from, to, isClosed = false }: LogToCheck,
  take: TakePayload,
  tell: TellOfLog,
): Promise<void> {
  const file = `${name}.log`;
  let wrongAt: Position | null = null;
  const taken: TakePayload = (payload, position) => {
    if (position >= (from ?? 0) && !take(payload, position)) wrongAt = position;
    return wrongAt === null;
  };
  try {
    const end = await eachFrame(storage, name, { from: null, to }, taken, (range) =>
      tell(file, range.from, `${range.to - range.from} bytes are not as they were written`),
    );
    if (wrongAt !== null) tell(file, wrongAt, "the frame does not say what can be");
    else if (to !== null && end < to) tell(file, end, `it ends here, and not at ${to}`);
    else if (isClosed && (await hasBytesAt(storage, name, end)))
      tell(file, end, "the last bytes are not as they were written");
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    tell(file, null, String(error.facts["fault"] ?? error.message));
  }
}

async function hasBytesAt(storage: Storage, name: FileName, end: Position): Promise<boolean> {
  const log = await answered<ViewedLog>((done) => viewLog(storage, name, done));
  return await answered<boolean>((done) => log.hasBytesAt(end, done));
}
