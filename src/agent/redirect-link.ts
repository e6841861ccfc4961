/** A URL that a seed or a redirect leads to, as scope, limits and the `schedule` filter see it. */
import { FetchableView, type LinkView, type UrlView } from "../filter/index.ts";
import type { KeyHost, LinkResolver, UrlKey } from "../url/index.ts";

export class RedirectLink extends FetchableView implements LinkView {
  readonly source: UrlView;
  readonly depth: number;
  readonly key: UrlKey;
  readonly keyHost: KeyHost;
  readonly kind = "redirect";
  readonly rel = "";
  readonly nofollow = false;
  readonly anchor = "";

  /** Of the URL that the resolver has just resolved. */
  constructor({ url, key, keyHost }: LinkResolver, source: UrlView, depth: number) {
    super(url);
    this.key = key;
    this.keyHost = keyHost;
    this.source = source;
    this.depth = depth;
  }
}
