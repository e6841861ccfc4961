/**
 * Writes the requests of a fetcher: the caller's headers, those of the connection and of the proxy,
 * and the host's own cookies and credentials. Besides the text that is sent there is the same text
 * for the archive, with a mark in the place of each secret.
 */

import type { Clock, FetchRequest, Header } from "../../../base/seams/index.ts";
import {
  type AnswerHead,
  CookieJar,
  type CookieOrigin,
  type GivenCookie,
  headerValues,
  requestHead,
} from "../../../formats/http/index.ts";
import type { ProxyAddress } from "../../proxy/index.ts";
import type { OutgoingRequest } from "../connections/connection.ts";
import { type HostCredential, HostCredentials } from "../secrets/host-credentials.ts";
import { type HttpTarget, httpTarget } from "./http-target.ts";
import { withoutSecret } from "./sent-request.ts";

export interface RequestWriterOptions {
  readonly clock: Clock;
  readonly proxy: ProxyAddress | null;
  /** Whether connections are kept alive, and requests say so. */
  readonly keepsAlive: boolean;
  /** Whether a host's cookies are sent back to it. */
  readonly cookies: boolean;
  /** Cookies of the user; they are sent whatever `cookies` says. */
  readonly givenCookies: readonly GivenCookie[];
  readonly credentials: readonly HostCredential[];
}

/** A request, or why it cannot be written, as the end of a sentence. */
export type WrittenRequest = OutgoingRequest | { readonly problem: string };

export class RequestWriter {
  readonly #proxy: ProxyAddress | null;
  readonly #jar: CookieJar | null;
  #connection: Header;

  readonly #credentials: HostCredentials;

  constructor({ clock, proxy, keepsAlive, ...options }: RequestWriterOptions) {
    const { cookies, givenCookies, credentials } = options;
    this.#proxy = proxy;
    this.#jar = cookies || givenCookies.length > 0 ? new CookieJar(clock, givenCookies) : null;
    this.#credentials = new HostCredentials(credentials);
    this.#connection = connectionHeader(keepsAlive);
  }

  set keepsAlive(keepsAlive: boolean) {
    this.#connection = connectionHeader(keepsAlive);
  }

  write({ url, address, headers: given, limits }: FetchRequest): WrittenRequest {
    const target = httpTarget(url, address);
    if (target === null) return { problem: "it is not a URL of http or https" };
    const secrets = this.#secretsFor(target);
    const cookies = this.#jar?.headerFor(cookieOrigin(target)) ?? null;
    const ours = [this.#connection, ...secrets.proxy];
    const headers = withOwn(given, cookies?.text, secrets.own);
    const line = { target: this.#targetFor(target), host: target.authority };
    const head = requestHead(line, headers, ours);
    if (head.kind === "refused") return head;
    const written = { target, headers, text: head.text, headerBytesMax: limits.headerBytesMax };
    const hasSecret = secrets.own !== null || ours.length > 1 || cookies?.text !== cookies?.shown;
    if (!hasSecret) return { ...written, shownHeaders: headers, shownText: head.text };
    const shownHeaders = withOwn(given, cookies?.shown, marked(secrets.own));
    const shown = requestHead(line, shownHeaders, [
      this.#connection,
      ...secrets.proxy.map(withoutSecret),
    ]);
    return shown.kind === "refused" ? shown : { ...written, shownHeaders, shownText: shown.text };
  }

  /** Stores the cookies that an answer sets. */
  headCame({ target }: OutgoingRequest, head: AnswerHead): void {
    if (this.#jar === null) return;
    const origin = cookieOrigin(target);
    for (const cookie of headerValues(head.headers, "set-cookie")) this.#jar.offer(cookie, origin);
  }

  #secretsFor({ place }: HttpTarget): { readonly proxy: Header[]; readonly own: Header | null } {
    const forProxy = place.isSecure ? null : (this.#proxy?.authorization ?? null);
    const own = this.#credentials.authorizationFor(place);
    return {
      proxy: forProxy === null ? [] : [["Proxy-Authorization", forProxy]],
      own: own === null ? null : ["Authorization", own],
    };
  }

  /** A proxy is asked for the whole URL, except through a tunnel. */
  #targetFor({ place, authority, target }: HttpTarget): string {
    return this.#proxy === null || place.isSecure ? target : `http://${authority}${target}`;
  }
}

function connectionHeader(keepsAlive: boolean): Header {
  return ["Connection", keepsAlive ? "keep-alive" : "close"];
}

/** The caller's headers with the host's cookies and credentials; the same list without any. */
function withOwn(
  given: readonly Header[],
  cookies: string | undefined,
  authorization: Header | null,
): readonly Header[] {
  if (cookies === undefined && authorization === null) return given;
  const headers = [...given];
  if (cookies !== undefined) headers.push(["Cookie", cookies]);
  if (authorization !== null) headers.push(authorization);
  return headers;
}

function marked(header: Header | null): Header | null {
  return header === null ? null : withoutSecret(header);
}

function cookieOrigin({ place, target }: HttpTarget): CookieOrigin {
  const path = target.split("?", 1)[0] ?? "/";
  return { host: place.host, path, isSecure: place.isSecure };
}
