/**
 * The seeds of a crawl: those of the configuration and those of files, one a line, gzip or not.
 * Blank lines and comments are skipped. A line that is not a URL is counted and listed; the crawl
 * is refused only if no line of any source is one. What is assumed about seeds is reported once for
 * all of them.
 */

import { noSeeds, readSeed } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import type { HostCredential } from "../../fetch/client/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { textLines } from "../inspect/text-lines.ts";
import { openNamedFile } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import { gunzipped } from "./gunzipped.ts";

/** Lines shown of a file with many bad ones. */
const BAD_LINES_SHOWN = 10;
const LINE_UNITS_MAX = 65_536;

interface SeedReading {
  /** Of protocol modules. */
  readonly schemes: ReadonlySet<string>;
  readonly seeds: Set<string>;
  readonly credentials: HostCredential[];
  readonly bad: string[];
  badCount: number;
  /** Bare domains, and the first of them. */
  assumedCount: number;
  firstAssumed: string;
}

export interface GivenSeeds {
  /** Every seed once, in the order given, without user and password. */
  readonly seeds: readonly string[];
  /** Those that were in the URLs. */
  readonly credentials: readonly HostCredential[];
}

export async function readSeeds(
  configuration: Configuration,
  files: readonly string[],
  terminal: Terminal,
): Promise<GivenSeeds> {
  const reading: SeedReading = {
    ...{ seeds: new Set(), credentials: [], bad: [], badCount: 0 },
    ...{ assumedCount: 0, firstAssumed: "", schemes: schemesOf(configuration) },
  };
  for (const [index, seed] of configuration.seeds.entries()) {
    takeSeed(seed, () => `seed ${index + 1}`, reading);
  }
  for (const file of files) {
    const name = file === "-" ? "standard input" : file;
    await readLines(file === "-" ? terminal.input : openNamedFile(file), name, reading);
  }
  tellBadLines(reading, terminal);
  tellAssumptions(reading, terminal);
  const { seeds, credentials } = reading;
  if (seeds.size > 0) return { seeds: [...seeds], credentials };
  // Without any it may go on with a crawl, or get its pages from another process.
  if (reading.badCount === 0) return { seeds: [], credentials };
  throw noSeeds("none of the lines given is a URL");
}

function takeSeed(text: string, place: () => string, reading: SeedReading): void {
  const read = readSeed(text, reading.schemes);
  if (!read.ok) {
    addBad(`${place()}: ${quoted(text)} ${read.problem}`, reading);
    return;
  }
  reading.seeds.add(read.url);
  if (read.credential !== null) reading.credentials.push(read.credential);
  if (!read.isAssumed) return;
  reading.assumedCount += 1;
  if (reading.assumedCount === 1) reading.firstAssumed = read.url;
}

function addBad(text: string, reading: SeedReading): void {
  reading.badCount += 1;
  if (reading.bad.length < BAD_LINES_SHOWN) reading.bad.push(text);
}

async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  reading: SeedReading,
): Promise<void> {
  let number = 0;
  const place = (): string => `${printable(name)}, line ${number}`;
  try {
    for await (const lines of textLines(gunzipped(chunks), LINE_UNITS_MAX)) {
      for (const { text, isCut } of lines) {
        number += 1;
        const seed = text.trim();
        if (seed === "" || seed.startsWith("#")) continue;
        if (isCut) addBad(`${place()}: ${quoted(seed)} is too long`, reading);
        else takeSeed(seed, place, reading);
      }
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("Z_")) throw error;
    throw new CrawlError(
      "USAGE_BAD_ARGUMENT",
      `The seeds in ${quoted(name)} are packed by gzip, and the file is damaged or cut short ` +
        `after line ${number}. Pack it again, or give it unpacked.`,
    );
  }
}

function tellBadLines({ bad, badCount }: SeedReading, terminal: Terminal): void {
  if (badCount === 0) return;
  const rest = badCount - bad.length;
  const more = rest > 0 ? `\n  and ${rest} more` : "";
  const what = badCount === 1 ? "1 line is not a seed" : `${badCount} lines are not seeds`;
  terminal.err(`note: ${what}:\n  ${bad.join("\n  ")}${more}\n`);
}

/** Once for all of them: a list of a million sites is mostly bare domains. */
function tellAssumptions(reading: SeedReading, terminal: Terminal): void {
  const { assumedCount, firstAssumed, credentials } = reading;
  const shown = printable(firstAssumed).slice(0, 200);
  if (assumedCount > 0) {
    const what =
      assumedCount === 1 ? "1 seed has no scheme" : `${assumedCount} seeds have no scheme`;
    const first = assumedCount === 1 ? shown : `the first becomes ${shown}`;
    terminal.err(`note: ${what}; https:// is assumed: ${first}\n`);
  }
  const hosts = new Set(credentials.map(({ host }) => host));
  if (hosts.size > 0) {
    terminal.err(
      `note: user and password of a seed are sent to ${printable([...hosts].slice(0, 5).join(", "))} ` +
        "alone, and not kept: give them again to continue\n",
    );
  }
}
