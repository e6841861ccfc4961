/**
 * `trobar crawl` on a directory that holds a crawl: with which seeds and settings it goes on, and what
 * the user is told about that.
 */
import type { CrawlSummary } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { printable } from "../../base/text/index.ts";
import { type Configuration, continueWith } from "../../rules/config/index.ts";
import {
  type ConfigMistake,
  configError,
  type Location,
  mistakeOf,
} from "../../rules/settings/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { amount, plural } from "./figures.ts";

/** What was typed, with the seeds of its files. */
export interface GivenAgain {
  readonly configuration: Configuration;
  readonly locations: ReadonlyMap<string, Location>;
  /** Whether seeds that are new to the crawl are added to it: `--add`. */
  readonly mayAdd: boolean;
}

/** The seeds of the crawl in this folder; none if there is no crawl, or none that can be read. */
export function recordedSeeds(folder: string): readonly string[] {
  try {
    return CrawlDirectory.exists(folder) ? CrawlDirectory.configurationOf(folder).seeds : [];
  } catch {
    // Opening the crawl will say what is wrong.
    return [];
  }
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

/**
 * What was typed counts where it may change; all else is as the directory has it. Throws
 * `CONFIG_INVALID`, which lists everything that may not change.
 */
export function goOnWith(recorded: Configuration, given: GivenAgain): Configuration {
  const { seeds } = recorded;
  const known = new Set(seeds);
  const others = given.configuration.seeds.filter((seed) => !known.has(seed));
  const configuration = { ...given.configuration, seeds };
  const { locations, mayAdd } = given;
  const adoption = continueWith(recorded, { configuration, locations });
  const mistakes = [...(mayAdd ? [] : otherSeeds(others, given)), ...adoption.mistakes];
  if (mistakes.length > 0) throw configError(mistakes, 0);
  return { ...adoption.configuration, seeds: [...seeds, ...others] };
}

function otherSeeds(others: readonly string[], { locations }: GivenAgain): ConfigMistake[] {
  const [value] = others;
  if (value === undefined) return [];
  const more = others.length > 1 ? ` (nor are ${amount(others.length - 1)} more)` : "";
  const problem =
    `is not among the seeds of the crawl in this directory${more}: add it with --add or ` +
    "`trobar seed`, start over with --fresh, or name another directory with --out";
  const location = locations.get("seeds") ?? { kind: "flag", flag: "--seeds", ordinal: null };
  return [mistakeOf({ code: "CONFIG_FIXED_KEY", location, key: "seeds", value, problem })];
}

/** The first line on a terminal. */
export function goingOnText(
  folder: string,
  { pages, queued }: Pick<CrawlSummary, "pages" | "queued">,
): string {
  const left = queued === 0 ? "no URL is queued" : `${plural(queued, "URL")} queued`;
  return `going on with the crawl in ${printable(folder)}: ${plural(pages, "page")} so far, ${left}`;
}
