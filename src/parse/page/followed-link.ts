/** A link, resolved: what scope, limits, filters and scores look at, and what is offered. */
import type { KeyHost, ResolvedLink, UrlKey } from "../../formats/url/index.ts";
import { FetchableView, type LinkView, type UrlView } from "../../rules/filter/index.ts";
import type { FoundLink } from "./parsed-page.ts";

/** What the links of one page have in common. */
export interface LinkOrigin {
  readonly source: UrlView | undefined;
  /** Of the link, not of its page. */
  readonly depth: number;
  /** Whether the page asks that none of its links be followed. */
  readonly isNofollow: boolean;
}

const NOFOLLOW = /(?:^|[\t\n\f\r ])nofollow(?:$|[\t\n\f\r ])/i;

export class FollowedLink extends FetchableView implements LinkView {
  readonly resolved: ResolvedLink;
  readonly #origin: LinkOrigin;
  readonly #found: Omit<FoundLink, "url">;

  constructor(resolved: ResolvedLink, origin: LinkOrigin, found: Omit<FoundLink, "url">) {
    super(resolved.url);
    this.resolved = resolved;
    this.#origin = origin;
    this.#found = found;
  }

  get key(): UrlKey {
    return this.resolved.key;
  }

  get keyHost(): KeyHost {
    return this.resolved.keyHost;
  }

  get high(): number {
    return this.resolved.high;
  }

  get low(): number {
    return this.resolved.low;
  }

  get source(): UrlView | undefined {
    return this.#origin.source;
  }

  get depth(): number {
    return this.#origin.depth;
  }

  get kind(): string {
    return this.#found.kind;
  }

  get rel(): string {
    return this.#found.rel;
  }

  get anchor(): string {
    return this.#found.text;
  }

  get nofollow(): boolean {
    const { rel } = this.#found;
    return this.#origin.isNofollow || (rel !== "" && NOFOLLOW.test(rel));
  }
}
