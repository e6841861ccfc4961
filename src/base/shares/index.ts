/**
 * Shares: who goes first when slots are short.
 *
 * Connections and resolutions are slots that a server can keep for as long as it likes, by answering
 * slowly. What bounds the harm is to know for whom the slots are held. A `ShareLedger` counts them by
 * *key*, the network or the registrable domain, and remembers which keys were slow. A `ShareLine` is
 * where those wait that cannot begin: quick keys first, by turns; then keys that hold more than their
 * share; then slow ones.
 *
 * The order is all there is: with nobody else waiting any key gets every slot, so that a crawl of one
 * domain or one network is not slowed. What holds its slot although others wait for it is taken off
 * by the owner of the slots (`frontier/front/bench/visit-shares.ts`, `fetch/dns/dns-queue.ts`).
 *
 * Words of this module:
 * - *slow*: a key for which things took long lately; it is served last
 * - *crowded*: a key that holds more than its share; it waits behind the quick ones
 *
 * Everything is synchronous and knows no clock. Read `share-ledger.ts` first; docs/adr/0033 has the
 * reasons.
 */
export { ShareLedger } from "./share-ledger.ts";
export { ShareLine } from "./share-line.ts";
