/** What is said about seeds that failed: when it happens, and at the end of a crawl. */
import type { CrawlSummary, SeedFailure } from "../../agent/index.ts";
import { ERRORS, type ErrorCode } from "../../base/errors/index.ts";
import { printable } from "../../base/text/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { asTyped, programName } from "../shell/program-name.ts";
import type { Terminal } from "../shell/terminal.ts";
import { amount, durationText } from "./figures.ts";

/** Failures reported as they happen; those of a long list of seeds would bury everything else. */
const TOLD_MAX = 10;
/** Seeds listed at the end. */
const LISTED_MAX = 5;
/** Codes explained at the end. */
const CODES_MAX = 3;

/** Tells the first failures of seeds as they happen: in words, or as JSON lines for programs. */
export class SeedFailureTeller {
  readonly #terminal: Pick<Terminal, "isLive" | "environment">;
  readonly #say: (text: string) => void;
  #told = 0;

  constructor(terminal: Pick<Terminal, "isLive" | "environment">, say: (text: string) => void) {
    this.#terminal = terminal;
    this.#say = say;
  }

  /** `retryInMs` is null when the seed is not tried again. */
  tell(failure: SeedFailure, retryInMs: number | null): void {
    this.#told += 1;
    if (this.#told > TOLD_MAX) return;
    if (!this.#terminal.isLive) {
      const retryInSeconds = retryInMs === null ? null : Math.round(retryInMs / 100) / 10;
      this.#say(`${JSON.stringify({ event: "seed-failed", ...failure, retryInSeconds })}\n`);
      return;
    }
    const text = asTyped(failureText(failure, retryInMs), programName(this.#terminal.environment));
    this.#say(`trobar: ${text}\n`);
    if (this.#told === TOLD_MAX)
      this.#say("trobar: further seeds that fail are listed at the end\n");
  }
}

function failureText({ url, why, message, remedy }: SeedFailure, retryInMs: number | null): string {
  const again =
    retryInMs === null
      ? "It is not tried again."
      : `It is tried again in ${durationText(Math.max(retryInMs, 0))}.`;
  return `${printable(url)} failed (${why}). ${printable(message)} ${again}\n  ${remedy}`;
}

/**
 * For the end of a crawl: the first seeds that came to nothing, each reason with its remedy once.
 */
export function failedSeedLines({ failedSeeds }: CrawlSummary): string[] {
  const shown = failedSeeds.slice(0, LISTED_MAX);
  const told = new Set<string>();
  const lines = shown.flatMap(({ url, why, message, remedy }) => {
    const what = `  ${printable(url)}  ${why}: ${printable(message)}`;
    if (remedy === "" || told.has(remedy)) return [what];
    told.add(remedy);
    return [what, `    ${remedy}`];
  });
  const rest = failedSeeds.length - shown.length;
  return rest > 0 ? [...lines, `  and ${amount(rest)} more, in logs/crawl.log`] : lines;
}

/** For the end of a crawl: the commonest errors beside those of seeds, with their remedies. */
export function failureLines({ errors, failedSeeds }: CrawlSummary): string[] {
  const told = new Set(failedSeeds.map(({ why }) => why));
  return Object.entries(errors)
    .filter(([code]) => !told.has(code) && code in ERRORS)
    .sort(([, one], [, other]) => other - one)
    .slice(0, CODES_MAX)
    .flatMap(([code, count]) => {
      const { meaning, remedy } = ERRORS[code as ErrorCode];
      return [`  ${code} (${amount(count)}): ${meaning}`, `    ${remedy}`];
    });
}

/** Why a crawl ended without a page; with the remedies, if no report has shown them. */
export function whyNothing(summary: CrawlSummary, withRemedies: boolean): string {
  const { errors, failedSeeds } = summary;
  const list = [...reasonsOf(summary)].map(([why, count]) => `${why} (${amount(count)})`);
  const what = `no page could be fetched: ${list.join(", ") || "no seed could be taken up"}.`;
  if (!withRemedies) return what;
  const remedies = new Set(failedSeeds.map(({ why, remedy }) => `${why}: ${remedy}`));
  for (const code of Object.keys(errors)) {
    if (code in ERRORS) remedies.add(`${code}: ${ERRORS[code as ErrorCode].remedy}`);
  }
  const advice = [...remedies].slice(0, LISTED_MAX).map((remedy) => `\n  ${remedy}`);
  return `${what}${advice.join("")}`;
}

/**
 * How often each reason occurred. Seeds know more than the counts: what they wait for before they are
 * retried, and why a robots.txt could not be fetched, which then replaces `robots-unreachable`. An
 * address that was refused has a code of its own.
 */
function reasonsOf({ errors, refused, status, failedSeeds }: CrawlSummary): Map<string, number> {
  const { [UNREACHABLE]: unreachable = 0, address = 0, ...others } = refused;
  const byStatus = Object.entries(status).map(
    ([code, count]) => [`status ${code}`, count] as const,
  );
  const reasons = new Map([...Object.entries(errors), ...Object.entries(others), ...byStatus]);
  if (address > 0) reasons.set("FETCH_ADDRESS_REFUSED" satisfies ErrorCode, address);
  const { [UNREACHABLE]: waiting = 0, ...ofSeeds } = seedReasons(failedSeeds);
  let unexplained = unreachable;
  for (const [why, count] of Object.entries(ofSeeds)) {
    const counted = reasons.get(why) ?? 0;
    if (count <= counted) continue;
    reasons.set(why, count);
    if (why in ERRORS) unexplained -= count - counted;
  }
  const closed = Math.max(unexplained, waiting);
  if (closed > 0) reasons.set(UNREACHABLE, closed);
  return reasons;
}

const UNREACHABLE = "robots-unreachable";

function seedReasons(failedSeeds: readonly SeedFailure[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { why } of failedSeeds) {
    const reason = /^\d+$/.test(why) ? `status ${why}` : why;
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/** The time from now; null stays null. */
export function retryInMs(retryAtMs: number | null, nowMs: number): number | null {
  return retryAtMs === null ? null : Math.max(0, Math.min(retryAtMs - nowMs, 86_400 * SECOND_MS));
}
