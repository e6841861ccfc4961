/** What a user may want to do when a crawl has ended: commands that work as they stand. */
import type { CrawlSummary, SeedFailure } from "../../agent/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { parseCommandLine } from "../shell/arguments.ts";
import {
  AGENT_FLAGS,
  CRAWL_FLAGS,
  type Flag,
  INSPECT_LINKS_FLAGS,
  INSPECT_ROBOTS_FLAGS,
} from "../shell/flag-table.ts";
import { carriedFlags, shellWord } from "../shell/typed-command.ts";
import type { CrawlReport } from "./crawl-report.ts";
import { plural } from "./figures.ts";

type CrawlLimit = NonNullable<CrawlSummary["limit"]>;

const ALL_FLAGS: readonly Flag[] = [...CRAWL_FLAGS, ...AGENT_FLAGS];

export function nextSteps(report: CrawlReport): string[] {
  const { summary, kept } = report;
  const { pages, reason, queued, failedSeeds } = summary;
  const isKept = kept !== null;
  const [failed] = failedSeeds;
  if (pages === 0 && failed !== undefined) return firstLook(failed, report);
  return [
    ...(isKept && pages > 0 ? looks(report, kept.lineFiles > 0) : []),
    ...(queued > 0 && reason !== "exhausted" && isKept ? [goingOn(report)] : []),
  ];
}

/** How to see what was crawled, and to take it elsewhere. */
function looks(report: CrawlReport, hasLines: boolean): string[] {
  const { folder, folderOfAll = null, program, compression, kind = "warc" } = report;
  // What is looked at may be with another agent.
  const out = shellWord(folderOfAll ?? folder);
  const isArchived = kind === "warc";
  const seed = isArchived ? fetchedSeed(report) : null;
  const reader = compression === "zstd" ? "zstdcat" : "zcat -f";
  return [
    `${program} store list -o ${out}    the pages as a table`,
    ...(seed === null ? [] : [`${program} store get ${seed} -o ${out}    the body of a page`]),
    ...(isArchived
      ? [`${program} store export jsonl --text -o ${out}    a line for each page, with its text`]
      : []),
    ...(hasLines ? [`${reader} ${shellWord(folder)}/pages/*.jsonl* | less    the pages`] : []),
  ];
}

/**
 * A seed that was answered, as it is typed; null if none is known, it holds a password, or another agent, whose
 * directory is elsewhere, may have its page.
 */
function fetchedSeed({ args, summary, command, folderOfAll }: CrawlReport): string | null {
  if (command === "agent" && folderOfAll == null) return null;
  const [seed] = parseCommandLine(args, ALL_FLAGS).words;
  const isKnown = seed !== undefined && summary.failedSeeds.length === 0;
  return isKnown && !seed.includes("@") ? shellWord(seed) : null;
}

/** Flags that the directory does not record. */
const UNRECORDED = new Set([
  "agents",
  "out",
  "pages",
  "text",
  "links",
  "extract",
  "cookies",
  "header",
]);

/** The directory knows the seeds and the settings; a limit that was reached must be raised. */
function goingOn(report: CrawlReport): string {
  const { summary, limits, folder, program, args, command = "crawl" } = report;
  if (command === "agent") return agentGoesOn(summary);
  const flags = CRAWL_FLAGS.filter(({ long }) => UNRECORDED.has(long));
  const { words, withheld } = carriedFlags(args, flags);
  const out = words.includes("-o") ? [] : ["-o", shellWord(folder)];
  const { limit, queued } = summary;
  const more =
    limit === null ? [] : raised(limit, doubled(limits[limit] ?? 0, usedOf(summary, limit)));
  const line = [program, "crawl", ...out, ...words, ...more].join(" ");
  const secrets = withheld.length === 0 ? "" : ` (add your ${withheld.join(", ")})`;
  return `${line}    go on with the ${plural(queued, "URL")} that ${queued === 1 ? "is" : "are"} queued${secrets}`;
}

function agentGoesOn({ limit }: CrawlSummary): string {
  return limit === null
    ? "the same command goes on with it, and `trobar set` changes what all agents share"
    : "the same command goes on with it, with a higher limit and --change, which tells all agents";
}

/** In the unit of the limit. A run with a lower limit than those before it may have used more. */
function usedOf({ pages, bytes, seconds }: CrawlSummary, limit: CrawlLimit): number {
  return { pages, bytes, time: seconds * SECOND_MS }[limit];
}

/** Limits are totals over all runs, so twice as much is as much again. */
function doubled(value: number, used: number): number {
  let more = 2 * Math.max(value, 1);
  while (more <= used) more *= 2;
  return more;
}

function raised(limit: CrawlLimit, value: number): string[] {
  if (limit === "pages") return ["-n", String(value)];
  if (limit === "bytes") return ["--max-bytes", String(value)];
  return ["--max-time", `${Math.ceil(value / SECOND_MS)}s`];
}

/** What helps most, or shows most of why a seed failed; nothing where only its owner can help. */
function firstLook({ url, why }: SeedFailure, report: CrawlReport): string[] {
  if (/^(?:address|port|FETCH_ADDRESS_REFUSED|FETCH_PORT_REFUSED)$/.test(why)) {
    return [crawlAgain(report, url, ["--allow-private"], "if it is yours to crawl")];
  }
  if (/^(?:robots|crawl-delay)/.test(why)) {
    return [inspect(report, "robots", url, "what robots.txt says")];
  }
  if (why === "FETCH_TLS_CERTIFICATE") {
    const insecure = ["--set", "fetch.insecure=true"];
    return [crawlAgain(report, url, insecure, "if you trust it anyway")];
  }
  if (why === "FETCH_TLS_FAILED" && url.startsWith("https:")) {
    return [
      crawlAgain(report, url.replace("https:", "http:"), [], "if the server has no TLS there"),
    ];
  }
  if (why === "401") {
    const withUser = url.replace("://", "://USER:PASSWORD@");
    return [crawlAgain(report, withUser, [], "with the user and password of the site")];
  }
  if (/^(?:DNS_|FETCH_PROXY_|FETCH_SCHEME|scheme|host-|base-|port-)/.test(why)) return [];
  return [inspect(report, "links", url, "fetch this one again and look at it")];
}

function inspect(report: CrawlReport, what: "links" | "robots", url: string, why: string): string {
  const table = what === "links" ? INSPECT_LINKS_FLAGS : INSPECT_ROBOTS_FLAGS;
  const given = { command: `inspect ${what}`, url, more: [], why };
  return commandLine(report, table, given);
}

/** Into the same directory, which must be started over once it holds an answer. */
function crawlAgain(
  report: CrawlReport,
  url: string,
  more: readonly string[],
  why: string,
): string {
  const isHeld = Object.keys(report.summary.status).length > 0;
  const all = isHeld ? [...more, "--fresh"] : more;
  const { command = "crawl" } = report;
  const table = command === "agent" ? ALL_FLAGS : CRAWL_FLAGS;
  return commandLine(report, table, { command, url, more: all, why });
}

interface ShownCommand {
  readonly command: string;
  readonly url: string;
  /** Flags beside those that the user gave. */
  readonly more: readonly string[];
  /** What it is good for. */
  readonly why: string;
}

function commandLine(
  { program, args }: CrawlReport,
  table: readonly Flag[],
  { command, url, more, why }: ShownCommand,
): string {
  const { words, withheld } = carriedFlags(args, table);
  const line = [program, command, shellWord(url), ...words, ...more].join(" ");
  const secrets = withheld.length === 0 ? "" : ` (add your ${withheld.join(", ")})`;
  return `${line}    ${why}${secrets}`;
}
