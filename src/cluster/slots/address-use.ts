/** How this agent uses one address: the fetch in flight, and those that wait for theirs. */
import { NO_NUMBER, type AddressUse as Told } from "./slot-messages.ts";

/** A fetch that needs a slot. */
export interface Flight {
  /** Of the request; another one each time it is asked anew. */
  number: number;
  readonly granted: () => void;
}

export class AddressUse {
  readonly address: string;
  /** Nobody else uses the address: no slots are needed. */
  isFree = false;
  /** A granter of it is known to have heard this agent at this moment or later, before the roll changed. */
  confirmedAtMs: number = Number.NEGATIVE_INFINITY;
  /** The latest statement of a granter: in which session, with which stamp. */
  #heard = { session: 0, stamp: 0 };
  flying: Flight | null = null;
  readonly waiting: Flight[] = [];
  isAsking = false;
  /** The end, or the withdrawal, that the granter is to be told. */
  ended: { readonly number: number; readonly atMs: number | null } | null = null;
  /** When the last fetch ended. */
  endedAtMs: number | null = null;
  usedAtMs: number;

  constructor(address: string, nowMs: number) {
    this.address = address;
    this.usedAtMs = nowMs;
  }

  /** A granter has said something; false if something newer was heard before. */
  hears(session: number, stamp: number): boolean {
    const last = this.#heard;
    if (session < last.session || (session === last.session && stamp < last.stamp)) return false;
    this.#heard = { session, stamp };
    return true;
  }

  get isBusy(): boolean {
    return this.flying !== null || this.waiting.length > 0 || this.isAsking || this.ended !== null;
  }

  get told(): Told {
    const { address, isFree } = this;
    return { address, isFree, number: this.flying?.number ?? NO_NUMBER };
  }
}
