/**
 * The cookies that a user gave, by the domain that they are for. A host gets those of its own name,
 * and those of the domains above it that are for subdomains too.
 */
import type { Clock } from "../seams/index.ts";
import { type CookieOrigin, isPathInside } from "./cookie.ts";
import type { GivenCookie } from "./cookie-file.ts";

export class GivenCookies {
  readonly #byDomain = new Map<string, GivenCookie[]>();
  readonly #clock: Clock;

  constructor(cookies: readonly GivenCookie[], clock: Clock) {
    this.#clock = clock;
    for (const cookie of cookies) {
      const same = this.#byDomain.get(cookie.domain) ?? [];
      // The last of equal ones counts, as in a browser.
      const kept = same.filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
      this.#byDomain.set(cookie.domain, [...kept, cookie]);
    }
  }

  /** Those that go with a request to there. */
  for(origin: CookieOrigin): readonly GivenCookie[] {
    if (this.#byDomain.size === 0) return NONE;
    const found: GivenCookie[] = [];
    for (let domain: string = origin.host; domain !== ""; domain = parentOf(domain)) {
      for (const cookie of this.#byDomain.get(domain) ?? NONE) {
        const isOwn = domain === origin.host || cookie.hasSubdomains;
        if (isOwn && this.#isSent(cookie, origin)) found.push(cookie);
      }
    }
    return found;
  }

  #isSent({ path, isSecure, expiresAtMs }: GivenCookie, origin: CookieOrigin): boolean {
    if (expiresAtMs !== null && expiresAtMs <= this.#clock.wallMs()) return false;
    return isPathInside(origin.path, path) && (origin.isSecure || !isSecure);
  }
}

const NONE: readonly GivenCookie[] = [];

function parentOf(domain: string): string {
  const dot = domain.indexOf(".");
  return dot === -1 ? "" : domain.slice(dot + 1);
}
