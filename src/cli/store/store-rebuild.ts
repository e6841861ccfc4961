/**
 * `trobar store verify --rebuild`: makes all that derives from the archive and the crawl log again, and
 * says in numbers what was done. Afterwards the same crawl command goes on.
 */
import { DIRECTORY_CARE, fittedToProcess } from "../../agent/index.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { printable } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { plural } from "../crawl/figures.ts";
import { EXIT } from "../shell/exit-code.ts";
import { removeFolder, temporaryFolder } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import { WorkProgress } from "./work-progress.ts";

export interface RebuildAsked {
  /** Absolute, of a crawl. */
  readonly path: string;
  readonly isQuiet: boolean;
  readonly isJson: boolean;
}

type Rebuilt = Awaited<ReturnType<typeof DIRECTORY_CARE.rebuild>>;

export async function storeRebuild(asked: RebuildAsked, terminal: Terminal): Promise<number> {
  const { path, isQuiet, isJson } = asked;
  const clock = new SystemClock();
  let latest = { lines: 0, records: 0 };
  const progress = new WorkProgress({
    ...{ terminal, clock, isQuiet },
    line: () => `rebuild: ${plural(latest.lines, "line")}, ${plural(latest.records, "record")}`,
    event: () => ({ ...latest }),
  });
  const scratch = await temporaryFolder("trobar-rebuild-");
  try {
    const rebuilt = await DIRECTORY_CARE.rebuild({
      ...{ path, clock, scratch, version: version() },
      fitted: (configuration) => fittedToProcess(configuration).configuration,
      told: (counts) => {
        latest = { ...counts };
      },
      report: (error: CrawlError) => terminal.err(`${error.code}: ${printable(error.message)}\n`),
    });
    progress.stop();
    await terminal.write(isJson ? jsonOf(rebuilt) : shown(rebuilt));
    return EXIT.finished;
  } finally {
    progress.stop();
    await removeFolder(scratch);
  }
}

function jsonOf({ summary, ...rebuilt }: Rebuilt): string {
  const { pages, queued } = summary;
  return `${JSON.stringify({ ok: true, ...rebuilt, pages, waiting: queued })}\n`;
}

const SHOWN_MAX = 50;

function shown({
  lines,
  records,
  lost,
  lostUrls,
  found,
  cutBytes,
  kept,
  summary,
}: Rebuilt): string {
  const { pages, queued } = summary;
  const told = [
    `rebuilt from ${plural(lines, "line")} and ${plural(records, "record")}: ` +
      `${plural(pages, "page")}, ${plural(queued, "URL")} waiting`,
  ];
  if (found > 0) told.push(`${plural(found, "answer")} without a line got one`);
  if (cutBytes > 0) told.push(`${plural(cutBytes, "byte")} could not be read and were left out`);
  if (kept !== null)
    told.push(
      `files that were not whole, or are written again, are in ${kept}; remove them at will`,
    );
  if (lost > 0) {
    const more = lost > SHOWN_MAX ? ["…"] : [];
    told.push(
      `${plural(lost, "page")} will be fetched again, since ${lost === 1 ? "its body is" : "their bodies are"} not in the archive:`,
      ...lostUrls.slice(0, SHOWN_MAX).map((url) => `  ${printable(url)}`),
      ...more,
    );
  }
  return `${told.join("\n")}\n`;
}
