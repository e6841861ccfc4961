/**
 * Connections that others have opened to a transport. Anybody on the machine may, so they are bounded: in
 * number, in the time that a frame may take to arrive, and in the replies that a caller leaves unread.
 * Who passes a bound is cut off, counted, and told now and then. When there are too many, the one that has
 * been silent longest goes: a caller of this program dials again when it has something to say.
 */
import type { Socket } from "node:net";
import { CrawlError } from "../errors/index.ts";
import type { Clock, Timer } from "../seams/index.ts";
import { MESSAGE_BYTES_MAX } from "./transport.ts";

export interface TcpCaller {
  readonly socket: Socket;
  /** When its last frame was complete. */
  heardAtMs: number;
  /** Whether it has not said who it is, or is in the middle of a frame. */
  isMidway: boolean;
}

const CALLERS_MAX = 256;
const FRAME_MS_MAX = 30_000;
const SWEEP_MS = 10_000;
const UNREAD_BYTES_MAX = 4 * MESSAGE_BYTES_MAX;

export class TcpCallers {
  readonly #callers = new Set<TcpCaller>();
  readonly #clock: Clock;
  readonly #report: (error: CrawlError) => void;
  #sweeping: Timer | null = null;
  #refused = 0;

  constructor(clock: Clock, report: (error: CrawlError) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** How many were cut off. */
  get refused(): number {
    return this.#refused;
  }

  get count(): number {
    return this.#callers.size;
  }

  add(socket: Socket): TcpCaller {
    if (this.#callers.size >= CALLERS_MAX) this.#refuseSilent();
    const caller = { socket, heardAtMs: this.#clock.nowMs(), isMidway: true };
    this.#callers.add(caller);
    socket.on("error", () => {});
    socket.on("close", () => this.#callers.delete(caller));
    this.#sweepLater();
    return caller;
  }

  heard(caller: TcpCaller, isMidway: boolean): void {
    caller.heardAtMs = this.#clock.nowMs();
    caller.isMidway = isMidway;
  }

  /** After a reply: one that reads none of them is cut off. */
  checkUnread(caller: TcpCaller): void {
    if (caller.socket.writableLength > UNREAD_BYTES_MAX) this.refuse(caller, "reads no replies");
  }

  refuse(caller: TcpCaller, why: string): void {
    if (!this.#callers.delete(caller)) return;
    caller.socket.destroy();
    this.#refused += 1;
    if (!Number.isInteger(Math.log2(this.#refused))) return;
    const message =
      `${this.#refused} connections to this process were cut off, the last because it ${why}. ` +
      "Let only processes of a topology connect to its addresses.";
    this.#report(new CrawlError("TRANSPORT_CALLER_REFUSED", message, { why }));
  }

  close(): void {
    this.#sweeping?.cancel();
    for (const { socket } of this.#callers) socket.destroy();
    this.#callers.clear();
  }

  #refuseSilent(): void {
    let silent: TcpCaller | null = null;
    for (const one of this.#callers) {
      if (silent === null || one.heardAtMs < silent.heardAtMs) silent = one;
    }
    if (silent !== null) this.refuse(silent, `was the most silent of ${CALLERS_MAX}`);
  }

  #sweepLater(): void {
    this.#sweeping ??= this.#clock.after(SWEEP_MS, () => {
      this.#sweeping = null;
      const sinceMs = this.#clock.nowMs() - FRAME_MS_MAX;
      for (const one of [...this.#callers]) {
        const isSlow = one.isMidway && one.heardAtMs < sinceMs;
        if (isSlow) this.refuse(one, `took more than ${FRAME_MS_MAX} ms for a frame`);
      }
      if (this.#callers.size > 0) this.#sweepLater();
    });
  }
}
