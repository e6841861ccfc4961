/**
 * Limits of the whole crawl: pages, bytes and time, kept by all agents together without a coordinator
 * (rules M1 to M9 of the protocol).
 *
 *     fetch ──take──► Account ◄──credit── Transfers ◄──────► Transfers of others
 *           ──use───►    │ free               ▲
 *           ──putBack►   ▼                    │ give
 *                     Borrower ──request──► Lender of the treasurer ──recall──► Lenders of all
 *
 * A page is fetched only with a *token*. The founder of a crawl has as many as the limit says; they move
 * between disks, each is on one of them or under way, and none is ever made again. So there are never
 * more pages than the limit allows, whatever crashes, is doubled, or returns from the dead. What a disk
 * may use in all is its *budget*, durable in its ledger; what it has used is known from its pages. So a
 * page costs no write and no message. Bytes are lent in the same way; what is in flight when the last are
 * used comes on top. The time is how long the crawl has run, as the agents tell each other.
 *
 * An agent that runs out asks the *treasurer*, the lowest live member of the ring. That lends a share of
 * what it has; if it has nothing, it recalls from the others what they can spare. Whoever has no work for
 * what it has gives it back to the treasurer. So nobody starves while a token is to be had, and if
 * somebody lacks tokens when all are settled, there are none: the crawl has reached its limit.
 *
 * Words of this module:
 * - *token*: the right to have one page; *amounts*: tokens and bytes
 * - *budget*: what a disk may use in all, what it has used included; *free*: what is left of it
 * - *transfer*: amounts on their way from one place to another
 * - *treasurer*: who is asked for more, and gets what is not needed
 * - *lacking*: with work and nothing free for it, or with a debt; *noted*: known to be so by the treasurer
 * - *recall*: the question of the treasurer what others can spare
 * - *issue*: tokens that are made, when a crawl is founded or its limits are changed; *terms*: the limits,
 *   and who has issued what
 *
 * Read `cluster-limits.ts` first, then `ledger.ts` and `transfers.ts`; docs/adr/0062 has the reasons.
 */
export { ClusterLimits, type LimitName, type LimitStart } from "./cluster-limits.ts";
export { CrawlTime } from "./crawl-time.ts";
export type { ClusterLimitsParts, LimitedWork } from "./limit-parts.ts";
export type { LimitSettings } from "./limit-settings.ts";
export {
  areTerms,
  type CrawlBounds,
  changedTerms,
  foundingTerms,
  type LimitTerms,
} from "./limit-terms.ts";
export { openLedger } from "./limits-file.ts";
