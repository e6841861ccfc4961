/**
 * The questions that wait and those in flight, shared out by registrable domain, since the name
 * servers of one owner can leave any number of its names unanswered.
 *
 * A question without an answer for a second is *late*. It is waited for as long as any other, but it
 * gives its slot back, so that silent servers hold up no other questions; and its domain counts as
 * slow: from then on it comes after the others and gets at most half of the slots. The number of late
 * questions is limited too: beyond the limit they keep their slots.
 */
import assert from "node:assert/strict";
import { ShareLedger, ShareLine } from "../../base/shares/index.ts";
import type { DnsQuestion } from "./dns-question.ts";

export interface DnsQueueOptions {
  readonly inFlightMax: number;
  /** How many late questions may wait without a slot. */
  readonly lateMax: number;
}

export class DnsQueue {
  readonly #options: DnsQueueOptions;
  readonly #ledger: ShareLedger;
  readonly #line: ShareLine<DnsQuestion>;
  /** Questions with a slot, and whether their domain was slow when they got it. */
  readonly #inFlight = new Map<DnsQuestion, boolean>();
  readonly #late = new Set<DnsQuestion>();
  #slow = 0;

  constructor(options: DnsQueueOptions) {
    this.#options = options;
    this.#ledger = new ShareLedger(options.inFlightMax);
    this.#line = new ShareLine(this.#ledger);
  }

  offer(question: DnsQuestion): void {
    this.#line.offer(question.domain, question);
  }

  /** The next question to ask; null while as many as allowed are in flight. */
  acquire(): DnsQuestion | null {
    const { inFlightMax } = this.#options;
    if (this.#inFlight.size >= inFlightMax) return null;
    const question = this.#line.take(this.#slow * 2 < inFlightMax);
    if (question === undefined) return null;
    const isSlow = this.#ledger.isSlow(question.domain);
    if (isSlow) this.#slow += 1;
    this.#inFlight.set(question, isSlow);
    this.#ledger.hold(question.domain);
    return question;
  }

  /** A question in flight has had no answer for a while. */
  late(question: DnsQuestion): void {
    this.#ledger.note(question.domain, true);
    if (this.#late.size < this.#options.lateMax) {
      this.#late.add(question);
      this.#free(question);
    } else this.#line.settle(question.domain);
  }

  /** A question that was acquired has ended. */
  release(question: DnsQuestion, wasAnswered: boolean): void {
    if (this.#late.delete(question)) return;
    this.#ledger.note(question.domain, !wasAnswered);
    this.#free(question);
  }

  #free(question: DnsQuestion): void {
    const wasSlow = this.#inFlight.get(question);
    assert(wasSlow !== undefined, "a question is released once");
    this.#inFlight.delete(question);
    if (wasSlow) this.#slow -= 1;
    this.#ledger.release(question.domain);
    this.#line.settle(question.domain);
  }
}
