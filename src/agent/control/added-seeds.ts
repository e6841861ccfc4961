/** Seeds that are given to a crawl while it runs: read, compared with those it has, recorded, offered. */
import { schemesOf } from "../../rules/config/index.ts";
import type { RunningCrawl } from "../crawl/running-crawl.ts";
import { LanedCrawl } from "../lanes/laned-crawl.ts";
import { refusalEntry } from "../seeds/refusal-table.ts";
import { readSeed } from "../seeds/seed-text.ts";

export interface AddedSeed {
  /** As it was given, without user and password. */
  readonly seed: string;
  /** What became of it: `known` if the crawl had it before. */
  readonly fate: "added" | "known" | "refused" | "invalid";
  /** As it is fetched; null if it is invalid. */
  readonly url: string | null;
  /** Why it was refused or is invalid; else null. */
  readonly why: string | null;
}

/** In the order in which they were given. Throws if new seeds cannot be recorded. */
export async function addSeeds(
  crawl: RunningCrawl,
  texts: readonly string[],
): Promise<readonly AddedSeed[]> {
  const { configuration } = crawl;
  const { recorded } = crawl.made;
  const schemes = schemesOf(configuration);
  const { seeds } = recorded.configuration;
  const known = new Set(seeds);
  const read = texts.map((text) => readAdded(text.trim(), schemes, known));
  const added = read.flatMap(({ fate, url }) => (fate === "added" && url !== null ? [url] : []));
  if (added.length === 0) return read;
  recorded.change({ ...recorded.configuration, seeds: [...seeds, ...added] });
  const answers = await offered(crawl, added);
  const refusals = new Map(answers.map((refusal, at) => [added[at], refusal]));
  return read.map((one) => {
    const refusal = one.fate === "added" ? (refusals.get(one.url ?? "") ?? null) : null;
    return refusal === null ? one : { ...one, fate: "refused", why: whyRefused(refusal) };
  });
}

function offered(
  crawl: RunningCrawl,
  seeds: readonly string[],
): readonly (string | null)[] | Promise<readonly (string | null)[]> {
  if (crawl instanceof LanedCrawl) return crawl.addSeeds(seeds);
  const answers = crawl.side.offerSeeds(seeds);
  crawl.woken();
  return answers;
}

/** `known` gets each that is added. */
export function readAdded(
  seed: string,
  schemes: ReadonlySet<string>,
  known: Set<string>,
): AddedSeed {
  const read = readSeed(seed, schemes);
  if (!read.ok) return invalid(seed, read.problem);
  const { url } = read;
  if (url.startsWith("file:")) return invalid(seed, "is a file; name it to `trobar crawl --add`");
  if (read.credential !== null) {
    return invalid(url, "had a password, which a running crawl does not take; use `--add`");
  }
  if (known.has(url)) return { seed, fate: "known", url, why: null };
  known.add(url);
  return { seed, fate: "added", url, why: null };
}

function invalid(seed: string, why: string): AddedSeed {
  return { seed, fate: "invalid", url: null, why };
}

function whyRefused(refusal: string): string {
  const entry = refusalEntry(refusal);
  return `${refusal}: ${entry.meaning} ${entry.remedy}`.trim();
}
