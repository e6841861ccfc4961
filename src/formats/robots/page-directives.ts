/**
 * What a page itself asks of crawlers, in `X-Robots-Tag` headers and `<meta name="robots">`. Both
 * hold lists of directives; a list may be addressed to one crawler. All directives addressed to us
 * or to everybody apply together: none takes another back.
 */
import { webDateMs } from "../../base/time/index.ts";

export interface PageDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Also asked for as `nocache`. */
  readonly noarchive: boolean;
  readonly nosnippet: boolean;
  readonly noimageindex: boolean;
  /** Not to be used for machine learning: `noai`, `noimageai`. Recorded, not standardised. */
  readonly noai: boolean;
  /** `tdm-reservation` of a `<meta>`: 1 where rights to mine text and data are reserved, else 0. */
  readonly tdmReservation: number | null;
  /** The earliest instant after which the page asks to be forgotten. */
  readonly unavailableAfterMs: number | null;
}

/** A `<meta>` element with a name and a content. */
export interface MetaElement {
  readonly name: string;
  readonly content: string;
}

export interface PageDirectiveSources {
  /** The values of the `X-Robots-Tag` headers, in any number and joined by commas or not. */
  readonly headers: readonly string[];
  readonly metas: readonly MetaElement[];
}

/** `token` is our product token; case does not matter anywhere. */
export function pageDirectives(sources: PageDirectiveSources, token: string): PageDirectives {
  const found: Found = { names: new Set(), unavailableAfterMs: null };
  const own = token.toLowerCase();
  let tdmReservation: number | null = null;
  for (const header of sources.headers) takeList(header, { own, addressable: true, found });
  for (const { name, content } of sources.metas) {
    const addressee = name.trim().toLowerCase();
    if (addressee === TDM_RESERVATION) tdmReservation ??= reservationIn(content);
    if (addressee !== "robots" && addressee !== own) continue;
    takeList(content, { own, addressable: false, found });
  }
  const has = (...names: string[]) => names.some((name) => found.names.has(name));
  return {
    noindex: has("noindex", "none"),
    nofollow: has("nofollow", "none"),
    noarchive: has("noarchive", "nocache"),
    nosnippet: has("nosnippet"),
    noimageindex: has("noimageindex"),
    noai: has("noai", "noimageai"),
    tdmReservation,
    unavailableAfterMs: found.unavailableAfterMs,
  };
}

/** The name of the `<meta>` element, and of the header, of the TDM Reservation Protocol. */
export const TDM_RESERVATION = "tdm-reservation";

/** 0 or 1; null for anything else. */
export function reservationIn(content: string): number | null {
  const value = content.trim();
  return value === "1" || value === "0" ? Number(value) : null;
}

interface Found {
  readonly names: Set<string>;
  unavailableAfterMs: number | null;
}

interface ListContext {
  readonly own: string;
  /** Only headers name a crawler inside the value. */
  readonly addressable: boolean;
  readonly found: Found;
}

/** Directives with a value: what stands before their colon is not a crawler. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/** `name:` at the beginning of an item; a time of day (`15:00`) is none. */
const ADDRESSEE = /^\s*([a-z_][\w.-]*|\*)\s*:/;

/**
 * Items stand between commas, but dates have commas of their own (`Wed, 03 Dec 2025`): an item
 * that is no directive goes with an `unavailable_after` before it.
 */
function takeList(list: string, context: ListContext): void {
  let forUs = true;
  let date = "";
  for (const raw of list.toLowerCase().split(",")) {
    let item = raw;
    let match = context.addressable ? ADDRESSEE.exec(item) : null;
    while (match !== null && !WITH_VALUE.test(match[1] ?? "")) {
      forUs = [context.own, "robots", "*"].includes(match[1] ?? "");
      item = item.slice(match[0].length);
      match = ADDRESSEE.exec(item);
    }
    item = item.trim();
    const start = /^unavailable_after\s*:(.*)$/.exec(item);
    if (start !== null) date = start[1] ?? "";
    else if (/^[\d-]/.test(item) && date !== "") date += `, ${item}`;
    else date = "";
    if (!forUs) continue;
    context.found.names.add(item);
    if (date !== "") takeDate(date, context.found);
  }
}

function takeDate(text: string, found: Found): void {
  const atMs = webDateMs(text);
  if (atMs === null) return;
  found.unavailableAfterMs = Math.min(atMs, found.unavailableAfterMs ?? atMs);
}
