/**
 * Robots: what a site lets a crawler do, by robots.txt (RFC 9309) and by the page itself.
 *
 * `robotsVerdict` says what an attempt to fetch robots.txt means: read it, everything is allowed,
 * or nothing is until the server answers. `parseRobots` reads the bytes for one product token:
 * `robots-lines.ts` splits them into lines, `directive.ts` knows the keys and their misspellings,
 * and `robots-file.ts` collects the groups that apply. The rules end up as `RobotRules`: a string
 * of a few hundred octets (`packed-rules.ts`) that is walked once per decision (`rule-walk.ts`,
 * `wildcard.ts`), in time linear in the path whatever the patterns. `path-form.ts` holds the
 * spellings of a path that must be treated alike.
 *
 * Everything here is a pure function of bytes: nothing is fetched, and nothing from the web makes
 * it throw. Mistakes in a file are read as the author meant them where well-known parsers agree;
 * where they differ, the stricter reading is taken (docs/adr/0013-robots-readings.md).
 *
 * `pageDirectives` reads `X-Robots-Tag` headers and `<meta name="robots">`.
 *
 * Words of this module:
 * - *group*: one or more User-agent lines and the rules after them
 * - *rule*: an Allow or Disallow line
 * - *octet string*: text with one character per byte, so that nothing is lost in a comparison
 * - *packed rules*: the rules of one origin for one product token, as a radix tree in one string
 * - *tail*: the part of a pattern from its first wildcard on; a *segment* lies between two
 *   wildcards
 * - *too-costly*: the refusal when matching a path against the rules exceeded its limit of work
 *
 * Read `robots-file.ts` first, then `robot-rules.ts`.
 */
export {
  type PageDirectives,
  pageDirectives,
  reservationIn,
  TDM_RESERVATION,
} from "./page-directives.ts";
export { robotsPath } from "./path-form.ts";
export { productToken } from "./product-token.ts";
export { RobotRules, type RobotsDecision, type SavedRules } from "./robot-rules.ts";
export { parseRobots, type RobotsFile, robotsSitemaps, sitemapUrls } from "./robots-file.ts";
export { ROBOTS_BYTES_MAX } from "./robots-lines.ts";
export {
  ROBOTS_REDIRECTS_MAX,
  type RobotsAttempt,
  type RobotsVerdict,
  robotsVerdict,
} from "./robots-verdict.ts";
