/**
 * What a URL of the web is: its *role*, one of the list below. `page` is an ordinary page, and the
 * role of every URL that introduces others; leaves have the other roles, in the shares that the
 * profile gives.
 */
import type { Profile } from "../profile/profile.ts";
import type { Oddity } from "../web/synthetic-web.ts";

/** Every role, in the order of their numbers; the first is what the shares of the others leave. */
export const ROLES = [
  "page",
  "nofollow-page",
  "hidden",
  "private",
  "opened",
  "generated",
  "copy",
  "numbered-copy",
  "near-copy",
  "sitemap-only",
  "flood",
  "throttled",
  "reset",
  "odd-type",
  "double-encoding",
  "broken-encoding",
  "bomb",
  "redirect-near",
  "redirect-away",
  "redirect-chain",
  "redirect-long",
  "redirect-loop",
  "redirect-odd",
  "missing",
  "gone",
  "forbidden",
  "broken",
  "throttled-for-good",
  "reset-for-good",
  "image",
  "binary",
  "text",
  "empty",
  "chunked",
  "no-length-close",
  "many-interim",
  "folded-header",
  "bare-newlines",
  "length-too-small",
  "length-too-large",
  "close-mid-body",
  "chunked-broken",
  "stall-mid-body",
  "endless-body",
  "http-0.9",
  "close-before-head",
  "huge-header",
  "garbage",
] as const;

export type Role = (typeof ROLES)[number];

interface RoleFacts {
  /** The share of leaves with this role. */
  share(profile: Profile): number;
  /** Whether its body is HTML with the links of the model, once a final answer comes. */
  readonly hasLinks: boolean;
  /**
   * Whether crawlers may differ in what they get: the whole page, a part of it, or nothing. Then
   * neither its links nor its outcome are certain.
   */
  readonly isUncertain?: boolean;
  /** What is wrong on the wire. */
  readonly oddity?: Oddity;
}

const page = { hasLinks: true } as const;
const file = { hasLinks: false } as const;

function odd(
  name: keyof Profile["oddities"],
  oddity: Oddity,
  conduct: "harmless" | "uncertain" | "failing",
): RoleFacts {
  return {
    share: ({ oddities }) => oddities[name],
    hasLinks: conduct !== "failing",
    isUncertain: conduct === "uncertain",
    oddity,
  };
}

const FACTS: Readonly<Record<Role, RoleFacts>> = {
  page: { share: () => 0, ...page },
  "nofollow-page": { share: ({ directives }) => directives.nofollowPages, ...page },
  hidden: { share: ({ directives }) => directives.hidden, ...page },
  private: { share: ({ robots }) => robots.privatePages, ...page },
  opened: { share: ({ robots }) => robots.openedPages, ...page },
  generated: { share: ({ robots }) => robots.generatedPages, ...page },
  copy: { share: ({ duplicates }) => duplicates.exact, ...page },
  "numbered-copy": { share: ({ duplicates }) => duplicates.numbered, ...page },
  "near-copy": { share: ({ duplicates }) => duplicates.near, ...page },
  "sitemap-only": { share: ({ sitemaps }) => sitemaps.only, ...page },
  flood: { share: ({ traps }) => traps.floods, ...page },
  throttled: { share: ({ errors }) => errors.throttled, ...page },
  reset: { share: ({ errors }) => errors.reset, ...page },
  "odd-type": { share: ({ files }) => files.oddTypes, ...page, isUncertain: true },
  "double-encoding": { share: ({ encodings }) => encodings.doubled, ...page, isUncertain: true },
  "broken-encoding": { share: ({ encodings }) => encodings.broken, ...page, isUncertain: true },
  bomb: { share: ({ encodings }) => encodings.bombs, ...file, isUncertain: true },
  "redirect-near": { share: ({ redirects }) => redirects.near, ...file },
  "redirect-away": { share: ({ redirects }) => redirects.away, ...file },
  "redirect-chain": { share: ({ redirects }) => redirects.chains, ...file },
  "redirect-long": { share: ({ redirects }) => redirects.long, ...file },
  "redirect-loop": { share: ({ redirects }) => redirects.loops, ...file },
  "redirect-odd": { share: ({ redirects }) => redirects.odd, ...file },
  missing: { share: ({ errors }) => errors.missing, ...file },
  gone: { share: ({ errors }) => errors.gone, ...file },
  forbidden: { share: ({ errors }) => errors.forbidden, ...file },
  broken: { share: ({ errors }) => errors.broken, ...file },
  "throttled-for-good": { share: ({ errors }) => errors.throttledForGood, ...file },
  "reset-for-good": { share: ({ errors }) => errors.resetForGood, ...file },
  image: { share: ({ files }) => files.images, ...file },
  binary: { share: ({ files }) => files.binaries, ...file },
  text: { share: ({ files }) => files.texts, ...file },
  empty: { share: ({ files }) => files.empty, ...file },
  chunked: odd("chunked", "chunked", "harmless"),
  "no-length-close": odd("noLengthClose", "no-length-close", "harmless"),
  "many-interim": odd("manyInterim", "many-interim", "uncertain"),
  "folded-header": odd("foldedHeader", "folded-header", "uncertain"),
  "bare-newlines": odd("bareNewlines", "bare-newlines", "uncertain"),
  "length-too-small": odd("lengthTooSmall", "length-too-small", "uncertain"),
  "length-too-large": odd("lengthTooLarge", "length-too-large", "uncertain"),
  "close-mid-body": odd("closeMidBody", "close-mid-body", "uncertain"),
  "chunked-broken": odd("chunkedBroken", "chunked-broken", "uncertain"),
  "stall-mid-body": odd("stallMidBody", "stall-mid-body", "uncertain"),
  "endless-body": odd("endlessBody", "endless-body", "uncertain"),
  "http-0.9": odd("http09", "http-0.9", "uncertain"),
  "close-before-head": odd("closeBeforeHead", "close-before-head", "failing"),
  "huge-header": odd("hugeHeader", "huge-header", "failing"),
  garbage: odd("garbage", "garbage", "failing"),
};

export function roleFacts(role: Role): RoleFacts {
  return FACTS[role];
}

export function roleShares(profile: Profile): number[] {
  return ROLES.map((role) => FACTS[role].share(profile));
}
