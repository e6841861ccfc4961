/**
 * Reads one `Set-Cookie` header (RFC 6265, section 5.2), for a crawler: the cookie is sent only to
 * the host that set it, so a `Domain` attribute cannot widen anything. It is checked nevertheless,
 * because a cookie for a foreign domain, or for a whole public suffix, is refused.
 */
import { webDateMs } from "../../base/time/index.ts";
import { type HostName, registrableDomain } from "../url/index.ts";

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds that it lives from now; 0 or less removes it, null keeps it to the end. */
  readonly livesMs: number | null;
}

/** Where an answer came from. */
export interface CookieOrigin {
  readonly host: HostName;
  readonly path: string;
  readonly isSecure: boolean;
}

export const COOKIE_BYTES_MAX = 4096;

/** The characters allowed in a cookie: no control character but the tab. */
const ALLOWED = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Null for a cookie that is malformed, too long, or that this origin may not set. */
export function readCookie(header: string, origin: CookieOrigin, wallMs: number): Cookie | null {
  if (header.length > 2 * COOKIE_BYTES_MAX || !ALLOWED.test(header)) return null;
  const [pair = "", ...attributes] = header.split(";");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(0, equals)).trim();
  const value = pair.slice(equals + 1).trim();
  if (equals === -1 || name === "" || name.length + value.length > COOKIE_BYTES_MAX) return null;
  const given = attributesOf(attributes);
  if (!mayHaveDomain(given.domain, origin.host)) return null;
  const path = given.path.startsWith("/") ? given.path : defaultPath(origin.path);
  const cookie = { name, value, path, isSecure: given.isSecure, livesMs: lifeOf(given, wallMs) };
  return hasRightPrefix(cookie, given, origin) ? cookie : null;
}

/** Whether a cookie with this path is sent with a request for `path`. */
export function isPathInside(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return (
    cookiePath.endsWith("/") || path.length === cookiePath.length || path[cookiePath.length] === "/"
  );
}

/** Whether a cookie is sent with a request, as far as path and `Secure` decide. */
export function isSentTo(
  cookie: Pick<Cookie, "path" | "isSecure">,
  { path, isSecure }: CookieOrigin,
): boolean {
  return isPathInside(path, cookie.path) && (isSecure || !cookie.isSecure);
}

/** Of two cookies of a host with the same key, the later one replaces the other. */
export function cookieKey({ name, path }: Pick<Cookie, "name" | "path">): string {
  return `${name}\0${path}`;
}

/**
 * Whether a cookie set over plain HTTP would take the place of a secure one: an attacker on the
 * network could otherwise replace it (RFC 6265bis, "leave secure cookies alone").
 */
export function isShadowing(
  cookie: Pick<Cookie, "name" | "path">,
  secure: Pick<Cookie, "name" | "path" | "isSecure">,
): boolean {
  return secure.isSecure && secure.name === cookie.name && isPathInside(cookie.path, secure.path);
}

interface Attributes {
  domain: string;
  path: string;
  expires: string;
  maxAge: string;
  isSecure: boolean;
}

/** The last of several equal attributes counts. */
function attributesOf(texts: readonly string[]): Attributes {
  const given: Attributes = { domain: "", path: "", expires: "", maxAge: "", isSecure: false };
  for (const text of texts) {
    const equals = text.indexOf("=");
    const name = (equals === -1 ? text : text.slice(0, equals)).trim().toLowerCase();
    const value = equals === -1 ? "" : text.slice(equals + 1).trim();
    if (name === "domain") given.domain = value.toLowerCase().replace(/^\./, "");
    else if (name === "path") given.path = value;
    else if (name === "expires") given.expires = value;
    else if (name === "max-age") given.maxAge = value;
    else if (name === "secure") given.isSecure = true;
  }
  return given;
}

function mayHaveDomain(domain: string, host: HostName): boolean {
  if (domain === "" || domain === host) return true;
  return host.endsWith(`.${domain}`) && registrableDomain(domain as HostName) !== null;
}

function lifeOf(given: Attributes, wallMs: number): number | null {
  if (/^-?\d{1,12}$/.test(given.maxAge)) return Number(given.maxAge) * 1000;
  const expiresMs = given.expires === "" ? null : webDateMs(given.expires);
  return expiresMs === null ? null : expiresMs - wallMs;
}

/** Names with a prefix that makes a promise are accepted only if the promise is kept. */
function hasRightPrefix(cookie: Cookie, given: Attributes, origin: CookieOrigin): boolean {
  if (cookie.isSecure && !origin.isSecure) return false;
  const name = cookie.name.toLowerCase();
  if (name.startsWith("__secure-")) return cookie.isSecure;
  if (name.startsWith("__host-")) {
    return cookie.isSecure && given.domain === "" && cookie.path === "/";
  }
  return true;
}

function defaultPath(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}
