/**
 * `trobar status [--watch]`: how a crawl is doing, and why it waits: asked of the crawl if it runs, else
 * read from its directory, which is said.
 */
import assert from "node:assert/strict";
import { type CrawlSummary, RestingCrawl } from "../../agent/index.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { printable } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { type Configuration, readConfiguration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { RateWindow } from "../crawl/rate-window.ts";
import { statusLines } from "../crawl/status-block.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import type { ApiClient } from "./api-client.ts";
import { clusterLines } from "./cluster-lines.ts";
import { type FoundCrawl, findCrawl } from "./find-crawl.ts";

const WATCH_EVERY_MS = SECOND_MS;
const RATE_WINDOW_MS = 10 * SECOND_MS;

export async function status(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("status", args, 0, 0);
  const found = await findCrawl(given, terminal);
  const isJson = given.has("json");
  const { client } = found;
  if (client === null) return await showResting(found, isJson, terminal);
  if (given.has("watch")) return await watch(found, client, { isJson, terminal });
  const summary = await summaryFrom(client);
  if (isJson) terminal.out(`${JSON.stringify(summary)}\n`);
  else terminal.out(`${blockOf(found, summary, rateOf(summary), terminal).join("\n")}\n`);
  return EXIT.finished;
}

export async function summaryFrom(client: ApiClient): Promise<CrawlSummary> {
  return (await client.ask("GET", "/status")) as CrawlSummary;
}

/** Exit code 6 if nothing can be said: there is no checkpoint, or it cannot be read. */
async function showResting(
  { folder, folders, name }: FoundCrawl,
  isJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const crawls: RestingCrawl[] = [];
  for (const one of folders.length > 0 ? folders : [folder ?? ""]) {
    const crawl = await RestingCrawl.open(one);
    if (crawl.trouble !== null) terminal.err(`trobar: ${printable(crawl.trouble)}\n`);
    crawls.push(crawl);
  }
  const [crawl] = crawls as [RestingCrawl];
  const summary = crawls.length > 1 ? RestingCrawl.summaryTogether(crawls) : crawl.lastSummary();
  if (summary === null) {
    const isStarting = crawls.some(({ isInUse }) => isInUse);
    terminal.err(`trobar: ${printable(name)} ${isStarting ? STARTING : UNREADABLE}\n`);
    return EXIT.notFound;
  }
  const open = crawls.filter((one) => one.summary() === null);
  const isInUse = open.some((one) => one.isInUse);
  const stands = open.length === 0 ? "ended" : isInUse ? "in-use" : "killed";
  for (const { agent } of summary.missing) {
    terminal.err(`trobar: nothing can be read of what ${printable(agent)} has done\n`);
  }
  const part = crawls.length === 1 && crawl.isPart ? crawl.identity.agent : null;
  const of = part === null ? {} : { part };
  if (isJson) terminal.out(`${JSON.stringify({ ...summary, ...SAID[stands], ...of })}\n`);
  else {
    const how = part === null ? standText(stands, summary) : partText(part, stands, summary);
    terminal.out(
      restingText(`${name} ${how}`, crawl, { summary, isPart: part !== null }, terminal),
    );
  }
  return EXIT.finished;
}

const STARTING = "is starting, and has nothing to show yet; ask again in a moment";
const UNREADABLE =
  "has no checkpoint that can be read, so what waits is not known here; the same command goes on with it, or " +
  "says what to do. `trobar store stats` counts what it has stored";

/** How a crawl stands that cannot be asked. */
type Stand = "ended" | "in-use" | "killed";

/** What JSON says of it: a checkpoint does not know how the process ended. */
const SAID: Readonly<Record<Stand, object>> = {
  ended: { running: false },
  "in-use": { state: "running", reason: "none", running: true },
  killed: { state: "stopped", reason: "killed", running: false },
};

function standText(stands: Stand, { state, queued }: CrawlSummary): string {
  if (stands === "in-use")
    return "is being used by a process that cannot be asked; as of its last checkpoint:";
  if (stands === "killed")
    return "is not running: it was killed, and the same command goes on with it; as of its last checkpoint:";
  if (state !== "finished")
    return "is not running: it was stopped, and the same command goes on with it";
  return queued === 0
    ? "is not running: it has finished: nothing is queued"
    : "is not running: it has reached a limit; the same command with a higher one goes on with it";
}

/** Of an agent's part: limits, and the end, are those of the whole crawl. */
function partText(agent: string, stands: Stand, summary: CrawlSummary): string {
  const left = summary.queued === 0 ? "nothing is queued here" : "something is left here";
  const how =
    stands === "ended"
      ? `is not running: ${left}; whether the whole crawl has ended, its other agents know`
      : standText(stands, summary);
  return `is the part of agent ${agent} in a crawl that several share, and ${how}`;
}

function restingText(
  first: string,
  { configuration }: RestingCrawl,
  { summary, isPart }: { readonly summary: CrawlSummary; readonly isPart: boolean },
  terminal: Terminal,
): string {
  const { pagesPerSecond } = summary;
  const steady = { pagesPerSecond: 0, bytesPerSecond: 0 };
  const whole = isPart ? { whole: null } : {};
  const facts = { summary, configuration, pagesPerSecond, steady, open: 0, ...whole };
  const [counts = "", , ...limits] = statusLines(facts, widthOf(terminal));
  const lines = [first, counts, ...limits];
  return `${lines.map(printable).join("\n")}\n`;
}

interface Shown {
  readonly isJson: boolean;
  readonly terminal: Terminal;
}

/** Goes on until the crawl has ended or the user has seen enough. */
async function watch(found: FoundCrawl, client: ApiClient, shown: Shown): Promise<number> {
  const { isJson, terminal } = shown;
  const clock = new SystemClock();
  const rate = new RateWindow(RATE_WINDOW_MS);
  const isRewritten = !isJson && terminal.isOutLive && terminal.canRewrite;
  let isInterrupted = false;
  let rows = 0;
  const interrupted = terminal.untilInterrupted().then(() => {
    isInterrupted = true;
  });
  while (!isInterrupted) {
    const summary = await summaryUnlessGone(client);
    if (summary === null) return await showResting(found, isJson, terminal);
    rate.add(clock.nowMs(), summary.pages);
    const rates = { pagesPerSecond: rate.perSecond, steady: rate.perSecond };
    const lines = isJson ? [JSON.stringify(summary)] : blockOf(found, summary, rates, terminal);
    const erasure = isRewritten && rows > 0 ? `\u001b[${rows}A\u001b[J` : "";
    if (!(await terminal.write(`${erasure}${lines.join("\n")}\n`))) break;
    rows = lines.length;
    await Promise.race([interrupted, passed(clock)]);
  }
  return EXIT.finished;
}

/** Null when the crawl has ended meanwhile. */
async function summaryUnlessGone(client: ApiClient): Promise<CrawlSummary | null> {
  try {
    return await summaryFrom(client);
  } catch (error) {
    if (isCrawlError(error) && error.code === "CONTROL_UNREACHABLE") return null;
    throw error;
  }
}

function passed(clock: SystemClock): Promise<void> {
  return new Promise((resolve) => void clock.after(WATCH_EVERY_MS, resolve));
}

interface Rates {
  readonly pagesPerSecond: number;
  /** From which it is told how long a limit is away. */
  readonly steady: number;
}

/**
 * The mean since the crawl began; a crawl that is at its last hosts is slower than that, and politeness
 * says how much.
 */
export function rateOf({
  pagesPerSecond,
  politeRate,
}: Pick<CrawlSummary, "pagesPerSecond" | "politeRate">): Rates {
  return { pagesPerSecond, steady: Math.min(pagesPerSecond, politeRate ?? pagesPerSecond) };
}

/** What limits a crawl is known from its directory; elsewhere the defaults stand for it. */
function blockOf(
  { folder, name }: FoundCrawl,
  summary: CrawlSummary,
  { pagesPerSecond, steady }: Rates,
  terminal: Terminal,
): string[] {
  const configuration = folder === null ? defaults() : CrawlDirectory.configurationOf(folder);
  const lasting = { pagesPerSecond: steady, bytesPerSecond: 0 };
  const facts = { summary, configuration, pagesPerSecond, steady: lasting, open: 1 };
  // What answers may be anything that listens where the directory says.
  const lines = [...statusLines(facts, widthOf(terminal)), ...clusterLines(summary)];
  return [`${name}: ${summary.state}`, ...lines].map(printable);
}

function defaults(): Configuration {
  const reading = readConfiguration({});
  assert(reading.ok, "the defaults are legal");
  return reading.configuration;
}

/** Where nobody's terminal could break lines, nothing is left out. */
function widthOf({ isOutLive, columns }: Terminal): number {
  return isOutLive ? columns : Number.POSITIVE_INFINITY;
}
