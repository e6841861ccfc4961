/**
 * The laboratory: worlds and judges. Tests use them everywhere; in the program only the command line
 * does, to serve them to users (`trobar simweb`, `trobar demo`).
 *
 * - `simulator`: worlds made from a seed: network, disks, clocks, faults; one thread, every schedule.
 * - `agents`: agents that share a crawl, in one thread, under every fault; and their judge.
 * - `simweb`: the synthetic web with its servers, its truth, and its verdict on a crawl.
 * - `link`: a slow TCP link between two sites, on one machine.
 * - `conformance`: what every implementation of a seam must pass, ours or a user's.
 *
 * Start with `simulator/index.ts`.
 */
export {};
