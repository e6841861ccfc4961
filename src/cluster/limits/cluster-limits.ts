/**
 * The limits of the whole crawl as one agent keeps them: fetches ask here before they begin, and say
 * here what came of them. What this agent may use is its `Account`; it borrows more from the treasurer,
 * lends to others, and gives back what it has no work for.
 *
 * Invariant: whenever all agents of one view are settled and one of them lacks tokens, there is none
 * anywhere (M6): no other agent has one, and none is under way.
 */
import assert from "node:assert/strict";
import type { Timer } from "../../base/seams/index.ts";
import { StateFile } from "../state/index.ts";
import { Account } from "./account.ts";
import { type Amounts, CURRENCIES, type Currency, NO_AMOUNTS } from "./amounts.ts";
import { Borrower } from "./borrower.ts";
import { CrawlTime } from "./crawl-time.ts";
import { HandOver } from "./hand-over.ts";
import { Ledger } from "./ledger.ts";
import { Lender } from "./lender.ts";
import {
  LIMIT_FAREWELL,
  LIMIT_RECALL,
  LIMIT_REQUEST,
  LIMIT_TRANSFER,
  type Need,
  type Timed,
} from "./limit-messages.ts";
import type { ClusterLimitsParts, LimitCore } from "./limit-parts.ts";
import { issuedBy, type LimitTerms } from "./limit-terms.ts";
import { presenceOf, treasurerOf } from "./limit-view.ts";
import { LIMITS_FILE, printLedger } from "./limits-file.ts";
import { Transfers } from "./transfers.ts";

/** By the names of their keys. */
export type LimitName = "pages" | "bytes" | "time";

/** What this agent brings along when it starts. */
export interface LimitStart {
  readonly crawl: string;
  readonly terms: LimitTerms;
  /** What `openLedger` has read. */
  readonly ledger: Ledger | null;
  /** What the pages of this disk have used. */
  readonly used: Amounts;
  /** How long the crawl had run when this disk last knew. */
  readonly elapsedMs: number;
}

/** What there is once it has started. */
interface Started {
  readonly core: LimitCore;
  readonly transfers: Transfers;
  readonly borrower: Borrower;
  readonly lender: Lender;
  readonly handOver: HandOver;
}

export class ClusterLimits {
  readonly #parts: ClusterLimitsParts;
  #started: Started | null = null;
  #changes = 0;
  /** Who was there, when the view last changed. */
  #presence = "";
  #linger: Timer | null = null;
  #timeUp: Timer | null = null;
  #isUpdating = false;
  /** Whether others are to be told that something has changed. */
  #hasChanged = false;
  #isClosed = false;

  constructor(parts: ClusterLimitsParts) {
    this.#parts = parts;
    const { messenger } = parts;
    const timed = ({ elapsedMs }: Timed): Started | null => {
      this.ranFor(elapsedMs);
      return this.#isClosed ? null : this.#started;
    };
    messenger.serve(LIMIT_REQUEST, (from, request, respond) => {
      const started = timed(request);
      // Whoever was given up is not noted until it is back, and asks again.
      if (started === null || parts.view.isGivenUp(from.place)) return;
      started.lender.asked(from, request);
      respond({ elapsedMs: this.elapsedMs });
    });
    messenger.serve(LIMIT_RECALL, ({ place }, recall, respond) => {
      const started = timed(recall);
      if (started === null) return;
      const isGiving = started.lender.recalled(place, recall);
      respond({ elapsedMs: this.elapsedMs, isGiving });
    });
    messenger.serve(LIMIT_TRANSFER, (_from, transfer, respond) => {
      timed(transfer)?.transfers.take(transfer, respond);
    });
    messenger.serve(LIMIT_FAREWELL, (from, time, respond) => {
      const started = timed(time);
      if (started === null) return;
      respond({ elapsedMs: this.elapsedMs, ...started.lender.farewell(from) });
    });
  }

  /** The place of this agent is known, and its pages are counted. Nothing may begin before. */
  start({ crawl, terms, ledger, used, elapsedMs }: LimitStart): void {
    assert(this.#started === null, "limits start once");
    const { clock, storage, trouble, settings } = this.#parts;
    const isOurs = ledger?.belongsTo(crawl) === true;
    const account = new Account(isOurs ? ledger : Ledger.blank(crawl, NO_AMOUNTS), terms, used);
    const file = new StateFile({
      ...{ clock, storage, trouble, name: LIMITS_FILE, retryMs: settings.retryMs },
      bytes: () => printLedger(account.ledger),
    });
    const core: LimitCore = {
      ...{ ...this.#parts, account, file, time: new CrawlTime(clock, elapsedMs) },
      changed: () => this.#changed(),
      timeChanged: () => this.#timeChanged(),
      canUse: () => this.#canUse,
      isClosed: () => this.#isClosed,
    };
    const transfers = new Transfers(core, () => this.#credited());
    const borrower = new Borrower(core, (currency) => this.#needOf(currency));
    const lender = new Lender({
      ...{ core, transfers, isTreasurer: () => this.#isTreasurer },
      lacks: (currency) => this.#lacks(currency),
    });
    const handOver = new HandOver(core, transfers);
    this.#started = { core, transfers, borrower, lender, handOver };
    this.configured(terms);
    this.viewChanged();
    borrower.compareTimes();
  }

  /** The limits are others (M7). */
  configured(terms: LimitTerms): void {
    const started = this.#started;
    if (started === null) return;
    const { account, file, view } = started.core;
    account.terms = terms;
    account.ledger.name(view.self);
    account.ledger.issue(issuedBy(terms, (place) => account.ledger.isNamed(place)));
    file.changed();
    this.#watchTime();
    this.#changed();
  }

  /** The ring, or the life or standing of a member, is another. */
  viewChanged(): void {
    const started = this.#started;
    if (started === null || this.#isClosed) return;
    const { account, file, view } = started.core;
    if (account.ledger.name(view.self)) file.changed();
    started.transfers.resume();
    started.handOver.viewChanged();
    const presence = presenceOf(view);
    // Suspicions come and go, and must not keep an end away.
    if (presence === this.#presence) this.#update();
    else {
      this.#presence = presence;
      this.#changed();
    }
  }

  /** Whether URLs wait here, or may be fetched, is another. */
  workChanged(): void {
    this.#update();
  }

  /** Whether a fetch may begin, as far as limits go. */
  get mayBegin(): boolean {
    return this.#account?.mayBegin === true && !this.#isTimeUp;
  }

  /** Whether a fetch that has its token, and waited for something else since, may still begin. */
  get mayGoOn(): boolean {
    return this.#free("bytes") > 0 && !this.#isTimeUp;
  }

  /** Takes tokens for up to `count` fetches that begin now. */
  take(count: number): number {
    const taken = this.#isTimeUp ? 0 : (this.#account?.take(count) ?? 0);
    if (taken < count || this.#account?.mayBegin === false) this.#update();
    return taken;
  }

  /** So many fetches have ended and do not count. */
  putBack(count: number): void {
    this.#account?.putBack(count);
    this.#changed();
  }

  /** So many pages were had of fetches that had their tokens; and bytes, by whatever. */
  use(amounts: Amounts): void {
    this.#account?.use(amounts);
    this.#changed();
  }

  /** How long the crawl has run. */
  get elapsedMs(): number {
    return this.#started?.core.time.elapsedMs ?? 0;
  }

  /** What is left here, for people; null for what is not limited. */
  get left(): { readonly [Name in Currency]: number | null } {
    const { pages, bytes } = this.#account?.terms ?? { pages: null, bytes: null };
    const spare = this.#account?.spare ?? NO_AMOUNTS;
    return {
      pages: pages === null ? null : spare.pages,
      bytes: bytes === null ? null : spare.bytes,
    };
  }

  /** Another agent has said how long the crawl has run (M8). */
  ranFor(elapsedMs: number): void {
    const wasUp = this.#isTimeUp;
    this.#started?.core.time.heard(elapsedMs);
    if (wasUp !== this.#isTimeUp) this.#timeChanged();
  }

  /** Which limit has left nothing here; null if there is none. When all are settled the treasurer knows. */
  get reached(): LimitName | null {
    if (this.#started === null) return null;
    if (this.#free("bytes") <= 0) return "bytes";
    if (this.#isTimeUp) return "time";
    return this.#free("pages") <= 0 ? "pages" : null;
  }

  /** The part of limits in the work counter (T1): grows with everything that can make work. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Whether this agent is idle as far as limits go (M6): nothing of its own is under way, whoever has no
   * use for tokens has none, and whoever lacks them has told the treasurer, who has none.
   */
  get isSettled(): boolean {
    const started = this.#started;
    if (started === null) return false;
    if (this.#isTimeUp) return true;
    const { core, transfers, lender, borrower } = started;
    const treasurer = treasurerOf(core.view);
    if (transfers.isOpen || core.account.taken > 0 || treasurer?.isCertain !== true) return false;
    if (this.#isTreasurer) return !lender.isOwing;
    if (!this.#canUse && core.account.hasSpare) return false;
    return !this.#isLacking || borrower.isNotedBy(treasurer);
  }

  /** L1, M9: gives everything to others; calls back when they have it, and nothing can come any more. */
  handOver(done: () => void): void {
    if (this.#started === null) this.#parts.clock.after(0, done);
    else this.#started.handOver.begin(done);
    this.#update();
  }

  close(): void {
    this.#isClosed = true;
    this.#linger?.cancel();
    this.#timeUp?.cancel();
    this.#started?.core.file.close();
    this.#started?.borrower.close();
    this.#started?.lender.close();
    this.#started?.handOver.close();
  }

  get #account(): Account | null {
    return this.#started?.core.account ?? null;
  }

  get #isTreasurer(): boolean {
    const { view } = this.#parts;
    return treasurerOf(view)?.place.id === view.self.id;
  }

  get #isTimeUp(): boolean {
    const timeMs = this.#account?.terms.timeMs ?? null;
    return timeMs !== null && this.elapsedMs >= timeMs;
  }

  #free(currency: Currency): number {
    return this.#account?.free(currency) ?? 0;
  }

  /** It has work for it and none of it; or a debt, whether it has work or not. */
  #lacks(currency: Currency): boolean {
    const free = this.#free(currency);
    return free < 0 || (free === 0 && this.#parts.work.isWaiting && !this.#isTimeUp);
  }

  get #isLacking(): boolean {
    return CURRENCIES.some((currency) => this.#lacks(currency));
  }

  get #canUse(): boolean {
    return this.#parts.work.isWaiting && !this.#isLacking && !this.#isTimeUp;
  }

  #needOf(currency: Currency): Need {
    if (this.#isTimeUp) return "none";
    if (this.#lacks(currency)) return "lacking";
    const isLow = this.#free(currency) < this.#parts.settings.low[currency];
    return isLow && this.#parts.work.isWaiting ? "low" : "none";
  }

  #credited(): void {
    this.#started?.borrower.credited();
    this.#started?.lender.credited();
    this.#changed();
  }

  #changed(): void {
    this.#changes += 1;
    this.#hasChanged = true;
    this.#update();
  }

  /** That the time is over makes no work, and undoes no end that was found before (T1). */
  #timeChanged(): void {
    this.#hasChanged = true;
    this.#update();
  }

  /** Does what the present state asks for. */
  #update(): void {
    const started = this.#started;
    if (started === null || this.#isUpdating || this.#isClosed) return;
    this.#isUpdating = true;
    // Not inside the call that has changed something.
    this.#parts.clock.after(0, () => {
      this.#isUpdating = false;
      if (this.#isClosed) return;
      started.lender.update();
      started.borrower.update();
      started.handOver.update();
      this.#giveBackLater();
      const hasChanged = this.#hasChanged;
      this.#hasChanged = false;
      if (hasChanged) this.#parts.changed();
    });
  }

  /** Whoever has no work for what it has gives it back, unless work comes soon (M5). */
  #giveBackLater(): void {
    const { clock, settings } = this.#parts;
    const isDue = (): boolean =>
      this.#account?.hasSpare === true && !this.#canUse && !this.#isTreasurer;
    if (!isDue()) {
      this.#linger?.cancel();
      this.#linger = null;
    } else {
      this.#linger ??= clock.after(settings.lingerMs, () => {
        this.#linger = null;
        if (isDue()) this.#giveBack();
      });
    }
  }

  #giveBack(): void {
    const { core, transfers } = this.#started as Started;
    const treasurer = treasurerOf(core.view);
    if (treasurer === null) return;
    transfers.give(treasurer.place, core.account.spare);
    this.#giveBackLater();
  }

  #watchTime(): void {
    const { clock } = this.#parts;
    const timeMs = this.#account?.terms.timeMs ?? null;
    this.#timeUp?.cancel();
    if (timeMs === null || this.#isTimeUp) return;
    // Looked at again then: others may say that the crawl has run for longer.
    this.#timeUp = clock.after(Math.max(1, timeMs - this.elapsedMs), () => {
      this.#watchTime();
      this.#timeChanged();
    });
  }
}
