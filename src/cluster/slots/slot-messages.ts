/** What agents and granters of address slots say to each other. */
import { codec } from "../../topology/items/index.ts";
import {
  ADDRESS,
  choice,
  DURATION,
  type MessageType,
  messageType,
  NOTHING,
} from "../messages/index.ts";

/** Numbers of requests begin with 1. */
export const NO_NUMBER = 0;

/** A slot is wanted: for one fetch. */
export interface SlotRequest {
  /** The last one that the sender has answered. */
  readonly inquiry: number;
  readonly address: string;
  /** Grows with each request of its sender's life. */
  readonly number: number;
}

export interface SlotReply {
  /**
   * `later`: to be repeated. `over`: to be repeated with another number, this one has expired.
   * `unknown`: the granter must inquire first.
   */
  readonly outcome: "granted" | "later" | "over" | "unknown";
  /** Nobody else uses the address: until further notice no slots are needed. */
  readonly isFree: boolean;
  /** Grows with each statement of a granter's life; an older one does not count after a newer one. */
  readonly stamp: number;
}

/** A fetch has ended, or a request is withdrawn. */
export interface SlotEnd {
  readonly inquiry: number;
  readonly address: string;
  readonly number: number;
  /** How long ago the fetch ended; null if there was none. */
  readonly agoMs: number | null;
}

export interface SlotEndReply {
  readonly outcome: "taken" | "later" | "unknown";
}

/** The address is used by others too: from now on slots are needed. */
export interface SharedNotice {
  readonly inquiry: number;
  readonly address: string;
  readonly stamp: number;
}

export interface SharedReply {
  readonly isUsed: boolean;
  /** The fetch in flight, or `NO_NUMBER`. */
  readonly number: number;
  /** How long ago the last fetch ended; null if there was none. */
  readonly agoMs: number | null;
}

/** How an agent uses an address. */
export interface AddressUse {
  readonly address: string;
  /** The fetch in flight, or `NO_NUMBER`. */
  readonly number: number;
  readonly isFree: boolean;
}

/** A granter wants to know which of its addresses the receiver uses. */
export interface UseInquiry {
  /** Grows with each inquiry of a granter, through all lives of its disk. */
  readonly inquiry: number;
  /** An answer may have several parts, which are asked for one by one, from 0 on. */
  readonly part: number;
}

export interface UseReply {
  /** The roll of the agent that replies. */
  readonly roll: string;
  readonly uses: readonly AddressUse[];
  readonly isLast: boolean;
}

/** Addresses that the sender no longer uses. */
export interface ForgottenAddresses {
  readonly inquiry: number;
  /** Of the last request of the sender: who asks for an address after that uses it again. */
  readonly number: number;
  readonly addresses: readonly string[];
}

const { count, flag, list, nullable, struct, text } = codec;

export const SLOT_REQUEST: MessageType<SlotRequest, SlotReply> = messageType(
  "slot.request",
  struct<SlotRequest>({ inquiry: count, address: ADDRESS, number: count }),
  struct<SlotReply>({
    outcome: choice(["granted", "later", "over", "unknown"]),
    ...{ isFree: flag, stamp: count },
  }),
);

export const SLOT_END: MessageType<SlotEnd, SlotEndReply> = messageType(
  "slot.end",
  struct<SlotEnd>({ inquiry: count, address: ADDRESS, number: count, agoMs: nullable(DURATION) }),
  struct<SlotEndReply>({ outcome: choice(["taken", "later", "unknown"]) }),
);

export const SLOT_SHARED: MessageType<SharedNotice, SharedReply> = messageType(
  "slot.shared",
  struct<SharedNotice>({ inquiry: count, address: ADDRESS, stamp: count }),
  struct<SharedReply>({ isUsed: flag, number: count, agoMs: nullable(DURATION) }),
);

export const SLOT_USES: MessageType<UseInquiry, UseReply> = messageType(
  "slot.uses",
  struct<UseInquiry>({ inquiry: count, part: count }),
  struct<UseReply>({
    roll: text,
    uses: list(struct<AddressUse>({ address: ADDRESS, number: count, isFree: flag })),
    isLast: flag,
  }),
);

/** The sender wants to be inquired of. */
export const SLOT_INVITE: MessageType<null> = messageType("slot.invite", NOTHING);

export const SLOT_FORGET: MessageType<ForgottenAddresses> = messageType(
  "slot.forget",
  struct<ForgottenAddresses>({ inquiry: count, number: count, addresses: list(ADDRESS) }),
);
