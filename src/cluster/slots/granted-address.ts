/**
 * One address as its granter sees it: who uses it, who fetches from it, who waits for it. It decides and
 * does nothing else.
 *
 * Invariants: a slot is given only while nobody holds one, nobody is free, and the address has rested
 * since the last end that is known. Of the requests of one agent only the latest counts.
 */
import type { AgentId } from "../../base/transport/index.ts";
import { type AddressUse, NO_NUMBER } from "./slot-messages.ts";

/** An agent that uses the address. */
interface User {
  /** It fetches without asking, because it was alone. */
  isFree: boolean;
  /** The fetch that it makes, or may make. */
  hold: { readonly number: number; readonly expiresAtMs: number } | null;
  /** Requests up to this one are over. */
  doneNumber: number;
  /** Of all times that somebody was given a slot, the last of this agent; the same slot again included. */
  lastGrant: number;
}

export interface Request {
  readonly id: AgentId;
  readonly number: number;
  /** The slot is given; whether the agent is alone. */
  readonly grant: (isFree: boolean) => void;
  /** The request is over, and will not be granted. */
  readonly refuse: () => void;
}

interface Waiter extends Request {
  readonly askedAtMs: number;
}

/** What is to be done next; `wait` until an instant, Infinity if something must come first. */
export type Step =
  | { readonly kind: "wait"; readonly untilMs: number }
  | { readonly kind: "call"; readonly ids: readonly AgentId[] }
  | { readonly kind: "grant"; readonly grant: () => void };

/** Until when a fetch in flight may last, and the address rests if none is. */
export interface Terms {
  readonly untilMs: number;
  readonly restsUntilMs: number;
}

export interface GrantTimes {
  readonly ipDelayMs: number;
  /** How long a slot is held for an agent that is silent. */
  readonly holdMs: number;
  /** How long a request waits that is not repeated. */
  readonly keptMs: number;
}

export class GrantedAddress {
  readonly #users = new Map<AgentId, User>();
  #waiters: Waiter[] = [];
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  #grants = 0;

  /** Whether it need not be remembered. */
  isOver(nowMs: number): boolean {
    return this.#users.size === 0 && this.#restsUntilMs <= nowMs;
  }

  /** An agent reports how it uses the address; what it held and does not name has ended by now. */
  uses(
    id: AgentId,
    use: Pick<AddressUse, "number" | "isFree">,
    { untilMs, restsUntilMs }: Terms,
  ): void {
    this.drop(id, restsUntilMs);
    const user = this.#user(id);
    user.isFree = use.isFree;
    if (use.number !== NO_NUMBER) user.hold = { number: use.number, expiresAtMs: untilMs };
  }

  /** An agent uses the address no more; what it held, or did without asking, has ended by now. */
  drop(id: AgentId, restsUntilMs: number): void {
    const user = this.#users.get(id);
    if (user !== undefined && (user.hold !== null || user.isFree)) this.#rest(restsUntilMs);
    this.#users.delete(id);
    this.#waiters = this.#waiters.filter((waiter) => waiter.id !== id);
  }

  /** Whether an agent has asked for anything after this request, as far as is known. */
  hasAskedSince(id: AgentId, number: number): boolean {
    const user = this.#users.get(id);
    const waits = this.#waiters.some((waiter) => waiter.id === id && waiter.number > number);
    return waits || Math.max(user?.doneNumber ?? 0, user?.hold?.number ?? 0) > number;
  }

  /** An agent wants a slot. */
  request(request: Request, nowMs: number, times: GrantTimes): void {
    const { id, number, grant, refuse } = request;
    const user = this.#user(id);
    if (number <= Math.max(user.doneNumber, (user.hold?.number ?? 0) - 1)) {
      refuse();
      return;
    }
    if (user.hold?.number === number) {
      // The answer was lost, or is late: what was given is given again.
      user.hold = { number, expiresAtMs: nowMs + times.holdMs };
      this.#granted(user);
      grant(user.isFree);
      return;
    }
    if (user.hold !== null) this.#over(user, nowMs + times.ipDelayMs);
    user.isFree = false;
    const waiter = { ...request, askedAtMs: nowMs };
    const at = this.#waiters.findIndex((other) => other.id === id);
    if (at < 0) this.#waiters.push(waiter);
    else if ((this.#waiters[at]?.number ?? 0) <= number) this.#waiters[at] = waiter;
  }

  /** A fetch has ended, or a request is withdrawn: then nothing rests. */
  end(id: AgentId, number: number, restsUntilMs: number | null): void {
    const user = this.#users.get(id);
    if (user === undefined) return;
    if (user.hold !== null && user.hold.number <= number) this.#over(user, restsUntilMs);
    user.doneNumber = Math.max(user.doneNumber, number);
    this.#waiters = this.#waiters.filter((waiter) => waiter.id !== id || waiter.number > number);
  }

  /** Which time an agent was last given a slot: what it said before is out of date. */
  lastGrantOf(id: AgentId): number {
    return this.#users.get(id)?.lastGrant ?? 0;
  }

  /** An agent that was free has said what it does; `restsUntilMs` if it ever fetched. */
  called(
    id: AgentId,
    number: number,
    { untilMs, restsUntilMs }: { untilMs: number; restsUntilMs: number | null },
  ): void {
    const user = this.#users.get(id);
    if (user === undefined) return;
    user.isFree = false;
    if (user.hold !== null && user.hold.number !== number) this.#over(user, null);
    if (number !== NO_NUMBER) user.hold = { number, expiresAtMs: untilMs };
    if (restsUntilMs !== null) this.#rest(restsUntilMs);
  }

  /** What is to be done now. */
  next(nowMs: number, times: GrantTimes): Step {
    this.#expire(nowMs, times);
    const waiter = this.#waiters[0];
    const users = [...this.#users];
    // Also if nobody waits: several may have been free because another granter did not know of all.
    const isShared = users.length > 1;
    const free = users.filter(([id, { isFree }]) => isFree && isShared && id !== waiter?.id);
    if (free.length > 0) return { kind: "call", ids: free.map(([id]) => id) };
    if (waiter === undefined) {
      const isUsed = users.length > 0;
      return { kind: "wait", untilMs: isUsed ? Number.POSITIVE_INFINITY : this.#restsUntilMs };
    }
    const holds = users.flatMap(([, { hold }]) => hold?.expiresAtMs ?? []);
    if (holds.length > 0) return { kind: "wait", untilMs: Math.min(...holds) };
    if (this.#restsUntilMs > nowMs) return { kind: "wait", untilMs: this.#restsUntilMs };
    return { kind: "grant", grant: () => this.#grant(waiter, nowMs + times.holdMs) };
  }

  #grant({ id, number, grant }: Waiter, expiresAtMs: number): void {
    const user = this.#user(id);
    this.#waiters.shift();
    user.hold = { number, expiresAtMs };
    this.#granted(user);
    user.isFree = this.#users.size === 1;
    grant(user.isFree);
  }

  #granted(user: User): void {
    this.#grants += 1;
    user.lastGrant = this.#grants;
  }

  #expire(nowMs: number, { ipDelayMs, keptMs }: GrantTimes): void {
    for (const user of this.#users.values()) {
      const { hold } = user;
      if (hold !== null && hold.expiresAtMs <= nowMs) this.#over(user, nowMs + ipDelayMs);
    }
    this.#waiters = this.#waiters.filter(({ askedAtMs }) => askedAtMs + keptMs > nowMs);
  }

  /** What the agent held is over. */
  #over(user: User, restsUntilMs: number | null): void {
    user.doneNumber = Math.max(user.doneNumber, user.hold?.number ?? NO_NUMBER);
    user.hold = null;
    if (restsUntilMs !== null) this.#rest(restsUntilMs);
  }

  #rest(untilMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
  }

  #user(id: AgentId): User {
    let user = this.#users.get(id);
    if (user === undefined) {
      user = { isFree: false, hold: null, doneNumber: NO_NUMBER, lastGrant: 0 };
      this.#users.set(id, user);
    }
    return user;
  }
}
