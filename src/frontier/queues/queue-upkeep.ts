/**
 * Maintenance of queues on disk: full buffers are written to bundles, bundles are merged, and the
 * files of retired bundles are removed when no checkpoint needs them.
 *
 * At most one flush and one merge are under way, each in slices. One that fails leaves everything
 * as it was, and no other of its kind is begun until `retry`.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, FileName, Storage } from "../../base/seams/index.ts";
import { BufferFlush } from "./bundles/buffer-flush.ts";
import { type Bundle, bundleFile } from "./bundles/bundle.ts";
import { BundleMerge } from "./bundles/bundle-merge.ts";
import { type BundleWriter, openBundleWriter } from "./bundles/bundle-writer.ts";
import { bundlesToMerge } from "./bundles/merge-policy.ts";
import type { TakeJournal } from "./journals/take-journal.ts";
import type { QueueContents } from "./queue-contents.ts";
import type { RecordBuffer } from "./record-buffer.ts";

export interface UpkeepOptions {
  readonly storage: Storage;
  readonly folder: FileName;
  readonly contents: QueueContents;
  readonly takes: TakeJournal;
  readonly isStack: boolean;
  /** How many bytes a buffer has when it is time to write it. */
  readonly bufferBytes: number;
  /** How many bytes a flush or a merge handles at a time. */
  readonly chunkBytes: number;
  /** Called for every flush, merge and removal that failed. */
  readonly report: (error: CrawlError) => void;
}

type Work = "flush" | "merge";

export class QueueUpkeep {
  readonly #options: UpkeepOptions;
  readonly #underWay = new Set<Work>();
  readonly #failed = new Set<Work>();
  #nextBundle: number;
  #merge: BundleMerge | null = null;
  /** Bundles that no longer count, but whose files still exist. */
  #retired: Bundle[] = [];
  #stopped: (() => void) | null = null;

  constructor(options: UpkeepOptions, nextBundle: number) {
    this.#options = options;
    this.#nextBundle = nextBundle;
  }

  get nextBundle(): number {
    return this.#nextBundle;
  }

  /** Whether a buffer could not be written and waits for another attempt. */
  get isStalled(): boolean {
    return this.#failed.has("flush");
  }

  get isBusy(): boolean {
    return this.#underWay.size > 0;
  }

  /** Begins what is due and not under way. */
  work(): void {
    const { contents } = this.#options;
    if (this.#stopped !== null) return;
    if (contents.isActiveFull && contents.frozen === null) contents.freeze();
    if (contents.frozen !== null && this.#isFree("flush")) this.#startFlush(contents.frozen.buffer);
    if (this.#isFree("merge")) this.#startMerge();
  }

  /** As `work`, and tries again what failed. */
  retry(): void {
    this.#failed.clear();
    this.work();
  }

  /** Removes the files of retired bundles that are not among `needed`. */
  sweep(needed: ReadonlySet<number>): void {
    const gone = this.#retired.filter(({ content }) => !needed.has(content.id));
    this.#retired = this.#retired.filter(({ content }) => needed.has(content.id));
    const { storage, folder, report } = this.#options;
    const removed: Acknowledge = (error) => void (error !== null && report(error));
    for (const bundle of gone) {
      bundle.close(() => storage.remove(bundleFile(folder, bundle.content.id), removed));
    }
  }

  /** Ends what is under way, begins nothing more, and closes all bundles. */
  stop(done: () => void): void {
    const { contents } = this.#options;
    this.#stopped = () => closeAll([...contents.bundles, ...this.#retired], done);
    contents.flush?.stop();
    this.#merge?.stop();
    if (this.#underWay.size === 0) this.#stopped();
  }

  #isFree(work: Work): boolean {
    return !this.#underWay.has(work) && !this.#failed.has(work);
  }

  #startFlush(buffer: RecordBuffer): void {
    const { contents, takes } = this.#options;
    this.#write("flush", (writer, done) => {
      contents.flush = new BufferFlush(buffer, writer, takes);
      contents.flush.run((error, bundle) => {
        contents.flush = null;
        if (bundle) {
          takes.publish(bundle.content);
          contents.thaw(bundle);
        }
        done(error);
      });
    });
  }

  #startMerge(): void {
    const { contents, takes, bufferBytes, chunkBytes, isStack } = this.#options;
    this.#retire(contents.bundles.filter(({ content }) => content.directory.liveRecords === 0));
    const sizes = contents.bundles.map(({ content: { directory } }) => ({
      liveBytes: directory.liveBytes,
      dataBytes: directory.end,
    }));
    const range = bundlesToMerge(sizes, bufferBytes / 2);
    if (range === null) return;
    const merged = contents.bundles.slice(range.from, range.to);
    const inOrder = isStack ? merged.toReversed() : merged;
    this.#write("merge", (writer, done) => {
      this.#merge = new BundleMerge(inOrder, writer, chunkBytes);
      this.#merge.run((error, bundle) => {
        this.#merge = null;
        if (bundle) {
          takes.publish(bundle.content);
          this.#retire(merged, bundle);
        }
        done(error);
      });
    });
  }

  /** Retires neighbouring bundles; the heir, if there is one, takes their place. */
  #retire(bundles: readonly Bundle[], heir?: Bundle): void {
    const { contents } = this.#options;
    if (bundles.length === 0) return;
    const first = contents.bundles.indexOf(bundles[0] as Bundle);
    const left = contents.bundles.filter((bundle) => !bundles.includes(bundle));
    contents.bundles = heir === undefined ? left : left.toSpliced(first, 0, heir);
    this.#retired.push(...bundles);
  }

  #write(work: Work, write: (writer: BundleWriter, done: Acknowledge) => void): void {
    const { storage, folder, takes, chunkBytes } = this.#options;
    this.#underWay.add(work);
    const id = this.#nextBundle;
    this.#nextBundle += 1;
    const takesFrom = takes.journal.position;
    openBundleWriter({ storage, folder, id, takesFrom, chunkBytes }, (error, writer) => {
      if (error !== null) this.#end(work, error);
      else if (this.#stopped !== null) writer.abandon(() => this.#end(work, null));
      else write(writer, (writeError) => this.#end(work, writeError));
    });
  }

  #end(work: Work, error: CrawlError | null): void {
    this.#underWay.delete(work);
    if (error !== null) {
      this.#failed.add(work);
      this.#options.report(error);
    }
    if (this.#stopped === null) this.work();
    else if (this.#underWay.size === 0) this.#stopped();
  }
}

function closeAll(bundles: readonly Bundle[], done: () => void): void {
  const [first, ...others] = bundles;
  if (first === undefined) done();
  else first.close(() => closeAll(others, done));
}
