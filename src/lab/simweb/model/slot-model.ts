/**
 * The numbered URLs of a host, its *slots*, and how they hang together. Slot 0 is the front page;
 * slot `p` introduces the slots `b p + 1` to `b p + b`, so every slot is found from the front page
 * by links within the host. A slot that introduces others is an ordinary page, whatever the
 * profile; the others are *leaves* and may have any role.
 *
 * A mirror has the roles of the host it mirrors: everything here that takes `content` wants the
 * host whose pages are served (`HostModel.contentOf`).
 */

import type { Profile } from "../profile/profile.ts";
import { Chance } from "./chance.ts";
import type { HostModel } from "./host-model.ts";
import { drawRank, rankSpread } from "./power-law.ts";
import { ROLES, type Role, roleShares } from "./role.ts";
import { WeightTable } from "./weight-table.ts";

/** A chain of redirects longer than what any crawler follows. */
export const LONG_CHAIN_HOPS = 15;
const CHAIN_HOPS_MAX = 5;
const LOOP_HOPS_MAX = 3;

export interface Spot {
  readonly host: number;
  readonly slot: number;
}

export class SlotModel {
  readonly branching: number;
  readonly #hosts: HostModel;
  readonly #roles: WeightTable;
  readonly #triesMax: number;
  readonly #chance: { role: Chance; other: Chance; away: Chance; hops: Chance; tries: Chance };

  constructor(seed: string, profile: Profile, hosts: HostModel) {
    this.branching = profile.pages.branching;
    this.#hosts = hosts;
    this.#roles = new WeightTable(roleShares(profile));
    this.#triesMax = profile.errors.tries;
    this.#chance = {
      role: new Chance(seed, "role"),
      other: new Chance(seed, "original or target"),
      away: new Chance(seed, "target elsewhere"),
      hops: new Chance(seed, "hops"),
      tries: new Chance(seed, "failing tries"),
    };
  }

  role(content: number, slot: number): Role {
    if (this.isNeeded(content, slot)) return "page";
    return ROLES[this.#roles.choose(this.#chance.role.one(content, slot))] ?? "page";
  }

  /** Whether other slots are found through this one. */
  isNeeded(content: number, slot: number): boolean {
    return slot === 0 || this.branching * slot + 1 < this.#hosts.size(content);
  }

  /** The slots that this one introduces are `first` up to but not including `end`. */
  introduced(content: number, slot: number): { readonly first: number; readonly end: number } {
    const size = this.#hosts.size(content);
    const first = Math.min(size, this.branching * slot + 1);
    return { first, end: Math.min(size, first + this.branching) };
  }

  /** The page that a copy is a copy of; always an ordinary one. For others the slot itself. */
  originalOf(content: number, slot: number): number {
    const role = this.role(content, slot);
    if (role !== "copy" && role !== "numbered-copy" && role !== "near-copy") return slot;
    return this.#neededSlot(content, this.#chance.other.one(content, slot));
  }

  /** Where a redirect on this host ends at last; always an ordinary page. */
  nearTarget(content: number, slot: number): number {
    return this.#neededSlot(content, this.#chance.other.one(content, slot));
  }

  /** Where a redirect to another host ends: a page of a host that is needed. */
  awayTarget(content: number, slot: number): Spot {
    const row = this.#chance.away.at(content, slot);
    const count = this.#hosts.neededCount;
    const host = drawRank(row.unit(), rankSpread(count), count);
    return { host, slot: this.#neededSlot(host, row.u32()) };
  }

  /** How many requests a chain or circle of redirects that begins here consists of. */
  hops(content: number, slot: number): number {
    const word = this.#chance.hops.one(content, slot);
    switch (this.role(content, slot)) {
      case "redirect-chain":
        return 2 + (word % (CHAIN_HOPS_MAX - 1));
      case "redirect-long":
        return LONG_CHAIN_HOPS;
      case "redirect-loop":
        return 1 + (word % LOOP_HOPS_MAX);
      default:
        return 1;
    }
  }

  /** How many tries of what passes fail first. */
  failingTries(content: number, slot: number): number {
    return 1 + (this.#chance.tries.one(content, slot) % this.#triesMax);
  }

  #neededSlot(content: number, word: number): number {
    const needed = Math.ceil((this.#hosts.size(content) - 1) / this.branching);
    return word % Math.max(1, needed);
  }
}
