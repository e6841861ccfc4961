/** The story of a URL from all that is known of it: what happened, in order, and how it ended. */
import type { RobotsDecision } from "../../formats/robots/index.ts";
import { type CrawlLine, isFinal, noteOf, type RefusedLine } from "../../store/archive/index.ts";
import type { PageRow, RowLink } from "../../store/export/index.ts";
import { refusalEntry } from "../seeds/refusal-table.ts";
import type { Explanation, StoryStep, UrlState } from "./explanation.ts";
import type { Judgement } from "./rules-judge.ts";

/** Where the URL is in the frontier, as far as that is known. */
export interface FrontierPlace {
  readonly kind: "in-flight" | "retry" | "queue";
  /** URLs of the host that go before it; null if that is not known. */
  readonly before: number | null;
  /** Until it is tried again; null unless it waits for that. */
  readonly inMs: number | null;
}

export interface HostStanding {
  readonly host: string;
  /** What it waits for, in the words of the summary's `idle`; null if that is not known. */
  readonly waitsFor: string | null;
  /** The name of its server, where aliases count and it has another; else null. */
  readonly aliasOf: string | null;
  /** For how long it is left alone. */
  readonly restsForMs: number;
  /** URLs of it that wait; null if that is not known. */
  readonly waiting: number | null;
  /** Why nothing of it is fetched any more; null if it was not given up. */
  readonly givenUp: string | null;
}

export interface RobotsFinding {
  /** `robots`, or why everything of the host is refused; null if the URL may be fetched. */
  readonly refusal: string | null;
  readonly decision: RobotsDecision | null;
  /** When the file was fetched; null if that is not known. */
  readonly fetchedAt: string | null;
  /** Status of the answer, or the code of the failure. */
  readonly result: number | string | null;
}

export interface UrlFacts {
  readonly url: string;
  readonly key: string;
  readonly isSeed: boolean;
  /** The page as the index has it; null without a last answer. */
  readonly row: PageRow | null;
  /** All fetches of it. */
  readonly lines: readonly CrawlLine[];
  /** The first pages that link to it; `url` is the page. */
  readonly linkedFrom: readonly RowLink[];
  /** Of the log of refused URLs. */
  readonly refusals: readonly RefusedLine[];
  readonly judgement: Judgement;
  /** Null if nothing is known of the robots.txt, or if it is ignored. */
  readonly robots: RobotsFinding | null;
  readonly host: HostStanding | null;
  readonly place: FrontierPlace | null;
  /** Whether the crawl has nothing left to fetch. */
  readonly isExhausted: boolean;
}

export function tellStory(facts: UrlFacts): Explanation {
  const { url, key } = facts;
  const end = endOf(facts);
  return { url, key, ...end, meaning: meaningOf(end), story: storyOf(facts) };
}

function storyOf(facts: UrlFacts): StoryStep[] {
  const isFetched = facts.lines.some((line) => noteOf(line, "unfetched") === null);
  return [
    ...beginning(facts),
    // What was fetched has passed its rules, which may be others by now.
    ...(isFetched ? [] : [...facts.judgement.steps, ...robotsSteps(facts), ...refusedSteps(facts)]),
    ...(facts.row === null ? frontierSteps(facts) : []),
    ...facts.lines.map(fetchStep),
    ...(facts.row === null ? [] : keptSteps(facts.row)),
  ];
}

interface End {
  readonly state: UrlState;
  readonly reason: string;
}

function meaningOf({ state, reason }: End): string | null {
  const isRefused = (state === "refused" || state === "unknown") && reason !== "accepted";
  return isRefused ? refusalEntry(reason).meaning : null;
}

function endOf(facts: UrlFacts): End {
  const { row, place, judgement, robots, host, refusals, linkedFrom, isSeed, lines } = facts;
  if (row !== null) return rowEnd(row);
  if (place?.kind === "in-flight") return { state: "fetching", reason: "in-flight" };
  if (place?.kind === "retry") return { state: "retrying", reason: lastResult(lines) };
  if (place !== null) return { state: "queued", reason: "accepted" };
  const refusal =
    judgement.refusal ?? robots?.refusal ?? host?.givenUp ?? refusals.at(-1)?.reason ?? null;
  const isMet = isSeed || linkedFrom.length > 0 || refusals.length > 0 || lines.length > 0;
  if (!isMet) return { state: "unknown", reason: refusal ?? "accepted" };
  if (refusal !== null) return { state: "refused", reason: refusal };
  return facts.isExhausted
    ? { state: "unknown", reason: "accepted" }
    : { state: "queued", reason: "accepted" };
}

function rowEnd({ status, error, redirectTo }: PageRow): End {
  if (status === 0) return { state: "failed", reason: error ?? "failed" };
  if (redirectTo !== null) return { state: "redirected", reason: String(status) };
  const isPage = status >= 200 && status < 300;
  return { state: isPage ? "fetched" : "failed", reason: String(status) };
}

function lastResult(lines: readonly CrawlLine[]): string {
  const last = lines.at(-1);
  return last === undefined ? "failed" : String(last.result);
}

function beginning({ isSeed, row, lines, linkedFrom }: UrlFacts): StoryStep[] {
  const via = row?.via ?? lines[0]?.via ?? null;
  const depth = row?.depth ?? lines[0]?.depth ?? null;
  const first: StoryStep[] =
    via !== null
      ? [{ at: null, what: "found", on: via, depth }]
      : isSeed
        ? [{ at: null, what: "seed", depth: 0 }]
        : [];
  const others = linkedFrom.filter(({ url }) => url !== via);
  return [
    ...first,
    ...others.map(({ url, kind, rel, text }): StoryStep => {
      return { at: null, what: "linked", on: url, kind, rel, text };
    }),
  ];
}

function robotsSteps({ robots }: UrlFacts): StoryStep[] {
  if (robots === null) return [];
  const { refusal, decision, fetchedAt, result } = robots;
  const rule = decision?.rule ?? null;
  return [
    {
      ...{ at: fetchedAt, what: "robots", accepts: refusal === null, reason: refusal, result },
      ...{ line: rule?.line ?? null, rule: rule?.text ?? null },
    },
  ];
}

function refusedSteps({ refusals }: UrlFacts): StoryStep[] {
  const last = refusals.at(-1);
  if (last === undefined) return [];
  const { atMs, reason, via, rule } = last;
  return [{ at: iso(atMs), what: "refused", accepts: false, reason, on: via, rule }];
}

function frontierSteps({ host, place }: UrlFacts): StoryStep[] {
  const steps: StoryStep[] = [];
  if (host !== null) steps.push({ at: null, what: "host", ...host });
  if (place?.kind === "in-flight") steps.push({ at: null, what: "in-flight" });
  else if (place?.kind === "retry") {
    steps.push({ at: null, what: "waiting", inMs: place.inMs });
  } else if (place !== null) steps.push({ at: null, what: "queued", before: place.before });
  return steps;
}

function fetchStep(line: CrawlLine): StoryStep {
  const { atMs, result, bodyBytes, durationMs, attempt, address, mime } = line;
  const notes = Object.fromEntries(line.notes.map(([word, about]) => [word, about ?? true]));
  return {
    ...{ at: iso(atMs), what: "fetch", attempt, result, bytes: bodyBytes, ms: durationMs, address },
    ...{ mime, isFinal: isFinal(line), notes },
  };
}

function keptSteps(row: PageRow): StoryStep[] {
  const { fetchedAt: at, redirectTo, duplicateOf, nearDuplicateOf, warc, offset, length } = row;
  const steps: StoryStep[] = [];
  if (redirectTo !== null) steps.push({ at, what: "redirect", to: redirectTo });
  if (duplicateOf !== null) steps.push({ at, what: "duplicate", of: duplicateOf });
  if (nearDuplicateOf !== null) steps.push({ at, what: "near-duplicate", of: nearDuplicateOf });
  if (warc === null) steps.push({ at, what: "not-stored" });
  else steps.push({ at, what: "stored", warc, offset, length });
  return steps;
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
