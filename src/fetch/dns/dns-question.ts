/**
 * One name being asked about, for everybody who wants to know it. Both families are asked at once,
 * and a family that timed out is asked again while there is time. The question ends when both
 * have answered, when the time is over, or a moment after the first addresses came: there are
 * servers that never answer for IPv6, and a host is not kept waiting for them.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { AddressFamily, AddressLookup, LookupAnswer } from "./dns-lookup.ts";
import type { Resolution } from "./resolver.ts";

/** How long the other family is waited for once there are addresses of one. */
const GRACE_MS = 1_000;
/** From when on a question is late. */
const LATE_MS = 1_000;
/** A bound for lookups that time out at once; time is what should end a question. */
const ASKS_MAX = 20;

export interface Waiting {
  readonly host: string;
  readonly done: (resolution: Resolution) => void;
}

export interface QuestionParts {
  readonly lookup: AddressLookup;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Called at most once, when nothing has come for a while, before `ended`. */
  readonly late: () => void;
  /** Called once, with what came: at most one answer for each family. */
  readonly ended: (answers: readonly LookupAnswer[]) => void;
}

export class DnsQuestion {
  readonly name: string;
  /** What is bounded together: the part of the name that somebody registered. */
  readonly domain: string;
  readonly waiting: Waiting[] = [];
  readonly #answers: LookupAnswer[] = [];
  #parts: QuestionParts | null = null;
  #timer: Timer | null = null;
  #lateTimer: Timer | null = null;
  #endsAtMs = 0;
  #asks = 0;

  constructor(name: string, domain: string) {
    this.name = name;
    this.domain = domain;
  }

  start(parts: QuestionParts): void {
    const { clock, timeoutMs } = parts;
    this.#parts = parts;
    this.#endsAtMs = clock.nowMs() + timeoutMs;
    this.#timer = clock.after(timeoutMs, () => this.#end());
    this.#lateTimer = clock.after(LATE_MS, () => {
      if (this.#answers.length === 0) this.#parts?.late();
    });
    this.#ask(4);
    this.#ask(6);
  }

  /** Nobody wants to know any more; `ended` will not be called. */
  drop(): void {
    this.#timer?.cancel();
    this.#lateTimer?.cancel();
    this.#parts = null;
  }

  #ask(family: AddressFamily): void {
    this.#asks += 1;
    this.#parts?.lookup.ask(this.name, family, (answer) => this.#answered(family, answer));
  }

  #answered(family: AddressFamily, answer: LookupAnswer): void {
    if (this.#parts === null) return;
    if (answer.kind === "timed-out" && this.#asks < ASKS_MAX) {
      this.#ask(family);
      return;
    }
    this.#answers.push(answer);
    if (this.#answers.length === 2) this.#end();
    else if (answer.kind === "found") this.#hurry(this.#parts.clock);
  }

  #hurry(clock: Clock): void {
    const leftMs = this.#endsAtMs - clock.nowMs();
    if (leftMs <= GRACE_MS) return;
    this.#timer?.cancel();
    this.#timer = clock.after(GRACE_MS, () => this.#end());
  }

  #end(): void {
    const parts = this.#parts;
    this.drop();
    parts?.ended(this.#answers);
  }
}
