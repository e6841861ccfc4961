/**
 * What an agent holds of a crawl that it shares with others: the hosts in its frontiers, the pages in its
 * store, and the links that it has found to hosts of others. The cluster's custody asks for these without
 * knowing frontier or store (`Holdings`); the frontier gives and takes hosts without knowing custody. Here
 * they meet, once. Agents use it, simulated ones too.
 *
 *     custody ──► FrontierHoldings ──► frontier (handovers)
 *                        └──► KnownPages (the store)
 *     links of pages ──► own host: frontier · other: ForeignLinks ──► custody
 *
 * Every lane has both: what concerns a host goes to the lane that has its shard, whoever owns the host.
 *
 * Words of this module:
 * - *ask*: what custody wants of a lane; asks of one lane are carried out in their order
 * - *foreign link*: a link to a host that is not here
 *
 * Read `frontier-holdings.ts` first, beside `cluster/custody/holdings.ts`.
 */
export { type ForeignLinks, openForeignLinks } from "./foreign-links.ts";
export { FrontierHoldings, type KnownPages } from "./frontier-holdings.ts";
export { entryOf, ticketIn } from "./ticket-entries.ts";
