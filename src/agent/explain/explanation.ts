/** What became of a URL, as `trobar explain --json` prints it; the names are stable. */

/**
 * `unknown`: the crawl has not met it, and the reason is what the rules would say. `refused`: it was met
 * and not taken up. The others are on their way, or had their last answer.
 */
export type UrlState =
  | "fetched"
  | "redirected"
  | "failed"
  | "fetching"
  | "retrying"
  | "queued"
  | "refused"
  | "unknown";

/** One thing that happened to the URL, or that was decided about it, with its facts. */
export interface StoryStep {
  /** ISO 8601, UTC; null where the moment is not known. */
  readonly at: string | null;
  readonly what: StoryWord;
  readonly [fact: string]: unknown;
}

export type StoryWord =
  /** It is a seed, or was found on a page. */
  | "seed"
  | "found"
  | "linked"
  /** What the rules say. */
  | "scope"
  | "limit"
  | "filter"
  | "blocked"
  | "robots"
  | "refused"
  /** Where it is in the frontier. */
  | "host"
  | "queued"
  | "waiting"
  | "in-flight"
  /** Fetches, and what was kept. */
  | "fetch"
  | "redirect"
  | "duplicate"
  | "near-duplicate"
  | "stored"
  | "not-stored";

export interface Explanation {
  /** As it is fetched. */
  readonly url: string;
  /** What it is compared by. */
  readonly key: string;
  readonly state: UrlState;
  /** A status, a code, a reason of the summary's `refused`, or `accepted`. */
  readonly reason: string;
  /** The reason in a sentence, for URLs that were or would be refused; else null. */
  readonly meaning: string | null;
  readonly story: readonly StoryStep[];
}

/** What was had counts more than what waits, and that more than what somebody would say of it. */
const STATES: readonly UrlState[] = [
  ...(["fetched", "redirected", "fetching", "retrying", "queued", "failed", "refused"] as const),
  "unknown",
];

/** Of what several agents tell, that of the one that knows most; null if nobody knows anything. */
export function bestStory(stories: readonly (Explanation | null)[]): Explanation | null {
  const told = stories.filter((story) => story !== null);
  const rankOf = ({ state }: Explanation): number => STATES.indexOf(state);
  return told.toSorted((one, other) => rankOf(one) - rankOf(other))[0] ?? null;
}
