/**
 * The manifest of a log: which segments it has, where each begins, and how long those are that
 * will not grow any more. It is authoritative: files that it does not name, and bytes beyond a
 * segment's recorded length, are not part of the log.
 *
 * Only the last segment may be open, that is, without a recorded length; it may also be sealed like
 * the others, and then the next frame begins another. This file derives manifests from each
 * other; nothing here touches a disk.
 */
import assert from "node:assert/strict";
import type { FileName } from "../seams/index.ts";
import type { FramingKind, Salt } from "./framing.ts";
import type { Position } from "./position.ts";

export interface Segment {
  /** Never used twice in one log. */
  readonly id: number;
  /** The position of its first byte. */
  readonly base: Position;
  /** How many of its bytes belong to the log; null while it grows. */
  readonly lengthBytes: number | null;
}

export interface Manifest {
  readonly framing: FramingKind;
  readonly salt: Salt;
  readonly nextId: number;
  /** Never empty; each begins where the one before ends. */
  readonly segments: readonly Segment[];
}

export function firstManifest(framing: FramingKind, salt: Salt): Manifest {
  const segments = [{ id: 1, base: 0, lengthBytes: null }];
  return { framing, salt, nextId: 2, segments };
}

export function lastSegment(manifest: Manifest): Segment {
  const last = manifest.segments.at(-1);
  assert(last !== undefined, "a manifest has a segment");
  return last;
}

/** The last segment ends at `end` and grows no more. */
function sealed(manifest: Manifest, end: Position): Manifest {
  const last = lastSegment(manifest);
  assert(end >= last.base, "a segment does not end before it begins");
  const segments = [...manifest.segments.slice(0, -1), { ...last, lengthBytes: end - last.base }];
  return { ...manifest, segments };
}

/** Another segment, open, begins at `end`, where the last one is sealed. */
export function extended(manifest: Manifest, end: Position): Manifest {
  const segment = { id: manifest.nextId, base: end, lengthBytes: null };
  const segments = [...sealed(manifest, end).segments, segment];
  return { ...manifest, nextId: manifest.nextId + 1, segments };
}

/** The log ends at `end`, inside or at the end of a segment that is sealed there. */
export function cutAt(manifest: Manifest, end: Position): Manifest {
  const kept = manifest.segments.filter((segment, index) => index === 0 || segment.base < end);
  return sealed({ ...manifest, segments: kept }, end);
}

/** Without the segments that end at or before `begin`; the last one always stays. */
export function droppedBefore(manifest: Manifest, begin: Position): Manifest {
  const last = lastSegment(manifest);
  const segments = manifest.segments.filter(
    (segment) => segment === last || segment.base + (segment.lengthBytes ?? 0) > begin,
  );
  return { ...manifest, segments };
}

/** The segments of `before` that `after` does not have. */
export function goneSegments(before: Manifest, after: Manifest): readonly Segment[] {
  const ids = new Set(after.segments.map((segment) => segment.id));
  return before.segments.filter((segment) => !ids.has(segment.id));
}

export function manifestName(log: FileName): FileName {
  return `${log}.manifest`;
}

/** The first segment has the plain name, so that a log of one segment is the file people expect. */
export function segmentName(log: FileName, id: number): FileName {
  return id === 1 ? `${log}.log` : `${log}.${id}.log`;
}

/** The id of the segment that has this name in this log; null for any other file. */
export function segmentIdOf(log: FileName, name: FileName): number | null {
  if (!name.startsWith(`${log}.`)) return null;
  const match = /^(?:\.([1-9][0-9]*))?\.log$/.exec(name.slice(log.length));
  if (match === null) return null;
  return match[1] === undefined ? 1 : Number(match[1]);
}
