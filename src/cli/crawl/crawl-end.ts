/** What a command that has crawled says at its end, and its exit code. */
import type { CrawlSummary } from "../../agent/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { EXIT } from "../shell/exit-code.ts";
import { keptFilesIn, sizeOf } from "../shell/named-files.ts";
import { asTyped, programName } from "../shell/program-name.ts";
import type { Terminal } from "../shell/terminal.ts";
import { folderOfAll } from "../store/agent-folders.ts";
import type { pagesOutput } from "./crawl-pages.ts";
import { type CrawlReport, reportText } from "./crawl-report.ts";
import { whyNothing } from "./seed-failures.ts";

export interface CrawlEnd {
  /** Which command has crawled, with these arguments. */
  readonly command: NonNullable<CrawlReport["command"]>;
  readonly args: readonly string[];
  readonly summary: CrawlSummary;
  /** How many pages there were before this run; null for a new crawl. */
  readonly pagesBefore: number | null;
  /** The crawl directory, as it was named. */
  readonly folder: string;
  /** Those of its agents; left out if it has itself what was kept. */
  readonly folders?: readonly string[];
  readonly configuration: Configuration;
  /** Where rows were written. */
  readonly output: ReturnType<typeof pagesOutput>;
  readonly isJson: boolean;
}

export function exitCode(summary: CrawlSummary): number {
  const { state, reason, pages, failedSeeds } = summary;
  if (reason === "signal" || reason === "reader") return EXIT.interrupted;
  if (reason === "disk") return EXIT.disk;
  if (state !== "finished") return EXIT.unexpected;
  if (pages > 0) return EXIT.finished;
  // A limit may also come before the first answer: that is what was asked for.
  const isFailure = reason === "exhausted" || failedSeeds.length > 0;
  return isFailure ? EXIT.nothingFetched : EXIT.finished;
}

/**
 * If no page was fetched, the report says why; a report in JSON does not, so it is said separately.
 */
export function tellEnd(end: CrawlEnd, terminal: Terminal): void {
  const { summary, output, configuration, isJson } = end;
  const { store } = configuration;
  const rowsPath = output?.target.path ?? null;
  const isPiped = (output !== null && rowsPath === null) || store.output === "stdout";
  const { environment } = terminal;
  const colour = terminal.colour && !isPiped;
  const report = (): string => reportText(reportOf(end, rowsPath, { colour, environment }));
  // Where standard output has the pages, it has nothing else.
  if (isPiped) terminal.err(report());
  else if (isJson) terminal.out(`${JSON.stringify(summary)}\n`);
  else terminal.out(report());
  if (exitCode(summary) === EXIT.nothingFetched) {
    const why = asTyped(whyNothing(summary, isJson), programName(environment));
    terminal.err(`trobar: ${why}\n`);
  }
}

function reportOf(
  { summary, folder, folders = [folder], configuration, args, command, pagesBefore }: CrawlEnd,
  rowsPath: string | null,
  { colour, environment }: Pick<Terminal, "colour" | "environment">,
): CrawlReport {
  const { limits, store } = configuration;
  const { compression, kind } = store;
  return {
    ...{ summary, folder, limits, compression, kind, args, command, colour, pagesBefore },
    folderOfAll: folderOfAll(folder),
    kept: keptFilesIn(folders, configuration),
    rows: rowsPath === null ? null : { name: rowsPath, bytes: sizeOf(rowsPath) },
    program: programName(environment),
  };
}
