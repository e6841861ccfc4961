/**
 * Writes the requests of a fetcher: the headers that the caller gave, those that belong to the
 * connection, what the proxy wants to know, and the host's own cookies. Beside the text that is sent
 * there is the same text for the archive, in which a mark stands for each secret.
 */
import { type AnswerHead, CookieJar, type CookieOrigin, requestHead } from "../http/index.ts";
import type { Clock, FetchRequest, Header } from "../seams/index.ts";
import type { OutgoingRequest } from "./connection.ts";
import { type HttpTarget, httpTarget } from "./http-target.ts";
import type { ProxyAddress } from "./proxy-address.ts";
import { withoutSecret } from "./sent-request.ts";

export interface RequestWriterOptions {
  readonly clock: Clock;
  readonly proxy: ProxyAddress | null;
  /** Whether connections are kept, and requests say so. */
  readonly keepsAlive: boolean;
  /** Whether a host's cookies are sent back to it. */
  readonly cookies: boolean;
}

/** A request, or why it cannot be written, as the end of a sentence. */
export type WrittenRequest = OutgoingRequest | { readonly problem: string };

export class RequestWriter {
  readonly #proxy: ProxyAddress | null;
  readonly #jar: CookieJar | null;
  readonly #connection: Header;

  constructor({ clock, proxy, keepsAlive, cookies }: RequestWriterOptions) {
    this.#proxy = proxy;
    this.#jar = cookies ? new CookieJar(clock) : null;
    this.#connection = ["Connection", keepsAlive ? "keep-alive" : "close"];
  }

  write({ url, address, headers: given, limits }: FetchRequest): WrittenRequest {
    const target = httpTarget(url, address);
    if (target === null) return { problem: "it is not a URL of http or https" };
    const cookies = this.#jar?.headerFor(cookieOrigin(target)) ?? null;
    const headers: readonly Header[] = cookies === null ? given : [...given, ["Cookie", cookies]];
    const ours = this.#oursFor(target);
    const line = { target: this.#targetFor(target), host: target.authority };
    const head = requestHead(line, headers, ours);
    if (head.kind === "refused") return head;
    const shown = ours.length === 1 ? head : requestHead(line, headers, ours.map(shownHeader));
    if (shown.kind === "refused") return shown;
    const { headerBytesMax } = limits;
    const texts = { text: head.text, shownText: shown.text };
    return { target, headers, shownHeaders: headers, ...texts, headerBytesMax };
  }

  /** Takes the cookies that an answer sets. */
  headCame({ target }: OutgoingRequest, head: AnswerHead): void {
    if (this.#jar === null) return;
    const origin = cookieOrigin(target);
    for (const [name, value] of head.headers) {
      if (name.toLowerCase() === "set-cookie") this.#jar.offer(value, origin);
    }
  }

  #oursFor({ place }: HttpTarget): readonly Header[] {
    const authorization = place.isSecure ? null : (this.#proxy?.authorization ?? null);
    return authorization === null
      ? [this.#connection]
      : [this.#connection, ["Proxy-Authorization", authorization]];
  }

  /** A proxy is asked for the whole URL, but for what goes through a tunnel. */
  #targetFor({ place, authority, target }: HttpTarget): string {
    return this.#proxy === null || place.isSecure ? target : `http://${authority}${target}`;
  }
}

function shownHeader(header: Header): Header {
  return header[0] === "Proxy-Authorization" ? withoutSecret(header) : header;
}

function cookieOrigin({ place, target }: HttpTarget): CookieOrigin {
  const path = target.split("?", 1)[0] ?? "/";
  return { host: place.host, path, isSecure: place.isSecure };
}
