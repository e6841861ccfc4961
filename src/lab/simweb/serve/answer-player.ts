/**
 * Plays the plan of one answer on a wire: waits before the head, keeps to the rate of the body,
 * sends no more than the client takes, and gives up on a client that takes nothing. It tells its
 * end exactly once.
 */
import { assertNever } from "../../../base/errors/index.ts";
import type { Clock, Timer } from "../../../base/seams/index.ts";
import type { AnswerPlan, Move } from "./answer-plan.ts";
import type { Wire } from "./wire.ts";

/** How the server's side of an answer ended; `stopped` when the client had gone. */
export type PlayEnd = "played" | "stopped";

export interface PlayOptions {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly plan: AnswerPlan;
  /** Before anything is sent. */
  readonly delayMs: number;
  /** Of everything after the head; 0: as fast as the client takes it. */
  readonly bytesPerSecond: number;
  readonly ended: (end: PlayEnd) => void;
}

const NOTHING = new Uint8Array(0);
/** A paced body is sent in pieces at about this distance. */
const PACE_MS = 50;
/** What never ends by itself is ended after this time, for the server's own sake. */
export const ENDLESS_MS_MAX = 600_000;
/** What never ends is sent in pieces with pauses, so that one client cannot take up the server. */
const REPEAT_PAUSE_MS = 1;

export class AnswerPlayer {
  readonly #options: PlayOptions;
  #moveIndex = 0;
  /** What is left of a paced body. */
  #rest: Uint8Array = NOTHING;
  #timer: Timer | null = null;
  /** Since when the wire has had bytes that the client does not take; null when it has none. */
  #cloggedSinceMs: number | null = null;
  #giveUpAtMs = 0;
  #bytesSent = 0;
  #hasEnded = false;
  /** Whether the pause that belongs to the next piece is over. */
  #isPieceDue = false;
  #doneAtMs = 0;
  #begunAtMs: number | null = null;
  #isStalled = false;
  /** Nothing is left to send but what was not announced. */
  #isSurplus = false;

  constructor(options: PlayOptions) {
    this.#options = options;
  }

  /** Head and body together, as far as the wire was given them. */
  get bytesSent(): number {
    return this.#bytesSent;
  }

  /**
   * When the last bytes were about to be handed over. A client that has them may act at once, while
   * the server may be held up before it looks at its clock; so no gap is
   * ever taken for shorter than it was.
   */
  get doneAtMs(): number {
    return this.#doneAtMs;
  }

  /** The same for the first bytes: a strict client may have given up on a broken answer by then. */
  get begunAtMs(): number {
    return this.#begunAtMs ?? this.#doneAtMs;
  }

  get cloggedSinceMs(): number | null {
    return this.#cloggedSinceMs;
  }

  /** Whether nothing more is sent until it gives up. */
  get isStalled(): boolean {
    return this.#isStalled && !this.#hasEnded;
  }

  start(): void {
    const { delayMs, clock } = this.#options;
    this.#giveUpAtMs = clock.nowMs() + delayMs + ENDLESS_MS_MAX;
    if (delayMs > 0) this.#wait(delayMs);
    this.#advance();
  }

  /** The wire has taken everything it was given. */
  drained(): void {
    this.#cloggedSinceMs = null;
    this.#markDone();
    this.#advance();
  }

  /** The client has gone: nothing more is sent. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#finish("stopped");
  }

  /** Sends as much as it can without waiting for the clock or the client. */
  #advance(): void {
    while (!this.#hasEnded && this.#cloggedSinceMs === null && this.#timer === null) {
      if (this.#rest.length > 0) this.#sendPiece();
      else this.#nextMove();
    }
  }

  #nextMove(): void {
    const move = this.#options.plan.moves[this.#moveIndex];
    if (move === undefined) this.#finish("played");
    else this.#make(move);
  }

  #make(move: Move): void {
    const { wire, clock, bytesPerSecond } = this.#options;
    if (move.do === "repeat") {
      this.#repeat(move.body);
      return;
    }
    this.#moveIndex += 1;
    switch (move.do) {
      case "send":
        if (bytesPerSecond > 0) this.#rest = move.body;
        this.#send(move.head, bytesPerSecond > 0 ? NOTHING : move.body);
        break;
      case "surplus":
        this.#isSurplus = true;
        if (bytesPerSecond > 0) this.#rest = move.body;
        else this.#send("", move.body);
        break;
      case "stall":
        this.#isStalled = true;
        this.#wait(this.#giveUpAtMs - clock.nowMs());
        break;
      case "end":
        this.#markDone();
        wire.end();
        this.#finish("played");
        break;
      case "reset":
        this.#markDone();
        wire.reset();
        this.#finish("played");
        break;
      default:
        assertNever(move);
    }
  }

  /** The pause comes before the piece: an answer is over when its last byte is sent. */
  #sendPiece(): void {
    const { bytesPerSecond } = this.#options;
    const pieceBytes = Math.max(1, Math.floor((bytesPerSecond * PACE_MS) / 1000));
    const piece = this.#rest.subarray(0, pieceBytes);
    this.#isPieceDue = !this.#isPieceDue;
    if (this.#isPieceDue) {
      this.#wait((piece.length / bytesPerSecond) * 1000);
      return;
    }
    this.#rest = this.#rest.subarray(piece.length);
    this.#send("", piece);
  }

  #repeat(body: Uint8Array): void {
    const { clock, bytesPerSecond } = this.#options;
    if (clock.nowMs() >= this.#giveUpAtMs) {
      this.#moveIndex += 1;
      return;
    }
    if (bytesPerSecond > 0) {
      this.#rest = body;
      return;
    }
    this.#send("", body);
    this.#wait(REPEAT_PAUSE_MS);
  }

  #send(head: string, body: Uint8Array): void {
    this.#bytesSent += head.length + body.length;
    if (head.length + body.length === 0) return;
    this.#markDone();
    const isTaken = this.#options.wire.send(head, body);
    if (!isTaken) this.#cloggedSinceMs = this.#options.clock.nowMs();
  }

  #markDone(): void {
    if (!this.#isSurplus) this.#doneAtMs = this.#options.clock.nowMs();
    this.#begunAtMs ??= this.#doneAtMs;
  }

  #wait(delayMs: number): void {
    this.#timer = this.#options.clock.after(Math.max(0, delayMs), () => {
      this.#timer = null;
      this.#advance();
    });
  }

  #finish(end: PlayEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#doneAtMs === 0) this.#markDone();
    this.#options.ended(end);
  }
}
