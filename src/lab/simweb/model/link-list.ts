/**
 * The links of one page as the model has them: columns of numbers that are filled again for every
 * page, so that reading the links of ten million pages allocates nothing.
 */

import { FOLLOWABLE_KINDS, type FollowableKind } from "../../../formats/link/index.ts";

/** Traps that a front page leads into, in the place of a slot's number. */
export const CALENDAR = -1;
export const LOOP = -2;
export const VISITS = -3;
export const MAZE = -4;

export interface LinkTarget {
  /** Of a counted host. */
  readonly host: number;
  /** A slot, or a trap. */
  readonly slot: number;
  readonly variant: number;
  /** Whether the link names the bare domain, which redirects to the host. */
  readonly isAlias: boolean;
}

const IS_ALIAS = 1;
const IS_NOFOLLOW = 2;

export class LinkList {
  count = 0;
  #hosts = new Int32Array(64);
  #slots = new Int32Array(64);
  #variants = new Uint8Array(64);
  #kinds = new Uint8Array(64);
  #flags = new Uint8Array(64);

  clear(): void {
    this.count = 0;
  }

  add(host: number, slot: number, kind: FollowableKind): void {
    if (this.count === this.#hosts.length) this.#grow();
    const at = this.count;
    this.#hosts[at] = host;
    this.#slots[at] = slot;
    this.#variants[at] = 0;
    this.#kinds[at] = FOLLOWABLE_KINDS.indexOf(kind);
    this.#flags[at] = 0;
    this.count += 1;
  }

  /** Says more about the link that was added last. */
  setVariant(variant: number): void {
    this.#variants[this.count - 1] = variant;
  }

  setAlias(): void {
    this.#setFlag(IS_ALIAS);
  }

  setNofollow(): void {
    this.#setFlag(IS_NOFOLLOW);
  }

  host(at: number): number {
    return this.#hosts[at] ?? 0;
  }

  slot(at: number): number {
    return this.#slots[at] ?? 0;
  }

  variant(at: number): number {
    return this.#variants[at] ?? 0;
  }

  kind(at: number): FollowableKind {
    return FOLLOWABLE_KINDS[this.#kinds[at] ?? 0] ?? "a";
  }

  isAlias(at: number): boolean {
    return ((this.#flags[at] ?? 0) & IS_ALIAS) !== 0;
  }

  isNofollow(at: number): boolean {
    return ((this.#flags[at] ?? 0) & IS_NOFOLLOW) !== 0;
  }

  target(at: number): LinkTarget {
    const [host, slot, variant] = [this.host(at), this.slot(at), this.variant(at)];
    return { host, slot, variant, isAlias: this.isAlias(at) };
  }

  #setFlag(flag: number): void {
    const last = this.count - 1;
    this.#flags[last] = (this.#flags[last] ?? 0) | flag;
  }

  #grow(): void {
    const length = this.#hosts.length * 2;
    this.#hosts = enlarged(this.#hosts, new Int32Array(length));
    this.#slots = enlarged(this.#slots, new Int32Array(length));
    this.#variants = enlarged(this.#variants, new Uint8Array(length));
    this.#kinds = enlarged(this.#kinds, new Uint8Array(length));
    this.#flags = enlarged(this.#flags, new Uint8Array(length));
  }
}

function enlarged<Column extends Int32Array | Uint8Array>(old: Column, fresh: Column): Column {
  fresh.set(old);
  return fresh;
}
