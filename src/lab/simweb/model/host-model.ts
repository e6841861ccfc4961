/**
 * The hosts of a web: how large each is, where it stands, and what is wrong with it.
 *
 * Hosts are numbered by size. The front page of host `h` introduces the hosts `b h + 1` to `b h +
 * b`, so all are found from host 0. A host that introduces others is *needed*, and nothing is wrong
 * with it that would hide them; anything may be wrong with the others, which are most.
 */

import type { Profile } from "../profile/profile.ts";
import { Chance, threshold } from "./chance.ts";
import { HostNames } from "./host-names.ts";
import { hostSizes } from "./host-sizes.ts";
import { WeightTable } from "./weight-table.ts";

/** What becomes of every request to a host. */
export const FATES = [
  "sound",
  "dead",
  "dns-missing",
  "dns-failing",
  "dns-silent",
  "dns-truncated",
] as const;
export type Fate = (typeof FATES)[number];

/** What kind of robots.txt a host has; the keys of the profile's `robots`, and `open`. */
export const ROBOTS_KINDS = [
  "open",
  "rules",
  "wildcards",
  "named",
  "delay",
  "longDelay",
  "missing",
  "forbidden",
  "broken",
  "passing",
  "redirected",
  "lost",
  "huge",
  "garbage",
  "odd",
  "closed",
] as const;
export type RobotsKind = (typeof ROBOTS_KINDS)[number];

const HIDING: ReadonlySet<RobotsKind> = new Set(["longDelay", "broken", "closed"]);

export class HostModel {
  readonly count: number;
  /** URLs of all hosts together. */
  readonly pageCount: number;
  readonly names: HostNames;
  readonly #branching: number;
  readonly #sizes: Uint32Array;
  readonly #offsets: Float64Array;
  readonly #chance: { mirror: Chance; fate: Chance; robots: Chance };
  readonly #mirrorShare: number;
  readonly #fates: WeightTable;
  readonly #robots: WeightTable;

  constructor(seed: string, profile: Profile) {
    const { hosts, dns, robots } = profile;
    this.count = hosts.count;
    this.names = new HostNames(seed, hosts);
    this.#branching = hosts.branching;
    this.#chance = {
      mirror: new Chance(seed, "mirror"),
      fate: new Chance(seed, "fate"),
      robots: new Chance(seed, "robots.txt"),
    };
    // Only odd numbers can be mirrors, of the number before, so twice as many of them are.
    this.#mirrorShare = threshold(2 * hosts.mirrors);
    this.#fates = new WeightTable([
      0,
      hosts.dead,
      dns.missing,
      dns.failing,
      dns.silent,
      dns.truncated,
    ]);
    this.#robots = new WeightTable(
      ROBOTS_KINDS.map((kind) => (kind === "open" ? 0 : robots[kind])),
    );
    this.#sizes = hostSizes(hosts);
    this.#offsets = new Float64Array(this.count + 1);
    for (let host = 0; host < this.count; host += 1) {
      this.#sizes[host] = this.size(this.contentOf(host));
      this.#offsets[host + 1] = this.offset(host) + this.size(host);
    }
    this.pageCount = this.offset(this.count);
  }

  /** How many numbered URLs a host has. */
  size(host: number): number {
    return this.#sizes[host] ?? 0;
  }

  /** How many URLs the hosts before it have: URL `slot` of a host is number `offset + slot`. */
  offset(host: number): number {
    return this.#offsets[host] ?? 0;
  }

  /** The host to which the URL of this number belongs. */
  hostOfOrdinal(ordinal: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.offset(middle) <= ordinal) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The hosts that this one's front page introduces are `first` up to but not including `end`. */
  introduced(host: number): { readonly first: number; readonly end: number } {
    const first = this.#branching * host + 1;
    return {
      first: Math.min(this.count, first),
      end: Math.min(this.count, first + this.#branching),
    };
  }

  /** The hosts below this number are needed. */
  get neededCount(): number {
    return Math.max(1, Math.ceil((this.count - 1) / this.#branching));
  }

  /** Whether other hosts are found through this one. */
  isNeeded(host: number): boolean {
    return this.#branching * host + 1 < this.count;
  }

  /** The host whose pages this one serves: itself, or the one it mirrors. */
  contentOf(host: number): number {
    const isMirror =
      (host & 1) === 1 &&
      // Host 0 introduces host 1, which as its mirror would have to introduce itself.
      host > 1 &&
      !this.isNeeded(host) &&
      this.#chance.mirror.one(host, 0) < this.#mirrorShare;
    return isMirror ? host - 1 : host;
  }

  /** Whether another host serves the same pages, so that none may say whose they are. */
  isShared(host: number): boolean {
    const content = this.contentOf(host);
    return content !== host || (host + 1 < this.count && this.contentOf(host + 1) === host);
  }

  fate(host: number): Fate {
    if (this.isNeeded(host) || this.contentOf(host) !== host) return "sound";
    return FATES[this.#fates.choose(this.#chance.fate.one(host, 0))] ?? "sound";
  }

  robotsKind(host: number): RobotsKind {
    const content = this.contentOf(host);
    const kind = ROBOTS_KINDS[this.#robots.choose(this.#chance.robots.one(content, 0))] ?? "open";
    return HIDING.has(kind) && this.isNeeded(content) ? "open" : kind;
  }
}
