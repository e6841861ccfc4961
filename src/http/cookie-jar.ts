/**
 * The cookies of many hosts, within fixed bounds: so many hosts, so many cookies for each, so many
 * bytes in one request. What is over the bound pushes the oldest out. A cookie goes back to the
 * host that set it and to no other, and not after its time. Cookies that the user gave go first; a
 * host that sets one of the same name and path replaces it for itself.
 */
import type { Clock } from "../seams/index.ts";
import { type Cookie, type CookieOrigin, isPathInside, readCookie } from "./cookie.ts";
import type { GivenCookie } from "./cookie-file.ts";
import { GivenCookies } from "./given-cookies.ts";
import { REMOVED } from "./removed.ts";

const HOSTS_MAX = 10_000;
const COOKIES_PER_HOST_MAX = 50;
/** More in one request than this many bytes is refused by most servers. */
const SENT_BYTES_MAX = 8192;

/** The value of a `Cookie` header, and the same with a mark for each value that the user gave. */
export interface CookieHeader {
  readonly text: string;
  readonly shown: string;
}

interface Kept extends Cookie {
  readonly expiresAtMs: number;
}

export class CookieJar {
  readonly #clock: Clock;
  /** By host, the least recently set one first; then by name and path. */
  readonly #hosts = new Map<string, Map<string, Kept>>();

  readonly #given: GivenCookies;

  constructor(clock: Clock, given: readonly GivenCookie[] = []) {
    this.#clock = clock;
    this.#given = new GivenCookies(given, clock);
  }

  get hostCount(): number {
    return this.#hosts.size;
  }

  /** Takes one `Set-Cookie` header of an answer; false when it is refused. */
  offer(header: string, origin: CookieOrigin): boolean {
    const cookie = readCookie(header, origin, this.#clock.wallMs());
    if (cookie === null) return false;
    const cookies = this.#hosts.get(origin.host) ?? new Map<string, Kept>();
    const key = keyOf(cookie);
    cookies.delete(key);
    this.#hosts.delete(origin.host);
    // One that takes a given cookie away is kept, so that the given one stays away.
    const isAlive = cookie.livesMs === null || cookie.livesMs > 0;
    if (isAlive || this.#given.for(origin).some((given) => keyOf(given) === key)) {
      const livesMs = cookie.livesMs ?? Number.POSITIVE_INFINITY;
      cookies.set(key, { ...cookie, expiresAtMs: this.#clock.nowMs() + livesMs });
    }
    dropOldest(cookies, COOKIES_PER_HOST_MAX);
    if (cookies.size > 0) this.#hosts.set(origin.host, cookies);
    dropOldest(this.#hosts, HOSTS_MAX);
    return true;
  }

  /** The `Cookie` header for a request; null when there is nothing to send. */
  headerFor(origin: CookieOrigin): CookieHeader | null {
    const given = this.#given.for(origin);
    const cookies = this.#hosts.get(origin.host);
    if (cookies === undefined && given.length === 0) return null;
    const list = new CookieList();
    for (const cookie of given) {
      if (cookies?.has(keyOf(cookie)) !== true) list.add(cookie, REMOVED);
    }
    if (cookies !== undefined) this.#addOwn(cookies, origin, given.length, list);
    return list.header;
  }

  #addOwn(cookies: Map<string, Kept>, origin: CookieOrigin, given: number, list: CookieList): void {
    const nowMs = this.#clock.nowMs();
    for (const [key, cookie] of cookies) {
      if (cookie.expiresAtMs > nowMs) {
        if (isSentTo(cookie, origin)) list.add(cookie, cookie.value);
      } else if (given === 0) cookies.delete(key);
    }
    if (cookies.size === 0) this.#hosts.delete(origin.host);
  }
}

/** Pairs up to so many bytes; what does not fit is left out. */
class CookieList {
  #text = "";
  #shown = "";

  add({ name, value }: Pick<Cookie, "name" | "value">, shownValue: string): void {
    const between = this.#text === "" ? "" : "; ";
    const pair = `${between}${name}=${value}`;
    if (this.#text.length + pair.length > SENT_BYTES_MAX) return;
    this.#text += pair;
    this.#shown += shownValue === value ? pair : `${between}${name}=${shownValue}`;
  }

  get header(): CookieHeader | null {
    return this.#text === "" ? null : { text: this.#text, shown: this.#shown };
  }
}

function keyOf({ name, path }: Pick<Cookie, "name" | "path">): string {
  return `${name}\0${path}`;
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
