/**
 * From the links of a page to URLs: each is resolved by the page's base, in the page's encoding, and
 * handed on as a `FollowedLink`, or refused with a reason.
 */
import { encodeQuery } from "../../formats/charset/index.ts";
import {
  type FetchableUrl,
  type LinkResolver,
  parseUrl,
  type UrlRefusal,
} from "../../formats/url/index.ts";
import { FetchableView } from "../../rules/filter/index.ts";
import { FollowedLink } from "./followed-link.ts";
import type { ParsedPage } from "./parsed-page.ts";

/** Takes the links of a page, in document order, repeated ones too. */
export interface LinkTaker {
  take(link: FollowedLink): void;
  /** `url` is the link as absolute as could be made. */
  refused(reason: UrlRefusal, url: string): void;
}

/** The page that links are followed from. */
export interface PageOfLinks {
  readonly url: FetchableUrl;
  /** Of the page itself; its links are one further. */
  readonly depth: number;
  readonly parsed: ParsedPage;
}

const ANY_BASE = "http://base.invalid/" as FetchableUrl;

export class LinkFollower {
  readonly #resolver: LinkResolver;

  constructor(resolver: LinkResolver) {
    this.#resolver = resolver;
  }

  /** Shows all links of a page to the taker, inside this call. */
  follow({ url, depth, parsed }: PageOfLinks, taker: LinkTaker): void {
    const { encoding, directives } = parsed;
    const source = new FetchableView(url);
    const origin = { source, depth: depth + 1, isNofollow: directives.nofollow };
    const { schemes } = this.#resolver;
    const outcome = parseUrl(parsed.base, { files: url.startsWith("file:"), schemes });
    const isWeb = outcome.kind === "accepted";
    const base = this.#resolver.base(isWeb ? outcome.url : ANY_BASE);
    for (const link of parsed.links) {
      const written = encoding === "" ? link.url : encodeQuery(link.url, encoding);
      // Relative links are resolved by the base even when it is not an http or https URL.
      const text = isWeb ? written : (URL.parse(written, parsed.base)?.href ?? written);
      const resolved = this.#resolver.resolve(text, base);
      if (typeof resolved === "string") taker.refused(resolved, text);
      else taker.take(new FollowedLink(resolved, origin, link));
    }
  }
}
