/**
 * Sends the frames of a log to one receiver: a window of them at a time, each as a request, until the
 * receiver says that it has them. The log is asked for frames after a position, and knows nothing of
 * this; several windows could send parts of one log to several receivers.
 *
 * Every answer says how far the receiver has got. What it has leaves the window, and more comes in. What
 * was lost on the way, came too early or was refused waits until everything before it has arrived, or
 * for a pause, and is sent again. Pauses grow while nothing arrives; then one frame alone is tried, so
 * that a receiver that is away or full is not flooded.
 *
 * Invariant: the frames in the window follow one another, and the first follows what was acknowledged.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Clock, Random } from "../../base/seams/index.ts";
import type { AgentId, Transport } from "../../base/transport/index.ts";
import type { OutboundFrame, OutboundLog } from "./outbound-log.ts";
import { decodeAnswer, encodeFrame, FRAME_KIND, type FrameAnswer } from "./remote-frame.ts";

/** What a window asks of the log whose frames it sends. */
export type FrameSource = Pick<
  OutboundLog,
  "stream" | "begin" | "committed" | "itemsCommitted" | "inMemoryAfter" | "read" | "dropBefore"
>;

export interface SendWindowParts {
  readonly to: AgentId;
  readonly connector: string;
  readonly type: string;
  readonly log: FrameSource;
  readonly transport: Pick<Transport, "request">;
  readonly clock: Clock;
  readonly random: Random;
  readonly timeoutMs: number;
  /** Nothing before this is ever sent. */
  readonly from: Position;
  readonly report: (error: CrawlError) => void;
  /** Everything before `acknowledged` has arrived. */
  readonly progressed: () => void;
}

interface Flight {
  readonly frame: OutboundFrame;
  /** Whether an answer to it is awaited. */
  isAsked: boolean;
}

const FRAMES_MAX = 64;
const BYTES_MAX = 4 * 1024 * 1024;
const PAUSE_MS_MIN = 10;
const PAUSE_MS_MAX = 2000;
const FULL_PAUSE_MS_MAX = 100;
/** After this many attempts in a row somebody is told. */
const ATTEMPTS_TOLD = 4;

export class SendWindow {
  readonly #parts: SendWindowParts;
  #acknowledged: Position;
  #itemsAcknowledged = 0;
  #flights: Flight[] = [];
  #flightBytes = 0;
  /** Where the last frame in the window ends. */
  #next: Position;
  #isReading = false;
  /** Everything committed before this was read, and no frame is left in it. */
  #dryAt: Position = 0;
  /** Where the last frame ends that may ever have been sent, by this life or another. */
  #sentEnd: Position;
  #attempts = 0;
  #isPaused = false;
  #isHeld = false;
  #isClosed = false;

  constructor(parts: SendWindowParts) {
    this.#parts = parts;
    this.#acknowledged = this.#floor;
    this.#next = this.#acknowledged;
    this.#sentEnd = parts.log.committed;
  }

  /** Where the receiver may begin at the earliest. */
  get #floor(): Position {
    return Math.max(this.#parts.from, this.#parts.log.begin);
  }

  get acknowledged(): Position {
    return this.#acknowledged;
  }

  /** Items of the stream that have arrived, as far as that is known. */
  get itemsAcknowledged(): number {
    return this.#itemsAcknowledged;
  }

  /** Whether everything that is in the log has arrived. */
  get isSettled(): boolean {
    const { committed } = this.#parts.log;
    const isDry = this.#next >= committed || this.#dryAt === committed;
    return isDry && this.#flights.length === 0;
  }

  /** While true, nothing is sent, not even again: the receiver is thought to be away. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  set isHeld(isHeld: boolean) {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) return;
    this.#attempts = 0;
    this.pump();
  }

  /** Sends whatever may be sent now. */
  pump(): void {
    if (this.#isPaused || this.#isHeld || this.#isClosed) return;
    this.#fill();
    if (this.#flights[0]?.isAsked !== false) {
      // Those that came too early wait for the first; new ones do not.
      this.#askFrom(this.#flights.findLastIndex(({ isAsked }) => isAsked) + 1);
    } else this.#askFrom(0);
  }

  close(): void {
    this.#isClosed = true;
  }

  #askFrom(index: number): void {
    const end = this.#attempts > 0 ? Math.min(1, this.#flights.length) : this.#flights.length;
    for (let at = index; at < end; at += 1) {
      const flight = this.#flights[at];
      if (flight !== undefined && !flight.isAsked) this.#ask(flight);
    }
  }

  #fill(): void {
    const { log } = this.#parts;
    while (!this.#isReading && this.#hasRoom) {
      const frames = log.inMemoryAfter(this.#next, FRAMES_MAX - this.#flights.length);
      if (frames === null) this.#read();
      else if (!this.#add(frames)) return;
    }
  }

  get #hasRoom(): boolean {
    return this.#flights.length < FRAMES_MAX && this.#flightBytes < BYTES_MAX;
  }

  #read(): void {
    const { log, report } = this.#parts;
    const { committed } = log;
    if (this.#dryAt === committed) return;
    this.#isReading = true;
    const from = this.#next;
    log.read(from, (error, frames) => {
      this.#isReading = false;
      if (this.#isClosed) return;
      if (error !== null) {
        report(error);
        this.#pause(PAUSE_MS_MAX);
      } else if (from === this.#next && !this.#add(frames)) this.#dryAt = committed;
      if (this.isSettled) this.#parts.progressed();
      this.pump();
    });
  }

  /** Takes frames into the window, as many as fit; false if there were none. */
  #add(frames: readonly OutboundFrame[]): boolean {
    for (const frame of frames) {
      if (!this.#hasRoom) break;
      if (this.#flights.length === 0) {
        // The frames before it have arrived, in this life or an earlier one.
        this.#itemsAcknowledged = Math.max(this.#itemsAcknowledged, frame.itemsFrom);
      }
      this.#flights.push({ frame, isAsked: false });
      this.#flightBytes += frame.piece.byteLength;
      this.#next = frame.end;
    }
    return frames.length > 0;
  }

  #ask(flight: Flight): void {
    const { to, connector, type, log, transport, timeoutMs } = this.#parts;
    const { after, end, piece } = flight.frame;
    const acknowledged = this.#acknowledged;
    const { stream } = log;
    const floor = Math.min(this.#floor, acknowledged);
    const body = encodeFrame({ connector, type, stream, floor, after, end, piece });
    flight.isAsked = true;
    this.#sentEnd = Math.max(this.#sentEnd, end);
    transport.request(to, { kind: FRAME_KIND, body }, timeoutMs, (answer) => {
      flight.isAsked = false;
      if (this.#isClosed) return;
      const reply = answer.kind === "reply" ? decodeAnswer(answer.body) : null;
      if (reply !== null) this.#obey(reply, flight, acknowledged);
      else this.#fail(answer.kind === "reply" ? "its answers make no sense" : answer.kind);
      this.pump();
    });
  }

  /** `acknowledged` is how far the receiver was known to be when it was asked. */
  #obey({ kind, at, reason }: FrameAnswer, flight: Flight, acknowledged: Position): void {
    if (kind === "refused") {
      this.#fail(reason);
      return;
    }
    if (at > this.#sentEnd) {
      this.#fail("the receiver has had more of this stream than its sender remembers");
      return;
    }
    if (at > this.#acknowledged) this.#acknowledge(at);
    else if (at < acknowledged && at < this.#acknowledged) this.#goBack(at);
    if (kind === "full") this.#pause(FULL_PAUSE_MS_MAX);
    else if (kind === "gap" && flight === this.#flights[0]) this.#fail("it waits for other frames");
    else this.#attempts = 0;
  }

  #acknowledge(at: Position): void {
    this.#acknowledged = at;
    let count = 0;
    for (const { frame } of this.#flights) {
      if (frame.end > at) break;
      this.#itemsAcknowledged = frame.itemsEnd;
      this.#flightBytes -= frame.piece.byteLength;
      count += 1;
    }
    this.#flights = this.#flights.slice(count);
    // An earlier life has sent more than this one remembers.
    if (at > this.#next) this.#next = at;
    const { log } = this.#parts;
    if (at >= log.committed) this.#itemsAcknowledged = log.itemsCommitted;
    log.dropBefore(at);
    this.#parts.progressed();
  }

  /** The receiver has lost its disk: it gets again what is still here. */
  #goBack(at: Position): void {
    this.#acknowledged = Math.max(at, this.#floor);
    this.#next = this.#acknowledged;
    this.#flights = [];
    this.#flightBytes = 0;
    this.#dryAt = 0;
  }

  #fail(reason: string): void {
    if (this.#isPaused) return;
    this.#pause(PAUSE_MS_MAX);
    if (this.#attempts !== ATTEMPTS_TOLD) return;
    const { to, connector, report } = this.#parts;
    const message =
      `Nothing arrives at ${to} through the connector ${connector}: ${reason}. Its items wait on ` +
      "disk, and are sent again and again. Start the process there, or correct the topology.";
    report(new CrawlError("TOPOLOGY_REMOTE_AWAY", message, { to, connector, reason }));
  }

  #pause(mostMs: number): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#attempts += 1;
    const { clock, random } = this.#parts;
    const longMs = Math.min(mostMs, PAUSE_MS_MIN * 2 ** Math.min(this.#attempts, 20));
    clock.after(longMs * (0.5 + random.unit() / 2), () => {
      this.#isPaused = false;
      this.pump();
    });
  }
}
