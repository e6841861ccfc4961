/**
 * The frontier: everything between the discovery of a URL and its fetch.
 *
 *     ticket ─► sieve ─► front (visit states, workbench) ─► errand
 *                          ▲ ▼
 *                         queues
 *
 * - `ticket`: a URL with what must be known about it when it is fetched, and its form as bytes.
 * - `sieve`: gives every URL out once, in first-seen order, from runs on disk.
 * - `queues`: the URLs of each host that wait, in memory and on disk, and the table of hosts.
 * - `front`: which host is visited when: visit states, politeness per host and address, robots.txt,
 *   retries.
 * - `traversal`: in which order, within what politeness allows.
 * - `lanes`: which lane of an agent owns which hosts.
 * - `seen`: the recently-seen table, which keeps most repetitions away from the sieve.
 *
 * All of it is synchronous, over `Clock`, `Random`, `Storage` and `Background`. Start with
 * `front/frontier.ts`, the contract.
 */
export {};
