/**
 * What other processes asked this crawl for: pages that are to be fetched here and sent back. A crawl
 * whose topology takes no requests has a desk that is never opened. One that asks others has them told
 * at its end that it asks for nothing more.
 *
 * Invariant: every request is answered once, when its page is final, refused, or given up unfetched; or
 * never, if this process dies. Its next life says so first, and is then sent again what was not
 * answered.
 */
import type { CrawlError, ErrorCode } from "../../../base/errors/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { RefusedSeed } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import type { Claim, FetchFacts, PageAnswer, PageRequest } from "../../units/fetch-items.ts";

/** The crawl, as the desk sees it. */
export interface DeskListener {
  /** There is something to fetch. */
  readonly asked: () => void;
  /** Nothing will be asked for any more. */
  readonly over: () => void;
}

export class RequestDesk {
  /** Requests that are not answered, by URL. */
  readonly #open = new Map<string, Claim>();
  readonly #finishes: (() => void)[] = [];
  #listener: DeskListener | null = null;
  #send: ((answer: PageAnswer) => void) | null = null;
  #isExpecting = false;
  #run: string | null = null;
  /** The first request of this run that was sent to this life; those after it came in order. */
  #first = 0;

  /** `finish` is called when this crawl asks others for nothing more, while its units still run. */
  atEnd(finish: () => void): void {
    this.#finishes.push(finish);
  }

  /** The crawl is over. */
  finish(): void {
    for (const finish of this.#finishes.splice(0)) finish();
  }

  /** Whether requests may come: the crawl is not over although nothing is left. */
  get isExpecting(): boolean {
    return this.#isExpecting;
  }

  set listener(listener: DeskListener) {
    this.#listener = listener;
  }

  /** Answers go this way from now on. */
  answerBy(send: (answer: PageAnswer) => void): void {
    this.#send = send;
    send({ kind: "begun" });
  }

  /** Requests may come; those before the crawl runs wait in its frontier. */
  open(): void {
    this.#isExpecting = true;
  }

  take(request: PageRequest, offer: (ticket: Ticket) => void): void {
    const { run, number, isAgain, ticket } = request;
    if (run !== this.#run) {
      this.#run = run;
      this.#first = Number.POSITIVE_INFINITY;
    }
    // It came before it was sent again.
    if (isAgain && number >= this.#first) return;
    if (!isAgain) this.#first = Math.min(this.#first, number);
    this.#open.set(ticket.url, { run, number });
    offer(ticket);
    this.#listener?.asked();
  }

  /** The asking process is done, with whatever it asked for. */
  end(): void {
    if (!this.#isExpecting) return;
    this.#isExpecting = false;
    this.#listener?.over();
  }

  /** Whether somebody waits for this page. */
  isOpen({ url }: Ticket): boolean {
    return this.#open.has(url);
  }

  answer(ticket: Ticket, facts: FetchFacts, outcome: Answered): void {
    const { address, attempt, durationMs, fetchedAtMs } = facts;
    const fetch = { address, attempt, durationMs, fetchedAtMs };
    this.#answer(ticket, (claim) => ({ ...claim, ...fetch, ...outcome }));
  }

  failed(ticket: Ticket, facts: FetchFacts, { code, message }: CrawlError): void {
    this.answer(ticket, facts, { kind: "failed", code, message });
  }

  /** Whether somebody waited for it. */
  unfetched(ticket: Ticket, code: ErrorCode): boolean {
    return this.#answer(ticket, (claim) => ({ ...claim, kind: "unfetched", code }));
  }

  refused({ ticket, reason, cause }: RefusedSeed): void {
    this.#answer(ticket, (claim) => ({ ...claim, kind: "refused", reason, cause }));
  }

  /** Whether they are for somebody else to follow. */
  sitemaps(urls: readonly FetchableUrl[], via: FetchableUrl): boolean {
    this.#send?.({ kind: "sitemaps", urls, via });
    return this.#send !== null;
  }

  #answer({ url }: Ticket, make: (claim: Claim) => PageAnswer): boolean {
    const claim = this.#open.get(url);
    if (claim === undefined || !this.#open.delete(url)) return false;
    this.#send?.(make(claim));
    return true;
  }
}

type Unclaimed<Answer> = Answer extends unknown
  ? Omit<Answer, keyof Claim | keyof FetchFacts>
  : never;
type Answered = Unclaimed<Extract<PageAnswer, FetchFacts>>;
