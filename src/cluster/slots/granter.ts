/**
 * The granter: gives the slots of the addresses for which this agent comes first. It keeps nothing on a
 * disk: what it must know it asks of those who use the addresses, at its start and whenever somebody is no
 * longer on its roll, since it grants more addresses then. When somebody comes it grants fewer, and asks only
 * that one. All are asked no more often than refused requests are repeated, however fast the roll changes.
 *
 * Invariant: no slot is given before every member that may fetch has said, under a roll that names the same
 * granter, what it uses and fetches, and one delay has passed since. If somebody sees the cluster differently for longer
 * than a fetch may take, it is no longer waited for; if it has not answered at all, for twice as long.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import type { Messenger, Sender } from "../messages/index.ts";
import { GrantedAddress, type GrantTimes } from "./granted-address.ts";
import { Inquiries } from "./inquiries.ts";
import type { Roll } from "./roll.ts";
import {
  type AddressUse,
  type SharedReply,
  SLOT_END,
  SLOT_FORGET,
  SLOT_REQUEST,
  SLOT_SHARED,
  type SlotEnd,
  type SlotEndReply,
  type SlotReply,
  type SlotRequest,
} from "./slot-messages.ts";
import type { SlotSettings } from "./slot-settings.ts";

export interface GranterParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask" | "serve">;
  readonly settings: SlotSettings;
  readonly self: AgentId;
  readonly roll: () => Roll;
}

interface Entry {
  readonly address: GrantedAddress;
  timer: Timer | null;
  /** Agents that are being told that the address is shared. */
  readonly calls: Set<AgentId>;
}

/** A request waits until so many answers to it would have been late. */
const ASKS_KEPT = 3;

export class Granter {
  readonly #parts: GranterParts;
  readonly #inquiries: Inquiries;
  #entries = new Map<string, Entry>();
  /** When slots may be given; Infinity until all have answered. */
  #opensAtMs = Number.POSITIVE_INFINITY;
  /** Whoever has answered under another roll is no longer waited for. */
  #isLate = false;
  #timer: Timer | null = null;
  /** When all were last asked, and the timer until they are asked again. */
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asks: Timer | null = null;
  #stamp = 0;
  #isClosed = false;

  constructor(parts: GranterParts) {
    const { messenger } = parts;
    this.#parts = parts;
    this.#inquiries = new Inquiries({
      ...parts,
      uses: (id, uses) => this.#uses(id, uses),
      answered: (id, addresses) => {
        if (addresses !== null) this.#dropOthers(id, addresses);
        this.#openIfComplete();
      },
      wanted: () => this.#askAll(),
    });
    messenger.serve(SLOT_REQUEST, (from, request, respond) =>
      this.#request(from, request, respond),
    );
    messenger.serve(SLOT_END, (from, end, respond) => {
      respond({ outcome: this.#end(from, end) });
    });
    messenger.serve(SLOT_FORGET, (from, { inquiry, addresses, number }, respond) => {
      respond(null);
      if (this.#inquiries.standingOf(from, inquiry) !== "known") return;
      const { id } = from.place;
      for (const address of addresses) {
        const isLate = this.#entries.get(address)?.address.hasAskedSince(id, number) === true;
        if (!isLate) this.#drop(address, id);
      }
    });
  }

  /** How many addresses are known here. */
  get addresses(): number {
    return this.#entries.size;
  }

  /** Nothing is known: everybody is asked. */
  start(): void {
    this.#clear();
    this.#opensAtMs = Number.POSITIVE_INFINITY;
    this.#inquiries.forget();
    // Without a delay nobody needs slots; if there is one later on, somebody will want them.
    if (this.#parts.settings.ipDelayMs > 0) this.#askAll();
  }

  /** Others have come to the roll: they are asked. */
  rollGrew(): void {
    const { roll, self } = this.#parts;
    if (!this.#inquiries.areBegun) return;
    for (const [address, { timer }] of this.#entries) {
      if (roll().granterOf(address)?.id === self) continue;
      timer?.cancel();
      this.#entries.delete(address);
    }
    if (this.#inquiries.grow()) this.#wait();
    this.#openIfComplete();
  }

  /** Asks everybody, but not too soon after the last time: this wait begins once, whatever comes during it. */
  #askAll(): void {
    const { clock, settings } = this.#parts;
    if (this.#inquiries.areBegun || this.#asks !== null || this.#isClosed) return;
    const waitMs = Math.max(0, this.#askedAtMs + settings.retryMs - clock.nowMs());
    const ask = (): void => {
      this.#asks = null;
      this.#askedAtMs = clock.nowMs();
      this.#wait();
      this.#inquiries.begin();
    };
    if (waitMs === 0) ask();
    else this.#asks = clock.after(waitMs, ask);
  }

  /** Nothing is given until all have answered, or have not for long. */
  #wait(): void {
    const { clock, settings } = this.#parts;
    const waitMs = settings.totalTimeoutMs + settings.ipDelayMs;
    this.#timer?.cancel();
    this.#opensAtMs = Number.POSITIVE_INFINITY;
    this.#isLate = false;
    this.#timer = clock.after(waitMs, () => {
      this.#isLate = true;
      this.#timer = clock.after(waitMs, () => this.#open());
      this.#openIfComplete();
    });
  }

  /** The life, state or standing of a member is another. */
  membersChanged(): void {
    if (this.#inquiries.renew()) this.#wait();
    this.#openIfComplete();
  }

  close(): void {
    this.#isClosed = true;
    this.#clear();
    this.#asks?.cancel();
    this.#inquiries.forget();
  }

  #clear(): void {
    this.#timer?.cancel();
    for (const { timer } of this.#entries.values()) timer?.cancel();
    this.#entries = new Map();
  }

  #openIfComplete(): void {
    const isOpen = this.#opensAtMs !== Number.POSITIVE_INFINITY;
    const { areComplete, areAnswered } = this.#inquiries;
    const isEnough = areComplete || (this.#isLate && areAnswered);
    if (!isOpen && !this.#isClosed && isEnough) this.#open();
  }

  #open(): void {
    const { clock, settings } = this.#parts;
    this.#timer?.cancel();
    this.#opensAtMs = clock.nowMs() + settings.ipDelayMs;
    this.#timer = clock.after(settings.ipDelayMs, () => {
      for (const address of [...this.#entries.keys()]) this.#pump(address);
    });
  }

  #uses(id: AgentId, uses: readonly AddressUse[]): void {
    const { clock, settings, roll, self } = this.#parts;
    const nowMs = clock.nowMs();
    const untilMs = nowMs + settings.totalTimeoutMs;
    const restsUntilMs = nowMs + settings.ipDelayMs;
    for (const use of uses) {
      // Under a smaller roll an agent names addresses that others grant by now.
      if (roll().granterOf(use.address)?.id !== self) continue;
      this.#entry(use.address).address.uses(id, use, { untilMs, restsUntilMs });
      this.#pump(use.address);
    }
  }

  /** An agent no longer uses the addresses that it has not named. */
  #dropOthers(id: AgentId, named: ReadonlySet<string>): void {
    for (const address of [...this.#entries.keys()]) {
      if (named.has(address)) this.#pump(address);
      else this.#drop(address, id);
    }
  }

  #drop(address: string, id: AgentId): void {
    const { clock, settings } = this.#parts;
    this.#entries.get(address)?.address.drop(id, clock.nowMs() + settings.ipDelayMs);
    this.#pump(address);
  }

  #request(from: Sender, request: SlotRequest, respond: (reply: SlotReply) => void): void {
    const { clock, roll, self } = this.#parts;
    const { address, number, inquiry } = request;
    const { id } = from.place;
    const reply = (outcome: SlotReply["outcome"], isFree = false): void => {
      this.#stamp += 1;
      respond({ outcome, isFree, stamp: this.#stamp });
    };
    const standing = this.#inquiries.standingOf(from, inquiry);
    if (standing !== "known") {
      this.#askAll();
      reply(standing);
    } else if (roll().granterOf(address)?.id !== self) reply("later");
    else {
      const grant = (isFree: boolean): void => reply("granted", isFree);
      const asked = { id, number, grant, refuse: () => reply("over") };
      this.#entry(address).address.request(asked, clock.nowMs(), this.#times);
      this.#pump(address);
    }
  }

  #end(from: Sender, { inquiry, address, number, agoMs }: SlotEnd): SlotEndReply["outcome"] {
    const standing = this.#inquiries.standingOf(from, inquiry);
    if (standing !== "known") {
      this.#askAll();
      return standing;
    }
    this.#entries.get(address)?.address.end(from.place.id, number, this.#restFrom(agoMs));
    this.#pump(address);
    return "taken";
  }

  /** Does what is due at an address. */
  #pump(address: string): void {
    const { clock } = this.#parts;
    const entry = this.#entries.get(address);
    if (entry === undefined || this.#isClosed) return;
    entry.timer?.cancel();
    const nowMs = clock.nowMs();
    if (entry.address.isOver(nowMs)) {
      this.#entries.delete(address);
      return;
    }
    if (nowMs < this.#opensAtMs) return;
    const step = entry.address.next(nowMs, this.#times);
    if (step.kind === "grant") {
      step.grant();
      this.#pump(address);
    } else if (step.kind === "call") {
      for (const id of step.ids) this.#call(address, entry, id);
    } else if (step.untilMs !== Number.POSITIVE_INFINITY) {
      entry.timer = clock.after(step.untilMs - nowMs, () => this.#pump(address));
    }
  }

  /** Tells an agent that was alone that it is not any more, and learns what it is doing. */
  #call(address: string, entry: Entry, id: AgentId): void {
    const { clock, messenger, settings, roll } = this.#parts;
    if (entry.calls.has(id)) return;
    const place = roll().present.get(id)?.place;
    if (place === undefined) {
      // It is dead: nobody knows what it does, and nobody waits for it.
      this.#drop(address, id);
      return;
    }
    entry.calls.add(id);
    const lastGrant = entry.address.lastGrantOf(id);
    this.#stamp += 1;
    const body = { inquiry: this.#inquiries.numberOf(id), address, stamp: this.#stamp };
    messenger.ask(place, SLOT_SHARED, { body, timeoutMs: settings.timeoutMs }, (replied) => {
      entry.calls.delete(id);
      if (this.#isClosed || this.#entries.get(address) !== entry) return;
      const isCurrent = entry.address.lastGrantOf(id) === lastGrant;
      if (replied.kind === "reply" && isCurrent) this.#called(address, id, replied.body);
      else clock.after(settings.retryMs, () => this.#pump(address));
    });
  }

  #called(address: string, id: AgentId, { isUsed, number, agoMs }: SharedReply): void {
    const { clock, settings } = this.#parts;
    const untilMs = clock.nowMs() + settings.totalTimeoutMs;
    const restsUntilMs = this.#restFrom(agoMs);
    this.#entries.get(address)?.address.called(id, number, { untilMs, restsUntilMs });
    if (isUsed) this.#pump(address);
    else this.#drop(address, id);
  }

  /** Until when an address rests after a fetch that ended so long ago. */
  #restFrom(agoMs: number | null): number | null {
    const { clock, settings } = this.#parts;
    return agoMs === null ? null : clock.nowMs() - agoMs + settings.ipDelayMs;
  }

  #entry(address: string): Entry {
    let entry = this.#entries.get(address);
    if (entry === undefined) {
      entry = { address: new GrantedAddress(), timer: null, calls: new Set() };
      this.#entries.set(address, entry);
    }
    return entry;
  }

  get #times(): GrantTimes {
    const { ipDelayMs, totalTimeoutMs, timeoutMs } = this.#parts.settings;
    return { ipDelayMs, holdMs: totalTimeoutMs + timeoutMs, keptMs: ASKS_KEPT * timeoutMs };
  }
}
