/**
 * Shares: who goes first when slots are short.
 *
 * Connections and resolutions are slots that a server can occupy for as long as it likes, by
 * answering slowly. To bound the harm, a `ShareLedger` counts the held slots by *key*, the network
 * or the registrable domain, and remembers which keys were slow. Items that cannot begin wait in a
 * `ShareLine`: quick keys first, by turns; then keys that hold more than their share; then slow
 * ones.
 *
 * Only the order is affected: when nothing else waits, any key gets every slot, so that a crawl of
 * one domain or one network is not slowed. Taking a slot away from its holder while others wait is
 * up to the owner of the slots (`frontier/front/bench/visit-shares.ts`, `fetch/dns/dns-queue.ts`).
 *
 * Words of this module:
 * - *slow*: a key for which things took long lately; it is served last
 * - *crowded*: a key that holds more than its share; it waits behind the quick ones
 *
 * Everything is synchronous and uses no clock. Read `share-ledger.ts` first; docs/adr/0033 has the
 * reasons.
 */
export { ShareLedger } from "./share-ledger.ts";
export { ShareLine } from "./share-line.ts";
