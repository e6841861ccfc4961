/**
 * Opening a log: reads its manifest, or makes one; makes durable what it finds; removes files that
 * the manifest does not name; reads the last segment, from where the owner knows it to have been durable,
 * and cuts a torn tail off.
 *
 * What is found may exist only in the memory of the system, since the process that wrote it may
 * have died before syncing it. So manifest and bytes are synced before anything relies on them.
 */
import type { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Done, Storage, StorageFile } from "../seams/index.ts";
import type { Framing } from "./framing.ts";
import { Log } from "./log.ts";
import { damagedLog, framingOf, listSegments, readManifest, removeFiles } from "./log-files.ts";
import { completed, type LogOptions } from "./log-options.ts";
import { LogReader } from "./log-reader.ts";
import {
  firstManifest,
  lastSegment,
  type Manifest,
  manifestName,
  type Segment,
  segmentName,
} from "./manifest.ts";
import { printManifest } from "./manifest-text.ts";
import type { Position, Range } from "./position.ts";
import { TornTail } from "./torn-tail.ts";

export interface OpenedLog {
  readonly log: Log;
  /** The torn tail that was cut off; none of it had been committed, unless it was damaged since. */
  readonly cut: Range | null;
  /** Bytes of the last segment that had been committed and are no longer frames, as far as it was read. */
  readonly damage: readonly Range[];
}

/** A log may be open only once at a time. Only pending frames are held in memory. */
export function openLog(options: LogOptions, done: Done<OpenedLog>): void {
  new Opening(completed(options), done).start();
}

class Opening {
  readonly #options: Required<LogOptions>;
  readonly #storage: Storage;
  readonly #done: Done<OpenedLog>;

  constructor(options: Required<LogOptions>, done: Done<OpenedLog>) {
    this.#options = options;
    this.#storage = options.storage;
    this.#done = done;
  }

  start(): void {
    const { name, framing } = this.#options;
    readManifest(this.#storage, name, (error, manifest) => {
      if (error !== null) this.#fail(error);
      else if (manifest === null) this.#create();
      else if (manifest.framing !== framing) {
        this.#fail(damagedLog(name, `its framing is ${manifest.framing}, not ${framing}`));
      } else this.#openLast(manifest);
    });
  }

  #create(): void {
    const { framing, random } = this.#options;
    const manifest = firstManifest(framing, [random.u32(), random.u32()]);
    this.#replace(manifest, () => this.#openLast(manifest));
  }

  #openLast(manifest: Manifest): void {
    const segment = lastSegment(manifest);
    const framing = framingOf(manifest.framing, manifest.salt);
    if (segment.lengthBytes !== null) {
      const end = segment.base + segment.lengthBytes;
      const opened = (): void => {
        const log = new Log(this.#options, { manifest, framing, file: null, end });
        this.#done(null, { log, cut: null, damage: [] });
      };
      this.#replace(manifest, () => this.#sweep(manifest, null, opened));
    } else {
      this.#storage.open(segmentName(this.#options.name, segment.id), (error, file) => {
        if (error !== null) this.#fail(error);
        else this.#openFile({ manifest, framing, segment, file });
      });
    }
  }

  #openFile(last: LastSegment): void {
    const { file, manifest } = last;
    // This makes the manifest's name durable too.
    file.sync((error) => {
      if (error !== null) this.#fail(error, file);
      else this.#sweep(manifest, file, () => this.#recover(last));
    });
  }

  #replace(manifest: Manifest, then: () => void): void {
    const name = manifestName(this.#options.name);
    this.#storage.replace(name, printManifest(manifest), (error) => {
      if (error !== null) this.#fail(error);
      else then();
    });
  }

  /** Removes what a crash left of segments that were dropped or cut off. */
  #sweep(manifest: Manifest, file: StorageFile | null, then: () => void): void {
    const { name } = this.#options;
    const known = new Set(manifest.segments.map((segment) => segmentName(name, segment.id)));
    const settle = (error: CrawlError | null): void => {
      if (error !== null) this.#fail(error, file);
      else then();
    };
    listSegments(this.#storage, name, (error, files) => {
      if (error !== null) settle(error);
      else {
        const orphans = files.filter((each) => !known.has(each));
        removeFiles(this.#storage, orphans, settle);
      }
    });
  }

  #recover(last: LastSegment): void {
    const { file, segment } = last;
    const tail = new TornTail(this.#options.durableEnd);
    this.#readAll(last, tail, (error) => {
      const end = segment.base + file.lengthBytes;
      if (error !== null) this.#fail(error, file);
      else this.#settle(last, tail, { from: tail.cutFrom ?? end, to: end });
    });
  }

  #readAll({ file, segment, framing }: LastSegment, tail: TornTail, done: Acknowledge): void {
    const end = segment.base + file.lengthBytes;
    const viewed = { name: file.name, base: segment.base, end };
    const segmentAt = (position: Position) => (position < end ? viewed : null);
    // Readers meet what is wrong before that when they come to it.
    const from = Math.max(segment.base, this.#options.durableEnd);
    const reader = new LogReader({ storage: this.#storage, framing, segmentAt }, from);
    const next = (): void =>
      reader.read((error, batch) => {
        if (error === null) tail.take(batch);
        if (error === null && reader.position < end) next();
        else reader.close(() => done(error));
      });
    if (from >= end) done(null);
    else next();
  }

  #settle(last: LastSegment, tail: TornTail, torn: Range): void {
    const { file, segment, manifest, framing } = last;
    const cut = torn.from < torn.to ? torn : null;
    const settle = (error: CrawlError | null): void => {
      if (error !== null) this.#fail(error, file);
      else {
        const log = new Log(this.#options, { manifest, framing, file, end: torn.from });
        this.#done(null, { log, cut, damage: tail.damage });
      }
    };
    if (cut === null) settle(null);
    else {
      file.cut(torn.from - segment.base, (error) => {
        if (error !== null) settle(error);
        else file.sync(settle);
      });
    }
  }

  #fail(error: CrawlError, file: StorageFile | null = null): void {
    if (file === null) this.#done(error, undefined);
    else file.close(() => this.#done(error, undefined));
  }
}

interface LastSegment {
  readonly manifest: Manifest;
  readonly framing: Framing;
  readonly segment: Segment;
  readonly file: StorageFile;
}
