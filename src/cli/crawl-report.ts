/** The summary of a crawl in words. */
import type { CrawlSummary } from "../agent/index.ts";
import { printable } from "../text/index.ts";
import { SECOND_MS } from "../units/index.ts";
import { amount, bytesText, durationText } from "./figures.ts";
import { failedSeedLines } from "./seed-failures.ts";
import { bold } from "./terminal.ts";

const REASONS: Readonly<Record<CrawlSummary["reason"], string>> = {
  none: "it goes on",
  exhausted: "nothing is left to fetch",
  limit: "a limit was reached",
  signal: "it was interrupted",
  reader: "nobody reads its pages any more",
  disk: "the disk is full",
  failure: "it failed",
};

export function summaryText(summary: CrawlSummary, folder: string, colour: boolean): string {
  const { pages, fetches, urls, queued, hosts, bytes, seconds } = summary;
  const state = summary.state === "finished" ? "Finished" : "Stopped";
  const lines = [
    `${bold(`${state}:`, colour)} ${REASONS[summary.reason]}.`,
    `  pages     ${amount(pages)} of ${amount(hosts)} hosts, ${bytesText(bytes)}, ` +
      `in ${durationText(seconds * SECOND_MS)} (${summary.pagesPerSecond.toFixed(1)}/s)`,
    `  fetches   ${amount(fetches)}`,
    `  URLs      ${amount(urls)} found, ${amount(queued)} still queued`,
    ...tally("status", summary.status),
    ...tally("failed", summary.errors),
    ...tally("refused", summary.refused),
    ...(summary.duplicates + summary.nearDuplicates > 0
      ? [
          `  alike     ${amount(summary.duplicates)} duplicates, ` +
            `${amount(summary.nearDuplicates)} near duplicates`,
        ]
      : []),
    `  stored in ${printable(folder)}`,
    ...(summary.failedSeeds.length === 0
      ? []
      : [bold("Seeds that came to nothing:", colour), ...failedSeedLines(summary)]),
  ];
  return `${lines.join("\n")}\n`;
}

function tally(name: string, counts: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `${what} ${amount(count)}`);
  return parts.length === 0 ? [] : [`  ${name.padEnd(9)} ${parts.join(", ")}`];
}
