/**
 * The cookies of many hosts, within fixed bounds: on the number of hosts, of cookies per host, and
 * of bytes in one request. Beyond a bound the oldest is dropped. A cookie is sent only to the host
 * that set it, and not after it expires. Cookies given by the user come first; a host that sets one
 * of the same name and path replaces it for itself. An answer over plain HTTP neither replaces a
 * secure cookie nor pushes one out.
 */
import type { Clock } from "../../base/seams/index.ts";
import {
  type Cookie,
  type CookieOrigin,
  cookieKey,
  isSentTo,
  isShadowing,
  readCookie,
} from "./cookie.ts";
import type { GivenCookie } from "./cookie-file.ts";
import { GivenCookies } from "./given-cookies.ts";
import { REMOVED } from "./removed.ts";

const HOSTS_MAX = 10_000;
const COOKIES_PER_HOST_MAX = 50;
/** Most servers refuse more bytes than this in one request. */
const SENT_BYTES_MAX = 8192;
/** When this many did not fit into a request, no more of the given cookies are tried. */
const MISSES_MAX = 100;

/** The value of a `Cookie` header, and the same with a mark in place of each given value. */
export interface CookieHeader {
  readonly text: string;
  readonly shown: string;
}

interface Kept extends Cookie {
  readonly expiresAtMs: number;
}

export class CookieJar {
  readonly #clock: Clock;
  /** By host, the one that set a cookie longest ago first; then by name and path. */
  readonly #hosts = new Map<string, Map<string, Kept>>();

  readonly #given: GivenCookies;

  constructor(clock: Clock, given: readonly GivenCookie[] = []) {
    this.#clock = clock;
    this.#given = new GivenCookies(given, clock);
  }

  get hostCount(): number {
    return this.#hosts.size;
  }

  /** Takes one `Set-Cookie` header of an answer; false if it is refused. */
  offer(header: string, origin: CookieOrigin): boolean {
    const cookie = readCookie(header, origin, this.#clock.wallMs());
    if (cookie === null) return false;
    const cookies = this.#hosts.get(origin.host) ?? new Map<string, Kept>();
    if (!origin.isSecure && this.#isShadowing(cookie, origin.host, cookies)) return false;
    const key = cookieKey(cookie);
    cookies.delete(key);
    this.#hosts.delete(origin.host);
    // An expired cookie that replaces a given one is kept, so that the given one stays removed.
    const isAlive = cookie.livesMs === null || cookie.livesMs > 0;
    if (isAlive || this.#given.has(origin.host, key)) {
      const livesMs = cookie.livesMs ?? Number.POSITIVE_INFINITY;
      cookies.set(key, { ...cookie, expiresAtMs: this.#clock.nowMs() + livesMs });
    }
    if (cookies.size > COOKIES_PER_HOST_MAX) dropOneCookie(cookies);
    if (cookies.size > 0) this.#hosts.set(origin.host, cookies);
    dropOldest(this.#hosts, HOSTS_MAX);
    return true;
  }

  /** The `Cookie` header for a request; null if there is nothing to send. */
  headerFor(origin: CookieOrigin): CookieHeader | null {
    const cookies = this.#hosts.get(origin.host);
    if (cookies === undefined && this.#given.isEmpty) return null;
    const list = new CookieList();
    for (const cookie of this.#given.for(origin)) {
      if (list.isFull) break;
      if (cookies?.has(cookieKey(cookie)) !== true) list.add(cookie, REMOVED);
    }
    if (cookies !== undefined) this.#addOwn(cookies, origin, list);
    return list.header;
  }

  #addOwn(cookies: Map<string, Kept>, origin: CookieOrigin, list: CookieList): void {
    const nowMs = this.#clock.nowMs();
    for (const [key, cookie] of cookies) {
      if (cookie.expiresAtMs > nowMs) {
        if (isSentTo(cookie, origin)) list.add(cookie, cookie.value);
      } else if (!this.#given.has(origin.host, key)) cookies.delete(key);
    }
    if (cookies.size === 0) this.#hosts.delete(origin.host);
  }

  #isShadowing(cookie: Cookie, host: string, cookies: ReadonlyMap<string, Kept>): boolean {
    const nowMs = this.#clock.nowMs();
    for (const own of cookies.values()) {
      if (isShadowing(cookie, own) && own.expiresAtMs > nowMs) return true;
    }
    for (const given of this.#given.of(host)) {
      if (isShadowing(cookie, given) && !cookies.has(cookieKey(given))) return true;
    }
    return false;
  }
}

/** Pairs, up to `SENT_BYTES_MAX` bytes; those that do not fit are left out. */
class CookieList {
  #text = "";
  #shown = "";
  #misses = 0;

  get isFull(): boolean {
    return this.#misses >= MISSES_MAX;
  }

  add({ name, value }: Pick<Cookie, "name" | "value">, shownValue: string): void {
    const between = this.#text === "" ? "" : "; ";
    const pair = `${between}${name}=${value}`;
    if (this.#text.length + pair.length > SENT_BYTES_MAX) {
      this.#misses++;
      return;
    }
    this.#text += pair;
    this.#shown += shownValue === value ? pair : `${between}${name}=${shownValue}`;
  }

  get header(): CookieHeader | null {
    return this.#text === "" ? null : { text: this.#text, shown: this.#shown };
  }
}

/** Drops the oldest that is not secure; if all are, the oldest. */
function dropOneCookie(cookies: Map<string, Kept>): void {
  for (const [key, { isSecure }] of cookies) {
    if (isSecure) continue;
    cookies.delete(key);
    return;
  }
  dropOldest(cookies, COOKIES_PER_HOST_MAX);
}

function dropOldest<Value>(map: Map<string, Value>, sizeMax: number): void {
  for (const key of map.keys()) {
    if (map.size <= sizeMax) return;
    map.delete(key);
  }
}
