/**
 * Real crawls on disks that fail in one way or another: the web that they crawl, their command, and the
 * judgement when they have ended. The web's own log and the archive are the judges.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import {
  type CrawledWeb,
  crawlInto,
  crawlLines,
  type Hosts,
  linking,
} from "../support/agent/crawl-rig.ts";
import { assertNothingLost, pagesOf } from "../support/agent/killed-crawl.ts";
import { placeOf, type RepeatedRequests } from "../support/agent/repeated-requests.ts";
import { slowed, type TableHost, type TablePage } from "../support/lab/table-web.ts";

const HOSTS = 5;
const PAGES = 40;
const CONCURRENCY = 8;
/** So slow that most of what was asked for before a process ends is long over. */
const ANSWER_MS = 50;
const DELAY_MS = 10;

/** Hosts that link to each other, with pages that hardly compress; some bodies go to disk at once. */
export const DISK_WEB: Hosts = (port) => {
  const random = new SeededRandom("noise");
  const noise = (words: number): string =>
    Array.from({ length: words }, () => random.u32().toString(36)).join(" ");
  const hosts: Record<string, TableHost> = {};
  for (let host = 0; host < HOSTS; host += 1) {
    const pages: Record<string, TablePage> = {};
    for (let page = 0; page < PAGES; page += 1) {
      const below = [2 * page + 1, 2 * page + 2].filter((child) => child < PAGES);
      const next = `http://h${(host + 1) % HOSTS}.test:${port}/${page || ""}`;
      const links = [...below.map((child) => `/${child}`), ...(page % 4 === 0 ? [next] : [])];
      const body = `${linking(...links).body}${noise(page % 9 === 5 ? 20_000 : 800)}`;
      pages[`/${page || ""}`] = { body };
    }
    hosts[`h${host}.test`] = { pages };
  }
  return slowed(hosts, ANSWER_MS);
};

/** The command of a crawl into a directory, and of one that goes on with it. */
export function diskCrawlArgs(web: CrawledWeb, out: string, lanes: number): string[] {
  const settings = ["store.checkpoint=150ms", "fetch.bodyMemory=1Mi", "frontier.memory=1Mi"];
  return [
    ...[
      "crawl",
      ...web.flags,
      "--delay",
      `${DELAY_MS}ms`,
      "-c",
      String(CONCURRENCY),
      "--scope",
      "any",
    ],
    ...settings.flatMap((setting) => ["--set", setting]),
    ...["--lanes", String(lanes), "-o", out, web.url("h0.test/")],
  ];
}

/** The crawl has ended: each page is there once, and none was fetched again without need. */
export async function assertWhole(
  web: CrawledWeb,
  out: string,
  repeats: RepeatedRequests,
): Promise<void> {
  const last = await crawlInto(out, [...diskCrawlArgs(web, out, 1), "--json", "-q"]);
  const pages = pagesOf(DISK_WEB(Number(new URL(web.url("h0.test/")).port)));
  // A body that does not fit in memory, and finds no room on the disk, is fetched again.
  const lines = (await crawlLines(out)).filter(({ result }) => result === "FETCH_BODY_NO_ROOM");
  const unfit = new Set(lines.map(({ url }) => placeOf(url)));
  const mayRepeat = (place: string): boolean => unfit.has(place);
  const judged = { web, pages, hostDelayMs: DELAY_MS, last, repeats, mayRepeat };
  await assertNothingLost({ ...judged, what: last.terminal.said });
}
