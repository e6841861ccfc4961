/**
 * The cookies of many hosts, within fixed bounds: so many hosts, so many cookies for each, so many
 * bytes in one request. What is over the bound pushes the oldest out. A cookie goes back to the
 * host that set it and to no other, and not after its time.
 */
import type { Clock } from "../seams/index.ts";
import { type Cookie, type CookieOrigin, isPathInside, readCookie } from "./cookie.ts";

const HOSTS_MAX = 10_000;
const COOKIES_PER_HOST_MAX = 50;
/** More in one request than this many bytes is refused by most servers. */
const SENT_BYTES_MAX = 8192;

interface Kept extends Cookie {
  readonly expiresAtMs: number;
}

export class CookieJar {
  readonly #clock: Clock;
  /** By host, the least recently set one first; then by name and path. */
  readonly #hosts = new Map<string, Map<string, Kept>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get hostCount(): number {
    return this.#hosts.size;
  }

  /** Takes one `Set-Cookie` header of an answer; false when it is refused. */
  offer(header: string, origin: CookieOrigin): boolean {
    const cookie = readCookie(header, origin, this.#clock.wallMs());
    if (cookie === null) return false;
    const cookies = this.#hosts.get(origin.host) ?? new Map<string, Kept>();
    const key = `${cookie.name}\0${cookie.path}`;
    cookies.delete(key);
    this.#hosts.delete(origin.host);
    if (cookie.livesMs === null || cookie.livesMs > 0) {
      const livesMs = cookie.livesMs ?? Number.POSITIVE_INFINITY;
      cookies.set(key, { ...cookie, expiresAtMs: this.#clock.nowMs() + livesMs });
    }
    dropOldest(cookies, COOKIES_PER_HOST_MAX);
    if (cookies.size > 0) this.#hosts.set(origin.host, cookies);
    dropOldest(this.#hosts, HOSTS_MAX);
    return true;
  }

  /** The value of the `Cookie` header for a request; null when there is nothing to send. */
  headerFor(origin: CookieOrigin): string | null {
    const cookies = this.#hosts.get(origin.host);
    if (cookies === undefined) return null;
    const nowMs = this.#clock.nowMs();
    let text = "";
    for (const [key, cookie] of cookies) {
      if (cookie.expiresAtMs <= nowMs) cookies.delete(key);
      else if (isSentTo(cookie, origin)) {
        const pair = `${text === "" ? "" : "; "}${cookie.name}=${cookie.value}`;
        if (text.length + pair.length <= SENT_BYTES_MAX) text += pair;
      }
    }
    if (cookies.size === 0) this.#hosts.delete(origin.host);
    return text === "" ? null : text;
  }
}

function isSentTo(cookie: Cookie, origin: CookieOrigin): boolean {
  return isPathInside(origin.path, cookie.path) && (origin.isSecure || !cookie.isSecure);
}

function dropOldest<Value>(map: Map<string, Value>, sizeMax: number): void {
  for (const key of map.keys()) {
    if (map.size <= sizeMax) return;
    map.delete(key);
  }
}
