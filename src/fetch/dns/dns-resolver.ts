/**
 * The resolver: a synchronous state machine between its callers and the name servers.
 *
 * Equal questions are asked once. Answers are kept for their time to live, within bounds; negative
 * answers and failures are kept for a while too. Few questions are in flight, more wait for their
 * turn, shared out by domain, and beyond that a host is refused as overload. Invariants: every caller
 * is answered exactly once and never inside its call; at most `waitingMax` callers wait; no address
 * is returned that the policy forbids, and an answer with one such address is refused as a whole, or
 * else a hostile zone could offer a public address to the check and a private one to the connection.
 */

import { assertNever, type CrawlError, faultOf } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { type AddressPolicy, hostAddress, resolutionRefusal } from "../../formats/address/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import { combined, type DnsAnswer, inPreference, TTL_MS_MAX, without } from "./dns-answer.ts";
import { DnsCache } from "./dns-cache.ts";
import type { AddressLookup, LookupAnswer } from "./dns-lookup.ts";
import { domainOf, isAskable, isLocalhost, nameOf } from "./dns-name.ts";
import { DnsQuestion, type QuestionParts, type Waiting } from "./dns-question.ts";
import { DnsQueue } from "./dns-queue.ts";
import type { HostsFile } from "./hosts-file.ts";
import type { Resolution, Resolver } from "./resolver.ts";
import {
  closedError,
  notFoundError,
  overloadError,
  serverError,
  timeoutError,
} from "./resolver-errors.ts";

export interface DnsResolverOptions {
  readonly clock: Clock;
  readonly lookup: AddressLookup;
  readonly policy: AddressPolicy;
  /** Names that are known without asking; null if only the servers count. */
  readonly hosts: HostsFile | null;
  /** From the first question for a name until it is given up. */
  readonly timeoutMs: number;
  /** How many answers are kept. */
  readonly cacheSize: number;
  /** Whether the canonical names of hosts are asked for too. */
  readonly asksCanonical?: boolean;
  /** How long a failure is kept at most: shorter than the wait before a retry. */
  readonly failureTtlMsMax?: number;
  /** How many names are asked for at once, each with a question for either family. */
  readonly inFlightMax?: number;
  /** How many callers may wait, for names in flight or queued. */
  readonly waitingMax?: number;
}

/** c-ares is fastest with a hundred questions in flight; with a thousand it loses some. */
const IN_FLIGHT_MAX = 50;
const WAITING_MAX = 10_000;
/** How many late questions there may be for each slot. */
const LATE_FOLD = 2;
const ADDRESSES_MAX = 16;
/** How long an answer is kept for whose name the canonical one could not be found. */
const NAMELESS_TTL_MS_MAX = 300_000;
const LOCALHOST = ["127.0.0.1", "::1"] as const;

export class DnsResolver implements Resolver {
  readonly #options: DnsResolverOptions;
  readonly #cache: DnsCache;
  readonly #queue: DnsQueue;
  readonly #waitingMax: number;
  readonly #questions = new Map<string, DnsQuestion>();
  #waiting = 0;
  /** Answers that are given together in the next turn. */
  #ready: { readonly waiting: Waiting; readonly resolution: Resolution }[] = [];
  #isClosed = false;

  constructor(options: DnsResolverOptions) {
    const { cacheSize, inFlightMax = IN_FLIGHT_MAX, waitingMax = WAITING_MAX } = options;
    this.#options = options;
    this.#cache = new DnsCache(cacheSize);
    this.#queue = new DnsQueue({ inFlightMax, lateMax: inFlightMax * LATE_FOLD });
    this.#waitingMax = waitingMax;
  }

  get #asksCanonical(): boolean {
    return this.#options.asksCanonical === true;
  }

  /** Memory of the cache. */
  get memoryBytes(): number {
    return this.#cache.memoryBytes;
  }

  resolve(host: HostName, done: (resolution: Resolution) => void): void {
    const waiting = { host, done };
    if (this.#isClosed) {
      this.#answerLater(waiting, failed(closedError(host)));
      return;
    }
    const name = nameOf(host);
    const known = this.#knownAnswer(host, name);
    if (known !== null) this.#answerLater(waiting, this.#resolutionOf(host, known));
    else if (this.#waiting >= this.#waitingMax)
      this.#answerLater(waiting, failed(overloadError(host, this.#waiting)));
    else this.#ask(name, waiting);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.lookup.close();
    for (const question of this.#questions.values()) {
      question.drop();
      for (const waiting of question.waiting)
        this.#answerLater(waiting, failed(closedError(waiting.host)));
    }
    this.#questions.clear();
    this.#cache.clear();
  }

  /** The answer, if it is known without asking. */
  #knownAnswer(host: HostName, name: string): DnsAnswer | null {
    const { clock, policy, hosts } = this.#options;
    const literal = hostAddress(host);
    if (literal !== null) return this.#fixed(name, [literal]);
    // These two are not the choice of a zone, so one is used even if the other is forbidden.
    if (isLocalhost(name)) {
      const allowed = LOCALHOST.filter((address) => policy.addressRefusal(address) === null);
      return this.#fixed(name, allowed.length > 0 ? allowed : LOCALHOST);
    }
    const listed = hosts?.addressesOf(name) ?? [];
    if (listed.length > 0) return this.#fixed(name, listed);
    const nowMs = clock.nowMs();
    return this.#cache.get(name, nowMs) ?? (isAskable(name) ? null : without("not-found", nowMs));
  }

  #fixed(name: string, addresses: readonly string[]): DnsAnswer {
    const expiresAtMs = this.#options.clock.nowMs() + TTL_MS_MAX;
    const canonical = this.#asksCanonical ? name : null;
    const found = { kind: "found", addresses: inPreference(name, addresses), reason: "" } as const;
    return { ...found, expiresAtMs, canonical };
  }

  #ask(name: string, waiting: Waiting): void {
    this.#waiting += 1;
    const asked = this.#questions.get(name);
    if (asked !== undefined) {
      asked.waiting.push(waiting);
      return;
    }
    const question = new DnsQuestion(name, domainOf(name));
    question.waiting.push(waiting);
    this.#questions.set(name, question);
    this.#queue.offer(question);
    this.#startNext();
  }

  #startNext(): void {
    const { lookup, clock, timeoutMs } = this.#options;
    for (let next = this.#queue.acquire(); next !== null; next = this.#queue.acquire()) {
      const question = next;
      const ended: QuestionParts["ended"] = (answers, canonical) =>
        this.#ended(question, answers, canonical);
      const late = (): void => {
        this.#queue.late(question);
        this.#startNext();
      };
      question.start({ lookup, clock, timeoutMs, asksCanonical: this.#asksCanonical, late, ended });
    }
  }

  #ended(question: DnsQuestion, answers: readonly LookupAnswer[], canonical: string | null): void {
    const { name, waiting } = question;
    const resolutionOf = this.#judged(name, answers, canonical);
    this.#questions.delete(name);
    this.#waiting -= waiting.length;
    this.#queue.release(
      question,
      answers.some(({ kind }) => kind !== "timed-out"),
    );
    this.#startNext();
    for (const { host, done } of waiting) done(resolutionOf(host));
  }

  #judged(
    name: string,
    answers: readonly LookupAnswer[],
    canonical: string | null,
  ): (host: string) => Resolution {
    let answer: DnsAnswer | null = null;
    const judged = orFault(name, () => {
      const nowMs = this.#options.clock.nowMs();
      answer = this.#useful(this.#named(combined(name, answers, nowMs), canonical, nowMs));
      this.#keep(name, answer, nowMs);
      return this.#resolutionOf(name, answer);
    });
    const found = answer;
    if (found === null) return () => judged;
    return (host) =>
      host === name ? judged : orFault(host, () => this.#resolutionOf(host, found));
  }

  /** A canonical name that could not be found is asked for again before long. */
  #named(answer: DnsAnswer, canonical: string | null, nowMs: number): DnsAnswer {
    if (!this.#asksCanonical || answer.kind !== "found") return answer;
    if (canonical !== null) return { ...answer, canonical };
    const expiresAtMs = Math.min(answer.expiresAtMs, nowMs + NAMELESS_TTL_MS_MAX);
    return { ...answer, expiresAtMs };
  }

  #keep(name: string, answer: DnsAnswer, nowMs: number): void {
    const { failureTtlMsMax = Number.POSITIVE_INFINITY } = this.#options;
    const isFailure = answer.kind === "failed" || answer.kind === "timed-out";
    const latestMs = isFailure ? nowMs + failureTtlMsMax : Number.POSITIVE_INFINITY;
    const expiresAtMs = Math.min(answer.expiresAtMs, latestMs);
    if (expiresAtMs > nowMs) this.#cache.put(name, { ...answer, expiresAtMs });
  }

  /** Checks every address of an answer; keeps one that is forbidden, or the first few. */
  #useful(answer: DnsAnswer): DnsAnswer {
    const { addresses } = answer;
    const { policy } = this.#options;
    const forbidden = addresses.find((address) => policy.addressRefusal(address) !== null);
    const kept = forbidden === undefined ? addresses.slice(0, ADDRESSES_MAX) : [forbidden];
    return { ...answer, addresses: kept };
  }

  #resolutionOf(host: string, answer: DnsAnswer): Resolution {
    switch (answer.kind) {
      case "found":
        return this.#checked(host, answer);
      case "not-found":
        return failed(notFoundError(host));
      case "failed":
        return failed(serverError(host, answer.reason));
      case "timed-out":
        return failed(timeoutError(host, this.#options.timeoutMs));
      default:
        return assertNever(answer.kind);
    }
  }

  #checked(host: string, { addresses, expiresAtMs, canonical }: DnsAnswer): Resolution {
    for (const address of addresses) {
      const refusal = this.#options.policy.addressRefusal(address);
      if (refusal !== null) return failed(resolutionRefusal(host, address, refusal));
    }
    const named = canonical === null ? {} : { canonical };
    return { kind: "resolved", addresses, expiresAtMs, ...named };
  }

  /** One timer for all answers of a turn. */
  #answerLater(waiting: Waiting, resolution: Resolution): void {
    this.#ready.push({ waiting, resolution });
    if (this.#ready.length > 1) return;
    this.#options.clock.after(0, () => {
      const ready = this.#ready;
      this.#ready = [];
      for (const { waiting, resolution } of ready) waiting.done(resolution);
    });
  }
}

/** Answers come from strangers: an error that one causes fails only its name. */
function orFault(name: string, judge: () => Resolution): Resolution {
  try {
    return judge();
  } catch (thrown) {
    const unit = { code: "INTERNAL_RESOLVE", what: `the resolution of ${name}` } as const;
    return failed(faultOf(thrown, { ...unit, isOver: false }));
  }
}

function failed(error: CrawlError): Resolution {
  return { kind: "failed", error };
}
