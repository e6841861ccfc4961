/**
 * `trobar store export FORMAT`: writes what a crawl has kept in another form, while the crawl runs
 * or afterwards. A file gets its name when it is whole; what an interruption leaves is a part, from
 * which the same command goes on if the format allows it.
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import { nearestName, printable, quoted } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import {
  checkTarget,
  EXPORT_FORMATS,
  type ExportFormat,
  isExportFormat,
  runExport,
} from "../../store/export/index.ts";
import { archiveTitle, type CrawlReader } from "../../store/query/index.ts";
import { bytesText, durationText, plural } from "../crawl/figures.ts";
import { type CommandWords, needWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { crawlFolder } from "./crawl-folder.ts";
import { Mistakes } from "./mistakes.ts";
import { withCrawl } from "./opened-crawl.ts";
import { type PageFilter, pageFilter } from "./page-filter.ts";
import { readStoreWords, type StoreWords } from "./store-words.ts";
import { WorkProgress } from "./work-progress.ts";

export async function storeExport(args: readonly string[], terminal: Terminal): Promise<number> {
  const mistakes = new Mistakes();
  const given = readStoreWords("store export", args, mistakes);
  const format = await mistakes.tried(() => formatOf(given));
  const filter = await mistakes.tried(() => filterOf(given.value("filter"), format));
  if (format !== null) checkExtras(given, format, mistakes);
  const name = await mistakes.tried(() => nameOf(given));
  const to = format === null ? null : await mistakes.tried(() => targetOf(given, format, name));
  mistakes.throwIfAny();
  if (format === null) return EXIT.usage;
  return await withCrawl(given, terminal, async (source) => {
    const { unarchived } = source;
    if (unarchived === null || !EXPORT_FORMATS[format].needsArchive) {
      return await exported({ source, given, terminal, format, filter, to });
    }
    terminal.err(`trobar: there is nothing to export as ${format}: ${printable(unarchived)}.\n`);
    return EXIT.notFound;
  });
}

interface Asked {
  readonly source: CrawlReader;
  readonly given: CommandWords;
  readonly terminal: Terminal;
  readonly format: ExportFormat;
  readonly filter: PageFilter | null;
  /** Null for standard output. */
  readonly to: string | null;
}

async function exported(asked: Asked): Promise<number> {
  const { source, given, terminal, format, filter, to } = asked;
  const clock = new SystemClock();
  const interrupted = new AbortController();
  void terminal.untilInterrupted().then(() => interrupted.abort());
  const isQuiet = given.has("quiet");
  let latest = { pages: 0, bytes: 0 };
  const progress = new WorkProgress({
    ...{ terminal, clock, isQuiet },
    line: () => `${format}: ${plural(latest.pages, "page")}, ${bytesText(latest.bytes)}`,
    event: () => ({ format, ...latest }),
  });
  const startedAtMs = clock.nowMs();
  try {
    const report = await runExport({
      ...{ source, format, filter, text: given.has("text"), links: given.has("links") },
      to: to ?? (await terminal.rowSink()),
      signal: interrupted.signal,
      progress: ({ pages }, bytes) => {
        latest = { pages, bytes };
      },
      random: new SeededRandom(freshSeed()),
      nowMs: clock.wallMs(),
      software: `Trobar/${version()}`,
    });
    progress.stop();
    const seconds = (clock.nowMs() - startedAtMs) / SECOND_MS;
    tell({ report, format, to, seconds }, given, terminal);
    return EXIT.finished;
  } catch (error) {
    progress.stop();
    return failed(error, { format, to, terminal, isInterrupted: interrupted.signal.aborted });
  }
}

interface Ended {
  readonly report: Awaited<ReturnType<typeof runExport>>;
  readonly format: ExportFormat;
  /** Null for standard output. */
  readonly to: string | null;
  readonly seconds: number;
}

function tell(
  { report, format, to, seconds }: Ended,
  given: CommandWords,
  terminal: Terminal,
): void {
  const { counts, writtenBytes: bytes, isContinued: continued, problems } = report;
  for (const { url, reason } of problems) {
    terminal.err(
      `trobar: left out ${url === "" ? "" : `${printable(url)}: `}${printable(reason)}\n`,
    );
  }
  const untold = counts.damaged - problems.length;
  if (untold > 0) terminal.err(`trobar: and ${untold} more that could not be read\n`);
  if (given.has("json") && to !== null) {
    terminal.out(`${JSON.stringify({ format, to, ...counts, bytes, seconds, continued })}\n`);
    return;
  }
  const facts = [
    `${plural(counts.written, "item")} of ${plural(counts.pages, "page")}`,
    bytesText(bytes),
    durationText(seconds * SECOND_MS),
    ...(continued ? ["continued"] : []),
    ...(counts.leftOut > 0 ? [`${counts.leftOut} left out`] : []),
    ...(counts.damaged > 0 ? [`${counts.damaged} unreadable`] : []),
  ];
  const summary = `${format}: ${facts.join(", ")}${to === null ? "" : ` in ${printable(to)}`}\n`;
  if (to === null) terminal.err(summary);
  else terminal.out(summary);
}

interface Failed {
  readonly format: ExportFormat;
  readonly to: string | null;
  readonly terminal: Terminal;
  readonly isInterrupted: boolean;
}

function failed(error: unknown, { format, to, terminal, isInterrupted }: Failed): number {
  if (isCrawlError(error)) {
    // Who reads decides how much is enough, as in `… | head`.
    if (error.code === "PAGES_READER_GONE") return EXIT.finished;
    throw error;
  }
  if (!isInterrupted) throw error;
  const { continues } = EXPORT_FORMATS[format];
  const next = continues ? "the same command continues it" : "the same command starts over";
  terminal.err(`trobar: interrupted${to === null ? "" : `; ${next}`}\n`);
  return EXIT.interrupted;
}

/** What the export is called after. */
function nameOf({ archives, value }: StoreWords): string {
  return archives.length > 0 ? archiveTitle(archives) : crawlFolder(value("out")).name;
}

/** Texts and links go into rows; other formats have them anyway, or have no place for them. */
function checkExtras(given: CommandWords, format: ExportFormat, mistakes: Mistakes): void {
  if (EXPORT_FORMATS[format].takesExtras) return;
  for (const flag of ["text", "links"]) {
    if (given.has(flag)) mistakes.add(`--${flag} is for jsonl and csv, not for ${format}.`);
  }
}

function formatOf(given: CommandWords): ExportFormat {
  needWords("store export", given.words, 1);
  const [name = "", ...more] = given.words;
  if (more.length > 0) {
    const message = `One format at a time: ${quoted(more[0] ?? "")} is too much.`;
    throw new CrawlError("USAGE_BAD_ARGUMENT", message);
  }
  if (isExportFormat(name)) return name;
  const names = Object.keys(EXPORT_FORMATS);
  const nearest = nearestName(name, names);
  const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
  throw new CrawlError(
    "USAGE_BAD_ARGUMENT",
    `${quoted(name)} is not a format: there are ${names.join(", ")}.${hint}`,
  );
}

/** Null for standard output. `name` is null when there is nothing to export. */
function targetOf(given: CommandWords, format: ExportFormat, name: string | null): string | null {
  const { ending, streams } = EXPORT_FORMATS[format];
  const named = given.value("to");
  if (named === "-") {
    if (streams) return null;
    const message = `--to -: ${format} cannot be written to standard output; name a file or folder.`;
    throw new CrawlError("USAGE_BAD_FLAG_VALUE", message);
  }
  if (named === null && name === null) return null;
  const to = named ?? `${name}${ending === "" ? `-${format}` : ending}`;
  checkTarget(to, format, given.has("replace"));
  return to;
}

async function filterOf(
  text: string | null,
  format: ExportFormat | null,
): Promise<PageFilter | null> {
  if (text !== null && format !== null && !EXPORT_FORMATS[format].filters) {
    const message = `--filter: ${format} holds whole files of the archive, so it cannot leave pages out.`;
    throw new CrawlError("USAGE_BAD_FLAG_VALUE", message);
  }
  return await pageFilter(text);
}
