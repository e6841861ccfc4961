/**
 * The append log: frames go in at one end, are made durable in groups, and can be read back from
 * any position.
 *
 * Appending only fills memory. One thing at a time happens on disk: a write of everything pending,
 * a sync, a change of the manifest. Frames and requests that arrive meanwhile take part in the next
 * round, so many commits share one sync. Invariants:
 *
 * - begin <= committed <= written <= end, and each is where a frame begins or the log ends;
 * - nothing is written behind bytes of unknown state: after a failed sync, or a failed write
 *   for any reason but a full disk, the log is broken and must be closed and opened again.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../errors/index.ts";
import type { Acknowledge, StorageFile } from "../seams/index.ts";
import type { Framing } from "./framing.ts";
import { later } from "./later.ts";
import type { LogOptions } from "./log-options.ts";
import { LogReader } from "./log-reader.ts";
import { LogSegments } from "./log-segments.ts";
import type { Manifest } from "./manifest.ts";
import { PendingFrames } from "./pending-frames.ts";
import type { Position } from "./position.ts";

/** A log as it was found on disk: whole up to `end`, and all of it durable. */
export interface FoundLog {
  readonly manifest: Manifest;
  readonly framing: Framing;
  /** The last segment, if that is open. */
  readonly file: StorageFile | null;
  readonly end: Position;
}

type Request =
  | { readonly kind: "commit" | "flush"; readonly upTo: Position; readonly done: Acknowledge }
  | { readonly kind: "change"; readonly done: Acknowledge; run(answer: Acknowledge): void }
  | { readonly kind: "close"; readonly done: Acknowledge };

/** Made by `openLog`. */
export class Log {
  readonly #options: Required<LogOptions>;
  readonly #framing: Framing;
  readonly #segments: LogSegments;
  readonly #pending: PendingFrames;
  #requests: Request[] = [];
  #written: Position;
  #committed: Position;
  #isBusy = false;
  /** The disk was full: only a commit makes the log try again. */
  #isStalled = false;
  #isCutting = false;
  #isClosing = false;
  #broken: CrawlError | null = null;

  constructor(options: Required<LogOptions>, found: FoundLog) {
    this.#options = options;
    this.#framing = found.framing;
    this.#segments = new LogSegments(options.storage, options.name, found.manifest, found.file);
    this.#pending = new PendingFrames(found.framing, options, found.end);
    this.#written = found.end;
    this.#committed = found.end;
  }

  /** The position of the first frame that has not been dropped. */
  get begin(): Position {
    return this.#segments.begin;
  }

  /** Everything before this position is durable, and can be read. */
  get committed(): Position {
    return this.#committed;
  }

  /**
   * Everything before this position is in its file; what follows is lost when the log is closed.
   */
  get written(): Position {
    return this.#written;
  }

  /** Where the next frame will begin: what a checkpoint records as the log's length. */
  get end(): Position {
    return this.#pending.end;
  }

  /** Appended bytes that are only in memory. */
  get pendingBytes(): number {
    return this.#pending.bytes;
  }

  /** What the log holds in memory: pending frames, and room for further ones. */
  get memoryBytes(): number {
    return this.#pending.memoryBytes;
  }

  /**
   * Whether a frame with this payload can be appended at all. A few megabytes fit; to append more
   * at once is a programming error, so call this first where the web determines the length.
   */
  fits(payload: Uint8Array): boolean {
    return this.#pending.fits(payload);
  }

  /**
   * Appends one frame with a copy of `payload` and returns its position. Returns null, and takes
   * nothing, when too much is pending (commit, and go on when that has answered), while the log is
   * being cut, and when it is broken. The frame is durable after the next commit.
   */
  tryAppend(payload: Uint8Array): Position | null {
    if (this.#isClosing) assert.fail("a closed log takes no frames");
    if (this.#isCutting || this.#broken !== null) return null;
    const position = this.#pending.end;
    if (!this.#pending.tryAppend(payload)) return null;
    if (this.#pending.hasFullChunk && !this.#isBusy) this.#work();
    return position;
  }

  /**
   * As `tryAppend`, but always takes the frame: for owners that cannot be refused, and hold back
   * while `isFull`. Not while the log is being cut.
   */
  append(payload: Uint8Array): Position {
    if (this.#isClosing || this.#isCutting) assert.fail("a closed or cut log takes no frames");
    const position = this.#pending.end;
    this.#pending.append(payload);
    if (this.#pending.hasFullChunk && !this.#isBusy) this.#work();
    return position;
  }

  /** True while too much is pending, which a commit helps, and when the log is broken. */
  get isFull(): boolean {
    return this.#pending.isFull || this.#broken !== null;
  }

  /**
   * Answers when every frame appended before this call is durable. `STORAGE_FULL`: the frames stay
   * pending and a later commit tries again. `LOG_BROKEN`: they may or may not be in the log.
   */
  commit(done: Acknowledge): void {
    this.#isStalled = false;
    this.#ask({ kind: "commit", upTo: this.#pending.end, done });
  }

  /**
   * Answers when every frame appended before this call is in its file, where a reader from outside
   * sees it; it need not be durable. Fails as a commit does.
   */
  flush(done: Acknowledge): void {
    this.#isStalled = false;
    this.#ask({ kind: "flush", upTo: this.#pending.end, done });
  }

  /**
   * Removes everything from `position` on, which is where a frame begins or the log ends; no frame
   * is taken until it has answered. A crash before that leaves the log ending at `position` or
   * anywhere between it and the old end. Readers that were past `position` become useless.
   */
  cutTo(position: Position, done: Acknowledge): void {
    assert(!this.#isCutting, "a log is cut once at a time");
    this.#isCutting = true;
    const settle = (error: CrawlError | null): void => {
      this.#isCutting = false;
      done(error);
    };
    this.#ask({ kind: "change", done: settle, run: (answer) => this.#cut(position, answer) });
  }

  /** Removes the segments all of whose frames are before `position`; the last one always stays. */
  dropBefore(position: Position, done: Acknowledge): void {
    const run = (answer: Acknowledge): void =>
      this.#segments.dropBefore(position, (error) => this.#settleChange(error, answer));
    this.#ask({ kind: "change", done, run });
  }

  /** Reads committed frames from a position on; a reader that has caught up may be called again. */
  reader(from: Position = this.begin): LogReader {
    const { storage } = this.#options;
    const segmentAt = (position: Position) => this.#segments.at(position, this.#committed);
    return new LogReader({ storage, framing: this.#framing, segmentAt }, from);
  }

  /** Closes the log after earlier requests; frames that were not committed are dropped. */
  close(done: Acknowledge): void {
    this.#ask({ kind: "close", done });
    this.#isClosing = true;
  }

  #ask(request: Request): void {
    assert(!this.#isClosing, "a closed log is not used");
    this.#requests.push(request);
    this.#work();
  }

  /** Begins the next step on disk, if none is under way. */
  #work(): void {
    if (this.#isBusy) return;
    const request = this.#requests[0];
    this.#isBusy = true;
    if (request === undefined) this.#writeBehind();
    else if (request.kind === "close") this.#segments.close(request.done);
    else if (this.#broken !== null) this.#answer(request, this.#broken);
    else if (request.kind === "change") this.#change(request);
    else if (request.upTo > this.#written) this.#write(false);
    else if (request.kind === "flush" || request.upTo <= this.#committed) {
      this.#answer(request, null);
    } else this.#sync(() => this.#rest());
  }

  #rest(): void {
    this.#isBusy = false;
    this.#work();
  }

  /** Writes full chunks before a commit is requested, so that appending need not wait. */
  #writeBehind(): void {
    const isUseful = this.#pending.hasFullChunk && !this.#isStalled && this.#broken === null;
    if (isUseful) this.#write(true);
    else this.#isBusy = false;
  }

  #write(onlyFull: boolean): void {
    const filledBytes = this.#written - this.#segments.lastBase;
    if (!this.#segments.isOpen) this.#segments.open(this.#written, (error) => this.#settle(error));
    else {
      const pieces = this.#pieces(filledBytes, onlyFull);
      if (pieces.length === 0) this.#roll();
      else {
        this.#segments.append(pieces, (error) => {
          if (error === null) this.#wrote(pieces);
          this.#settle(error);
        });
      }
    }
  }

  /** What goes into the open segment now; nothing when not even the first piece fits. */
  #pieces(filledBytes: number, onlyFull: boolean): readonly Uint8Array[] {
    if (this.#committed === this.#written) this.#pending.markFirstAfterSync();
    const roomBytes = this.#options.segmentBytesMax - filledBytes;
    const leastBytes = filledBytes === 0 ? this.#pending.firstPieceBytes : 0;
    return this.#pending.unwritten(Math.max(roomBytes, leastBytes), onlyFull);
  }

  #wrote(pieces: readonly Uint8Array[]): void {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#pending.written(bytes);
    this.#written += bytes;
  }

  /** Syncs what is written and answers the commits that waited for it; then calls `then`. */
  #sync(then: () => void): void {
    const upTo = this.#written;
    this.#segments.sync((error) => {
      if (error?.code === "STORAGE_FULL") this.#settle(error);
      else if (error !== null) this.#breakAfterSync(error);
      else {
        this.#committed = upTo;
        this.#answerCommits();
        then();
      }
    });
  }

  #answerCommits(): void {
    let request = this.#requests[0];
    while (request !== undefined && isForFrames(request) && request.upTo <= this.#committed) {
      this.#requests.shift();
      request.done(null);
      request = this.#requests[0];
    }
  }

  #roll(): void {
    this.#sync(() => this.#segments.roll(this.#written, (error) => this.#settle(error)));
  }

  /** Continues after a step of writing; a full disk stalls the log, any other error breaks it. */
  #settle(error: CrawlError | null): void {
    if (error?.code === "STORAGE_FULL") this.#stall(error);
    else if (error !== null) this.#break(error);
    this.#rest();
  }

  /** All frames stay pending; the requests that wait for them fail. */
  #stall(full: CrawlError): void {
    this.#isStalled = true;
    const waiting = this.#requests.filter(isForFrames);
    this.#requests = this.#requests.filter((request) => !isForFrames(request));
    for (const request of waiting) request.done(full);
  }

  #change(request: Request & { readonly kind: "change" }): void {
    this.#requests.shift();
    request.run((error) => {
      request.done(error);
      this.#rest();
    });
  }

  #cut(position: Position, answer: Acknowledge): void {
    const { storage } = this.#options;
    if (position < this.begin || position > this.end) {
      later(storage, () => answer(this.#outOfRange(position)));
    } else if (position >= this.#written) {
      this.#endAt(position);
      later(storage, () => answer(null));
    } else {
      this.#segments.cut(position, this.#committed, (error) => {
        if (error === null) this.#endAt(position);
        this.#settleChange(error, answer);
      });
    }
  }

  #endAt(position: Position): void {
    this.#pending.cutTo(position);
    if (position < this.#written) {
      this.#pending.moveTo(position);
      this.#written = position;
      this.#committed = position;
    }
    // Commits requested meanwhile no longer wait for what is gone.
    this.#requests = this.#requests.map((request) =>
      isForFrames(request) && request.upTo > position ? { ...request, upTo: position } : request,
    );
  }

  #settleChange(error: CrawlError | null, answer: Acknowledge): void {
    if (error === null || error.code === "STORAGE_FULL") answer(error);
    else {
      this.#break(error);
      answer(this.#broken);
    }
  }

  #answer(request: Request, error: CrawlError | null): void {
    this.#requests.shift();
    later(this.#options.storage, () => {
      request.done(error);
      this.#rest();
    });
  }

  #break(cause: CrawlError): void {
    const { name } = this.#options;
    const message =
      `The log ${name} is broken: ${cause.message} ` +
      "Close it and open it again; it is then cut to what is there.";
    this.#broken = new CrawlError("LOG_BROKEN", message, { log: name, ...cause.facts }, cause);
  }

  /** The state of uncommitted bytes is unknown, so they are cut off if that still works. */
  #breakAfterSync(cause: CrawlError): void {
    this.#break(cause);
    this.#written = this.#committed;
    this.#segments.salvage(this.#committed, () => this.#rest());
  }

  #outOfRange(position: Position): CrawlError {
    const { name } = this.#options;
    const { begin, end } = this;
    const message =
      `The log ${name} cannot be cut to ${position}: it holds ${begin} to ${end}. ` +
      "Its recorded length belongs to another state of the log; restore both from one copy.";
    return new CrawlError("LOG_OUT_OF_RANGE", message, { log: name, position, begin, end });
  }
}

/** Whether the request waits for frames to be written. */
function isForFrames(request: Request): request is Request & { readonly kind: "commit" | "flush" } {
  return request.kind === "commit" || request.kind === "flush";
}
