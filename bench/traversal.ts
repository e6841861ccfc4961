/**
 * Claim: any other order than breadth-first costs the frontier at most three times as much a URL.
 * Measured are URLs through a frontier in memory, from offer to end, with each traversal, against
 * breadth-first in the same run. A fifth of the URLs are offered again with a better priority, so
 * that they rise. Processor time, rounds interleaved, medians; the number to compare is the ratio.
 * The argument is the number of URLs.
 */

import type { FetchableUrl } from "../src/formats/url/index.ts";
import { type Frontier, openMemoryFrontier } from "../src/frontier/front/index.ts";
import type { TraversalName } from "../src/frontier/traversal/index.ts";
import { Kernel } from "../src/lab/simulator/index.ts";

const URLS = Number(process.argv[2] ?? 100_000);
const HOSTS = URLS / 50;
const ROUNDS = 5;
const TRAVERSALS: readonly TraversalName[] = [
  "breadth-first",
  "depth-first",
  "global-breadth-first",
  "priority",
];

function microsecondsPerUrl(traversal: TraversalName): number {
  const kernel = new Kernel({ seed: "bench" });
  const failed = (error: Error): never => {
    throw error;
  };
  const frontier = openMemoryFrontier({
    ...{ clock: kernel.clock, random: kernel.random, traversal },
    listener: { woken: () => undefined, failed },
    settings: { robots: "ignore", hostDelayMs: 10, addressDelayMs: 0 },
  });
  const startUs = spentUs();
  offerAll(frontier);
  while (!frontier.isExhausted) if (!endNext(frontier)) kernel.step() || kernel.pass(1);
  return (spentUs() - startUs) / URLS;
}

function offerAll(frontier: Frontier): void {
  for (let number = 0; number < URLS; number += 1) {
    const url = `http://h${number % HOSTS}.example/${number}` as FetchableUrl;
    const high = Math.imul(number, 0x85ebca6b) >>> 0;
    const priority = (number * 7919) % 60;
    const ticket = { url, high, low: number, depth: number % 9, via: null, redirects: 0, priority };
    frontier.offer(ticket);
    if (number % 5 === 0) frontier.offer({ ...ticket, depth: 0, priority: 2 * priority });
  }
}

function endNext(frontier: Frontier): boolean {
  const errand = frontier.acquire();
  if (errand === null) return false;
  if (errand.kind === "resolve") {
    const addresses = [`${errand.host} address`];
    const expiresAtMs = Number.POSITIVE_INFINITY;
    frontier.resolved(errand, { kind: "resolved", addresses, expiresAtMs });
  } else if (errand.kind === "page") {
    frontier.pageFetched(errand, {
      kind: "answered",
      status: 200,
      retryAfterMs: null,
      answerMs: 1,
    });
  }
  return true;
}

function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

const spent = new Map<TraversalName, number[]>(TRAVERSALS.map((traversal) => [traversal, []]));
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const traversal of TRAVERSALS) {
    const us = microsecondsPerUrl(traversal);
    // The first round is for the compiler.
    if (round > 0) spent.get(traversal)?.push(us);
  }
}
const reference = median(spent.get("breadth-first") ?? []);
for (const [traversal, us] of spent) {
  const ratio = (median(us) / reference).toFixed(2);
  console.log(
    `${traversal.padEnd(22)} ${median(us).toFixed(1).padStart(6)} µs/URL   ${ratio} times`,
  );
}
