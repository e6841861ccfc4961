/**
 * Views a log from outside, whether or not another process writes it. Nothing is cut or made
 * durable; of the last segment all whole frames in its file are seen.
 */
import { type Done, type FileName, type Storage, withValue } from "../seams/index.ts";
import { damagedLog, framingOf, readManifest } from "./log-files.ts";
import { LogReader, type LogView } from "./log-reader.ts";
import { type Manifest, segmentName } from "./manifest.ts";
import type { Position } from "./position.ts";

/** The segments of a log that exist now. */
export class ViewedLog {
  readonly #view: LogView;
  readonly #begin: Position;

  constructor(view: LogView, begin: Position) {
    this.#view = view;
    this.#begin = begin;
  }

  /** What was before this was dropped. */
  get begin(): Position {
    return this.#begin;
  }

  /** A reader from a position on, which is where a frame begins. */
  reader(from: Position = this.#begin): LogReader {
    return new LogReader(this.#view, from);
  }

  /** Where the segment begins that is being written. */
  get lastBegin(): Position {
    return this.#view.segmentAt(Number.MAX_SAFE_INTEGER)?.base ?? this.#begin;
  }

  /** Whether the file of the last segment has bytes from this position on, which is at the end of a frame. */
  hasBytesAt(position: Position, done: Done<boolean>): void {
    const { storage, segmentAt } = this.#view;
    const segment = segmentAt(position);
    if (segment === null) done(null, false);
    else {
      storage.openToRead(
        segment.name,
        withValue(done, (file) =>
          file.read(position - segment.base, 1, (error, bytes) =>
            file.close(() =>
              error === null ? done(null, bytes.length > 0) : done(error, undefined),
            ),
          ),
        ),
      );
    }
  }

  /** The payload of the frame that begins here; null when none does, or it is damaged. */
  frameAt(position: Position, done: Done<Uint8Array | null>): void {
    const reader = this.reader(position);
    reader.read((error, frames) => {
      reader.close(() => {
        if (error !== null) done(error, undefined);
        else {
          const isThere = frames.count > 0 && frames.positionOf(0) === position;
          done(null, isThere ? frames.payloadOf(0) : null);
        }
      });
    });
  }
}

export function viewLog(storage: Storage, name: FileName, done: Done<ViewedLog>): void {
  readManifest(storage, name, (error, manifest) => {
    if (error !== null) done(error, undefined);
    else if (manifest === null) done(damagedLog(name, "it is missing"), undefined);
    else {
      const begin = manifest.segments[0]?.base ?? 0;
      done(null, new ViewedLog(viewOf(storage, name, manifest), begin));
    }
  });
}

function viewOf(storage: Storage, name: FileName, manifest: Manifest): LogView {
  const segments = manifest.segments.map(({ id, base, lengthBytes }) => ({
    name: segmentName(name, id),
    base,
    end: lengthBytes === null ? null : base + lengthBytes,
  }));
  const segmentAt = (position: Position) =>
    segments.find(({ end }) => end === null || end > position) ?? null;
  return { storage, framing: framingOf(manifest.framing, manifest.salt), segmentAt };
}
