/**
 * The optional rules of the key, as in the configuration's `url:`. They treat URLs as the same page
 * beyond what the standards guarantee, so each can be wrong for some site; by
 * default only session identifiers are stripped. No rule ever changes what is sent.
 */
export interface UrlRules {
  /** Identifiers that a server puts into links to follow one visitor: `;jsessionid=…`. */
  readonly sessionIds: "keep" | "strip";
  /** Parameters that tell a page where its reader came from: `utm_source`, `fbclid`, … */
  readonly trackingParams: "keep" | "strip";
  /** Parameters ordered by name; those of one name keep their order. */
  readonly sortQuery: boolean;
  /** `/a/` as `/a`. */
  readonly trailingSlash: "keep" | "strip";
  /** `/a/index.html` as `/a/`. */
  readonly indexPages: "keep" | "strip";
  /** `www.example.org` as `example.org`. */
  readonly www: "keep" | "strip";
}

export const DEFAULT_URL_RULES: UrlRules = {
  sessionIds: "strip",
  trackingParams: "keep",
  sortQuery: false,
  trailingSlash: "keep",
  indexPages: "keep",
  www: "keep",
};
