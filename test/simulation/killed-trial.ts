/** One crawl that is killed again and again, and what must be so at its end. */
import assert from "node:assert/strict";
import type { TraversalName } from "../../src/frontier/traversal/index.ts";
import { type FrontierDoor, KilledCrawl, type KilledCrawlOptions } from "./killed-crawl.ts";
import { folderOf } from "./laned-crawl.ts";

const TRAVERSALS: readonly TraversalName[] = [
  ...(["breadth-first", "global-breadth-first", "depth-first", "priority", "random-walk"] as const),
];

/** Merges that follow one another. */
const ROUNDS_MAX = 8;

/** Every seed is a crawl of its own kind. */
export function optionsOf(seed: number): KilledCrawlOptions {
  const traversal = TRAVERSALS[seed % TRAVERSALS.length] as TraversalName;
  const isWalk = traversal === "random-walk";
  const kind = Math.floor(seed / TRAVERSALS.length) % 4;
  // With a depth limit the pages that are reached must not depend on the order of visits.
  const hasDepths = kind === 1 && !isWalk;
  const robots = hasDepths ? "ignore" : "obey";
  // With little memory, most URLs wait in queues.
  const few = { hosts: 9, pagesPerHost: kind === 3 ? 16 : 8 };
  const delays = { hostDelayMs: kind === 3 ? 100 : 1000, addressDelayMs: kind === 3 ? 700 : 250 };
  return {
    ...delays,
    ...{ seed: `killed ${seed}`, traversal, ...few, lanes: kind === 2 && !isWalk ? 2 : 1 },
    changesLanes: kind === 2 && !isWalk,
    ...(hasDepths ? { depthMax: 6 } : {}),
    settings: {
      ...{ robots, retryWaitMs: 1000, keepsDepths: hasDepths },
      ...{ memoryBytes: kind === 3 ? 4000 : 1_000_000 },
      ...(kind === 0 ? { pagesPerHostMax: 5 } : {}),
    },
  };
}

/** Runs the crawl of a seed; throws if anything is not as it must be. */
export function tryKilledCrawl(seed: number, door: FrontierDoor): KilledCrawl {
  const options = optionsOf(seed);
  const crawl = new KilledCrawl(options, door);
  const { random } = crawl;
  for (let act = 0; act < 40 && !(act > 10 && crawl.isOver); act += 1) {
    crawl.step(random.below(120));
    const kind = random.below(6);
    if (kind < 3) crawl.save(true);
    else if (kind === 3) crawl.kill(random.below(2) === 0);
    else if (kind === 4) changeSomeHost(crawl, options);
  }
  unblockAll(crawl, options);
  crawl.runToEnd();
  saveAtRest(crawl);
  checkEnd(crawl, options);
  // What merges have used up is removed with the checkpoint after them.
  for (let round = 0; round < ROUNDS_MAX && strayFiles(crawl).length > 0; round += 1) {
    saveAtRest(crawl);
  }
  assert.deepEqual(strayFiles(crawl), [], "whatever is on disk is named by the checkpoint");
  return crawl;
}

function changeSomeHost({ random, frontiers }: KilledCrawl, { hosts }: KilledCrawlOptions): void {
  const host = `h${random.below(hosts)}.example` as never;
  const isBlocked = random.below(2) === 0;
  for (const frontier of frontiers) frontier.changeHost(host, { isBlocked });
}

function unblockAll({ frontiers }: KilledCrawl, { hosts }: KilledCrawlOptions): void {
  for (const frontier of frontiers) {
    for (let host = 0; host < hosts; host += 1) {
      frontier.changeHost(`h${host}.example` as never, { isBlocked: false });
    }
  }
}

/**
 * Every URL that was offered has a line or was refused, once. A page that had been followed when the power
 * failed may be refused afterwards, if its host has as many pages as are wanted: its links may be known.
 */
function checkEnd(crawl: KilledCrawl, { depthMax, settings }: KilledCrawlOptions): void {
  const { pagesPerHostMax = null } = settings;
  const lined = new Set(crawl.lines.map(({ ticket }) => ticket.url as string));
  assert.equal(lined.size, crawl.lines.length, "every URL has one line");
  const limit = depthMax ?? Number.POSITIVE_INFINITY;
  const reached = crawl.links.reached((url) => lined.has(url), limit);
  const offered = crawl.links.reached((url) => lined.has(url) || crawl.followed.has(url), limit);
  const statuses = crawl.frontiers.map((frontier) => frontier.status());
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const refused = sum(statuses.flatMap((status) => Object.values(status.refused)));
  const known = sum(statuses.map(({ urls }) => urls));
  for (const url of lined) assert.ok(offered.has(url), `${url} was offered`);
  assert.ok(known >= reached.size && known <= offered.size, "every URL is known once");
  if (pagesPerHostMax === null) assert.equal(offered.size, reached.size, "no page is given up");
  assert.equal(lined.size + refused, known, "every URL has ended in one way");
  assert.equal(sum(statuses.map(({ queued }) => queued)), 0);
  for (const url of reached.keys()) if (!lined.has(url)) checkRefusal(crawl, url, pagesPerHostMax);
  for (const checkpoint of crawl.checkpointsOfLanes) assert.equal(checkpoint?.marks.tally.open, 0);
}

/** A URL without a line is forbidden, or its host has as many pages as are wanted. */
function checkRefusal({ lines }: KilledCrawl, url: string, pagesMax: number | null): void {
  const { host, pathname } = new URL(url);
  if (pathname.startsWith("/3")) return;
  const isOfHost = (page: string): boolean => new URL(page).host === host;
  const pages = lines.filter(({ ticket, isPage }) => isPage && isOfHost(ticket.url));
  assert.ok(pagesMax !== null && pages.length >= pagesMax, `${url} is not refused without reason`);
}

function saveAtRest(crawl: KilledCrawl): void {
  crawl.save(false);
  crawl.runToEnd();
  crawl.kernel.runUntil(() => false, { stepsMax: 1e5, virtualMsMax: 1000 });
}

/** Runs and bundles that the last checkpoint does not name. */
function strayFiles(crawl: KilledCrawl): readonly string[] {
  const stray: string[] = [];
  const { checkpointsOfLanes: checkpoints } = crawl;
  for (const [lane, checkpoint] of checkpoints.entries()) {
    assert.ok(checkpoint !== null);
    const folder = folderOf(lane, checkpoints.length);
    const { queues, sieve, depths } = checkpoint.marks;
    const named = new Set([
      ...queues.bundles.map(({ id }) => `${folder}/queues/bundle-${id}`),
      ...((JSON.parse(sieve).runs?.runs ?? []) as { name: string }[]).map(({ name }) => name),
      ...(depths?.stack.runs ?? []).map(({ name }) => name),
    ]);
    for (const part of ["queues", "sieve/runs", "depths"]) {
      for (const name of crawl.filesIn(`${folder}/${part}`)) {
        if (/\/(?:run|bundle)-\d+$/.test(name) && !named.has(name)) stray.push(name);
      }
    }
  }
  return stray;
}
