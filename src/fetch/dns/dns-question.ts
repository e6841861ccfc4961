/**
 * One name that is being asked for, with all callers that wait for it. Both families are asked for at
 * once, and one that timed out is asked for again while there is time. The question ends when both
 * are answered, when the time is over, or a second after the first addresses arrived: some servers
 * never answer for IPv6, and a host does not wait for them. Its canonical name is asked for at the
 * same time, where that is wanted, and waited for in the same way.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import { DnsChain } from "./dns-chain.ts";
import type { AddressFamily, AddressLookup, LookupAnswer } from "./dns-lookup.ts";
import type { Resolution } from "./resolver.ts";

/** How long to wait for the other family once there are addresses of one. */
const GRACE_MS = 1_000;
/** After this time a question is late. */
const LATE_MS = 1_000;
/** A limit for lookups that time out at once; normally time ends a question. */
const ASKS_MAX = 20;

export interface Waiting {
  readonly host: string;
  readonly done: (resolution: Resolution) => void;
}

export interface QuestionParts {
  readonly lookup: AddressLookup;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Whether its canonical name is asked for too. */
  readonly asksCanonical: boolean;
  /** Called at most once, before `ended`, when there has been no answer for a while. */
  readonly late: () => void;
  /** Called once, with the answers that arrived: at most one for each family, and one name. */
  readonly ended: (answers: readonly LookupAnswer[], canonical: string | null) => void;
}

export class DnsQuestion {
  readonly name: string;
  /** The registrable part of the name, by which questions are limited. */
  readonly domain: string;
  readonly waiting: Waiting[] = [];
  readonly #answers: LookupAnswer[] = [];
  #parts: QuestionParts | null = null;
  /** Null when it is not asked for, or has ended. */
  #chain: DnsChain | null = null;
  #canonical: string | null = null;
  #timer: Timer | null = null;
  #lateTimer: Timer | null = null;
  #endsAtMs = 0;
  #asks = 0;
  #isHurried = false;

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
    if (parts.asksCanonical) this.#askCanonical(parts.lookup);
  }

  /** The answer is not needed any more; `ended` will not be called. */
  drop(): void {
    this.#timer?.cancel();
    this.#lateTimer?.cancel();
    this.#chain?.drop();
    this.#parts = null;
  }

  #askCanonical(lookup: AddressLookup): void {
    this.#chain = new DnsChain(lookup, this.name, (canonical) => {
      this.#chain = null;
      this.#canonical = canonical;
      if (this.#answers.length === 2) this.#end();
    });
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
    // Of a name without addresses nobody needs to know more.
    const isFound = this.#answers.some(({ kind }) => kind === "found");
    const isOver = this.#answers.length === 2 && (this.#chain === null || !isFound);
    if (isOver) this.#end();
    else if (answer.kind === "found" && !this.#isHurried) this.#hurry(this.#parts.clock);
  }

  #hurry(clock: Clock): void {
    this.#isHurried = true;
    const leftMs = this.#endsAtMs - clock.nowMs();
    if (leftMs <= GRACE_MS) return;
    this.#timer?.cancel();
    this.#timer = clock.after(GRACE_MS, () => this.#end());
  }

  #end(): void {
    const parts = this.#parts;
    this.drop();
    parts?.ended(this.#answers, this.#canonical);
  }
}
