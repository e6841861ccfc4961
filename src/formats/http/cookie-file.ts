/**
 * Reads a file of cookies in Netscape's format, as browsers and curl export it: one cookie per
 * line, seven fields separated by tabs. Lines that begin with `#` are comments, except
 * `#HttpOnly_`, which curl puts before the domain. It is read strictly: a line that an editor has
 * mangled (tabs turned into spaces) is a mistake, since a crawl without its cookies would fetch the
 * wrong pages.
 */
import { type HostName, hostOf, parseUrl, registrableDomain } from "../url/index.ts";
import { COOKIE_BYTES_MAX } from "./cookie.ts";
import { isHeaderValue } from "./request-head.ts";

/** A cookie that the user gave. */
export interface GivenCookie {
  readonly domain: string;
  /** Whether hosts below the domain get it too. */
  readonly hasSubdomains: boolean;
  readonly path: string;
  readonly isSecure: boolean;
  /** Wall-clock milliseconds; null for a cookie that lasts as long as the crawl. */
  readonly expiresAtMs: number | null;
  readonly name: string;
  readonly value: string;
}

export interface CookieMistake {
  /** Counting from 1. */
  readonly line: number;
  /** A clause that follows "the line"; it never contains the value of a cookie. */
  readonly problem: string;
}

export interface ReadCookies {
  readonly cookies: readonly GivenCookie[];
  readonly mistakes: readonly CookieMistake[];
}

export function readCookieFile(text: string): ReadCookies {
  const cookies: GivenCookie[] = [];
  const mistakes: CookieMistake[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const line = raw.startsWith(HTTP_ONLY) ? raw.slice(HTTP_ONLY.length) : raw;
    if (line.trim() === "" || line.startsWith("#")) continue;
    const cookie = readLine(line);
    if (typeof cookie === "string") mistakes.push({ line: index + 1, problem: cookie });
    else cookies.push(cookie);
  }
  return { cookies, mistakes };
}

const HTTP_ONLY = "#HttpOnly_";
const FIELDS =
  "domain, TRUE or FALSE for subdomains, path, TRUE or FALSE for https only, expiry, name, value";

function readLine(line: string): GivenCookie | string {
  const fields = line.split("\t");
  if (fields.length !== 7) {
    const count = fields.length === 1 ? "1 field" : `${fields.length} fields`;
    return `has ${count} instead of seven with tabs between them: ${FIELDS}`;
  }
  const [rawDomain = "", subdomains = "", path = "", secure = "", expiry = ""] = fields;
  const [name = "", value = ""] = fields.slice(5);
  const domain = hostOfText(rawDomain.replace(/^\./, ""));
  if (domain === null) return `has no host in its first field`;
  if (!isFlag(subdomains)) return "has neither TRUE nor FALSE in its second field";
  if (!path.startsWith("/")) return "has a path that does not begin with a slash";
  if (!isFlag(secure)) return "has neither TRUE nor FALSE in its fourth field";
  if (!/^-?\d{1,15}(?:\.\d+)?$/.test(expiry))
    return "has an expiry that is not a number of seconds";
  const problem = pairProblem(name, value);
  if (problem !== null) return problem;
  const hasSubdomains = isTrue(subdomains);
  if (hasSubdomains && isPublicSuffix(domain)) {
    return `is for all of ${domain}, under which anybody can register`;
  }
  const seconds = Number(expiry);
  const expiresAtMs = seconds <= 0 ? null : seconds * 1000;
  return { domain, hasSubdomains, path, isSecure: isTrue(secure), expiresAtMs, name, value };
}

function pairProblem(name: string, value: string): string | null {
  if (!/^[!-:<>-~]+$/.test(name)) return "has a name that no cookie may have";
  if (!isHeaderValue(value) || /[;\t]/.test(value)) return "has a value that no cookie may have";
  return name.length + value.length > COOKIE_BYTES_MAX
    ? `is longer than ${COOKIE_BYTES_MAX} bytes`
    : null;
}

/** As in a URL; null for a text that is not a host. */
function hostOfText(text: string): string | null {
  if (!/^[^\s/?#@:\\%]+$/.test(text)) return null;
  const outcome = parseUrl(`http://${text}/`);
  return outcome.kind === "accepted" ? hostOf(outcome.url) : null;
}

/** `localhost` and addresses belong to one machine, though no domain is registered for them. */
function isPublicSuffix(domain: string): boolean {
  if (domain === "localhost" || /^[\d.]+$/.test(domain)) return false;
  return registrableDomain(domain as HostName) === null;
}

function isFlag(text: string): boolean {
  return /^(?:true|false)$/i.test(text);
}

function isTrue(text: string): boolean {
  return text.toLowerCase() === "true";
}
