/**
 * Reads a log while another process writes it, line by line, from where it ended when the follower was made.
 * The writer may put the file aside under another name and begin a new one; what it has put aside is read to
 * its end first. Looks now and then: some file systems do not tell of changes. What cannot be read is not
 * worth an agent: it is tried again at the next look.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Clock, Timer } from "../../seams/index.ts";

export interface LogFollowerParts {
  readonly path: string;
  /** Where in the file that is there now reading begins, in bytes. */
  readonly fromBytes: number;
  readonly clock: Clock;
  /** Told of each line, without its end; of one that is too long, of its last part. */
  readonly heard: (line: string) => void;
  /** The writer has begun a new file, and the one before has been read. */
  readonly turned: () => void;
}

const LOOK_MS = 200;
const CHUNK_BYTES = 64 * 1024;
/** In one look: a flood of lines must not keep the process from its work. */
const CHUNKS_MAX = 16;
const LINE_LENGTH_MAX = 8192;

export class LogFollower {
  readonly #parts: LogFollowerParts;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #file: number | null;
  #atBytes: number;
  #rest = "";
  #timer: Timer | null = null;

  constructor(parts: LogFollowerParts) {
    this.#parts = parts;
    this.#file = opened(parts.path);
    this.#atBytes = parts.fromBytes;
    this.#lookLater();
  }

  /** Looks a last time. */
  close(): void {
    this.#timer?.cancel();
    this.#tryToLook();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #lookLater(): void {
    this.#timer = this.#parts.clock.after(LOOK_MS, () => {
      this.#tryToLook();
      this.#lookLater();
    });
  }

  #tryToLook(): void {
    try {
      this.#look();
    } catch {
      // The disk fails, or somebody took the folder away.
    }
  }

  #look(): void {
    // Before the reading: what comes into this file after it was put aside is read then.
    const isPutAside = this.#isPutAside();
    for (let chunks = 0; this.#readChunk(); chunks += 1) {
      if (chunks === CHUNKS_MAX) return;
    }
    if (!isPutAside) return;
    if (this.#file !== null) closeSync(this.#file);
    this.#file = opened(this.#parts.path);
    this.#atBytes = 0;
    this.#parts.turned();
  }

  #isPutAside(): boolean {
    const now = statSync(this.#parts.path, { throwIfNoEntry: false });
    if (now === undefined) return false;
    return this.#file === null || now.ino !== fstatSync(this.#file).ino;
  }

  /** Whether there may be more. */
  #readChunk(): boolean {
    if (this.#file === null) return false;
    const bytes = readSync(this.#file, this.#chunk, 0, CHUNK_BYTES, this.#atBytes);
    this.#atBytes += bytes;
    const lines = (this.#rest + this.#chunk.toString("latin1", 0, bytes)).split("\n");
    this.#rest = (lines.pop() ?? "").slice(-LINE_LENGTH_MAX);
    for (const line of lines) this.#parts.heard(line.slice(-LINE_LENGTH_MAX));
    return bytes === CHUNK_BYTES;
  }
}

/** How long a file is; 0 if there is none. */
export function lengthOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function opened(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}
