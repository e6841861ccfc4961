/** What is to become of a URL: how it stands under the rules, and what a fetch of it comes to. */
import type { FetchableUrl, UrlKey } from "../../../formats/url/index.ts";

/**
 * What a crawl ends up with. `page`: an answer with 2xx, perhaps cut short; `redirect`: one with
 * 3xx; `error`: any other; `failed`: no answer after every try; `unresolved`: no address.
 */
export type Outcome = "page" | "redirect" | "error" | "failed" | "unresolved";

export interface Expectation {
  readonly key: UrlKey;
  /** One of the URLs with this key. */
  readonly url: FetchableUrl;
  readonly due: "must" | "may";
  /** Steps from the nearest seed: over certain links, and over all that some crawlers find. */
  readonly depth: number;
  readonly depthMin: number;
  /** Every outcome that is right. */
  readonly outcomes: readonly Outcome[];
  /** How many requests a server sees that keeps count, retries included. */
  readonly fetchesMin: number;
  readonly fetchesMax: number;
  /** The page asks not to be kept. */
  readonly isNoarchive: boolean;
  /** URLs of one family have equal bodies; null for what has no body to compare. */
  readonly family: string | null;
  /** URLs of one numbered family have bodies that are equal but for a number. */
  readonly numberedFamily: string | null;
  /** URLs of one near family have bodies that are equal but for a few words. */
  readonly nearFamily: string | null;
}

/** A link as a page has it, of a page that is expected. */
export interface TrueLink {
  readonly from: UrlKey;
  readonly to: UrlKey;
  readonly kind: string;
  readonly isNofollow: boolean;
}
