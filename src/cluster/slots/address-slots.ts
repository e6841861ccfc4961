/**
 * Address slots of one agent: fetches ask here before they begin, and say here when they have ended.
 * Most addresses are used by one agent alone; that costs one question to the granter, and one to each
 * granter in the time that a fetch may take. Slots are asked for only while others use the address too.
 *
 * Invariant: a fetch flies only if this agent is free at the address, or has a slot of the granter that
 * its roll names.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { Messenger, Place, Replied, Sender } from "../messages/index.ts";
import { AddressUse, type Flight } from "./address-use.ts";
import { Granter } from "./granter.ts";
import { Roll } from "./roll.ts";
import {
  NO_NUMBER,
  type SharedNotice,
  type SharedReply,
  SLOT_END,
  SLOT_FORGET,
  SLOT_REQUEST,
  SLOT_SHARED,
  type SlotReply,
} from "./slot-messages.ts";
import { type SlotSession, SlotSessions } from "./slot-sessions.ts";
import type { SlotSettings } from "./slot-settings.ts";
import type { SlotView } from "./slot-view.ts";

export interface AddressSlotsParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask" | "serve">;
  readonly view: SlotView;
  /** Read whenever they are needed, so they may change. */
  readonly settings: SlotSettings;
}

/** As many as one message may well have; granters ask about the others if they must. */
const FORGOTTEN_MAX = 5000;

/** Of the time after which a granter takes an agent for dead: fetches that are under way then end meanwhile. */
const FREE_SHARE = 0.6;

/** Ends a fetch, or withdraws it while it waits; harmless when called again. */
export type Release = () => void;

export class AddressSlots {
  readonly #parts: AddressSlotsParts;
  readonly #granter: Granter;
  readonly #sessions: SlotSessions;
  readonly #uses = new Map<string, AddressUse>();
  /** Those of which something waits until the granter has inquired. */
  readonly #stuck = new Set<AddressUse>();
  #roll: Roll;
  /** Since when it is this one. */
  #rollAtMs = Number.NEGATIVE_INFINITY;
  #number = NO_NUMBER;
  #sweep: Timer | null = null;
  #isClosed = false;

  constructor(parts: AddressSlotsParts) {
    const { clock, messenger, settings, view } = parts;
    const roll = (): Roll => this.#roll;
    this.#parts = parts;
    this.#roll = new Roll(view);
    this.#granter = new Granter({ clock, messenger, settings, self: view.self.id, roll });
    this.#sessions = new SlotSessions({
      ...{ clock, messenger, settings, roll },
      addresses: () => this.#uses.keys(),
      useOf: (address) => this.#uses.get(address)?.told ?? null,
      begun: (granter) => this.#unstick(granter),
    });
    messenger.serve(SLOT_SHARED, (from, notice, respond) => respond(this.#shared(from, notice)));
  }

  start(): void {
    this.#granter.start();
    this.#sweepLater();
  }

  /** How many addresses this agent uses, and how many others it knows as a granter. */
  get sizes(): { readonly used: number; readonly granted: number } {
    return { used: this.#uses.size, granted: this.#granter.addresses };
  }

  /**
   * Calls `granted` when a fetch of the address may begin; never inside this call. Fetches of one agent
   * at one address take turns; that they keep the delay is up to the caller, as without a cluster.
   */
  acquire(address: string, granted: () => void): Release {
    const { clock, settings } = this.#parts;
    if (settings.ipDelayMs === 0) {
      const timer = clock.after(0, granted);
      return () => timer.cancel();
    }
    const use = this.#use(address);
    this.#number += 1;
    const flight: Flight = { number: this.#number, granted };
    use.waiting.push(flight);
    this.#next(use);
    return () => this.#release(use, flight);
  }

  /** The ring, or the life, state or standing of a member, is another. */
  viewChanged(): void {
    if (this.#isClosed) return;
    const next = new Roll(this.#parts.view);
    if (next.text === this.#roll.text) {
      this.#roll = next;
      this.#granter.membersChanged();
    } else {
      for (const use of this.#uses.values()) {
        use.confirmedAtMs = this.#sessionFor(use)?.confirmedAtMs ?? use.confirmedAtMs;
      }
      const hasGrown = next.includes(this.#roll);
      // Who was not on the roll itself grants from now on what others have granted.
      const isKept = hasGrown && this.#roll.has(this.#parts.view.self);
      this.#roll = next;
      this.#rollAtMs = this.#parts.clock.nowMs();
      this.#sessions.rollChanged(hasGrown);
      if (isKept) this.#granter.rollGrew();
      else this.#granter.start();
      for (const use of [...this.#stuck]) this.#resume(use);
      for (const use of this.#uses.values()) this.#want(use);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#sweep?.cancel();
    this.#granter.close();
    this.#sessions.close();
  }

  #use(address: string): AddressUse {
    let use = this.#uses.get(address);
    if (use === undefined) {
      use = new AddressUse(address, this.#parts.clock.nowMs());
      this.#uses.set(address, use);
    }
    return use;
  }

  /** Whoever is first in line flies, or a slot is asked for. */
  #next(use: AddressUse): void {
    const flight = use.waiting[0];
    if (this.#isClosed || flight === undefined || use.flying !== null) return;
    if (use.isFree && this.#mayBeFree(use)) this.#fly(use, flight);
    else if (!use.isAsking) {
      // Whoever asks for a slot is not free to the granter, and flies with that slot only.
      use.isFree = false;
      this.#ask(use, flight);
    }
  }

  /**
   * Whether the granter knows, or will ask before it gives slots to others, that this agent is free. It waits
   * for an answer for twice as long as a fetch may take, or until it takes this agent for dead, or others take
   * over from it, who do. So this agent goes on for a part of that time only if it does not know that a granter
   * has heard it. Then it asks as if it needed a slot, which costs one message, for all addresses of the granter.
   */
  #mayBeFree(use: AddressUse): boolean {
    const { clock, settings } = this.#parts;
    const { totalTimeoutMs, deadAfterMs } = settings;
    const nowMs = clock.nowMs();
    const session = this.#sessionFor(use);
    const freeForMs = Math.min(totalTimeoutMs, FREE_SHARE * deadAfterMs);
    if (nowMs - (session?.confirmedAtMs ?? use.confirmedAtMs) >= freeForMs) return false;
    return session !== null || nowMs - this.#rollAtMs < totalTimeoutMs / 2;
  }

  #sessionFor({ address }: AddressUse): SlotSession | null {
    const granter = this.#roll.granterOf(address);
    return granter === null ? null : this.#sessions.with(granter);
  }

  #fly(use: AddressUse, flight: Flight): void {
    const { clock } = this.#parts;
    use.waiting.shift();
    use.flying = flight;
    use.usedAtMs = clock.nowMs();
    clock.after(0, () => {
      if (use.flying === flight && !this.#isClosed) flight.granted();
    });
  }

  #ask(use: AddressUse, flight: Flight): void {
    const { clock, messenger, settings } = this.#parts;
    const { number } = flight;
    const known = this.#granterOf(use);
    if (known === null) return;
    const { granter, session } = known;
    const { timeoutMs, retryMs } = settings;
    const askedAtMs = clock.nowMs();
    use.isAsking = true;
    const body = { inquiry: session.inquiry, address: use.address, number };
    messenger.ask(granter, SLOT_REQUEST, { body, timeoutMs }, (replied) => {
      use.isAsking = false;
      // Whoever has slept meanwhile may no longer have what it was given.
      const isLate = clock.nowMs() - askedAtMs > timeoutMs;
      const isCurrent = !isLate && this.#sessionFor(use) === session;
      if (replied.kind === "reply" && isCurrent) session.confirmedAtMs = askedAtMs;
      if (isCurrent && use.waiting[0] === flight && this.#take(use, session, replied)) return;
      if (replied.kind === "reply" && replied.body.outcome === "unknown") {
        this.#sessions.end(granter, session);
      }
      const isOverdue = replied.kind === "none" && replied.why === "timed-out";
      clock.after(isOverdue ? 0 : retryMs, () => this.#next(use));
    });
  }

  /** Takes a slot that the granter gives; false if it does not. */
  #take(use: AddressUse, session: SlotSession, replied: Replied<SlotReply>): boolean {
    const flight = use.waiting[0] as Flight;
    if (replied.kind === "none") return false;
    const { outcome, isFree, stamp } = replied.body;
    if (!use.hears(session.order, stamp) || outcome === "over") {
      // The granter has taken it back since, and does not give the same one again.
      this.#number += 1;
      flight.number = this.#number;
      return false;
    }
    if (outcome !== "granted") return false;
    use.isFree = isFree;
    this.#fly(use, flight);
    return true;
  }

  #release(use: AddressUse, flight: Flight): void {
    const { clock } = this.#parts;
    const nowMs = clock.nowMs();
    if (use.flying === flight) {
      use.flying = null;
      use.endedAtMs = nowMs;
      use.usedAtMs = nowMs;
      if (!use.isFree) this.#ended(use, flight.number, nowMs);
    } else {
      const at = use.waiting.indexOf(flight);
      if (at < 0) return;
      use.waiting.splice(at, 1);
      if (!use.isFree) this.#ended(use, flight.number, null);
    }
    this.#next(use);
  }

  #ended(use: AddressUse, number: number, atMs: number | null): void {
    use.ended = { number, atMs };
    this.#tellEnd(use);
  }

  /** Tells the granter of an end until it knows. */
  #tellEnd(use: AddressUse): void {
    const { clock, messenger, settings } = this.#parts;
    const { ended, address } = use;
    if (ended === null || this.#isClosed) return;
    const known = this.#granterOf(use);
    if (known === null) return;
    const { granter, session } = known;
    const { number, atMs } = ended;
    const agoMs = atMs === null ? null : clock.nowMs() - atMs;
    const body = { inquiry: session.inquiry, address, number, agoMs };
    const question = { body, timeoutMs: settings.timeoutMs };
    messenger.ask(granter, SLOT_END, question, (replied) => {
      if (use.ended !== ended) return;
      const outcome = replied.kind === "reply" ? replied.body.outcome : "later";
      if (outcome === "unknown") this.#sessions.end(granter, session);
      if (outcome === "taken") use.ended = null;
      else clock.after(settings.retryMs, () => this.#tellEnd(use));
    });
  }

  /** Somebody else uses the address too. */
  #shared({ place }: Sender, { inquiry, address, stamp }: SharedNotice): SharedReply {
    const use = this.#uses.get(address);
    if (use === undefined) return { isUsed: false, number: NO_NUMBER, agoMs: null };
    use.isFree = false;
    const session = this.#sessions.with(place);
    if (session?.inquiry === inquiry) use.hears(session.order, stamp);
    const { endedAtMs, flying } = use;
    const agoMs = endedAtMs === null ? null : this.#parts.clock.nowMs() - endedAtMs;
    return { isUsed: true, number: flying?.number ?? NO_NUMBER, agoMs };
  }

  /** Whom to ask; null if that must wait until the granter has inquired. */
  #granterOf(use: AddressUse): { granter: Place; session: SlotSession } | null {
    const granter = this.#roll.granterOf(use.address);
    const session = granter === null ? null : this.#sessions.with(granter);
    if (granter !== null && session !== null) return { granter, session };
    this.#stuck.add(use);
    this.#want(use);
    return null;
  }

  /** The granter is to inquire, if it has not. */
  #want({ address }: AddressUse): void {
    const granter = this.#roll.granterOf(address);
    if (granter !== null) this.#sessions.want(granter);
  }

  /** A granter can be asked from now on. */
  #unstick(granter: Place): void {
    this.#parts.clock.after(0, () => {
      for (const use of [...this.#stuck]) {
        if (this.#roll.granterOf(use.address)?.id === granter.id) this.#resume(use);
      }
    });
  }

  #resume(use: AddressUse): void {
    this.#stuck.delete(use);
    this.#tellEnd(use);
    this.#next(use);
  }

  #sweepLater(): void {
    const { clock, settings } = this.#parts;
    this.#sweep = clock.after(settings.forgetMs / 2, () => {
      this.#forget();
      this.#sweepLater();
    });
  }

  /** Forgets what was not used for long; the granters are told once, and ask if they do not hear it. */
  #forget(): void {
    const { clock, messenger, settings } = this.#parts;
    const { forgetMs, ipDelayMs, timeoutMs } = settings;
    const beforeMs = clock.nowMs() - Math.max(forgetMs, 2 * ipDelayMs);
    const byGranter = new Map<Place, string[]>();
    for (const use of this.#uses.values()) {
      if (use.isBusy || use.usedAtMs > beforeMs) continue;
      this.#uses.delete(use.address);
      const granter = this.#roll.granterOf(use.address);
      if (granter === null) continue;
      const addresses = byGranter.get(granter) ?? [];
      byGranter.set(granter, addresses);
      addresses.push(use.address);
    }
    for (const [granter, forgotten] of byGranter) {
      const session = this.#sessions.with(granter);
      const addresses = forgotten.slice(0, FORGOTTEN_MAX);
      if (session === null) continue;
      const body = { inquiry: session.inquiry, addresses, number: this.#number };
      const question = { body, timeoutMs };
      messenger.ask(granter, SLOT_FORGET, question, () => undefined);
    }
  }
}
