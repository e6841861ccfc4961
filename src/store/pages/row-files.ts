/**
 * Rows that go to a series of files in the crawl directory, named like archive files:
 * `pages/NAME-TIMESTAMP-SERIAL-AGENT.jsonl.gz`, with `.open` behind it while a file grows. A file that
 * is full ends with a whole batch, is made durable and gets its final name.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type {
  Acknowledge,
  Clock,
  Done,
  FileName,
  Storage,
  StorageFile,
} from "../../base/seams/index.ts";
import { whenDone, withValue } from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import type { RowMark, RowSink } from "../export/index.ts";
import { finalOf, isOfSeries, OPEN, ROWS_FOLDER, serialOf } from "./row-file-names.ts";

export interface RowFilesOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Parts of the names. */
  readonly name: string;
  readonly agent: string;
  /** What names end with, such as `.jsonl.gz`. */
  readonly ending: string;
  /** From this size on the next batch begins another file. */
  readonly bytesMax: number;
}

/**
 * Files that an earlier run left open get their names. After a kill what follows `mark` is removed.
 */
export function openRowFiles(
  options: RowFilesOptions & { readonly mark?: RowMark },
  done: Done<RowFiles>,
): void {
  const { storage } = options;
  const opened = (names: readonly FileName[]): void => {
    const serials = names.map(serialOf);
    done(null, new RowFiles(options, serials.reduce((most, one) => Math.max(most, one), -1) + 1));
  };
  storage.list(
    ROWS_FOLDER,
    withValue(done, (names) => {
      const { mark } = options;
      const isGone = mark?.file != null && !names.some((name) => finalOf(name) === mark.file);
      if (isGone) {
        done(shortened(mark.file), undefined);
        return;
      }
      inTurn(
        names,
        (name, next) => putInOrder(name, options, next),
        whenDone(done, () => storage.list(ROWS_FOLDER, withValue(done, opened))),
      );
    }),
  );
}

function putInOrder(
  name: FileName,
  options: RowFilesOptions & { readonly mark?: RowMark },
  done: Acknowledge,
): void {
  const { storage, mark } = options;
  const final = finalOf(name);
  const rename = (): void => (name === final ? done(null) : storage.rename(name, final, done));
  if (!isOfSeries(final, options)) done(null);
  else if (mark !== undefined && serialOf(final) >= mark.nextSerial) {
    storage.remove(name, done);
  } else if (mark?.file === final) cut(storage, name, mark.bytes, whenDone(done, rename));
  else rename();
}

function cut(storage: Storage, name: FileName, lengthBytes: number, done: Acknowledge): void {
  storage.open(
    name,
    withValue(done, (file) => {
      const close = (): void => file.close(done);
      if (file.lengthBytes > lengthBytes) file.cut(lengthBytes, whenDone(done, close));
      else if (file.lengthBytes === lengthBytes) close();
      else file.close(() => done(shortened(name)));
    }),
  );
}

/** What a checkpoint knows to be durable is not there. */
function shortened(name: FileName): CrawlError {
  return new CrawlError(
    "PAGES_DAMAGED",
    `The file ${name} is shorter than it was when the crawl recorded it, or is gone: rows are ` +
      "missing, and nothing would tell which. Put it back from a copy, or start over with --fresh.",
    { file: name },
  );
}

export class RowFiles implements RowSink {
  readonly #options: RowFilesOptions;
  #nextSerial: number;
  #file: StorageFile | null = null;
  /** Its final name. */
  #name: FileName = "";
  /** Bytes of the files before it. */
  #beforeBytes = 0;

  constructor(options: RowFilesOptions, nextSerial: number) {
    this.#options = options;
    this.#nextSerial = nextSerial;
  }

  write(bytes: Uint8Array, done: (error: CrawlError | null, writtenBytes: number) => void): void {
    const failed = (error: CrawlError): void => done(rowFailure(error), 0);
    this.#withFile((error, file) => {
      if (error !== null) failed(error);
      else {
        file.append([bytes], (failure) => {
          if (failure === null) done(null, bytes.length);
          // Nothing of it stays, so that it can be written again.
          else file.cut(file.lengthBytes, () => failed(failure));
        });
      }
    });
  }

  /** Answers when everything written before is durable. */
  sync(done: Acknowledge): void {
    if (this.#file === null) done(null);
    else this.#file.sync((error) => done(error === null ? null : rowFailure(error)));
  }

  mark(done: Done<RowMark>): void {
    const mark: RowMark = {
      ...{ file: this.#file === null ? null : this.#name, nextSerial: this.#nextSerial },
      bytes: this.#file?.lengthBytes ?? 0,
    };
    this.sync(whenDone(done, () => done(null, mark)));
  }

  cutTo(lengthBytes: number, done: () => void): void {
    if (this.#file === null) done();
    else this.#file.cut(Math.max(0, lengthBytes - this.#beforeBytes), () => done());
  }

  close(done: Acknowledge): void {
    this.#seal((error) => done(error === null ? null : rowFailure(error)));
  }

  abandon(): void {}

  /** The file that grows; another one if that is full. */
  #withFile(done: Done<StorageFile>): void {
    const file = this.#file;
    if (file === null) this.#begin(done);
    else if (file.lengthBytes < this.#options.bytesMax) done(null, file);
    else this.#seal(whenDone(done, () => this.#begin(done)));
  }

  #begin(done: Done<StorageFile>): void {
    const { storage, clock, name, agent, ending } = this.#options;
    const timestamp = new Date(clock.wallMs()).toISOString().replace(/\D/g, "");
    const serial = String(this.#nextSerial).padStart(5, "0");
    const final = `${ROWS_FOLDER}/${name}-${timestamp}-${serial}-${agent}${ending}`;
    storage.open(
      final + OPEN,
      withValue(done, (file) => {
        this.#nextSerial += 1;
        this.#file = file;
        this.#name = final;
        done(null, file);
      }),
    );
  }

  #seal(done: Acknowledge): void {
    const file = this.#file;
    if (file === null) {
      done(null);
      return;
    }
    const { storage } = this.#options;
    file.sync(
      whenDone(done, () => {
        this.#file = null;
        this.#beforeBytes += file.lengthBytes;
        file.close(whenDone(done, () => storage.rename(this.#name + OPEN, this.#name, done)));
      }),
    );
  }
}

function rowFailure(cause: CrawlError): CrawlError {
  if (cause.code === "STORAGE_FULL") {
    const message =
      "No page can be written to the folder pages because its disk is full. " +
      "Free some space; fetching continues by itself, and no line is lost.";
    return new CrawlError("PAGES_FULL", message, {}, cause);
  }
  const message =
    `The pages could not be written to the folder pages: ${cause.message} ` +
    "Check the disk and the permissions of the crawl directory.";
  return new CrawlError("PAGES_FAILED", message, {}, cause);
}
