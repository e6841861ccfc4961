/** What a crawl reads from answers beside their bodies: encodings, redirects, requests to wait. */
import type { ContentDecoder } from "../fetch/index.ts";
import type { Body, Clock, FetchOutcome, Header } from "../seams/index.ts";
import { webDateMs } from "../time/index.ts";
import { type FetchableUrl, originOf, parseUrl, type UrlRefusal } from "../url/index.ts";
import { headerOf } from "./page-facts.ts";

type Fetched = FetchOutcome & { readonly kind: "fetched" };

export type RedirectTarget =
  | { readonly kind: "target"; readonly url: FetchableUrl }
  | { readonly kind: "refused"; readonly reason: UrlRefusal }
  | { readonly kind: "none" };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export class AnswerReading {
  readonly #clock: Clock;
  readonly #decoder: ContentDecoder;
  readonly #urlLengthMax: number;
  readonly #keepsAlive: boolean;

  constructor(parts: {
    clock: Clock;
    decoder: ContentDecoder;
    urlLengthMax: number;
    keepsAlive: boolean;
  }) {
    this.#clock = parts.clock;
    this.#decoder = parts.decoder;
    this.#urlLengthMax = parts.urlLengthMax;
    this.#keepsAlive = parts.keepsAlive;
  }

  /** The body without its content encodings; the very same body where there are none. */
  decode({ headers, body }: Fetched, done: (decoded: Body) => void): void {
    const encodings = headers
      .filter(([name]) => name.length === 16 && name.toLowerCase() === "content-encoding")
      .map(([, value]) => value)
      .join(",");
    this.#decoder.decode(body, encodings, (decoded) => done(decoded.body));
  }

  retryAfterMs(headers: readonly Header[]): number | null {
    const value = headerOf(headers, "retry-after")?.trim();
    if (value === undefined) return null;
    if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
    const atMs = webDateMs(value);
    return atMs === null ? null : Math.max(0, atMs - this.#clock.wallMs());
  }

  redirectTarget({ status, headers }: Fetched, base: FetchableUrl): RedirectTarget {
    const location = REDIRECTS.has(status) ? headerOf(headers, "location") : undefined;
    if (location === undefined) return { kind: "none" };
    const text = Buffer.from(location, "latin1").toString("utf8");
    const outcome = parseUrl(text, { base, lengthMax: this.#urlLengthMax });
    if (outcome.kind === "refused") return { kind: "refused", reason: outcome.reason };
    return { kind: "target", url: outcome.url };
  }

  /** The request as it was sent. */
  requestOf(
    url: FetchableUrl,
    headers: readonly Header[],
  ): { readonly method: string; readonly target: string; readonly headers: readonly Header[] } {
    const origin = originOf(url);
    const host = origin.slice(origin.indexOf("//") + 2);
    const connection = this.#keepsAlive ? "keep-alive" : "close";
    const target = url.slice(origin.length);
    return {
      method: "GET",
      target,
      headers: [["Host", host], ["Connection", connection], ...headers],
    };
  }
}
