/**
 * The synthetic web: a web with known truth, to be crawled by tests, benches, demonstrations and
 * users.
 *
 * `SyntheticWeb` is the central interface: hosts with addresses, and an answer to every request.
 * `GeneratedWeb` is one, a function of profile and seed; nothing of it is stored. Its `WebModel` has
 * hosts, slots (numbered URLs with their roles), paths and links, each drawn from numbers alone; the
 * `PageRenderer` makes pages of them. `Truth` says, from the same model and never from what was
 * served, what a crawl with given rules must, may and must not fetch: `CrawlGraph` has the links as
 * the crawl sees them, `CrawlReach` walks them.
 *
 * `ServedWeb` puts a web on loopback: `WebServer` plays its answers on as many addresses as it has,
 * oddities included, and writes each request into an `AccessLog`; `WebNames` answers for its names;
 * a control port tells what was seen. Whatever touches sockets is in four small files; the rest
 * works on a `Wire` and a clock, and is tried in simulated time.
 *
 * `judge` compares the access log with the truth: coverage, overlap, politeness, identity, order,
 * each sin by name. `ArchiveExaminer` does the same for the records of WARC files. `SimWebFetcher`
 * is the web behind the `Fetcher` seam, in virtual time.
 *
 * Words of this module:
 * - *slot*: one of the numbered URLs of a host, slot 0 the front page; its *role* is page, copy,
 *   redirect, error, file, oddity, …
 * - *needed*: of a slot or host: others are found through it, so nothing is wrong with it
 * - *introduction*: the link by which a slot or host is surely found
 * - *variant*: another URL of a slot: with a session, a campaign, as an index page, or a further
 *   hop of a redirect
 * - *certain link*: one that every crawler that keeps the rules finds
 * - *decoy*: what looks like a link and is none; what only decoys name is a *ghost*
 * - *mirror*: a host that serves the pages of another; a *family* is pages that are alike
 * - *fate*: what becomes of every request to a host: sound, dead, or trouble with its name
 * - *trap*, *maze*, *flood*: pages without end, hosts without end, a page with very many links
 * - *oddity*: what a server does that HTTP does not foresee; a *move* is one thing it puts on the
 *   wire for it
 * - *feature*: one thing that a web may have, with its share in the profile
 * - *due*: of a page: must be fetched under the rules of the crawl; its *standing* says due,
 *   allowed, forbidden, …
 * - *expectation*: what is to become of a URL: outcomes, depth, fetches
 * - *evidence*: what a verdict is made from: access log, web, truth, rules; a *sin* is one thing
 *   done wrong
 * - *gap*: the time from the end of one visit to the start of the next, for a host or an address
 *
 * Read `web/synthetic-web.ts` first; then `slot-model.ts` and `link-model.ts` for what a web is made
 * of, `truth.ts` for what is true of it, `web-connection.ts` and `verdict.ts` for serving and judging.
 */

export { openGeneratedWeb } from "./open-generated-web.ts";
export type { Profile } from "./profile/profile.ts";
export { PROFILE_SCHEMA } from "./profile/profile-schema.ts";
export {
  changedProfile,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
} from "./profile/profiles.ts";
export type { CrawlDescription } from "./serve/control.ts";
export { ServedWeb } from "./serve/served-web.ts";
export { SimWebFetcher } from "./serve/sim-web-fetcher.ts";
export type { CrawlTruth } from "./truth/crawl-truth.ts";
export { Truth } from "./truth/truth.ts";
export { DEFAULT_TRUTH_RULES, type TruthRules } from "./truth/truth-rules.ts";
export { ArchiveExaminer, type ArchiveVerdict } from "./verdict/archive-examiner.ts";
export { readArchive } from "./verdict/read-archive.ts";
export { judge, type Verdict } from "./verdict/verdict.ts";
export { DEFAULT_RULES } from "./verdict/verdict-rules.ts";
export { sinLines, verdictText } from "./verdict/verdict-text.ts";
export { GeneratedWeb } from "./web/generated-web.ts";
export type {
  SyntheticWeb,
  WebRequest,
  WebResponse,
} from "./web/synthetic-web.ts";
