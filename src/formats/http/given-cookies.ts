/**
 * The cookies that the user gave, by domain. A host gets those of its own name, and those of the
 * domains above it that are also for subdomains.
 */
import type { Clock } from "../../base/seams/index.ts";
import { type CookieOrigin, cookieKey, isSentTo } from "./cookie.ts";
import type { GivenCookie } from "./cookie-file.ts";

export class GivenCookies {
  /** By domain; then by name and path. */
  readonly #byDomain = new Map<string, Map<string, GivenCookie>>();
  readonly #clock: Clock;

  constructor(cookies: readonly GivenCookie[], clock: Clock) {
    this.#clock = clock;
    for (const cookie of cookies) {
      const same = this.#byDomain.get(cookie.domain) ?? new Map<string, GivenCookie>();
      const key = cookieKey(cookie);
      // The last of several with the same key counts, as in a browser.
      same.delete(key);
      this.#byDomain.set(cookie.domain, same.set(key, cookie));
    }
  }

  get isEmpty(): boolean {
    return this.#byDomain.size === 0;
  }

  /** Those that are sent with a request. */
  *for(origin: CookieOrigin): Iterable<GivenCookie> {
    for (const cookie of this.of(origin.host)) if (isSentTo(cookie, origin)) yield cookie;
  }

  /** All that a host may get, for any path. */
  *of(host: string): Iterable<GivenCookie> {
    if (this.isEmpty) return;
    const wallMs = this.#clock.wallMs();
    for (let domain = host; domain !== ""; domain = parentOf(domain)) {
      for (const cookie of this.#byDomain.get(domain)?.values() ?? NONE) {
        const isOwn = domain === host || cookie.hasSubdomains;
        if (isOwn && (cookie.expiresAtMs ?? wallMs + 1) > wallMs) yield cookie;
      }
    }
  }

  /** Whether a host may get one with this name and path. */
  has(host: string, key: string): boolean {
    for (let domain = host; domain !== ""; domain = parentOf(domain)) {
      const cookie = this.#byDomain.get(domain)?.get(key);
      if (cookie !== undefined && (domain === host || cookie.hasSubdomains)) return true;
    }
    return false;
  }
}

const NONE: readonly GivenCookie[] = [];

function parentOf(domain: string): string {
  const dot = domain.indexOf(".");
  return dot === -1 ? "" : domain.slice(dot + 1);
}
