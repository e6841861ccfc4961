/**
 * The seeds of a crawl: those of the configuration and those of files, one URL a line. Blank lines
 * and comments are skipped. A line that is no URL is counted and listed; it stops the crawl only
 * when no line of any source is one.
 */
import type { Configuration } from "../config/index.ts";
import { CrawlError } from "../errors/index.ts";
import { quoted } from "../text/index.ts";
import { parseUrl, URL_REFUSALS } from "../url/index.ts";
import { openNamedFile } from "./named-files.ts";
import type { Terminal } from "./terminal.ts";
import { textLines } from "./text-lines.ts";

/** Lines shown of a file with many bad ones. */
const BAD_LINES_SHOWN = 10;
const LINE_UNITS_MAX = 65_536;

interface SeedReading {
  readonly seeds: Set<string>;
  readonly bad: string[];
  badCount: number;
}

/** Every seed once, in the order given. */
export async function readSeeds(
  configuration: Configuration,
  files: readonly string[],
  terminal: Terminal,
): Promise<readonly string[]> {
  const reading: SeedReading = { seeds: new Set(configuration.seeds), bad: [], badCount: 0 };
  for (const file of files) {
    const chunks = file === "-" ? terminal.input : openNamedFile(file);
    await readLines(chunks, file === "-" ? "standard input" : file, reading);
  }
  tellBadLines(reading, terminal);
  if (reading.seeds.size > 0) return [...reading.seeds];
  const why = reading.badCount > 0 ? "none of the lines given is a URL" : "there is no seed";
  throw new CrawlError(
    "USAGE_NO_SEEDS",
    `Nothing to crawl: ${why}. Name at least one URL, such as \`trobar crawl ` +
      "https://example.org/`, or a file of them with `--seeds FILE`.",
  );
}

async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  reading: SeedReading,
): Promise<void> {
  let number = 0;
  for await (const lines of textLines(chunks, LINE_UNITS_MAX)) {
    for (const { text, isCut } of lines) {
      number += 1;
      const seed = text.trim();
      if (seed === "" || seed.startsWith("#")) continue;
      const problem = isCut ? "is too long" : problemOf(seed);
      if (problem === null) reading.seeds.add(seed);
      else {
        reading.badCount += 1;
        if (reading.bad.length < BAD_LINES_SHOWN) {
          reading.bad.push(`${name}, line ${number}: ${quoted(seed)} ${problem}`);
        }
      }
    }
  }
}

/** What is wrong with a seed; null when nothing is. */
function problemOf(seed: string): string | null {
  if (seed.startsWith("file:")) return URL.canParse(seed) ? null : "is no URL";
  const outcome = parseUrl(seed);
  return outcome.kind === "refused" ? URL_REFUSALS[outcome.reason] : null;
}

function tellBadLines({ bad, badCount }: SeedReading, terminal: Terminal): void {
  if (badCount === 0) return;
  const rest = badCount - bad.length;
  const more = rest > 0 ? `\n  and ${rest} more` : "";
  const what = badCount === 1 ? "1 line is no seed" : `${badCount} lines are no seeds`;
  terminal.err(`note: ${what}:\n  ${bad.join("\n  ")}${more}\n`);
}
