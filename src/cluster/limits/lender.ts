/**
 * The lender in every agent: whoever is asked lends what it can spare, and notes who still lacks
 * something. That matters for the treasurer, who is asked by all (M4): it serves them as soon as it has
 * something, and *recalls* from the others what they can spare, more and more rarely while that is
 * nothing.
 */
import type { Timer } from "../../base/seams/index.ts";
import { type Place, placeText, type Sender } from "../messages/index.ts";
import { type Amounts, amountsOf, CURRENCIES, type Currency, isNothing } from "./amounts.ts";
import { loanOf, recalledOf, type Spare, surplusOf } from "./lending.ts";
import {
  type FarewellReply,
  LIMIT_RECALL,
  type LimitRecall,
  type LimitRequest,
} from "./limit-messages.ts";
import type { LimitCore } from "./limit-parts.ts";
import { othersIn } from "./limit-view.ts";
import type { Transfers } from "./transfers.ts";

interface Lacker {
  readonly place: Place;
  readonly incarnation: number;
  readonly request: LimitRequest;
}

export interface LenderParts {
  readonly core: LimitCore;
  readonly transfers: Transfers;
  /** Whether this agent is the treasurer. */
  readonly isTreasurer: () => boolean;
  /** What this agent itself lacks. */
  readonly lacks: (currency: Currency) => boolean;
}

export class Lender {
  readonly #parts: LenderParts;
  /** By place, in the order in which they have asked. */
  readonly #lackers = new Map<string, Lacker>();
  /** Incarnations of those that leave. */
  readonly #leavers = new Map<string, number>();
  #recall: Timer | null = null;
  #recallMs = 0;
  #isRecalling = false;

  constructor(parts: LenderParts) {
    this.#parts = parts;
  }

  /** Whether there is something here for somebody who lacks it. */
  get isOwing(): boolean {
    const { spare } = this.#parts.core.account;
    return [...this.#lackers.values()].some(({ request }) => {
      const lacking = CURRENCIES.filter((currency) => request[currency] === "lacking");
      return (
        lacking.every((currency) => spare[currency] > 0) ||
        lacking.some((currency) => spare[currency] > 0 && request.debt[currency] > 0)
      );
    });
  }

  asked({ place, incarnation }: Sender, request: LimitRequest): void {
    const text = placeText(place);
    if (this.#leavers.get(text) === incarnation) return;
    if (CURRENCIES.some((currency) => request[currency] === "lacking")) {
      this.#lackers.set(text, { place, incarnation, request });
      this.#parts.core.changed();
      this.update();
    } else this.#spare(place, request);
  }

  /** What the treasurer gets of what is here; whether that is something. */
  recalled(treasurer: Place, recall: LimitRecall): boolean {
    const amount = amountsOf((currency) =>
      recall[currency] ? recalledOf(this.#spareOf(currency), recall.isDebt) : 0,
    );
    return this.#parts.transfers.give(treasurer, amount);
  }

  farewell({ place, incarnation }: Sender): Omit<FarewellReply, "elapsedMs"> {
    const text = placeText(place);
    this.#leavers.set(text, incarnation);
    this.#lackers.delete(text);
    return { isClear: this.#parts.transfers.mayGive(place) };
  }

  /** Serves those who wait, as far as possible; what they lack then is recalled from others. */
  update(): void {
    const { core, isTreasurer, lacks } = this.#parts;
    // Asked after every page: who is there is looked at only if somebody lacks something.
    if (this.#lackers.size > 0) this.#serveLackers();
    const isShort = (this.#lackers.size > 0 || CURRENCIES.some(lacks)) && isTreasurer();
    if (isShort && this.#recall === null && !this.#isRecalling) this.#recallLater();
    if (!isShort) this.#stopRecalling(core.settings.retryMs);
  }

  #serveLackers(): void {
    this.#forget();
    for (const [text, { place, request }] of [...this.#lackers]) {
      if (this.#serve(place, request)) this.#lackers.delete(text);
    }
  }

  /** Something has come: there may be more. */
  credited(): void {
    this.#stopRecalling(this.#parts.core.settings.retryMs);
  }

  close(): void {
    this.#recall?.cancel();
  }

  /**
   * Those who are in another life by now, or will be when they are back, ask again if they must. Whoever
   * is not in the ring yet stays: a treasurer that joins is asked by those who wait to hear from it.
   */
  #forget(): void {
    if (this.#lackers.size === 0) return;
    const members = new Map(
      [...this.#parts.core.view.members()].map((member) => [placeText(member.place), member]),
    );
    for (const [text, { incarnation }] of this.#lackers) {
      const member = members.get(text);
      const isThere = member?.standing !== "given-up" && member?.incarnation === incarnation;
      if (!isThere) this.#lackers.delete(text);
    }
  }

  #spareOf(currency: Currency): Spare {
    const { account, settings, canUse } = this.#parts.core;
    const free = account.spare[currency];
    return { free, canUse: canUse(), least: settings.least[currency] };
  }

  get #members(): number {
    return othersIn(this.#parts.core.view).length + 1;
  }

  #loanOf(currency: Currency, { debt, ...needs }: LimitRequest): number {
    if (needs[currency] !== "lacking") return 0;
    return loanOf(this.#spareOf(currency), this.#members, debt[currency]);
  }

  /** Whoever lacks two things and gets one can do nothing with it, unless it is for a debt. */
  #serve(place: Place, request: LimitRequest): boolean {
    const loan = amountsOf((currency) => this.#loanOf(currency, request));
    const isEnough = CURRENCIES.every(
      (currency) => request[currency] !== "lacking" || loan[currency] > 0,
    );
    const amount = amountsOf((currency) =>
      isEnough || request.debt[currency] > 0 ? loan[currency] : 0,
    );
    return this.#give(place, amount);
  }

  #spare(place: Place, request: LimitRequest): void {
    const members = this.#members;
    const amount = amountsOf((currency) =>
      request[currency] === "low" ? surplusOf(this.#spareOf(currency), members) : 0,
    );
    this.#give(place, amount);
  }

  #give(place: Place, amount: Amounts): boolean {
    return !isNothing(amount) && this.#parts.transfers.give(place, amount);
  }

  #stopRecalling(recallMs: number): void {
    this.#recall?.cancel();
    this.#recall = null;
    this.#recallMs = recallMs;
  }

  #recallLater(): void {
    const { clock, settings } = this.#parts.core;
    const delayMs = Math.max(this.#recallMs, settings.retryMs);
    this.#recallMs = Math.min(2 * delayMs, settings.retryMsMax);
    this.#recall = clock.after(delayMs, () => {
      this.#recall = null;
      this.#askOthers();
    });
  }

  #askOthers(): void {
    const { messenger, settings, time, view, account, isClosed } = this.#parts.core;
    const others = othersIn(view);
    let open = others.length;
    if (open === 0 || isClosed()) return;
    this.#isRecalling = true;
    const requests = [...this.#lackers.values()].map(({ request }) => request);
    const debts = [account.debt, ...requests.map(({ debt }) => debt)];
    const recall = {
      ...{ pages: this.#isShortOf("pages", requests), bytes: this.#isShortOf("bytes", requests) },
      isDebt: debts.some((debt) => !isNothing(debt)),
    };
    for (const { place } of others) {
      const body = { elapsedMs: time.elapsedMs, ...recall };
      messenger.ask(place, LIMIT_RECALL, { body, timeoutMs: settings.timeoutMs }, (replied) => {
        if (isClosed()) return;
        if (replied.kind === "reply") time.heard(replied.body.elapsedMs);
        open -= 1;
        if (open > 0) return;
        this.#isRecalling = false;
        this.update();
      });
    }
  }

  #isShortOf(currency: Currency, requests: readonly LimitRequest[]): boolean {
    if (this.#parts.lacks(currency)) return true;
    return requests.some(
      (request) => request[currency] === "lacking" && this.#loanOf(currency, request) === 0,
    );
  }
}
