/**
 * The borrower in every agent: asks the treasurer for more when there is little, and until it has been
 * *noted* when there is nothing (M4). Whoever is noted need not ask again: the treasurer knows, as long
 * as both are in the same life and nothing has come from anybody.
 */
import type { Timer } from "../../base/seams/index.ts";
import { placeText } from "../messages/index.ts";
import { CURRENCIES, type Currency } from "./amounts.ts";
import { LIMIT_REQUEST, type LimitRequest, type Need } from "./limit-messages.ts";
import type { LimitCore } from "./limit-parts.ts";
import { ownIncarnation, type Treasurer, treasurerOf } from "./limit-view.ts";

export class Borrower {
  readonly #core: LimitCore;
  readonly #needOf: (currency: Currency) => Need;
  /** What the treasurer knows that this agent lacks, and in which lives of the two. */
  #noted: { readonly lives: string; readonly request: LimitRequest } | null = null;
  /** Counts what has come, since that makes older answers void. */
  #credits = 0;
  #hasAskedForMore = false;
  #isAsking = false;
  #retry: Timer | null = null;
  #retryMs = 0;
  #compare: Timer | null = null;

  constructor(core: LimitCore, needOf: (currency: Currency) => Need) {
    this.#core = core;
    this.#needOf = needOf;
  }

  /** Whether the treasurer knows everything that this agent lacks. */
  isNotedBy(treasurer: Treasurer): boolean {
    const noted = this.#noted;
    return (
      noted?.lives === this.#livesWith(treasurer) &&
      CURRENCIES.every(
        (currency) => this.#needOf(currency) !== "lacking" || noted.request[currency] === "lacking",
      )
    );
  }

  /** Something has come: whatever was noted is settled. */
  credited(): void {
    this.#credits += 1;
    this.#noted = null;
    this.#hasAskedForMore = false;
    this.#retryMs = 0;
  }

  update(): void {
    const { view } = this.#core;
    const needs = [this.#needOf("pages"), this.#needOf("bytes")];
    if (this.#isAsking) return;
    if (!needs.includes("low") && !needs.includes("lacking")) {
      this.#hasAskedForMore = false;
      return;
    }
    const treasurer = treasurerOf(view);
    if (treasurer === null || treasurer.place.id === view.self.id) return;
    const mustAsk = needs.includes("lacking") && !this.isNotedBy(treasurer);
    const mayAsk = needs.includes("low") && !needs.includes("lacking") && !this.#hasAskedForMore;
    if ((mustAsk || mayAsk) && this.#retry === null) this.#ask(treasurer);
  }

  /** From now on the time is compared with the treasurer's, if it is limited. */
  compareTimes(): void {
    const { clock, settings, account, view, isClosed } = this.#core;
    const treasurer = treasurerOf(view);
    const isOther = treasurer !== null && treasurer.place.id !== view.self.id;
    if (account.terms.timeMs !== null && isOther && !this.#isAsking) this.#ask(treasurer);
    this.#compare = clock.after(settings.compareMs, () => {
      if (!isClosed()) this.compareTimes();
    });
  }

  close(): void {
    this.#retry?.cancel();
    this.#compare?.cancel();
  }

  #ask(treasurer: Treasurer): void {
    const { messenger, settings, time, account, isClosed } = this.#core;
    const request: LimitRequest = {
      ...{ elapsedMs: time.elapsedMs, debt: account.debt },
      ...{ pages: this.#needOf("pages"), bytes: this.#needOf("bytes") },
    };
    const credits = this.#credits;
    const lives = this.#livesWith(treasurer);
    const isLacking = request.pages === "lacking" || request.bytes === "lacking";
    const question = { body: request, timeoutMs: settings.timeoutMs };
    this.#isAsking = true;
    this.#hasAskedForMore = true;
    messenger.ask(treasurer.place, LIMIT_REQUEST, question, (replied) => {
      this.#isAsking = false;
      if (isClosed()) return;
      if (replied.kind === "none") {
        this.#hasAskedForMore = false;
        this.#askLater();
        return;
      }
      const wasUp = this.#isTimeUp;
      time.heard(replied.body.elapsedMs);
      this.#retryMs = 0;
      const isSameLife = lives === this.#livesWith(replied.from);
      // What has come meanwhile has settled what was asked for.
      if (isLacking && isSameLife && credits === this.#credits) this.#noted = { lives, request };
      // Times are compared all the time, which is no work (T1).
      if (isLacking) this.#core.changed();
      else if (wasUp !== this.#isTimeUp) this.#core.timeChanged();
      this.update();
    });
  }

  /** Of the own life and that of another agent: who begins another one is noted no more. */
  #livesWith({ place, incarnation }: Pick<Treasurer, "place" | "incarnation">): string {
    const { view } = this.#core;
    return `${placeText(view.self)}/${ownIncarnation(view)} ${placeText(place)}/${incarnation}`;
  }

  get #isTimeUp(): boolean {
    const { time, account } = this.#core;
    return time.elapsedMs >= (account.terms.timeMs ?? Number.POSITIVE_INFINITY);
  }

  #askLater(): void {
    const { clock, settings } = this.#core;
    const delayMs = Math.max(this.#retryMs, settings.retryMs);
    this.#retryMs = Math.min(2 * delayMs, settings.retryMsMax);
    this.#retry?.cancel();
    this.#retry = clock.after(delayMs, () => {
      this.#retry = null;
      this.update();
    });
  }
}
