/**
 * The segments of an open log on disk: the manifest in force, and the file of the last segment if
 * that is open. It carries out what the log decides, one step at a time, in such an order that a
 * crash at any moment leaves either the old log or the new one:
 *
 * - a segment is sealed in the manifest only after its bytes were synced;
 * - a manifest names a new segment before its file is made, and an absent file counts as empty;
 * - files that a manifest no longer names are removed after it is in force.
 */
import assert from "node:assert/strict";
import type { Acknowledge, FileName, Storage, StorageFile } from "../seams/index.ts";
import { later } from "./later.ts";
import { removeFiles } from "./log-files.ts";
import type { ViewedSegment } from "./log-reader.ts";
import {
  cutAt,
  droppedBefore,
  extended,
  goneSegments,
  lastSegment,
  type Manifest,
  manifestName,
  type Segment,
  segmentName,
} from "./manifest.ts";
import { printManifest } from "./manifest-text.ts";
import type { Position } from "./position.ts";

export class LogSegments {
  readonly #storage: Storage;
  readonly #name: FileName;
  #manifest: Manifest;
  /** The last segment's file; null when that is sealed, or not yet opened. */
  #file: StorageFile | null;

  constructor(storage: Storage, name: FileName, manifest: Manifest, file: StorageFile | null) {
    this.#storage = storage;
    this.#name = name;
    this.#manifest = manifest;
    this.#file = file;
  }

  get begin(): Position {
    return this.#manifest.segments[0]?.base ?? 0;
  }

  /** Where the last segment begins. */
  get lastBase(): Position {
    return this.#last.base;
  }

  /** Whether the last segment can be appended to as it is. */
  get isOpen(): boolean {
    return this.#file !== null;
  }

  /** Makes the last segment one that can be appended to; `end` is where the log ends. */
  open(end: Position, done: Acknowledge): void {
    const segment = this.#last;
    if (segment.lengthBytes !== null) this.#replace(extended(this.#manifest, end), done);
    else {
      this.#storage.open(this.#fileName(segment), (error, file) => {
        assert(error !== null || file.lengthBytes === end - segment.base, "a new segment is empty");
        this.#file = file ?? null;
        done(error);
      });
    }
  }

  /** Adds to the last segment. When the disk is full it is left as it was. */
  append(pieces: readonly Uint8Array[], done: Acknowledge): void {
    const file = this.#file;
    assert(file !== null, "only an open segment is appended to");
    file.append(pieces, (error) => {
      if (error?.code !== "STORAGE_FULL") done(error);
      else file.cut(file.lengthBytes, (cutError) => done(cutError ?? error));
    });
  }

  sync(done: Acknowledge): void {
    if (this.#file === null) later(this.#storage, () => done(null));
    else this.#file.sync(done);
  }

  /** Seals the last segment, whose bytes must be durable, and begins another. */
  roll(end: Position, done: Acknowledge): void {
    this.#replace(extended(this.#manifest, end), (error) => {
      if (error !== null) done(error);
      else this.close(() => done(null));
    });
  }

  /** Ends the log at `end`, durably; its bytes are known to be durable up to `committed`. */
  cut(end: Position, committed: Position, done: Acknowledge): void {
    const file = this.#file;
    if (file === null || end < this.#last.base) {
      this.#setManifest(cutAt(this.#manifest, end), done);
      return;
    }
    file.cut(end - this.#last.base, (cutError) => {
      if (cutError !== null) done(cutError);
      else {
        file.sync((error) => {
          if (error === null) done(null);
          else this.salvage(Math.min(end, committed), () => done(error));
        });
      }
    });
  }

  /** Removes the segments that end at or before `begin`, but never the last. */
  dropBefore(begin: Position, done: Acknowledge): void {
    const next = droppedBefore(this.#manifest, begin);
    if (next.segments.length < this.#manifest.segments.length) this.#setManifest(next, done);
    else later(this.#storage, () => done(null));
  }

  /**
   * After a failed sync the system may show bytes that will never reach the disk, also when the log
   * is opened next. So they are cut off through a new handle, if the disk still works; they were
   * never promised to anybody.
   */
  salvage(end: Position, done: () => void): void {
    const { base } = this.#last;
    const name = this.#fileName(this.#last);
    this.close(() => {
      this.#storage.open(name, (error, file) => {
        if (error !== null) done();
        else {
          file.cut(end - base, () => undefined);
          file.sync(() => undefined);
          file.close(() => done());
        }
      });
    });
  }

  close(done: Acknowledge): void {
    const file = this.#file;
    this.#file = null;
    if (file === null) later(this.#storage, () => done(null));
    else file.close(done);
  }

  /** The segment with the frame at `position`, of a log whose frames end at `end`. */
  at(position: Position, end: Position): ViewedSegment | null {
    for (const segment of this.#manifest.segments) {
      const { base, lengthBytes } = segment;
      const segmentEnd = lengthBytes === null ? end : base + lengthBytes;
      if (segmentEnd > position) return { name: this.#fileName(segment), base, end: segmentEnd };
    }
    return null;
  }

  get #last(): Segment {
    return lastSegment(this.#manifest);
  }

  #fileName(segment: Segment): FileName {
    return segmentName(this.#name, segment.id);
  }

  #replace(next: Manifest, done: Acknowledge): void {
    this.#storage.replace(manifestName(this.#name), printManifest(next), (error) => {
      if (error === null) this.#manifest = next;
      done(error);
    });
  }

  /** Puts a manifest with fewer segments in force, then removes the files that it does not name. */
  #setManifest(next: Manifest, done: Acknowledge): void {
    const files = goneSegments(this.#manifest, next).map((segment) => this.#fileName(segment));
    // What cannot be removed now is removed when the log is opened next.
    const remove = (): void => removeFiles(this.#storage, files, () => done(null));
    this.#replace(next, (error) => {
      if (error !== null) done(error);
      else if (this.#last.lengthBytes === null) remove();
      else this.close(remove);
    });
  }
}
