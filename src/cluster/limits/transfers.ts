/**
 * Transfers (M2): the only way in which tokens and bytes move. A transfer is out of the budget, durably,
 * before it is sent, and is sent until its receiver has credited it, durably; the receiver credits it
 * once. To a place that was given up nothing is sent, and nothing that was is taken back: perhaps it was
 * credited. If the place returns with its disk, the transfer goes on.
 */
import { type Place, samePlace } from "../messages/index.ts";
import { type Amounts, isNothing } from "./amounts.ts";
import type { Transfer } from "./ledger.ts";
import { LIMIT_TRANSFER, type LimitTransfer, type Timed } from "./limit-messages.ts";
import type { LimitCore } from "./limit-parts.ts";

export class Transfers {
  readonly #core: LimitCore;
  readonly #credited: () => void;
  /** Numbers of those that are being sent in this life. */
  readonly #sending = new Set<number>();

  constructor(core: LimitCore, credited: () => void) {
    this.#core = core;
    this.#credited = credited;
  }

  /** Whether something is under way to a place that is expected to take it. */
  get isOpen(): boolean {
    const { account, view } = this.#core;
    for (const { to } of account.ledger.out) if (!view.isGivenUp(to)) return true;
    return false;
  }

  /** Whether something can be given to the place: one thing at a time. */
  mayGive(to: Place): boolean {
    return this.#core.account.ledger.outTo(to) === null;
  }

  /** Whether it is on its way. */
  give(to: Place, amount: Amounts): boolean {
    const { account, file, view, changed } = this.#core;
    if (isNothing(amount) || !this.mayGive(to)) return false;
    const transfer = account.ledger.debit(view.self, to, amount);
    file.changed();
    this.#send(transfer);
    changed();
    return true;
  }

  /** After a restart, and when others may be reached that could not: what is not acknowledged. */
  resume(): void {
    for (const transfer of this.#core.account.ledger.out) this.#send(transfer);
  }

  /** A transfer has come; `respond` when it is durable. */
  take(transfer: LimitTransfer, respond: (reply: Timed) => void): void {
    const { account, file, time, view } = this.#core;
    const { to } = transfer;
    // What was for an earlier disk of this agent is lost with it: it may have been credited there.
    if (!samePlace(to, view.self) && !account.ledger.isNamed(to)) return;
    // More than can ever have been issued: it would no longer be counted exactly.
    if (!account.ledger.hasRoomFor(transfer.amount)) return;
    if (account.ledger.credit(transfer)) {
      file.changed();
      this.#credited();
    }
    file.whenSaved(() => respond({ elapsedMs: time.elapsedMs }));
  }

  #send(transfer: Transfer): void {
    const { file } = this.#core;
    const { number } = transfer;
    if (this.#sending.has(number)) return;
    this.#sending.add(number);
    file.whenSaved(() => this.#ask(transfer, this.#core.settings.retryMs));
  }

  #ask(transfer: Transfer, retryMs: number): void {
    const { messenger, settings, view, time, clock, isClosed } = this.#core;
    if (isClosed()) return;
    const { to, number } = transfer;
    if (!view.isAlive(to)) {
      // Until the view says that it can be reached again.
      this.#sending.delete(number);
      return;
    }
    const body = { elapsedMs: time.elapsedMs, ...transfer };
    messenger.ask(to, LIMIT_TRANSFER, { body, timeoutMs: settings.timeoutMs }, (replied) => {
      if (isClosed()) return;
      if (replied.kind === "reply") {
        time.heard(replied.body.elapsedMs);
        this.#acknowledged(transfer);
        return;
      }
      const nextMs = Math.min(2 * retryMs, settings.retryMsMax);
      clock.after(retryMs, () => this.#ask(transfer, nextMs));
    });
  }

  #acknowledged(transfer: Transfer): void {
    const { account, file, changed } = this.#core;
    this.#sending.delete(transfer.number);
    if (!account.ledger.acknowledged(transfer)) return;
    file.changed();
    changed();
  }
}
