/**
 * Where an answer leads: the target of a redirect, or of a `Refresh` header. Fetchers do not follow
 * it; the target is a new URL, with its own filters, robots rules, address check and politeness.
 * Only http and https URLs, and those of protocol modules, may be redirected to; a file only from a
 * file.
 */

import type { Header } from "../../../base/seams/index.ts";
import { refreshUrl } from "../../../formats/html/index.ts";
import { headerValue, headerValues } from "../../../formats/http/index.ts";
import { type FetchableUrl, parseUrl, type UrlRefusal } from "../../../formats/url/index.ts";
import { parseFileUrl } from "../../files/index.ts";

export type Redirection =
  /** The answer leads nowhere. */
  | { readonly kind: "none" }
  /** The page is elsewhere. */
  | { readonly kind: "redirected"; readonly to: FetchableUrl }
  /** The answer is a page, and its head has a link. */
  | { readonly kind: "refreshed"; readonly to: FetchableUrl }
  /** It leads somewhere that is not crawled. */
  | { readonly kind: "refused"; readonly reason: RedirectRefusal };

/** The names under which refusals are counted. */
export type RedirectRefusal =
  | UrlRefusal
  | "location-missing"
  | "location-empty"
  /** Several headers with different targets: one of them may have been injected. */
  | "location-ambiguous"
  | "file-from-web";

export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface RedirectOptions {
  /** The URL that was fetched. */
  readonly base: string;
  /** `limits.urlLength`. */
  readonly lengthMax?: number | undefined;
  /** Those of protocol modules. */
  readonly schemes?: ReadonlySet<string>;
}

/** Where the answer to a fetch of `base` leads. Never throws, whatever the headers hold. */
export function redirectTarget(answer: Answer, options: RedirectOptions): Redirection {
  if (!REDIRECTS.has(answer.status)) return refreshTarget(answer.headers, options);
  const locations = headerValues(answer.headers, "location");
  const [location] = locations;
  if (location === undefined) return refused("location-missing");
  if (locations.some((other) => other !== location)) return refused("location-ambiguous");
  if (location === "") return refused("location-empty");
  return targetOf("redirected", urlText(location), options);
}

function refreshTarget(headers: readonly Header[], options: RedirectOptions): Redirection {
  const refresh = headerValue(headers, "refresh");
  const text = refresh === undefined ? undefined : refreshUrl(urlText(refresh));
  // Without a URL the page only asks to be reloaded.
  if (text === undefined || text === "") return { kind: "none" };
  return targetOf("refreshed", text, options);
}

function targetOf(
  kind: "redirected" | "refreshed",
  text: string,
  options: RedirectOptions,
): Redirection {
  const files = parseFileUrl(options.base) !== null;
  const outcome = parseUrl(text, { ...options, files });
  if (outcome.kind === "accepted") return { kind, to: outcome.url };
  const isFile = parseFileUrl(text, options.base) !== null;
  return refused(isFile && !files ? "file-from-web" : outcome.reason);
}

function refused(reason: RedirectRefusal): Redirection {
  return { kind: "refused", reason };
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Header values have one character for each byte. Bytes beyond ASCII are read as UTF-8 if they are
 * valid; otherwise each is escaped, since only the server knows what it means.
 */
function urlText(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, "latin1");
  try {
    return UTF8.decode(bytes);
  } catch {
    return value.replace(/[\u0080-\uffff]/g, (character) => {
      const code = character.charCodeAt(0) & 0xff;
      return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
    });
  }
}
