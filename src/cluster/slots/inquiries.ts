/**
 * What a granter asks all members when it starts and when somebody is no longer on its roll, and single ones
 * when they come, have begun another life, or want it: which of its addresses they use, and which fetches are
 * in flight.
 *
 * Invariant: the inquiries are complete when every member that may fetch has answered under the roll that
 * the granter has, or had since it began to ask. The roll has only grown since then: whoever names this granter
 * for an address under the larger one has done so under the smaller one too.
 */
import type { Clock } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import { type Messenger, placeText, type Sender } from "../messages/index.ts";
import type { Roll } from "./roll.ts";
import { type AddressUse, SLOT_INVITE, SLOT_USES, type UseReply } from "./slot-messages.ts";
import type { SlotSettings } from "./slot-settings.ts";
import type { SlotMember } from "./slot-view.ts";

export interface InquiryParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask" | "serve">;
  readonly settings: SlotSettings;
  readonly self: AgentId;
  readonly roll: () => Roll;
  /** A part of an answer. */
  readonly uses: (id: AgentId, uses: readonly AddressUse[]) => void;
  /** All parts have come; these are the addresses, or null if the agent had never answered before. */
  readonly answered: (id: AgentId, addresses: ReadonlySet<string> | null) => void;
  /** Somebody wants to be asked, while nobody is. */
  readonly wanted: () => void;
}

/** Far more than an agent has addresses for: one that goes on for ever is broken. */
const PARTS_MAX = 1000;

/** What is asked of one life of a member. */
interface Inquiry {
  readonly member: SlotMember;
  readonly life: string;
  readonly number: number;
  /** Null if it is the first that the member answers. */
  readonly addresses: Set<string> | null;
  /** The roll of the member; null until it has answered. */
  roll: string | null;
}

/** More than are made in a life. */
const INQUIRIES_PER_LIFE = 1_000_000_000;

export class Inquiries {
  readonly #parts: InquiryParts;
  readonly #inquiries = new Map<AgentId, Inquiry>();
  /** The rolls since all were asked; none while nobody is. */
  readonly #rolls = new Set<string>();
  /** Who may fetch, as of the last look. */
  #fetching: ReadonlySet<AgentId> = new Set();
  #count = 0;

  constructor(parts: InquiryParts) {
    this.#parts = parts;
    parts.messenger.serve(SLOT_INVITE, (from, _nothing, respond) => {
      respond(null);
      if (!this.areBegun) parts.wanted();
      const inquiry = this.#inquiries.get(from.place.id);
      if (inquiry?.life === lifeOf(from) && inquiry.roll !== null) this.#inquire(inquiry.member);
    });
  }

  get areBegun(): boolean {
    return this.#rolls.size > 0;
  }

  /** All members are asked, as if for the first time. */
  begin(): void {
    this.forget();
    this.grow();
  }

  /** The roll has grown: what was answered still counts. Whether somebody must be waited for, as in `renew`. */
  grow(): boolean {
    this.#rolls.add(this.#parts.roll().text);
    return this.renew();
  }

  /**
   * Those are asked who were not, or have begun another life; whether one of them may fetch. So may one that
   * was joining until now, as far as was known, and its answer may not count.
   */
  renew(): boolean {
    if (!this.areBegun) return false;
    const members = [...this.#parts.roll().present.values()];
    const asked = members.filter(
      (member) => this.#inquiries.get(member.place.id)?.life !== lifeOf(member),
    );
    for (const member of asked) this.#inquire(member);
    const before = this.#fetching;
    this.#fetching = new Set(members.filter(mayFetch).map(({ place }) => place.id));
    const hasBegun = (id: AgentId): boolean => !before.has(id) && !this.#hasAnswered(id);
    return asked.some(mayFetch) || [...this.#fetching].some(hasBegun);
  }

  /** Nobody is asked any more, and what was answered does not count. */
  forget(): void {
    this.#fetching = new Set();
    this.#inquiries.clear();
    this.#rolls.clear();
  }

  /** The latest inquiry of this agent. */
  numberOf(id: AgentId): number {
    return this.#inquiries.get(id)?.number ?? 0;
  }

  /** What is known of a sender that has answered this inquiry last: `later` while it is asked. */
  standingOf(from: Sender, number: number): "known" | "later" | "unknown" {
    const inquiry = this.#inquiries.get(from.place.id);
    if (inquiry === undefined || inquiry.life !== lifeOf(from)) return "later";
    if (inquiry.roll === null) return "later";
    return inquiry.number === number ? "known" : "unknown";
  }

  get areComplete(): boolean {
    return this.#everybody((id) => this.#hasAnswered(id));
  }

  /** Whether every member that may fetch has answered, under whatever roll. */
  get areAnswered(): boolean {
    return this.#everybody((id) => this.#rollOf(id) !== null);
  }

  #everybody(isEnough: (id: AgentId) => boolean): boolean {
    const members = [...this.#parts.roll().present.values()].filter(mayFetch);
    return members.every(({ place }) => isEnough(place.id));
  }

  /** Under a roll that counts. */
  #hasAnswered(id: AgentId): boolean {
    const roll = this.#rollOf(id);
    return roll !== null && this.#rolls.has(roll);
  }

  #rollOf(id: AgentId): string | null {
    return this.#inquiries.get(id)?.roll ?? null;
  }

  #inquire(member: SlotMember): void {
    const { roll, self } = this.#parts;
    const { id } = member.place;
    const { incarnation } = roll().present.get(self) ?? { incarnation: 0 };
    this.#count += 1;
    const inquiry = {
      ...{ member, life: lifeOf(member), roll: null },
      number: incarnation * INQUIRIES_PER_LIFE + this.#count,
      addresses: this.#inquiries.has(id) ? new Set<string>() : null,
    };
    this.#inquiries.set(id, inquiry);
    this.#ask(inquiry, 0);
  }

  #ask(inquiry: Inquiry, part: number): void {
    const { messenger, settings } = this.#parts;
    const { number, member } = inquiry;
    const question = { body: { inquiry: number, part }, timeoutMs: settings.timeoutMs };
    messenger.ask(member.place, SLOT_USES, question, (replied) => {
      if (this.#inquiries.get(member.place.id) !== inquiry) return;
      if (replied.kind === "none") this.#later(inquiry, () => this.#ask(inquiry, part));
      // Otherwise it has begun another life, and is asked as soon as the view says so.
      else if (lifeOf(replied.from) === inquiry.life) this.#take(inquiry, part, replied.body);
    });
  }

  #take(inquiry: Inquiry, part: number, { roll, uses, isLast }: UseReply): void {
    const { member, addresses } = inquiry;
    const { id } = member.place;
    for (const { address } of uses) addresses?.add(address);
    this.#parts.uses(id, uses);
    if (!isLast && part < PARTS_MAX) {
      this.#ask(inquiry, part + 1);
      return;
    }
    inquiry.roll = roll;
    this.#parts.answered(id, addresses);
    const { settings } = this.#parts;
    if (this.#rolls.has(roll)) return;
    this.#later(inquiry, () => this.#inquire(member), settings.timeoutMs);
  }

  #later(inquiry: Inquiry, run: () => void, delayMs = this.#parts.settings.retryMs): void {
    const { clock, roll } = this.#parts;
    const { id } = inquiry.member.place;
    clock.after(delayMs, () => {
      if (this.#inquiries.get(id) !== inquiry) return;
      if (inquiry.roll !== null && this.#rolls.has(inquiry.roll)) return;
      if (roll().present.has(id)) run();
      else this.#inquiries.delete(id);
    });
  }
}

function lifeOf({ place, incarnation }: Pick<Sender, "place" | "incarnation">): string {
  return `${placeText(place)}/${incarnation}`;
}

/** Who joins does not fetch yet. */
function mayFetch({ state }: SlotMember): boolean {
  return state !== "joining";
}
