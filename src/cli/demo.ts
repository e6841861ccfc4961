/**
 * `trobar demo`: the whole program in half a minute. It serves a synthetic web on loopback, crawls it
 * as any web, and has the crawl judged: by that web, which knows what was to be fetched and saw how
 * politely, and by reading the archive, whose records are compared with what the web serves.
 */
import { type CrawlSummary, openCrawl } from "../agent/index.ts";
import { type Configuration, readConfiguration } from "../config/index.ts";
import type { Clock } from "../seams/index.ts";
import { configError } from "../settings/index.ts";
import {
  type ArchiveVerdict,
  changedProfile,
  type GeneratedWeb,
  openGeneratedWeb,
  PROFILES,
  type ServedWeb,
  type Verdict,
  verdictText,
} from "../simweb/index.ts";
import { SystemClock } from "../time/index.ts";
import { archiveVerdict, archiveVerdictText } from "./archive-verdict.ts";
import { readWords } from "./command-words.ts";
import { watch } from "./crawl.ts";
import { summaryText } from "./crawl-report.ts";
import { EXIT } from "./exit-code.ts";
import { amount } from "./figures.ts";
import { removeFolder, temporaryFolder } from "./named-files.ts";
import { bold, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** The web as it is, on so few hosts that politeness leaves half a minute. */
const PROFILE = changedProfile(PROFILES.realistic, {
  hosts: { count: 60, pages: 2000, pagesMax: 100, slowDelay: 100 },
  robots: { delay: 0 },
});
const SEED = "demo";

const HOST_DELAY_MS = 100;
const ADDRESS_DELAY_MS = 20;
const RETRIES = 2;
const RETRY_WAIT_MS_MAX = 1000;

interface DemoEnd {
  readonly summary: CrawlSummary;
  readonly verdict: Verdict;
  readonly archive: ArchiveVerdict;
}

export async function demo(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("demo", args, 0);
  const isJson = given.has("json");
  const clock = new SystemClock();
  const web = await openGeneratedWeb({ profile: PROFILE, seed: SEED, clock });
  const kept = given.value("out");
  const folder = kept ?? (await temporaryFolder("trobar-demo-"));
  try {
    if (!isJson) terminal.out(introduction(web, terminal.colour));
    const isQuiet = given.has("quiet");
    const end = await crawlAndJudge({ web, folder, clock, terminal, isQuiet });
    if (isJson) terminal.out(`${JSON.stringify(end)}\n`);
    else terminal.out(conclusion(end, kept, terminal.colour));
    if (end.summary.reason === "signal") return EXIT.interrupted;
    return end.verdict.clean && end.archive.clean ? EXIT.finished : EXIT.unexpected;
  } finally {
    await web.close();
    if (kept === null) await removeFolder(folder);
  }
}

interface Demonstration {
  readonly web: ServedWeb<GeneratedWeb>;
  readonly folder: string;
  readonly clock: Clock;
  readonly terminal: Terminal;
  readonly isQuiet: boolean;
}

async function crawlAndJudge(demonstration: Demonstration): Promise<DemoEnd> {
  const { web, folder, clock, terminal, isQuiet } = demonstration;
  const configuration = demoConfiguration(web);
  const run = await openCrawl({
    configuration,
    folder,
    startsOver: true,
    version: version(),
    clock,
  });
  const summary = await watch(run, { clock, terminal, isQuiet });
  const crawl = { seeds: configuration.seeds, scope: "any", retries: RETRIES };
  const truth = web.truthFor(crawl);
  const reading = web.judge(crawl, {
    hostDelayMs: HOST_DELAY_MS,
    addressDelayMs: ADDRESS_DELAY_MS,
    retryAfterMsMax: RETRY_WAIT_MS_MAX,
  });
  if (!truth.ok || !reading.ok) throw new Error("the demonstration describes its crawl wrongly");
  const archive = await archiveVerdict(folder, web.web, truth.truth);
  return { summary, verdict: reading.verdict, archive };
}

function demoConfiguration(web: ServedWeb<GeneratedWeb>): Configuration {
  const settings = {
    seeds: `[${web.web.seeds()[0]}]`,
    name: "demo",
    scope: "any",
    "politeness.hostDelay": `${HOST_DELAY_MS}ms`,
    "politeness.ipDelay": `${ADDRESS_DELAY_MS}ms`,
    "fetch.allowAddresses": "[127.0.0.0/8, '::1']",
    "fetch.ports": "any",
    "fetch.retries": String(RETRIES),
    "fetch.retryWait": "200ms",
    "fetch.retryMaxWait": `${RETRY_WAIT_MS_MAX}ms`,
    "fetch.idleTimeout": "2s",
    "fetch.headerTimeout": "5s",
    "dns.servers": `['127.0.0.1:${web.dnsPort}']`,
    "dns.timeout": "1s",
    "limits.minFreeDisk": "0",
  };
  const flags = Object.entries(settings).map(([key, text], index) => ({
    kind: "assignment" as const,
    ordinal: index + 1,
    text: `${key}=${text}`,
  }));
  const reading = readConfiguration({ flags });
  if (!reading.ok) throw configError(reading.mistakes, reading.omitted);
  return reading.configuration;
}

function introduction(web: ServedWeb<GeneratedWeb>, colour: boolean): string {
  const { hostCount, model } = web.web;
  const pages = amount(model.hosts.pageCount);
  return `${bold("A web to crawl", colour)}: ${hostCount} hosts and ${pages} URLs on this machine, with
robots.txt, redirects, errors, duplicates, traps and broken answers. The crawl waits ${HOST_DELAY_MS} ms
between two fetches of a host and begins at ${web.web.seeds()[0]}

`;
}

function conclusion(
  { summary, verdict, archive }: DemoEnd,
  kept: string | null,
  colour: boolean,
): string {
  const folder = kept ?? "a temporary folder, removed now (--out DIR keeps it)";
  return `${summaryText(summary, folder, colour)}
${bold("What the web saw", colour)}
${verdictText(verdict)}
${bold("What the archive holds", colour)}
${archiveVerdictText(archive)}`;
}
