/**
 * Merges bundles that follow each other in age into one, which holds what is left of them: queue by
 * queue, and of each queue the parts in the order of pulling. Bytes are copied as they are; nothing
 * is decoded. A merge runs in slices, each of which ends when a chunk is full, or earlier.
 *
 * Meanwhile records are still taken from the bundles. What is taken of a part before it is copied
 * is left out; what is taken afterwards is also taken from the new bundle, which is the heir of the
 * old ones.
 */
import type { Acknowledge, Done } from "../../../base/seams/index.ts";
import type { Bundle } from "./bundle.ts";
import type { BundleWriter } from "./bundle-writer.ts";

/** One of the bundles, as far as it has been read. */
interface Source {
  readonly bundle: Bundle;
  /** The next place of its directory. */
  place: number;
  /** Bytes of its file from `windowFrom` on. */
  window: Uint8Array;
  windowFrom: number;
}

/** What is being copied: bytes [at, end) of a source's file. */
interface Part {
  readonly source: Source;
  at: number;
  readonly end: number;
}

export class BundleMerge {
  /** In the order of pulling. */
  readonly #sources: readonly Source[];
  readonly #writer: BundleWriter;
  readonly #windowBytes: number;
  /** The queue that is being copied, and the number of the source whose part is. */
  #queue = -1;
  #index = -1;
  #part: Part | null = null;
  #isStopped = false;

  /**
   * `bundles` are in the order of pulling; from now on the new bundle is their heir. `windowBytes`
   * are read at a time.
   */
  constructor(bundles: readonly Bundle[], writer: BundleWriter, windowBytes: number) {
    this.#writer = writer;
    this.#windowBytes = windowBytes;
    const empty = new Uint8Array(0);
    this.#sources = bundles.map((bundle) => ({ bundle, place: 0, window: empty, windowFrom: 0 }));
    bundles.forEach((bundle, index) => {
      const hasBegun = (queue: number): boolean => this.#hasBegun(index, queue);
      bundle.content.heir = { content: writer.content, hasBegun };
    });
  }

  /** Answers with the new bundle; with null when it was stopped. Then the old ones have no heir. */
  run(done: Done<Bundle | null>): void {
    this.#copy((error) => {
      if (error !== null) this.#abandon(() => done(error, undefined));
      else if (this.#isStopped) this.#abandon(() => done(null, null));
      else {
        this.#writer.finish((finishError, bundle) => {
          if (finishError === null) done(null, bundle);
          else {
            this.#clearHeir();
            done(finishError, undefined);
          }
        });
      }
    });
  }

  /** Ends at the next opportunity, without a bundle. */
  stop(): void {
    this.#isStopped = true;
  }

  #abandon(done: () => void): void {
    this.#clearHeir();
    this.#writer.abandon(done);
  }

  #clearHeir(): void {
    for (const { bundle } of this.#sources) bundle.content.heir = null;
  }

  #hasBegun(index: number, queue: number): boolean {
    return queue < this.#queue || (queue === this.#queue && index <= this.#index);
  }

  #copy(done: Acknowledge): void {
    const goOn: Acknowledge = (error) => {
      if (error !== null || this.#isStopped) done(error);
      else this.#copy(done);
    };
    const stop = this.#copyOn();
    if (stop === null || this.#writer.roomBytes === 0) {
      this.#writer.drain(stop === null ? done : goOn);
    } else this.#readWindow(stop, goOn);
  }

  /** Copies until the chunk is full or bytes of a part must be read: that part; null at the end. */
  #copyOn(): Part | null {
    for (;;) {
      const part = this.#part ?? this.#nextPart();
      this.#part = part;
      if (part === null || this.#writer.roomBytes === 0) return part;
      const { window, windowFrom } = part.source;
      const from = part.at - windowFrom;
      if (from < 0 || from >= window.length) return part;
      const bytes = Math.min(window.length - from, part.end - part.at, this.#writer.roomBytes);
      this.#writer.writeBytes(window, from, from + bytes);
      part.at += bytes;
      if (part.at === part.end) this.#part = null;
    }
  }

  /** The next part to copy, with its place in the new bundle's directory; null at the end. */
  #nextPart(): Part | null {
    for (;;) {
      this.#index += 1;
      const source = this.#sources[this.#index];
      if (source === undefined && !this.#nextQueue()) return null;
      if (source === undefined) continue;
      const { directory } = source.bundle.content;
      if (directory.queueAt(source.place) !== this.#queue || this.#isAtEnd(source)) continue;
      const { place } = source;
      source.place += 1;
      const records = directory.recordsAt(place);
      if (records === 0) continue;
      const at = directory.startAt(place) + directory.takenBytesAt(place);
      const end = directory.startAt(place) + directory.lengthAt(place);
      this.#enter(end - at, records);
      return { source, at, end };
    }
  }

  /** Moves on to the smallest queue that is left; false when there is none. */
  #nextQueue(): boolean {
    let least = Number.POSITIVE_INFINITY;
    for (const source of this.#sources) {
      const { directory } = source.bundle.content;
      while (!this.#isAtEnd(source) && directory.recordsAt(source.place) === 0) source.place += 1;
      if (!this.#isAtEnd(source)) least = Math.min(least, directory.queueAt(source.place));
    }
    this.#queue = least;
    this.#index = -1;
    return least !== Number.POSITIVE_INFINITY;
  }

  /** Enters all of the part, so that records can be taken from it before they are copied. */
  #enter(bytes: number, records: number): void {
    const { directory } = this.#writer.content;
    const isFirst = directory.count === 0 || directory.queueAt(directory.count - 1) !== this.#queue;
    if (isFirst) directory.add(this.#queue);
    directory.extend(bytes, records);
  }

  #isAtEnd(source: Source): boolean {
    return source.place >= source.bundle.content.directory.count;
  }

  #readWindow(part: Part, done: Acknowledge): void {
    const { source } = part;
    const leftBytes = source.bundle.content.directory.end - part.at;
    source.bundle.read(part.at, Math.min(this.#windowBytes, leftBytes), (error, bytes) => {
      if (error === null) {
        source.window = bytes;
        source.windowFrom = part.at;
      }
      done(error);
    });
  }
}
