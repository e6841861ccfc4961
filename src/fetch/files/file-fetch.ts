/**
 * One fetch of a file or folder: find its place, open it, read it into the spool. The total time
 * limit applies throughout, since a disk on another machine may never answer; a file that is opened
 * only after the outcome is closed at once.
 */
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import type {
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
  Header,
  Timer,
} from "../../base/seams/index.ts";
import type { BodySink } from "../body/index.ts";
import { fileFailed, fileRefused, fileTimedOut } from "./file-error.ts";
import type { FileFetcherOptions } from "./file-fetcher.ts";
import { entryBytesMax, folderPage } from "./file-listing.ts";
import { findPlace } from "./file-place.ts";
import { fileType } from "./file-type.ts";
import { filePathOf, parseFileUrl } from "./file-url.ts";

type Truncation = (FetchOutcome & { kind: "fetched" })["truncatedBy"];

const READ_BYTES = 64 * 1024;

export class FileFetch implements FetchInFlight {
  readonly #options: Required<FileFetcherOptions>;
  readonly #request: FetchRequest;
  readonly #fetched: (outcome: FetchOutcome) => void;
  readonly #timer: Timer;
  #phase: "looking" | "receiving" | "ending" | "over" = "looking";
  #headers: readonly Header[] = [];
  #sink: BodySink | null = null;
  #receivedBytes = 0;
  #descriptor: number | null = null;
  /** A call on the descriptor is under way: it stays open until the answer. */
  #isReading = false;
  #buffer: Buffer = Buffer.alloc(0);
  /** Set for a folder: its page, and whether that is complete. */
  #page: Buffer | null = null;
  #isPageWhole = true;

  constructor(
    options: Required<FileFetcherOptions>,
    request: FetchRequest,
    fetched: (outcome: FetchOutcome) => void,
  ) {
    this.#options = options;
    this.#request = request;
    this.#fetched = fetched;
    this.#timer = options.clock.after(request.limits.totalTimeoutMs, () =>
      this.#guard(() => this.#timeOut()),
    );
  }

  start(): void {
    const { calls, roots, clock } = this.#options;
    const { url } = this.#request;
    const file = parseFileUrl(url);
    const path = file === null ? null : filePathOf(file);
    if (path === null) {
      clock.after(0, () => this.#fail(fileRefused(url, "path")));
      return;
    }
    const rootPaths = roots.map(filePathOf).filter((root) => root !== null);
    findPlace({ url, path, rootPaths, calls }, (place) =>
      this.#guard(() => {
        if (this.#phase !== "looking") return;
        if (place.kind === "failed") this.#fail(place.error);
        else if (place.kind === "file") this.#open(place.realPath);
        else this.#list(path, place.realPath);
      }),
    );
  }

  cancel(): void {
    this.#options.clock.after(0, () =>
      this.#guard(() => {
        if (this.#phase === "over") return;
        this.#sink?.abandon();
        this.#answer({ kind: "cancelled" });
      }),
    );
  }

  #open(realPath: string): void {
    const { calls } = this.#options;
    calls.open(realPath, (error, descriptor) => {
      if (error !== null)
        return this.#guard(() => this.#fail(fileFailed(this.#request.url, error)));
      this.#descriptor = descriptor;
      if (this.#phase !== "looking") return this.#close();
      this.#isReading = true;
      calls.fstat(descriptor, (statError, stats) =>
        this.#guard(() => {
          this.#isReading = false;
          if (this.#phase !== "looking") this.#close();
          else if (statError !== null) this.#fail(fileFailed(this.#request.url, statError));
          // It may have changed since it was checked.
          else if (!stats.isFile()) this.#fail(fileRefused(this.#request.url, "kind"));
          else this.#begin(realPath, stats);
        }),
      );
    });
  }

  #begin(realPath: string, file: { readonly size: number; readonly mtimeMs: number }): void {
    this.#headers = [
      ["Content-Type", fileType(realPath)],
      ["Content-Length", String(file.size)],
      ["Last-Modified", new Date(file.mtimeMs).toUTCString()],
    ];
    this.#buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, file.size + 1));
    this.#read();
  }

  /** Asks for one byte more than allowed, to see whether there is one. */
  #read(): void {
    const leftBytes = this.#request.limits.bodyBytesMax - this.#receivedBytes;
    const count = Math.min(this.#buffer.length, leftBytes + 1);
    this.#isReading = true;
    this.#options.calls.read(this.#descriptor ?? -1, this.#buffer, 0, count, null, (error, got) =>
      this.#guard(() => {
        this.#isReading = false;
        if (this.#phase !== "looking" && this.#phase !== "receiving") return this.#close();
        if (error !== null) return this.#failRead(error);
        const isReady = this.#take(this.#buffer, 0, Math.min(got, leftBytes));
        if (got === 0) this.#finish(null);
        else if (got > leftBytes) this.#finish("length");
        else if (isReady) this.#read();
      }),
    );
  }

  /** After the first bytes the answer has begun: what was read is kept. */
  #failRead(error: NodeJS.ErrnoException): void {
    if (this.#phase === "looking") this.#fail(fileFailed(this.#request.url, error));
    else this.#finish("disconnect");
  }

  #list(path: string, realPath: string): void {
    let leftBytes = this.#request.limits.bodyBytesMax;
    const isEnough = ({ name }: { readonly name: string }): boolean => {
      leftBytes -= entryBytesMax(path, name);
      return leftBytes <= 0;
    };
    this.#options.calls.entries(realPath, isEnough, (error, entries, isWhole) =>
      this.#guard(() => {
        if (this.#phase !== "looking") return;
        if (error !== null) return this.#fail(fileFailed(this.#request.url, error));
        this.#headers = [["Content-Type", "text/html; charset=utf-8"]];
        this.#page = Buffer.from(folderPage(path, entries));
        this.#isPageWhole = isWhole;
        this.#send(this.#page);
      }),
    );
  }

  /** Writes a folder's page, as far as the sink takes it now. */
  #send(page: Buffer): void {
    const endAt = Math.min(page.length, this.#request.limits.bodyBytesMax);
    let isReady = true;
    while (isReady && this.#receivedBytes < endAt) {
      const from = this.#receivedBytes;
      isReady = this.#take(page, from, Math.min(from + READ_BYTES, endAt));
    }
    if (this.#receivedBytes < endAt) return;
    this.#finish(this.#isPageWhole && endAt === page.length ? null : "length");
  }

  /** False when the sink is behind: `#more` is then called later. */
  #take(bytes: Buffer, from: number, to: number): boolean {
    this.#phase = "receiving";
    this.#receivedBytes += to - from;
    this.#sink ??= this.#options.spool.open(null, () => this.#guard(() => this.#more()));
    return this.#sink.write(bytes, from, to);
  }

  #more(): void {
    if (this.#phase !== "receiving") return;
    if (this.#page === null) this.#read();
    else this.#send(this.#page);
  }

  #finish(truncatedBy: Truncation): void {
    this.#phase = "ending";
    const headers = this.#headers;
    this.#sink?.end((error, body) => {
      if (error !== null) this.#answer({ kind: "failed", error });
      else {
        const found = { status: 200, reason: "OK", headers, body, answerMs: 0 };
        this.#answer({ kind: "fetched", request: null, ...found, truncatedBy });
      }
    });
  }

  #timeOut(): void {
    const { url, limits } = this.#request;
    if (this.#phase === "receiving") this.#finish("time");
    else if (this.#phase === "looking") this.#fail(fileTimedOut(url, limits.totalTimeoutMs));
  }

  #fail(error: CrawlError): void {
    if (this.#phase === "over") return;
    this.#sink?.abandon();
    this.#answer({ kind: "failed", error });
  }

  #answer(outcome: FetchOutcome): void {
    this.#phase = "over";
    this.#timer.cancel();
    if (!this.#isReading) this.#close();
    this.#fetched(outcome);
  }

  /** An error fails only this fetch, unless that is already over. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      const what = `the fetch of ${this.#request.url}`;
      const isOver = this.#phase === "over";
      const error = faultOf(thrown, { code: "INTERNAL_FETCH", what, isOver });
      this.#isReading = false;
      try {
        this.#sink?.abandon();
      } catch {
        // It had ended.
      }
      this.#answer({ kind: "failed", error });
    }
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor !== null) this.#options.calls.close(descriptor);
  }
}
