/**
 * Opening a bundle that a checkpoint names: reads its footer and its directory into memory, and
 * refuses a bundle that has changed since. Records are checked only when they are pulled.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import { checksum } from "../../../base/log/index.ts";
import type {
  Acknowledge,
  Done,
  FileName,
  ReadableFile,
  Storage,
} from "../../../base/seams/index.ts";
import type { BundleMark } from "../host-queues.ts";
import { damagedFile } from "../queue-errors.ts";
import { Bundle, bundleFile } from "./bundle.ts";
import { BundleDirectory } from "./bundle-directory.ts";
import {
  type BundleFooter,
  ENTRY_BYTES,
  FOOTER_BYTES,
  HEAD,
  parseFooter,
} from "./bundle-layout.ts";

/** How many entries of a directory are read at a time. */
const ENTRIES_READ = 65_536;

export function openBundle(
  storage: Storage,
  folder: FileName,
  mark: BundleMark,
  done: Done<Bundle>,
): void {
  const name = bundleFile(folder, mark.id);
  storage.openToRead(name, (error, file) => {
    if (error?.code === "STORAGE_MISSING") done(damagedFile(name, "it is missing"), undefined);
    else if (error !== null) done(error, undefined);
    else new Opening(file, mark, done).start();
  });
}

class Opening {
  readonly #file: ReadableFile;
  readonly #mark: BundleMark;
  readonly #done: Done<Bundle>;

  constructor(file: ReadableFile, mark: BundleMark, done: Done<Bundle>) {
    this.#file = file;
    this.#mark = mark;
    this.#done = done;
  }

  start(): void {
    const { fileBytes, id } = this.#mark;
    this.#file.read(fileBytes - FOOTER_BYTES, FOOTER_BYTES, (error, bytes) => {
      if (error !== null) return this.#fail(error);
      const footer = parseFooter(bytes);
      const lengthBytes = (footer?.dataBytes ?? 0) + (footer?.queues ?? 0) * ENTRY_BYTES;
      const isOurs = footer?.id === id && lengthBytes + FOOTER_BYTES === fileBytes;
      if (footer === null || !isOurs) this.#refuse("its end is not as it was written");
      else this.#readDirectory(footer);
    });
  }

  #readDirectory(footer: BundleFooter): void {
    const { id, takesFrom, fileBytes } = this.#mark;
    const directory = new BundleDirectory(HEAD.length, footer.queues);
    const reading = { footer, directory, sum: 0 };
    readEntries(this.#file, reading, (error) => {
      const isWhole = reading.sum === footer.directorySum && directory.end === footer.dataBytes;
      if (error !== null) this.#fail(error);
      else if (!isWhole) this.#refuse("its directory is altered");
      else {
        const content = { id, takesFrom, directory, heir: null, draft: null };
        this.#done(null, new Bundle(content, this.#file, fileBytes));
      }
    });
  }

  #refuse(fault: string): void {
    this.#fail(damagedFile(this.#file.name, fault));
  }

  #fail(error: CrawlError): void {
    this.#file.close(() => this.#done(error, undefined));
  }
}

interface DirectoryReading {
  readonly footer: BundleFooter;
  readonly directory: BundleDirectory;
  sum: number;
}

/** Ends early, with a wrong sum, where entries are missing or out of order. */
function readEntries(file: ReadableFile, reading: DirectoryReading, done: Acknowledge): void {
  const { footer, directory } = reading;
  const entries = Math.min(footer.queues - directory.count, ENTRIES_READ);
  const offset = footer.dataBytes + directory.count * ENTRY_BYTES;
  file.read(offset, entries * ENTRY_BYTES, (error, bytes) => {
    if (error !== null) return done(error);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    reading.sum = checksum(view, 0, bytes.length, reading.sum);
    const isWhole = bytes.length === entries * ENTRY_BYTES && takeEntries(view, directory);
    if (isWhole && directory.count < footer.queues) readEntries(file, reading, done);
    else {
      if (!isWhole) reading.sum = -1;
      done(null);
    }
  });
}

function takeEntries(view: DataView, directory: BundleDirectory): boolean {
  for (let at = 0; at < view.byteLength; at += ENTRY_BYTES) {
    const queue = view.getUint32(at, true);
    const last = directory.count === 0 ? -1 : directory.queueAt(directory.count - 1);
    if (queue <= last) return false;
    directory.add(queue);
    directory.extend(view.getUint32(at + 4, true), view.getUint32(at + 8, true));
  }
  return true;
}
