/**
 * What a line of a robots.txt is about. Keys are compared without regard to case and by their
 * beginning, and the misspellings that well-known parsers accept are accepted here too: an author
 * who writes `Dissallow` means it.
 */

export type Directive =
  | "user-agent"
  | "allow"
  | "disallow"
  | "crawl-delay"
  | "sitemap"
  | "content-signal"
  | "content-usage";

/** The directive that a key in lower case stands for, or null for one we do not know. */
export function directiveOf(key: string): Directive | null {
  for (const [directive, beginnings] of SPELLINGS) {
    for (const beginning of beginnings) if (key.startsWith(beginning)) return directive;
  }
  return null;
}

const SPELLINGS: readonly (readonly [Directive, readonly string[]])[] = [
  [
    "disallow",
    [
      "disallow",
      "dissallow",
      "dissalow",
      "disalow",
      "disalllow",
      "disllow",
      "disaloow",
      "diasllow",
      "disallaw",
      "desallow",
      "dis-allow",
      "dis allow",
    ],
  ],
  ["allow", ["allow", "alllow", "alow"]],
  [
    "user-agent",
    [
      "user-agent",
      "useragent",
      "user agent",
      "user_agent",
      "users-agent",
      "user-agnet",
      "user-agant",
      "useg-agent",
      "usre-agent",
      "use-agent",
      "ser-agent",
    ],
  ],
  ["crawl-delay", ["crawl-delay", "crawldelay", "crawl delay", "crawl_delay"]],
  ["sitemap", ["sitemap", "site-map", "site map"]],
  ["content-signal", ["content-signal"]],
  ["content-usage", ["content-usage"]],
];
