/**
 * `trobar crawl`: a crawl of one process, from its seeds until nothing is left, a limit is reached
 * or the user stops it. Progress and notes go to standard error; the summary goes to standard
 * output, as text or, with `--json`, as one JSON value.
 */
import {
  type Crawl,
  type CrawlSummary,
  ExtractingReader,
  fittedToProcess,
  noSeeds,
  openCrawl,
} from "../../agent/index.ts";
import { version } from "../../base/package/index.ts";
import { quoted } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { withSeeds } from "../../fetch/client/index.ts";
import { type Configuration, goOnWith } from "../../rules/config/index.ts";
import { configError, describeLocation } from "../../rules/settings/index.ts";
import { EXIT } from "../shell/exit-code.ts";
import { CRAWL_FLAGS } from "../shell/flag-table.ts";
import type { Terminal } from "../shell/terminal.ts";
import { CrawlApi } from "./crawl-api.ts";
import { type CrawlArguments, readCrawlArguments } from "./crawl-arguments.ts";
import { exitCode, tellEnd } from "./crawl-end.ts";
import { checkStdout, extractionOf, pagesOutput } from "./crawl-pages.ts";
import { CrawlProgress } from "./crawl-progress.ts";
import { readSeeds } from "./crawl-seeds.ts";
import { tryOut } from "./dry-run.ts";
import {
  checkAdding,
  goingOnText,
  OTHER_SEEDS,
  recordedSeeds,
  refuseTogether,
} from "./going-on.ts";
import { proxyNote } from "./proxy-note.ts";
import { startingOver } from "./starting-over.ts";
import { refuseUnbuilt } from "./unbuilt-choices.ts";

export async function crawl(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readCrawlArguments(args, CRAWL_FLAGS, terminal);
  for (const { location, text } of given.notes)
    terminal.err(`note: ${describeLocation(location)}: ${text}\n`);
  const { configuration: read } = given;
  if (read === null) throw configError(given.mistakes, given.omitted);
  const isTogether = given.has("agents");
  refuseUnbuilt(given, read, { isAgent: isTogether });
  if (isTogether) return await together({ ...given, configuration: read }, args, terminal);
  const { seeds, credentials } = await readSeeds(read, given.seedFiles, terminal);
  checkAdding(given, seeds.length);
  const named = given.text("out");
  const folder = named ?? folderFor(seeds[0] ?? "");
  refuseTogether(folder);
  const known = given.has("fresh") ? [] : recordedSeeds(folder, seeds.length > 0);
  const stays = given.has("stay");
  const mayLackSeeds = read.topology !== null || (stays && named !== null);
  if (seeds.length + known.length === 0 && !mayLackSeeds) throw noSeeds(whyNoSeeds(named, given));
  const secrets = {
    credentials: [...credentials, ...withSeeds(given.secrets.credentials, [...known, ...seeds])],
    cookies: given.secrets.cookies,
  };
  if (given.has("dry-run")) {
    const tried = { ...read, seeds: seeds.length === 0 ? known : seeds };
    return await tryOut({ configuration: tried, secrets, isJson: given.has("json") }, terminal);
  }
  const { locations } = given;
  const notes = new Set<string>();
  const fitted = (whole: Configuration): Configuration => fit(whole, terminal, notes);
  const configuration = fitted({ ...read, seeds });
  const extraction = extractionOf(given);
  const output = pagesOutput(given, { crawlFolder: folder, terminal });
  checkStdout(configuration, given, output);
  const clock = new SystemClock();
  const isQuiet = given.has("quiet");
  const progress = new CrawlProgress({ clock, terminal, isQuiet });
  const again = {
    ...{ configuration: { ...read, seeds }, locations },
    ...{ mayAdd: given.has("add"), remedy: OTHER_SEEDS },
  };
  await using api = new CrawlApi({ clock, report: (error) => progress.trouble(error) });
  let interrupted: Promise<void> | undefined;
  const run = await openCrawl({
    ...{ configuration, folder, clock, secrets, stays },
    ready: (whole) => {
      // A crawl that is being opened ends in order too. A question must be left at once, though.
      if (!given.has("fresh")) interrupted = terminal.untilInterrupted();
      return api.listen(whole);
    },
    report: (error) => progress.trouble(error),
    recovered: (account) => progress.recovered(account),
    goOn: (recorded) => fitted(goOnWith(recorded, again)),
    startOver: startingOver(folder, given, terminal),
    seedFailed: (failure, retryAtMs) => progress.seedFailed(failure, retryAtMs),
    openStdout: () => terminal.rowSink(),
    ...{ version: version(), output, reader: extraction && new ExtractingReader(extraction) },
  });
  if (!isQuiet) askForContact(run.configuration, terminal);
  const before = run.life.isContinued ? run.summary() : null;
  if (!isQuiet && before !== null) progress.note(goingOnText(folder, before, run.life.wasKilled));
  api.serve(run, folder);
  const summary = await watch(run, progress, terminal, interrupted);
  const { configuration: whole } = run.made.recorded;
  const end = { summary, folder, configuration: whole, pagesBefore: before?.pages ?? null };
  tellEnd({ ...end, command: "crawl", output, args, isJson: given.has("json") }, terminal);
  // A process that only fetches for another has done so.
  const isServant = run.configuration.seeds.length === 0 && !stays;
  return isServant ? EXIT.finished : exitCode(summary);
}

/** By several agents on this machine. */
async function together(
  given: CrawlArguments & { readonly configuration: Configuration },
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { crawlTogether } = await import("../agent/crawl-together.ts");
  const named = given.text("out");
  if (named !== null) return await crawlTogether({ given, args, folder: named }, terminal);
  const files = given.seedFiles.filter((file) => file !== "-");
  const { seeds } = await readSeeds(given.configuration, files, { ...terminal, err: () => {} });
  const [first] = seeds;
  if (first === undefined) throw noSeeds(whyNoSeeds(null, given));
  return await crawlTogether({ given, args, folder: folderFor(first) }, terminal);
}

function whyNoSeeds(folder: string | null, given: Pick<CrawlArguments, "has">): string {
  if (given.has("fresh")) return "there is no seed, and --fresh does not take those of before";
  if (folder === null && given.has("stay")) {
    return "there is no seed, and without one --stay needs the name of a directory (--out)";
  }
  if (folder === null) return "there is no seed";
  return `there is no seed, and no crawl in ${quoted(folder)} to go on with`;
}

/** Fits the crawl to its process and notes what the user may not expect, unless it was told. */
export function fit(
  configuration: Configuration,
  terminal: Terminal,
  told: Set<string> = new Set(),
): Configuration {
  const found = fittedToProcess(configuration);
  for (const note of [found.note, proxyNote(configuration, terminal.environment)]) {
    if (note === null || told.has(note)) continue;
    told.add(note);
    terminal.err(`note: ${note}\n`);
  }
  return found.configuration;
}

/**
 * For people only: a site owner who cannot reach anybody blocks the crawler, or complains to the
 * provider.
 */
function askForContact({ contact, userAgent }: Configuration, terminal: Terminal): void {
  if (!terminal.isLive || contact !== null || userAgent !== null) return;
  terminal.err("note: --contact URL|mail tells site owners whom to ask about this crawl\n");
}

/** Runs the crawl to its end and shows how it goes; the first interruption ends it gracefully. */
export async function watch(
  run: Crawl,
  progress: CrawlProgress,
  terminal: Terminal,
  // From here on a signal must not end the process: the checkpoint is open while the crawl runs.
  interrupted: Promise<void> = terminal.untilInterrupted(),
): Promise<CrawlSummary> {
  const ended = run.life.run();
  progress.start(run);
  void interrupted.then(() => {
    progress.ending();
    run.life.stop();
  });
  try {
    return await ended;
  } finally {
    progress.stop();
    if (run.life.failure !== null) progress.trouble(run.life.failure);
  }
}

/** `crawl-` and the host of the first seed, with its port unless that is the usual one. */
export function folderFor(seed: string): string {
  const host = URL.parse(seed)?.host ?? "";
  return `crawl-${host.replaceAll(/[^a-z0-9.-]/gi, "-").replace(/^-+|-+$/g, "") || "files"}`;
}
