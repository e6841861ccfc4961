/**
 * What an agent asks the others about pages, by name, and the form of arguments and items: JSON, read with
 * care, because whoever sends it may be of another version.
 */
import type { Query } from "../../../cluster/queries/index.ts";
import type { HostView } from "../../../frontier/front/index.ts";
import type { PageRow, RowLink } from "../../../store/export/index.ts";
import type { HostQuery } from "../../control/host-list.ts";
import type { Explanation } from "../../explain/explanation.ts";

/** Pages in the order of their fetches. */
export interface PagesWanted {
  readonly prefix: string;
  /** An expression; null for all pages. */
  readonly filter: string | null;
  readonly text: boolean;
  readonly links: boolean;
}

export interface PageItem {
  /** The cursor behind it. */
  readonly at: string;
  readonly page: PageRow;
  /** Whether text and links were left out, because there are too many of them: ask for the whole page. */
  readonly isCut?: boolean;
}

/** One page with text and links, in pieces: whoever shows the page answers. */
export interface WholeWanted {
  readonly url: string;
  readonly text: boolean;
  readonly links: boolean;
}

/** A link to a page, or of one. The first item of an agent that knows the links of a page has none. */
export interface LinkItem {
  readonly at: string;
  readonly link: RowLink | null;
}

/** Hosts that an agent has, in the order that is wanted. */
export interface HostItem {
  /** The cursor behind it. */
  readonly at: string;
  readonly view: HostView;
}

/** What became of a URL, in pieces. */
export type StoryItem = Explanation | null;

/** As many as one answer to a user has at most. */
const HOSTS_MAX = 1000;

export const PAGE_QUERIES = {
  pages: "pages",
  whole: "page",
  linksIn: "links-in",
  linksOut: "links-out",
  story: "story",
  hosts: "hosts",
} as const;

export function pagesQuery(wanted: PagesWanted): Query {
  return { what: PAGE_QUERIES.pages, argument: JSON.stringify(wanted) };
}

export function wholeQuery(wanted: WholeWanted): Query {
  return { what: PAGE_QUERIES.whole, argument: JSON.stringify(wanted) };
}

export type HostsWanted = Omit<HostQuery, "after">;

export function hostsQuery({ match, state, sort, limit }: HostsWanted): Query {
  const argument = JSON.stringify({ match, state, sort, limit });
  return { what: PAGE_QUERIES.hosts, argument };
}

/** All hosts, as they were met, for an argument that says nothing else. */
export function readHostsWanted(argument: string): HostsWanted {
  const { match, state, sort, limit } = objectIn(argument);
  return {
    match: typeof match === "string" ? match : null,
    state: typeof state === "string" ? (state as HostView["state"]) : null,
    sort: sort === "pages" || sort === "queued" ? sort : "found",
    limit: typeof limit === "number" && limit >= 1 ? Math.min(limit, HOSTS_MAX) : HOSTS_MAX,
  };
}

/** All pages, bare, for an argument that says nothing else. */
export function readPagesWanted(argument: string): PagesWanted {
  const { prefix, filter, text, links } = objectIn(argument);
  return {
    prefix: typeof prefix === "string" ? prefix : "",
    filter: typeof filter === "string" ? filter : null,
    ...{ text: text === true, links: links === true },
  };
}

/** Null for an argument that names no page. */
export function readWholeWanted(argument: string): WholeWanted | null {
  const { url, text, links } = objectIn(argument);
  return typeof url === "string" ? { url, text: text === true, links: links === true } : null;
}

/** Null for what is not JSON. */
export function itemIn<Item>(bytes: Uint8Array): Item | null {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as Item;
  } catch {
    return null;
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? { ...found } : {};
  } catch {
    return {};
  }
}
