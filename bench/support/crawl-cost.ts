/**
 * What a page costs the process that crawls it. The web is a process of its own: pages of about 25 kB
 * from 100 hosts over real sockets, without delays, crawled to its end. What counts is the processor
 * time of the crawling process, its start included, by the pages that the web served.
 *
 * Two ways are compared in pairs of crawls, each pair in the other order than the one before; the
 * first pair is for caches. User time is steadier than the sum with the system's, which depends on
 * what else the machine does.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WEB_PROCESS, type WebOpened, type WebSeen } from "../peers/web-process.ts";
import type { UsedTime } from "./used-time.ts";

const HOSTS = 100;
const CONCURRENCY = 64;
const usage = new URL("./used-time.ts", import.meta.url).href;

export interface CrawlWay {
  /** Of the crawler. */
  readonly checkout: string;
  readonly settings: readonly string[];
  /** Flags for Node. */
  readonly flags?: readonly string[];
  /** Further variables of the environment; threads have them too. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Something that goes on meanwhile, until the signal is given. */
  readonly meanwhile?: (directory: string, signal: AbortSignal) => Promise<void>;
}

/** In microseconds per page. */
export interface CrawlCost {
  readonly pages: number;
  readonly user: number;
  readonly all: number;
  readonly lane: number;
  readonly helpers: number;
}

export async function crawlCost(way: CrawlWay, urls: number): Promise<CrawlCost> {
  const folder = mkdtempSync(join(tmpdir(), "crawl-cost-"));
  const web = fork(WEB_PROCESS, [
    JSON.stringify({ hosts: HOSTS, urls, hostsFile: join(folder, "hosts") }),
  ]);
  try {
    const [{ seed, dnsPort }] = (await once(web, "message")) as [WebOpened];
    const used = await crawl(way, { folder, seed, dnsPort });
    web.send(0);
    const [{ pages }] = (await once(web, "message")) as [WebSeen];
    const { user, system, lane, helpers } = used;
    return {
      ...{ pages, user: user / pages, all: (user + system) / pages },
      ...{ lane: lane / pages, helpers: helpers / pages },
    };
  } finally {
    web.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function crawl(
  { checkout, settings, flags = [], environment = {}, meanwhile }: CrawlWay,
  { folder, seed, dnsPort }: { folder: string; seed: string; dnsPort: number },
): Promise<UsedTime> {
  const directory = join(folder, "crawl");
  const args = [
    ...["--import", usage, ...flags, join(checkout, "bin", "trobar.js"), "crawl", seed],
    ...["--scope", "any", "-c", String(CONCURRENCY), "--delay", "0", "--ip-delay", "0"],
    ...["--ignore-robots", "--allow-private", "--no-dashboard", "--quiet", "-o", directory],
    ...[`dns.servers=[127.0.0.1:${dnsPort}]`, ...settings].flatMap((set) => ["--set", set]),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, ...environment },
  });
  const told = once(child, "message") as Promise<[UsedTime]>;
  const ended = new AbortController();
  const other = meanwhile?.(directory, ended.signal);
  const [code] = await once(child, "exit");
  ended.abort();
  await other;
  if (code !== 0) throw new Error(`The crawl of ${checkout} ended with ${code}.`);
  return (await told)[0];
}

/** Crawls in pairs and tells of each but the first, which is for caches. */
export async function crawlPairs(
  ways: readonly [CrawlWay, CrawlWay],
  { pairs, urls }: { readonly pairs: number; readonly urls: number },
  tell: (pair: number, one: CrawlCost, other: CrawlCost) => void,
): Promise<void> {
  const [one, other] = ways;
  for (let pair = 0; pair <= pairs; pair += 1) {
    const isOneFirst = pair % 2 === 0;
    const first = await crawlCost(isOneFirst ? one : other, urls);
    const second = await crawlCost(isOneFirst ? other : one, urls);
    if (pair === 0) continue;
    if (isOneFirst) tell(pair, first, second);
    else tell(pair, second, first);
  }
}

/** Median, quartiles and extremes. */
export function spreadOf(numbers: readonly number[], digits: number): string {
  const at = (share: number): string => shareOf(numbers, share).toFixed(digits);
  return `${at(0.5)}, quartiles ${at(0.25)} and ${at(0.75)}, from ${at(0)} to ${at(1)}`;
}

export function shareOf(numbers: readonly number[], share: number): number {
  const ordered = numbers.toSorted((one, another) => one - another);
  return ordered[Math.round(share * (ordered.length - 1))] ?? Number.NaN;
}
