/**
 * Claim: a URL costs the frontier about ten microseconds of processor time from its offer to its
 * end. Sieve and queues are in memory. Printed are processor time per URL with as many hosts as the
 * first argument says (20,000 if it says nothing), ten URLs each, and that of an offer that was
 * seen before. No network: every errand is ended at once, so robots.txt and names cost nothing but
 * their way through the frontier. Beside it the least that any frontier does, in the same run: a
 * set of what was seen and a list for each host.
 */

import type { FetchableUrl } from "../src/formats/url/index.ts";
import { DEFAULT_FRONTIER_SETTINGS } from "../src/frontier/front/frontier-settings.ts";
import { openMemoryFrontier } from "../src/frontier/front/index.ts";
import type { Ticket } from "../src/frontier/ticket/index.ts";
import { Kernel } from "../src/lab/simulator/index.ts";

const HOSTS = Number(process.argv[2] ?? 20_000);
const PAGES = 10;
const ROUNDS = 3;

function ticketsOf(): Ticket[] {
  const tickets: Ticket[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    for (let host = 0; host < HOSTS; host += 1) {
      const origin = `https://www.host${host}.example`;
      const url = `${origin}/folder/page-${page}.html` as FetchableUrl;
      const via = `${origin}/folder/`;
      const key = { high: host, low: (page * 0x9e3779b1) >>> 0 };
      tickets.push({ url, ...key, depth: page, via, redirects: 0, priority: 0 });
    }
  }
  return tickets;
}

function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Offers everything, ends everything; returns microseconds per URL. */
function crawl(tickets: readonly Ticket[]): { readonly newUs: number; readonly seenUs: number } {
  const kernel = new Kernel({ seed: "bench" });
  const frontier = openMemoryFrontier({
    clock: kernel.clock,
    random: kernel.random,
    settings: { ...DEFAULT_FRONTIER_SETTINGS, hostDelayMs: 1, addressDelayMs: 1, resolvesMax: 1e6 },
    listener: { woken: () => undefined, failed: () => undefined },
  });
  const turn = (): void => {
    kernel.schedule(1, () => undefined);
    kernel.runUntil(() => false, { stepsMax: 1e9, virtualMsMax: 1 });
    for (let errand = frontier.acquire(); errand !== null; errand = frontier.acquire()) {
      if (errand.kind === "resolve") {
        const addresses = [errand.host];
        frontier.resolved(errand, { kind: "resolved", addresses, expiresAtMs: 1e15 });
      } else if (errand.kind === "robots") {
        const attempt = { kind: "answered", status: 404 } as const;
        frontier.robotsFetched(errand, { kind: "ended", attempt, bytes: null, retryAfterMs: null });
      } else if (errand.kind === "page") {
        const answer = { status: 200, retryAfterMs: null, answerMs: 0 };
        frontier.pageFetched(errand, { kind: "answered", ...answer });
      }
    }
  };
  const startUs = spentUs();
  for (const ticket of tickets) {
    frontier.offer(ticket);
    if (frontier.isFull) turn();
  }
  while (!frontier.isExhausted) turn();
  const middleUs = spentUs();
  for (const ticket of tickets) {
    frontier.offer(ticket);
    if (frontier.isFull) turn();
  }
  while (!frontier.isExhausted) turn();
  const endUs = spentUs();
  const count = tickets.length;
  return { newUs: (middleUs - startUs) / count, seenUs: (endUs - middleUs) / count };
}

/** The least: seen or not, and a list for each host. */
function least(tickets: readonly Ticket[]): number {
  const startUs = spentUs();
  const seen = new Set<string>();
  const lists = new Map<string, Ticket[]>();
  for (const ticket of tickets) {
    if (seen.has(ticket.url)) continue;
    seen.add(ticket.url);
    const host = new URL(ticket.url).host;
    const list = lists.get(host);
    if (list === undefined) lists.set(host, [ticket]);
    else list.push(ticket);
  }
  let taken = 0;
  while (taken < tickets.length) for (const list of lists.values()) taken += list.shift() ? 1 : 0;
  return (spentUs() - startUs) / tickets.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

const tickets = ticketsOf();
const rounds = Array.from({ length: ROUNDS + 1 }, () => ({
  ...crawl(tickets),
  leastUs: least(tickets),
})).slice(1);
const newUs = median(rounds.map((round) => round.newUs));
const seenUs = median(rounds.map((round) => round.seenUs));
const leastUs = median(rounds.map((round) => round.leastUs));
console.log(`${HOSTS} hosts, ${PAGES} URLs each`);
console.log(`a new URL, offer to end     ${newUs.toFixed(1)} µs`);
console.log(`an offer seen before        ${seenUs.toFixed(1)} µs`);
console.log(`against a set and lists     ${(newUs / leastUs).toFixed(1)} times its time`);
