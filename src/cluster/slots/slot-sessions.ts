/**
 * What the granters know of this agent. A session begins when a granter has inquired, and ends when it
 * inquires again, when it says that it knows of none, or when somebody is no longer on the roll of this agent:
 * then the granter has more addresses than it was told of. Those of a granter become fewer when others come to
 * the roll, and what it was told of the rest still holds. Without a session a granter is asked for nothing but
 * to inquire.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import { type Messenger, type Place, placeText, type Sender } from "../messages/index.ts";
import type { Roll } from "./roll.ts";
import {
  type AddressUse,
  SLOT_INVITE,
  SLOT_USES,
  type UseInquiry,
  type UseReply,
} from "./slot-messages.ts";
import type { SlotSettings } from "./slot-settings.ts";

/** Of a few dozen bytes each: a message has far less than it may. */
const PART_USES = 2000;
/** After a change of the roll granters mostly inquire by themselves: so long they are not invited to. */
const PATIENCE = 2;

export interface SlotSession {
  readonly inquiry: number;
  /** Grows from session to session: what a granter has said in an earlier one is older. */
  readonly order: number;
  /** The own roll when the granter began to ask, and what was used then of its addresses. */
  readonly roll: string;
  readonly addresses: readonly string[];
  readonly isOver: boolean;
  /** The granter is known to have heard this agent at this moment or later. */
  confirmedAtMs: number;
}

export interface SlotSessionParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask" | "serve">;
  readonly settings: SlotSettings;
  readonly roll: () => Roll;
  /** All addresses that are used. */
  readonly addresses: () => Iterable<string>;
  /** How an address is used now; null if it is not used any more. */
  readonly useOf: (address: string) => AddressUse | null;
  readonly begun: (granter: Place) => void;
}

export class SlotSessions {
  readonly #parts: SlotSessionParts;
  /** The latest with each place. */
  readonly #sessions = new Map<string, SlotSession>();
  /** Granters that are to inquire. */
  readonly #invited = new Map<AgentId, Timer>();
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #order = 0;
  #isClosed = false;

  constructor(parts: SlotSessionParts) {
    this.#parts = parts;
    parts.messenger.serve(SLOT_USES, (from, inquiry, respond) => {
      respond(this.#answer(from, inquiry));
    });
  }

  /** Null if the granter must inquire first. */
  with(granter: Place): SlotSession | null {
    const session = this.#sessions.get(placeText(granter));
    return session === undefined || session.isOver ? null : session;
  }

  /** The granter knows nothing of this session: whatever it asks next begins another one. */
  end(granter: Place, session: SlotSession): void {
    if (this.with(granter) !== session) return;
    this.#sessions.delete(placeText(granter));
    this.#inviteLater(granter.id, 0);
  }

  /** A session is wanted, if there is none. */
  want(granter: Place): void {
    const { clock, settings } = this.#parts;
    // A wait that has begun is not begun anew: rolls may change for ever.
    if (this.with(granter) !== null || this.#invited.has(granter.id)) return;
    const fromMs = this.#changedAtMs + PATIENCE * settings.retryMs;
    this.#inviteLater(granter.id, Math.max(0, fromMs - clock.nowMs()));
  }

  /** `hasGrown`: others have come to it, and nobody has gone. */
  rollChanged(hasGrown: boolean): void {
    this.#changedAtMs = this.#parts.clock.nowMs();
    if (hasGrown) return;
    for (const [text, session] of this.#sessions) {
      this.#sessions.set(text, { ...session, isOver: true });
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#invited.values()) timer.cancel();
  }

  #inviteLater(id: AgentId, delayMs: number): void {
    this.#invited.get(id)?.cancel();
    this.#invited.set(
      id,
      this.#parts.clock.after(delayMs, () => this.#invite(id)),
    );
  }

  #invite(id: AgentId): void {
    const { messenger, settings, roll } = this.#parts;
    const place = roll().present.get(id)?.place;
    this.#invited.delete(id);
    if (place === undefined || this.with(place) !== null || this.#isClosed) return;
    const { timeoutMs, retryMs } = settings;
    this.#inviteLater(id, timeoutMs + retryMs);
    messenger.ask(place, SLOT_INVITE, { body: null, timeoutMs }, () => undefined);
  }

  #answer({ place }: Sender, { inquiry, part }: UseInquiry): UseReply {
    const { useOf } = this.#parts;
    const last = this.#sessions.get(placeText(place));
    // If an answer was lost and the roll is another by now, this one says so, and the granter begins anew.
    const { addresses, roll } =
      last === undefined || inquiry > last.inquiry ? this.#begin(place, inquiry) : last;
    const from = part * PART_USES;
    const uses = addresses.slice(from, from + PART_USES).flatMap((address) => useOf(address) ?? []);
    return { roll, uses, isLast: from + PART_USES >= addresses.length };
  }

  #begin(granter: Place, inquiry: number): SlotSession {
    const { clock, settings, addresses, roll, begun } = this.#parts;
    const granted = Array.from(addresses()).filter(
      (address) => roll().granterOf(address)?.id === granter.id,
    );
    this.#order += 1;
    const session = {
      ...{ inquiry, order: this.#order, roll: roll().text, addresses: granted },
      // Who is not on the roll was not told of what it will grant when it is.
      isOver: !roll().has(granter),
      // The answer may be lost, and the question may have been under way for long.
      confirmedAtMs: clock.nowMs() - Math.min(settings.totalTimeoutMs, settings.deadAfterMs) / 2,
    };
    this.#sessions.set(placeText(granter), session);
    begun(granter);
    return session;
  }
}
