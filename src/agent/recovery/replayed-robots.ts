/**
 * A robots.txt that was fetched after the last checkpoint, or what one redirects to, as its line in the
 * crawl log and the archive tell: enough to tell the frontier of it as if it had just been answered.
 */
import type { FetchOutcome } from "../../base/seams/index.ts";
import { type FetchableUrl, hostOf, originOf } from "../../formats/url/index.ts";
import type { RobotsErrand } from "../../frontier/front/index.ts";
import { type CrawlLine, isFinal, noteOf } from "../../store/archive/index.ts";
import type { PastAnswer } from "../../store/query/index.ts";
import { outcomeOf } from "./replayed-page.ts";

/** What a visit to a robots.txt has that is replayed. */
export interface ReplayedRobots {
  /** When it ended, in wall-clock milliseconds. */
  readonly atMs: number;
  readonly outcome: FetchOutcome;
}

/** The errand as it was; null if it is not known for which origin. */
export function replayedRobotsErrand(line: CrawlLine): RobotsErrand | null {
  const { via, address } = line;
  const url = line.url as FetchableUrl;
  const redirects = Number(noteOf(line, "redirects") ?? 0);
  const origin = originOf((via ?? url) as FetchableUrl);
  if (redirects === 0 && url !== `${origin}/robots.txt`) return null;
  return { kind: "robots", origin, url, host: hostOf(url), address, redirects };
}

/** Null if its answer is needed and cannot be read any more: then it is asked for again. */
export function replayedRobots(line: CrawlLine, answer: PastAnswer | null): ReplayedRobots | null {
  const { atMs, result } = line;
  if (noteOf(line, "lost") !== null) return null;
  if (answer !== null || typeof result === "string") {
    return { atMs, outcome: outcomeOf(line, answer) };
  }
  // Of an answer that was tried again there is only the line. With a good status it was not whole, or had
  // not been read when the crawl was stopped, which is no failure.
  const isFailure = !isFinal(line) && (result < 200 || result >= 300);
  return isFailure ? { atMs, outcome: outcomeOf(line, EMPTY) } : null;
}

const EMPTY: PastAnswer = { reason: "", headers: [], payload: new Uint8Array(0) };
