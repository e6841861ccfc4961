/**
 * One fetch by a protocol module: ask it, then take its body piece by piece into the spool. The
 * limits of time, size and rate apply here, outside the module: one that hangs is given up, and what
 * it does afterwards is ignored.
 *
 * Invariant: every call into the module is in a try of its own, so that its exceptions become
 * `FETCH_MODULE_FAILED`, and ours `INTERNAL_FETCH`.
 */
import { CrawlError, faultOf } from "../../base/errors/index.ts";
import type { FetchInFlight, FetchOutcome, FetchRequest } from "../../base/seams/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import { partsOf, portOfScheme } from "../../formats/url/index.ts";
import type { BodySink } from "../body/index.ts";
import { HttpProgress, type Watched } from "../client/index.ts";
import { moduleFailed, moduleTimedOut } from "./module-error.ts";
import type { ModuleFetcherParts } from "./module-fetcher.ts";
import { pieceBytes, type ReadAnswer, readAnswer } from "./read-answer.ts";

type Truncation = (FetchOutcome & { kind: "fetched" })["truncatedBy"];

/** As much as a sink takes at once. */
const WRITE_BYTES_MAX = 64 * 1024;
/** After this many pieces in a row others have their turn, even if the module never waits. */
const PIECES_PER_TURN = 64;

export class ModuleFetch implements FetchInFlight, Watched {
  place = -1;
  sequence = 0;
  dueAtMs = 0;
  readonly #parts: ModuleFetcherParts;
  readonly #request: FetchRequest;
  readonly #fetched: (outcome: FetchOutcome) => void;
  readonly #progress: HttpProgress;
  readonly #abort = new AbortController();
  #answer: ReadAnswer | null = null;
  #answerMs = 0;
  #sink: BodySink | null = null;
  /** Called when the sink has room again. */
  #drained: () => void = () => undefined;

  constructor(
    parts: ModuleFetcherParts,
    request: FetchRequest,
    fetched: (outcome: FetchOutcome) => void,
  ) {
    const { limits } = request;
    this.#parts = parts;
    this.#request = request;
    this.#fetched = fetched;
    // The module alone knows when it is connected, so it has the time for both.
    const headerTimeoutMs = limits.connectTimeoutMs + limits.headerTimeoutMs;
    const nowMs = parts.clock.nowMs();
    this.#progress = new HttpProgress({ ...limits, headerTimeoutMs }, nowMs);
    this.#progress.enter("header", nowMs);
  }

  get receivedBytes(): number {
    return this.#progress.receivedBytes;
  }

  start(): void {
    this.#parts.deadlines.watch(this, this.#progress.limitAtMs);
    void this.#run();
  }

  cancel(): void {
    if (!this.#progress.isDone) this.#end({ kind: "cancelled" });
  }

  wake(nowMs: number): void {
    if (this.#progress.isDone) return;
    const { limitAtMs, phase } = this.#progress;
    if (nowMs < limitAtMs) this.#parts.deadlines.watch(this, limitAtMs);
    else if (phase === "body") this.#guard(() => this.#finish("time"));
    else {
      const error = moduleTimedOut(this.#request.url, this.#progress.exceeded(nowMs));
      this.#end({ kind: "failed", error });
    }
  }

  async #run(): Promise<void> {
    const answer = await this.#ask();
    if (answer === null || this.#progress.isDone) return;
    const { clock } = this.#parts;
    this.#answerMs = this.#progress.inPhaseMs(clock.nowMs());
    this.#answer = answer;
    this.#progress.enter("body", clock.nowMs());
    try {
      this.#parts.deadlines.watch(this, this.#progress.limitAtMs);
      this.#sink = this.#parts.spool.open(null, () => this.#drained());
      await this.#receive(answer);
    } catch (thrown) {
      this.#fault(thrown);
    }
  }

  /** Null when the fetch has failed. */
  async #ask(): Promise<ReadAnswer | null> {
    const { url, address, headers, limits } = this.#request;
    const { protocol, module, mayConnect } = this.#parts;
    const { scheme, host, port: portText } = partsOf(url as FetchableUrl);
    const port = portText === "" ? portOfScheme(scheme) : Number(portText.slice(1));
    const error = mayConnect(address ?? "", port);
    if (address === null || error !== null) {
      this.#end({ kind: "failed", error: error ?? moduleFailed(url, module, "no address") });
      return null;
    }
    try {
      const { totalTimeoutMs, bodyBytesMax } = limits;
      const answer = await protocol.fetch({
        ...{ url, host: host.replace(/^\[(.*)\]$/, "$1"), address, port },
        headers: headers.map(([name, value]) => [name, value] as const),
        limits: { totalTimeoutMs, bodyBytesMax },
        signal: this.#abort.signal,
      });
      return readAnswer(answer, limits.headerBytesMax);
    } catch (thrown) {
      const failure = thrown instanceof CrawlError ? thrown.message : thrown;
      if (!this.#progress.isDone) {
        this.#end({ kind: "failed", error: moduleFailed(url, module, failure) });
      }
      return null;
    }
  }

  async #receive({ pieces, bytes }: ReadAnswer): Promise<void> {
    if (pieces === null) {
      await this.#take(bytes);
      if (!this.#progress.isDone) this.#finish(null);
      return;
    }
    for (let count = 1; !this.#progress.isDone; count += 1) {
      const piece = await this.#next(pieces);
      if (this.#progress.isDone) break;
      if (piece instanceof Uint8Array) await this.#take(piece);
      else this.#finish(piece);
      if (count % PIECES_PER_TURN === 0) await this.#turn();
    }
    this.#leave(pieces);
  }

  /** The next piece, or why there is none: null at the end. */
  async #next(
    pieces: AsyncIterator<unknown> | Iterator<unknown>,
  ): Promise<Uint8Array | Truncation> {
    try {
      const { done, value } = await pieces.next();
      if (done === true) return null;
      return pieceBytes(value) ?? "disconnect";
    } catch {
      return "disconnect";
    }
  }

  /** Writes as much as the limit allows, and ends the body if there is more. */
  async #take(bytes: Uint8Array): Promise<void> {
    const { clock } = this.#parts;
    const leftBytes = this.#request.limits.bodyBytesMax - this.receivedBytes;
    const endAt = Math.min(bytes.length, leftBytes);
    for (let at = 0; at < endAt && !this.#progress.isDone; at += WRITE_BYTES_MAX) {
      const to = Math.min(at + WRITE_BYTES_MAX, endAt);
      this.#progress.received(to - at, clock.nowMs());
      if (this.#sink?.write(bytes, at, to) === false) await this.#room();
    }
    if (bytes.length > endAt && !this.#progress.isDone) this.#finish("length");
  }

  /** Waits until the sink has room, which does not count against the server. */
  async #room(): Promise<void> {
    const { clock, deadlines } = this.#parts;
    this.#progress.fallBehind(clock.nowMs());
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    if (this.#progress.isDone) return;
    this.#progress.catchUp(clock.nowMs());
    deadlines.watch(this, this.#progress.limitAtMs);
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.clock.after(0, resolve);
    });
  }

  /** Lets the module clean up; nobody waits for it. */
  #leave(pieces: AsyncIterator<unknown> | Iterator<unknown>): void {
    try {
      Promise.resolve(pieces.return?.()).catch(() => undefined);
    } catch {
      // The body is complete without it.
    }
  }

  #finish(truncatedBy: Truncation): void {
    this.#progress.finish("ending");
    if (truncatedBy !== null) this.#abort.abort();
    const { status = 200, headers = [] } = this.#answer ?? {};
    this.#sink?.end((error, body) => {
      if (error !== null) this.#end({ kind: "failed", error });
      else {
        const answer = { status, reason: "", headers, body, answerMs: this.#answerMs };
        this.#end({ kind: "fetched", request: null, ...answer, truncatedBy });
      }
    });
  }

  /** The outcome is told outside every promise, where a failure of its receiver stops the process. */
  #end(outcome: FetchOutcome): void {
    const wasEnding = this.#progress.phase === "ending";
    this.#progress.finish("over");
    this.#parts.deadlines.forget(this);
    if (outcome.kind !== "fetched") {
      this.#abort.abort();
      if (!wasEnding) this.#sink?.abandon();
    }
    this.#drained();
    this.#parts.clock.after(0, () => this.#fetched(outcome));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#fault(thrown);
    }
  }

  #fault(thrown: unknown): void {
    const what = `the fetch of ${this.#request.url}`;
    const isOver = this.#progress.phase === "over";
    const error = faultOf(thrown, { code: "INTERNAL_FETCH", what, isOver });
    const sink = this.#sink;
    this.#sink = null;
    try {
      sink?.abandon();
    } catch {
      // It had ended.
    }
    this.#end({ kind: "failed", error });
  }
}
