/**
 * Questions that wait for their turn, by registrable domain: domains take turns, and one domain
 * has only a share of the questions in flight. So the servers of one domain that keep every
 * question hanging, with as many names as they like, delay the names of that domain alone.
 */
import assert from "node:assert/strict";
import type { DnsQuestion } from "./dns-question.ts";

export interface DnsQueueOptions {
  readonly inFlightMax: number;
  readonly inFlightPerDomainMax: number;
}

interface Domain {
  readonly waiting: DnsQuestion[];
  inFlight: number;
}

export class DnsQueue {
  readonly #options: DnsQueueOptions;
  readonly #domains = new Map<string, Domain>();
  /** Domains of which something may be asked now, in the order of their turns. */
  readonly #ready = new Set<Domain>();
  #inFlight = 0;

  constructor(options: DnsQueueOptions) {
    this.#options = options;
  }

  offer(question: DnsQuestion): void {
    const domain = this.#domains.get(question.domain) ?? { waiting: [], inFlight: 0 };
    this.#domains.set(question.domain, domain);
    domain.waiting.push(question);
    this.#settle(domain);
  }

  /** The next question to ask; null while as many as may be are in flight. */
  acquire(): DnsQuestion | null {
    if (this.#inFlight >= this.#options.inFlightMax) return null;
    for (const domain of this.#ready) {
      const question = domain.waiting.shift();
      assert(question !== undefined, "a domain that is ready has a question");
      domain.inFlight += 1;
      this.#inFlight += 1;
      // To the end of the line, if it still has a place there.
      this.#ready.delete(domain);
      this.#settle(domain);
      return question;
    }
    return null;
  }

  /** A question that was acquired has ended. */
  release(question: DnsQuestion): void {
    const domain = this.#domains.get(question.domain);
    assert(domain !== undefined && domain.inFlight > 0, "a question is released once");
    domain.inFlight -= 1;
    this.#inFlight -= 1;
    this.#settle(domain);
    if (domain.inFlight === 0 && domain.waiting.length === 0) this.#domains.delete(question.domain);
  }

  #settle(domain: Domain): void {
    const mayAsk = domain.inFlight < this.#options.inFlightPerDomainMax;
    if (mayAsk && domain.waiting.length > 0) this.#ready.add(domain);
  }
}
