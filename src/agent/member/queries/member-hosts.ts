/**
 * The hosts of the whole crawl, asked of any of its agents: each lists those that it has, and the lists are
 * merged. In the order in which hosts were met, those of one agent come after those of another.
 */
import { quoted } from "../../../base/text/index.ts";
import { placeText } from "../../../cluster/messages/index.ts";
import type { ClusterNode } from "../../../cluster/node/index.ts";
import type { StreamBatch } from "../../../cluster/queries/index.ts";
import { type MissingAgent, refused } from "../../control/ask-crawl.ts";
import {
  compare,
  type HostsAsked,
  type HostsFound,
  type ListedHost,
  readHostCursor,
} from "../../control/host-list.ts";
import {
  type Positions,
  printMemberCursor,
  queryCursorOf,
  readMemberCursor,
} from "./member-cursor.ts";
import { type HostItem, hostsQuery, itemIn } from "./page-queries.ts";

export interface MemberHostsParts {
  /** The crawl, for its cursors. */
  readonly crawl: string;
  readonly queries: Pick<ClusterNode["queries"], "stream">;
}

interface Found {
  readonly place: string;
  /** The cursor behind it, at its agent. */
  readonly at: string;
  readonly host: ListedHost;
}

interface Gathered {
  readonly found: readonly Found[];
  readonly missing: readonly MissingAgent[];
}

export class MemberHosts {
  readonly #parts: MemberHostsParts;

  constructor(parts: MemberHostsParts) {
    this.#parts = parts;
  }

  async list(asked: HostsAsked): Promise<HostsFound> {
    const { crawl } = this.#parts;
    const before = asked.after === null ? new Map() : this.#positionsAt(asked.after);
    const { found, missing } = await this.#gathered(asked, before);
    const sorted = found.toSorted(asked.sort === "found" ? byPlace : bySize);
    const kept = sorted.slice(0, asked.limit);
    const after = new Map(before);
    for (const { place, at } of kept) after.set(place, at);
    const isMore = found.length > kept.length;
    return {
      hosts: kept.map(({ host }) => host),
      cursor: isMore ? printMemberCursor(crawl, after) : null,
      missing,
    };
  }

  /** Of each agent as many as are wanted, and one more if it has them; enough in all if any will do. */
  async #gathered(asked: HostsAsked, from: Positions): Promise<Gathered> {
    const found: Found[] = [];
    const stream = this.#parts.queries.stream(hostsQuery(asked), queryCursorOf(from));
    try {
      for (;;) {
        const batch = await new Promise<StreamBatch>((resolve) => stream.next(resolve));
        const missing = batch.missing.map(({ place, why }) => ({ agent: place.id, why }));
        found.push(...hostsIn(batch));
        const isEnough = asked.sort === "found" && found.length > asked.limit;
        if (batch.from === null || isEnough) return { found, missing };
      }
    } finally {
      stream.close();
    }
  }

  #positionsAt(cursor: string): Positions {
    const positions = readMemberCursor(this.#parts.crawl, cursor);
    if (positions === null) throw refused(`${quoted(cursor)} is not a cursor of this crawl.`);
    for (const at of positions.values()) readHostCursor(at);
    return positions;
  }
}

function hostsIn({ from, items }: StreamBatch): Found[] {
  if (from === null) return [];
  const place = placeText(from);
  return items.flatMap((bytes) => {
    const item = itemIn<HostItem>(bytes);
    if (typeof item?.view?.host !== "string" || typeof item.at !== "string") return [];
    return [{ place, at: item.at, host: { ...item.view, agent: from.id } }];
  });
}

function byPlace(one: Found, other: Found): number {
  if (one.place !== other.place) return one.place < other.place ? -1 : 1;
  return compare(readHostCursor(one.at), readHostCursor(other.at));
}

function bySize(one: Found, other: Found): number {
  const [first, second] = [readHostCursor(one.at), readHostCursor(other.at)];
  return second.value - first.value || byPlace(one, other);
}
