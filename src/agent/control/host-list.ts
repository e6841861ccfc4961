/**
 * Lists the hosts of a crawl, a page of the list at a time. There may be millions: they are looked at
 * in portions, with a pause between, and only as many are held as are asked for.
 */
import type { Clock } from "../../base/seams/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { Frontier, HostView } from "../../frontier/front/index.ts";
import { type MissingAgent, refused } from "./ask-crawl.ts";

/** `found`: in the order in which they were met. The others: the largest first. */
export type HostSort = "found" | "pages" | "queued";

export interface HostQuery {
  /** Part of the name; null for all. */
  readonly match: string | null;
  readonly state: HostView["state"] | null;
  readonly sort: HostSort;
  /** A cursor that an earlier page gave; null for the first page. */
  readonly after: HostCursor | null;
  readonly limit: number;
}

/** The last host of a page: what it is sorted by, its lane, and its number there. */
export interface HostCursor {
  readonly value: number;
  readonly lane: number;
  readonly number: number;
}

export interface HostPage {
  readonly hosts: readonly HostView[];
  /** Of each, from where a list goes on behind it. */
  readonly places: readonly HostCursor[];
  /** Null if there are no more. What the list is sorted by may change between two pages. */
  readonly next: HostCursor | null;
}

/** The same as a user asks: of one process, or of several agents. */
export interface HostsAsked extends Omit<HostQuery, "after"> {
  /** That of an earlier answer. */
  readonly after: string | null;
}

export interface ListedHost extends HostView {
  /** Which agent has it; null for a crawl that is alone. */
  readonly agent: string | null;
}

export interface HostsFound {
  readonly hosts: readonly ListedHost[];
  /** Null if there are no more. */
  readonly cursor: string | null;
  /** Agents whose hosts are not among them. */
  readonly missing: readonly MissingAgent[];
}

export function printHostCursor({ value, lane, number }: HostCursor): string {
  return `${value}.${lane}.${number}`;
}

/** Throws `API_BAD_REQUEST` for a text that is not one. */
export function readHostCursor(text: string): HostCursor {
  const [, value, lane, number] = /^(\d{1,15})\.(\d{1,4})\.(\d{1,15})$/.exec(text) ?? [];
  if (value === undefined) throw refused(`${quoted(text)} is not a cursor.`);
  return { value: Number(value), lane: Number(lane), number: Number(number) };
}

/**
 * What to ask of one of several lanes, after those before it have given `pages`; null for nothing. In
 * the order in which they were met, the hosts of a lane come after all of the one before.
 */
export function queryOfLane(
  query: HostQuery,
  lane: number,
  pages: readonly HostPage[],
): HostQuery | null {
  const { sort, after, limit } = query;
  const found = pages.reduce((sum, { hosts }) => sum + hosts.length, 0);
  if (sort === "found") {
    if (found > limit || lane < (after?.lane ?? 0)) return null;
    // One that is too much says that there is more.
    return { ...query, after: lane === after?.lane ? after : null, limit: limit + 1 - found };
  }
  if (after === null || after.lane === lane) return query;
  const number = lane < after.lane ? Number.MAX_SAFE_INTEGER : -1;
  return { ...query, after: { ...after, number } };
}

/** The pages of all lanes as one, by lane. */
export function mergePages(pages: readonly HostPage[], { sort, limit }: HostQuery): HostPage {
  const all = pages.flatMap(({ hosts, places }, lane) =>
    hosts.map((view, at) => ({ view, place: { ...(places[at] as HostCursor), lane } })),
  );
  if (sort !== "found") all.sort((one, other) => compare(one.place, other.place));
  const kept = all.slice(0, limit);
  const isMore = all.length > limit || pages.some(({ next }) => next !== null);
  return {
    hosts: kept.map(({ view }) => view),
    places: kept.map(({ place }) => place),
    next: isMore ? (kept.at(-1)?.place ?? null) : null,
  };
}

/** A few milliseconds. */
const LOOKS_PER_TURN = 2000;

export async function listHosts(
  { hosts }: Pick<Frontier, "hosts">,
  clock: Clock,
  query: HostQuery,
): Promise<HostPage> {
  const { sort, after, limit } = query;
  const best: HostView[] = [];
  let isMore = false;
  const first = sort === "found" && after !== null ? after.number + 1 : 0;
  for (let number = first; number < hosts.count; number += 1) {
    if ((number - first) % LOOKS_PER_TURN === LOOKS_PER_TURN - 1) await pause(clock);
    // Its owner lists it.
    if (hosts.isAway(number)) continue;
    const view = hosts.at(number);
    if (!isWanted(view, query)) continue;
    if (best.length === limit) isMore = true;
    insert(best, view, query);
    if (sort === "found" && isMore) break;
  }
  const places = best.map((view) => cursorOf(view, sort));
  return { hosts: best, places, next: isMore ? (places.at(-1) ?? null) : null };
}

function isWanted(view: HostView, { match, state, sort, after }: HostQuery): boolean {
  if (match !== null && !view.host.includes(match)) return false;
  if (state !== null && view.state !== state) return false;
  return after === null || compare(cursorOf(view, sort), { ...after, lane: 0 }) > 0;
}

/** Keeps the list sorted and no longer than the limit. */
function insert(best: HostView[], view: HostView, { sort, limit }: HostQuery): void {
  const place = cursorOf(view, sort);
  let [at, end] = [0, best.length];
  while (at < end) {
    const middle = (at + end) >> 1;
    if (compare(place, cursorOf(best[middle] as HostView, sort)) < 0) end = middle;
    else at = middle + 1;
  }
  if (at >= limit) return;
  best.splice(at, 0, view);
  if (best.length > limit) best.pop();
}

function cursorOf({ number, pages, queued }: HostView, sort: HostSort): HostCursor {
  if (sort === "found") return { value: 0, lane: 0, number };
  return { value: sort === "pages" ? pages : queued, lane: 0, number };
}

/** Which of two hosts comes first. */
export function compare(one: HostCursor, other: HostCursor): number {
  return other.value - one.value || one.lane - other.lane || one.number - other.number;
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(0, resolve));
}
