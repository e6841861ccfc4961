/**
 * `trobar crawl` on a directory that holds a crawl: which seeds it has, and what the user is told.
 */
import type { CrawlSummary, openCrawl } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { agentFolders } from "../store/agent-folders.ts";
import { durationText, plural } from "./figures.ts";

/**
 * The seeds of the crawl in this folder; none if there is no crawl. If they cannot be read and no others
 * are given, what is wrong is thrown; else there are none, and opening the crawl says it.
 */
export function recordedSeeds(folder: string, areOthersGiven: boolean): readonly string[] {
  try {
    return CrawlDirectory.exists(folder) ? CrawlDirectory.configurationOf(folder).seeds : [];
  } catch (error) {
    if (areOthersGiven) return [];
    throw error;
  }
}

/** Throws for the directory of several agents, in which one process cannot crawl. */
export function refuseTogether(folder: string): void {
  const { length } = agentFolders(folder);
  if (length === 0 || CrawlDirectory.exists(folder)) return;
  throw new CrawlError(
    "CLUSTER_PART_CRAWL",
    `The crawl in ${quoted(folder)} is shared by ${plural(length, "agent")}. Go on with it by \`trobar crawl\` ` +
      `with --agents ${length}, or name another directory with --out.`,
  );
}

/** Throws if `--add` is given with what it does not go with. */
export function checkAdding(given: { has(long: string): boolean }, seeds: number): void {
  if (!given.has("add")) return;
  const problem = given.has("fresh")
    ? "--add keeps the crawl that is there, and --fresh removes it: leave one of them out"
    : seeds === 0
      ? "--add needs the seeds that are to be added"
      : null;
  if (problem !== null) throw new CrawlError("USAGE_BAD_FLAG_VALUE", `${problem}.`);
}

/** For seeds that are not those of the crawl. */
export const OTHER_SEEDS =
  "add it with --add or `trobar seed`, start over with --fresh, or name another directory with --out";

type OpenOptions = Parameters<typeof openCrawl>[0];
/** What was done before a crawl that was killed went on. */
export type RecoveryAccount = Parameters<NonNullable<OpenOptions["recovered"]>>[0];

/** What was done after a kill. */
export function recoveredText(account: RecoveryAccount): string {
  const { recordsCut, linesCut, pagesReplayed, robotsReplayed, linesCounted } = account;
  const { queued, seconds } = account;
  const files = robotsReplayed > 0 ? ` and ${plural(robotsReplayed, "robots.txt file")}` : "";
  const parts = [
    `${plural(pagesReplayed, "page")}${files} read again`,
    ...(linesCounted > 0 ? [`${plural(linesCounted, "further line")} counted`] : []),
    ...(recordsCut + linesCut > 0
      ? [
          `${plural(recordsCut, "record")} and ${plural(linesCut, "line")} cut off that were not whole`,
        ]
      : []),
    `${plural(queued, "URL")} queued`,
  ];
  return `recovered in ${durationText(seconds * SECOND_MS)}: ${parts.join(", ")}`;
}

/** The first line on a terminal. */
export function goingOnText(
  folder: string,
  { pages, queued }: Pick<CrawlSummary, "pages" | "queued">,
  wasKilled = false,
): string {
  if (wasKilled) {
    return (
      `going on with the crawl in ${printable(folder)}, which was killed: ${plural(pages, "page")} at its ` +
      "last checkpoint; what it archived since then is read again, not fetched"
    );
  }
  const left = queued === 0 ? "no URL is queued" : `${plural(queued, "URL")} queued`;
  return `going on with the crawl in ${printable(folder)}: ${plural(pages, "page")} so far, ${left}`;
}
