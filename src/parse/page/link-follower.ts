/**
 * From the links of a page to URLs: each is resolved by the page's base, in the page's encoding, and
 * shown as a `FollowedLink`, or refused with a reason.
 */
import { encodeQuery } from "../../formats/charset/index.ts";
import {
  type FetchableUrl,
  type LinkBase,
  type LinkResolver,
  parseUrl,
  type UrlRefusal,
} from "../../formats/url/index.ts";
import { FetchableView } from "../../rules/filter/index.ts";
import { FollowedLink } from "./followed-link.ts";
import type { FoundLink, ParsedPage } from "./parsed-page.ts";

/** Takes the links of a page, in document order, repeated ones too. */
export interface LinkTaker {
  /** The link is valid only during the call, in which nothing else may be resolved. */
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

export class LinkFollower {
  readonly #resolver: LinkResolver;
  readonly #link: FollowedLink;
  readonly #anyBase: LinkBase;

  constructor(resolver: LinkResolver) {
    this.#resolver = resolver;
    this.#link = new FollowedLink(resolver);
    const outcome = parseUrl("http://base.invalid/");
    this.#anyBase = resolver.base((outcome.kind === "accepted" ? outcome.url : "") as FetchableUrl);
  }

  /** Shows all links of a page to the taker, inside this call. */
  follow(page: PageOfLinks, taker: LinkTaker): void {
    const { url, depth, parsed } = page;
    const isNofollow = parsed.directives.nofollow;
    this.#link.enterPage({ source: new FetchableView(url), depth: depth + 1, isNofollow });
    const outcome = parseUrl(parsed.base, { files: url.startsWith("file:") });
    const isWeb = outcome.kind === "accepted";
    const base = isWeb ? this.#resolver.base(outcome.url) : this.#anyBase;
    const { encoding } = parsed;
    for (const link of parsed.links) {
      const written = encoding === "" ? link.url : encodeQuery(link.url, encoding);
      // A base that is not of the web still has its say on what is relative.
      const text = isWeb ? written : (URL.parse(written, parsed.base)?.href ?? written);
      this.#follow(link, text, base, taker);
    }
  }

  #follow(link: FoundLink, text: string, base: LinkBase, taker: LinkTaker): void {
    const refusal = this.#resolver.resolve(text, base);
    if (refusal !== null) {
      taker.refused(refusal, text);
      return;
    }
    this.#link.show(link);
    taker.take(this.#link);
  }
}
