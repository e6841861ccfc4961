/**
 * One connection of a client with the server of a synthetic web: requests are read, answered in
 * their order and written down. One answer is played at a time; what a client sends ahead waits,
 * and is counted from the moment it came, since a crawler that asks ahead has not waited.
 */
import type { Clock } from "../../../base/seams/index.ts";
import type { SyntheticWeb, WebResponse } from "../web/synthetic-web.ts";
import type { AccessLog, AnswerEnding } from "./access-log.ts";
import { type AnswerPlan, planAnswer } from "./answer-plan.ts";
import { AnswerPlayer, type PlayEnd } from "./answer-player.ts";
import { type RequestHead, RequestReader } from "./request-reader.ts";
import { retryAfterMs } from "./retry-after.ts";
import type { TryCounts } from "./try-counts.ts";
import type { Wire, WireUser } from "./wire.ts";

export interface ConnectionWorld {
  readonly web: SyntheticWeb;
  readonly clock: Clock;
  readonly log: AccessLog;
  readonly tries: TryCounts;
}

/** A client that sends more than this ahead is not read until its answers are sent. */
const AHEAD_BYTES_MAX = 64 * 1024;

interface Exchange {
  readonly row: number;
  readonly response: WebResponse;
  readonly plan: AnswerPlan;
  readonly player: AnswerPlayer;
}

export class WebConnection implements WireUser {
  readonly #world: ConnectionWorld;
  readonly #wire: Wire;
  readonly #reader = new RequestReader();
  readonly #number: number;
  readonly #gone: () => void;
  #exchange: Exchange | null = null;
  /** When the first of the bytes came that no request was made of yet. */
  #arrivedAtMs = 0;
  #activeAtMs: number;
  #isAnswering = false;
  #isPaused = false;
  #isOver = false;
  #isHalfClosed = false;
  #halfClosedAtMs = Number.POSITIVE_INFINITY;

  /** `gone` is called once, when the connection has ended. */
  constructor(world: ConnectionWorld, wire: Wire, gone: () => void) {
    this.#world = world;
    this.#wire = wire;
    this.#gone = gone;
    this.#activeAtMs = world.clock.nowMs();
    this.#number = world.log.connectionOpened(wire.address, this.#activeAtMs);
  }

  /** Since when the client has done nothing that it should have; null while it waits for us. */
  get quietSinceMs(): number | null {
    return this.#exchange === null ? this.#activeAtMs : this.#exchange.player.cloggedSinceMs;
  }

  received(bytes: Buffer): void {
    if (this.#isOver) return;
    const nowMs = this.#world.clock.nowMs();
    if (this.#reader.heldBytes === 0) this.#arrivedAtMs = nowMs;
    // Only the first byte of a request is a sign of life: a head that trickles in never ends else.
    if (this.#reader.heldBytes === 0) this.#activeAtMs = nowMs;
    this.#reader.push(bytes);
    this.#answerNext();
    if (this.#reader.heldBytes > AHEAD_BYTES_MAX && !this.#isPaused) {
      this.#isPaused = true;
      this.#wire.pause();
    }
  }

  drained(): void {
    this.#exchange?.player.drained();
  }

  halfClosed(): void {
    this.#isHalfClosed = true;
    this.#halfClosedAtMs = this.#world.clock.nowMs();
    // Nobody waits for the rest of an answer that has none.
    if (this.#exchange?.player.isStalled === true) {
      this.#exchange.player.stop();
      this.#isOver = true;
      this.#wire.end();
    } else if (this.#exchange === null) this.#close();
  }

  closed(): void {
    this.#isOver = true;
    this.#exchange?.player.stop();
    this.#world.log.connectionClosed(this.#number, this.#world.clock.nowMs());
    this.#gone();
  }

  /** Breaks the connection off. */
  drop(): void {
    this.#wire.reset();
  }

  #answerNext(): void {
    // An answer that is played at once ends inside this loop, which then goes on by itself.
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    while (this.#exchange === null && !this.#isOver) {
      const reading = this.#reader.next();
      if (reading.kind === "incomplete") break;
      if (reading.kind === "request") this.#answer(reading.head);
      else this.#refuse(reading.status, reading.problem);
    }
    this.#isAnswering = false;
    if (this.#exchange !== null || this.#isOver) return;
    if (this.#isHalfClosed) this.#close();
    else this.#resume();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#wire.resume();
  }

  #answer(head: RequestHead): void {
    const { web, log, tries, clock } = this.#world;
    const { host, target, method, userAgent, headers } = head;
    const startMs = this.#arrivedAtMs;
    this.#arrivedAtMs = clock.nowMs();
    const row = log.begin({
      host,
      target,
      method,
      userAgent,
      address: this.#wire.address,
      connection: this.#number,
      startMs,
    });
    const earlierTries = tries.earlierTries(host, target);
    const response = web.respond({ host, method, target, headers, earlierTries });
    tries.note(host, target, response.status >= 400 || response.oddity !== null);
    const wish = { isHeadOnly: method === "HEAD", isKeptAlive: head.isKeptAlive };
    this.#play(row, response, planAnswer(response, wish));
  }

  #play(row: number, response: WebResponse, plan: AnswerPlan): void {
    const { delayMs, bytesPerSecond } = response;
    const ended = (end: PlayEnd): void => this.#answered(end);
    const { clock } = this.#world;
    const player = new AnswerPlayer({
      wire: this.#wire,
      clock,
      plan,
      delayMs,
      bytesPerSecond,
      ended,
    });
    this.#exchange = { row, response, plan, player };
    player.start();
  }

  #answered(end: PlayEnd): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#exchange = null;
    const { clock, log } = this.#world;
    const { row, response, plan, player } = exchange;
    const nowMs = clock.nowMs();
    this.#activeAtMs = nowMs;
    const status = plan.hasAnswer && player.bytesSent > 0 ? response.status : 0;
    const isBusy = status === 429 || status === 503;
    log.end(row, {
      status,
      bytesSent: player.bytesSent,
      // Who hung up without waiting for the rest had gone by then, though that may be seen only when
      // a piece cannot be sent, or never.
      endMs: Math.min(endMsOf(end, exchange) ?? nowMs, this.#halfClosedAtMs),
      ending: endingOf(end, plan),
      isRetriable: isBusy || plan.isBroken || status === 0,
      retryAfterMs: isBusy ? retryAfterMs(response.headers, clock.wallMs()) : 0,
    });
    if (!plan.isKeptAlive) this.#isOver = true;
    else if (end === "played") this.#answerNext();
  }

  #refuse(status: number, problem: string): void {
    this.#world.log.refused(problem);
    const text = `${problem}\n`;
    const head =
      `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${text.length}\r\nConnection: close\r\n\r\n`;
    this.#wire.send(head, Buffer.from(text));
    this.#close();
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wire.end();
  }
}

/** When the client may have gone on to something else; null for now. */
function endMsOf(end: PlayEnd, { plan, player }: Exchange): number | null {
  if (end === "stopped") return null;
  return plan.isBroken ? player.begunAtMs : player.doneAtMs;
}

function endingOf(end: PlayEnd, plan: AnswerPlan): AnswerEnding {
  if (plan.isBroken) return "broken";
  return end === "stopped" ? "left" : "whole";
}
