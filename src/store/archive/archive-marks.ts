/**
 * What a checkpoint says of the archive, so that going on with a crawl reads no more of its crawl log
 * than what followed: how far lines cover each file that may still be open, and which bodies there are.
 */
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import type { PayloadLog, PayloadMarks } from "./payload-log.ts";
import { openName, serialOf, WARC_FOLDER } from "./warc-name.ts";
import type { WarcPlace } from "./warc-place.ts";

export interface ArchiveMarks {
  /** How far lines cover files; those that had their final names may be left out. */
  readonly files: Readonly<Record<FileName, number>>;
  /** No line names a file with this serial, or a greater one. */
  readonly nextSerial: number;
  readonly payloads: PayloadMarks;
}

/** How far lines cover files. */
export class CoveredFiles {
  readonly #bytes: Map<FileName, number>;
  #nextSerial: number;

  constructor(marks: Pick<ArchiveMarks, "files" | "nextSerial"> | null = null) {
    this.#bytes = new Map(Object.entries(marks?.files ?? {}));
    this.#nextSerial = marks?.nextSerial ?? 0;
  }

  /** By their final names. */
  get bytes(): ReadonlyMap<FileName, number> {
    return this.#bytes;
  }

  /** Files may have been moved elsewhere since: their serials are not used again either. */
  get nextSerial(): number {
    return this.#nextSerial;
  }

  /** Takes the next line. */
  take(place: WarcPlace | null): void {
    if (place === null) return;
    const { file, offset, lengthBytes } = place;
    if (!this.#bytes.has(file)) {
      this.#nextSerial = Math.max(this.#nextSerial, (serialOf(file) ?? -1) + 1);
    }
    this.#bytes.set(file, offset + lengthBytes);
  }

  /** Whether it is known how far lines cover the file, which may be not at all. */
  knows(file: FileName): boolean {
    return this.#bytes.has(file) || (serialOf(file) ?? -1) >= this.#nextSerial;
  }

  /** Forgets files that have their final names, given the names of all files. */
  forgetClosed(names: ReadonlySet<FileName>): void {
    for (const file of this.#bytes.keys()) {
      if (names.has(file) && !names.has(openName(file))) this.#bytes.delete(file);
    }
  }
}

/** From so many on it is looked which files are closed. */
const FILES_MANY = 16;

/** Takes the lines of a running crawl, and gives marks to its checkpoints. */
export class ArchiveBook {
  readonly #storage: Storage;
  readonly #covered: CoveredFiles;
  readonly #payloads: PayloadLog;

  constructor(storage: Storage, covered: CoveredFiles, payloads: PayloadLog) {
    this.#storage = storage;
    this.#covered = covered;
    this.#payloads = payloads;
  }

  take(place: WarcPlace | null): void {
    this.#covered.take(place);
  }

  /** Of this moment; answers when what they name is durable. */
  checkpoint(done: Done<ArchiveMarks>): void {
    const { bytes, nextSerial } = this.#covered;
    const files = Object.fromEntries(bytes);
    if (bytes.size >= FILES_MANY) this.#forgetClosed();
    this.#payloads.checkpoint(
      withValue(done, (payloads) => done(null, { files, nextSerial, payloads })),
    );
  }

  close(done: Acknowledge): void {
    this.#payloads.close(done);
  }

  #forgetClosed(): void {
    this.#storage.list(WARC_FOLDER, (error, names) => {
      if (error === null) this.#covered.forgetClosed(new Set(names));
    });
  }
}
