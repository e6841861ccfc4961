/**
 * A link that stands alone, apart from its page: where a redirect leads, or a link that waits. Scope,
 * limits, the `schedule` filter and scores see it as they see any other.
 */

import type { KeyHost, LinkResolver, UrlKey } from "../../formats/url/index.ts";
import { FetchableView, type LinkView, type UrlView } from "../../rules/filter/index.ts";

/** What its page said of a link. */
export interface LinkWords {
  readonly kind: string;
  readonly rel: string;
  readonly nofollow: boolean;
  readonly anchor: string;
}

export const REDIRECT: LinkWords = { kind: "redirect", rel: "", nofollow: false, anchor: "" };

export class StandingLink extends FetchableView implements LinkView {
  readonly source: UrlView | undefined;
  readonly depth: number;
  readonly key: UrlKey;
  readonly keyHost: KeyHost;
  /** The halves of its fingerprint. */
  readonly high: number;
  readonly low: number;
  readonly kind: string;
  readonly rel: string;
  readonly nofollow: boolean;
  readonly anchor: string;

  /** Of the URL that the resolver has just resolved. */
  constructor(
    { url, key, keyHost, fingerprint }: LinkResolver,
    { source, depth }: { readonly source: UrlView | undefined; readonly depth: number },
    words: LinkWords = REDIRECT,
  ) {
    super(url);
    this.key = key;
    this.keyHost = keyHost;
    const [high = 0, low = 0] = fingerprint;
    this.high = high;
    this.low = low;
    this.source = source;
    this.depth = depth;
    this.kind = words.kind;
    this.rel = words.rel;
    this.nofollow = words.nofollow;
    this.anchor = words.anchor;
  }
}
