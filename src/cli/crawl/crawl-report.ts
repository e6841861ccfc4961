/** The end of a crawl in words: why it ended, what it did, what is kept where, what to do next. */
import type { CrawlSummary } from "../../agent/index.ts";
import { printable } from "../../base/text/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { KeptFiles } from "../shell/named-files.ts";
import { asTyped } from "../shell/program-name.ts";
import { bold } from "../shell/terminal.ts";
import { amount, bytesText, durationText, plural } from "./figures.ts";
import { nextSteps } from "./next-steps.ts";
import { failedSeedLines, failureLines } from "./seed-failures.ts";

export interface CrawlReport {
  readonly summary: CrawlSummary;
  readonly limits: Pick<Configuration["limits"], "pages" | "bytes" | "time">;
  /** How many pages there were before this run; null for a new crawl. */
  readonly pagesBefore?: number | null;
  /** The crawl directory, as it was named. */
  readonly folder: string;
  /** The folder of all agents, as it is named, if this is the directory of one of them. */
  readonly folderOfAll?: string | null;
  /** What lies there now; null when it is not kept. */
  readonly kept: KeptFiles | null;
  /** The file of `--pages`, as it was named; null without one. */
  readonly rows: RowsKept | null;
  readonly compression: Configuration["store"]["compression"];
  /** Of the store, as the configuration names it; WARC files unless given. */
  readonly kind?: string;
  /** What the user types to start Trobar. */
  readonly program: string;
  /** Which command has crawled; `crawl` unless given. */
  readonly command?: "crawl" | "agent";
  /** The arguments of the crawl, to show commands with the same flags. */
  readonly args: readonly string[];
  readonly colour: boolean;
}

export interface RowsKept {
  readonly name: string;
  readonly bytes: number;
}

const OWNERS_SHOWN = 4;

export function reportText(report: CrawlReport): string {
  const { summary, colour } = report;
  const typed = (line: string): string => asTyped(line, report.program);
  const seeds = failedSeedLines(summary).map(typed);
  const failures = failureLines(summary).map(typed);
  const next = nextSteps(report);
  const lines = [
    ...summaryLines(report),
    ...(seeds.length === 0 ? [] : [bold("Seeds that failed:", colour), ...seeds]),
    ...(failures.length === 0 ? [] : [bold("What failed:", colour), ...failures]),
    ...(next.length === 0 ? [] : [bold("Next:", colour), ...next.map((step) => `  ${step}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** What the figures need of a report. */
export type CrawlFigures = Omit<CrawlReport, "compression" | "program" | "args">;

/** Why it ended, and the figures. */
export function summaryLines(report: CrawlFigures): string[] {
  const { summary, colour, pagesBefore } = report;
  const { pages, fetches, urls, queued, hosts, bytes, seconds } = summary;
  const state = summary.state === "finished" ? "Finished" : "Stopped";
  return [
    `${bold(`${state}:`, colour)} ${reasonText(report)}.`,
    `  pages     ${amount(pages)} of ${plural(hosts, "host")}, ${bytesText(bytes)}, ` +
      `in ${durationText(seconds * SECOND_MS)} (${summary.pagesPerSecond.toFixed(1)}/s)`,
    ...(typeof pagesBefore === "number"
      ? [`  of these  ${amount(pages - pagesBefore)} in this run, which went on with the crawl`]
      : []),
    ...agentLines(summary),
    ...(summary.requisites > 0
      ? [`  beside    ${plural(summary.requisites, "requisite")} of these pages`]
      : []),
    `  fetches   ${amount(fetches)}`,
    `  URLs      ${amount(urls)} found, ${amount(queued)} still queued`,
    ...tally("status", summary.status),
    ...tally("failed", summary.errors),
    ...tally("refused", summary.refused),
    ...(summary.duplicates + summary.nearDuplicates > 0
      ? [
          `  alike     ${plural(summary.duplicates, "duplicate")}, ` +
            `${plural(summary.nearDuplicates, "near duplicate")}`,
        ]
      : []),
    memoryLine(summary.memory),
    ...keptLines(report),
  ];
}

/** What agents have made of it together. */
function agentLines({ agents, balance, overhead, missing }: CrawlSummary): string[] {
  if (agents <= 1 && missing.length === 0) return [];
  const silent = missing.map(({ agent, why }) => `${printable(agent)} (${why})`).join(", ");
  return [
    `  agents    ${amount(agents)}, balance ${balance.toFixed(2)}, ` +
      `${overhead.toFixed(2)} URLs told others for each page`,
    ...(silent === "" ? [] : [`  without   the parts of ${silent}`]),
  ];
}

function reasonText({ summary, limits, pagesBefore }: CrawlFigures): string {
  switch (summary.reason) {
    case "exhausted":
      return "nothing is left to fetch";
    case "limit": {
      const isOld = summary.pages === pagesBefore;
      return `${limitText(summary.limit, limits)}${isOld ? ", which earlier runs had used up: raise it to go on" : ""}`;
    }
    case "signal":
      return "it was interrupted";
    case "reader":
      return "nobody reads its pages any more";
    case "disk":
      return "the disk failed or is full";
    case "failure":
      return "it failed";
    default:
      return "it goes on";
  }
}

function limitText(limit: CrawlSummary["limit"], limits: CrawlReport["limits"]): string {
  if (limit === "pages")
    return `the limit of ${plural(limits.pages ?? 0, "page")} was reached (-n)`;
  if (limit === "bytes") {
    return `the limit of ${bytesText(limits.bytes ?? 0)} was reached (--max-bytes)`;
  }
  return `the time of ${durationText(limits.time ?? 0)} is over (--max-time)`;
}

function keptLines({ folder, kept, rows, kind = "warc" }: CrawlFigures): string[] {
  const where = `  stored in ${printable(folder)}`;
  if (kept === null) return [where];
  const rowLines =
    rows === null ? [] : [`  pages in  ${printable(rows.name)}: ${bytesText(rows.bytes)}`];
  return [
    where,
    ...pageLines(kept, kind),
    `    logs/crawl.log  a line per fetch: ${bytesText(kept.logBytes)}`,
    ...rowLines,
  ];
}

/** Where the pages are: in files of the crawl directory, and in a store of the user. */
function pageLines(kept: KeptFiles, kind: string): string[] {
  const { archiveFiles, archiveBytes, lineFiles, lineBytes } = kept;
  const amountOf = (files: number, bytes: number): string =>
    files === 0 ? "nothing" : `${plural(files, "file")}, ${bytesText(bytes)}`;
  return [
    ...(kind === "warc"
      ? [`    warc            the archive: ${amountOf(archiveFiles, archiveBytes)}`]
      : []),
    ...(lineFiles > 0
      ? [`    pages           the pages as JSON: ${amountOf(lineFiles, lineBytes)}`]
      : []),
    ...(kind === "warc" || kind === "jsonl"
      ? []
      : [`    (the pages are where the store ${printable(kind)} puts them)`]),
  ];
}

/** What was held at the end, and by whom: the largest owners. */
function memoryLine(memory: CrawlSummary["memory"]): string {
  const owners = Object.entries(memory).sort(([, one], [, other]) => other - one);
  const total = owners.reduce((sum, [, bytes]) => sum + bytes, 0);
  const largest = owners
    .slice(0, OWNERS_SHOWN)
    .map(([owner, bytes]) => `${owner} ${bytesText(bytes)}`);
  return `  memory    ${bytesText(total)}: ${largest.join(", ")}`;
}

function tally(name: string, counts: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `${what} ${amount(count)}`);
  return parts.length === 0 ? [] : [`  ${name.padEnd(9)} ${parts.join(", ")}`];
}
