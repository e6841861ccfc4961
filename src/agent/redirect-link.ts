/** A URL that a redirect leads to, as scope, limits, the `schedule` filter and scores see it. */
import { FetchableView, type LinkView, type UrlView } from "../filter/index.ts";
import type { KeyHost, LinkResolver, UrlKey } from "../url/index.ts";

export class RedirectLink extends FetchableView implements LinkView {
  readonly source: UrlView;
  readonly depth: number;
  readonly high: number;
  readonly low: number;
  readonly key: UrlKey;
  readonly keyHost: KeyHost;
  readonly kind = "redirect";
  readonly rel = "";
  readonly nofollow = false;
  readonly anchor = "";

  /** Of the URL that the resolver has just resolved. */
  constructor(resolver: LinkResolver, source: UrlView, depth: number) {
    const { url, key, keyHost, fingerprint } = resolver;
    super(url);
    const [high = 0, low = 0] = fingerprint;
    this.high = high;
    this.low = low;
    this.key = key;
    this.keyHost = keyHost;
    this.source = source;
    this.depth = depth;
  }
}
