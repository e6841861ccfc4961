/**
 * `trobar demo`: the whole program in half a minute. It serves a synthetic web on loopback, crawls it
 * as any web, and has the crawl judged: by that web, which knows what was to be fetched and saw how
 * politely, and by reading the archive, whose records are compared with what the web serves.
 */
import { type CrawlSummary, openCrawl } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { quoted } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { changedProfile, PROFILES, verdictText } from "../../lab/simweb/index.ts";
import { type Configuration, readConfiguration } from "../../rules/config/index.ts";
import { configError } from "../../rules/settings/index.ts";
import { fit, watch } from "../crawl/crawl.ts";
import { CrawlApi } from "../crawl/crawl-api.ts";
import { CrawlProgress } from "../crawl/crawl-progress.ts";
import { summaryLines } from "../crawl/crawl-report.ts";
import { amount } from "../crawl/figures.ts";
import { startingOver } from "../crawl/starting-over.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import { keptFiles, removeFolder, temporaryFolder } from "../shell/named-files.ts";
import { programName } from "../shell/program-name.ts";
import { bold, type Terminal } from "../shell/terminal.ts";
import { archiveVerdictText } from "./archive-verdict.ts";
import { type DemoJudgement, DemoWeb, type DemoWebFacts } from "./demo-web.ts";

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

interface DemoRun {
  readonly terminal: Terminal;
  readonly isQuiet: boolean;
  readonly startOver: (() => Promise<void>) | null;
}

interface DemoEnd extends DemoJudgement {
  readonly summary: CrawlSummary;
}

export async function demo(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("demo", args, 0);
  const isJson = given.has("json");
  const kept = given.value("out");
  const folder = kept ?? (await temporaryFolder("trobar-demo-"));
  const web = await DemoWeb.open({ profile: PROFILE, seed: SEED });
  try {
    if (!isJson) terminal.out(introduction(web.facts, terminal.colour));
    const startOver = startingOver(folder, given, terminal);
    const end = await crawlAndJudge(web, folder, {
      ...{ terminal, startOver, isQuiet: given.has("quiet") },
    });
    if (isJson) terminal.out(`${JSON.stringify(end)}\n`);
    else terminal.out(conclusion(end, kept, terminal));
    if (end.summary.reason === "signal") return EXIT.interrupted;
    return end.verdict.clean && end.archive.clean ? EXIT.finished : EXIT.unexpected;
  } finally {
    await web.close();
    if (kept === null) await removeFolder(folder);
  }
}

async function crawlAndJudge(
  web: DemoWeb,
  folder: string,
  { terminal, isQuiet, startOver }: DemoRun,
): Promise<DemoEnd> {
  const clock = new SystemClock();
  const configuration = fit(demoConfiguration(web.facts), terminal);
  const progress = new CrawlProgress({ clock, terminal, isQuiet });
  await using api = new CrawlApi({ clock, report: (error) => progress.trouble(error) });
  const run = await openCrawl({
    ready: (whole) => api.listen(whole),
    goOn: () => {
      throw holdsCrawl(folder);
    },
    ...{ configuration, folder, startOver, clock },
    report: (error) => progress.trouble(error),
    version: version(),
  });
  api.serve(run, folder);
  const summary = await watch(run, progress, terminal);
  const judgement = await web.judge({
    crawl: { seeds: configuration.seeds, scope: "any", retries: RETRIES },
    rules: {
      hostDelayMs: HOST_DELAY_MS,
      addressDelayMs: ADDRESS_DELAY_MS,
      retryAfterMsMax: RETRY_WAIT_MS_MAX,
    },
    folder,
  });
  return { summary, ...judgement };
}

/** The web of an earlier demo is gone. */
function holdsCrawl(folder: string): CrawlError {
  return new CrawlError(
    "USAGE_BAD_FLAG_VALUE",
    `--out ${quoted(folder)} holds a crawl already, and a demo begins a new one. Name another ` +
      "directory, or start over with --fresh.",
  );
}

function demoConfiguration({ seed, dnsPort }: DemoWebFacts): Configuration {
  const settings = {
    seeds: `[${seed}]`,
    name: "demo",
    scope: "any",
    "politeness.hostDelay": `${HOST_DELAY_MS}ms`,
    "politeness.ipDelay": `${ADDRESS_DELAY_MS}ms`,
    "fetch.allowAddresses": "[127.0.0.0/8, '::1']",
    "fetch.ports": "any",
    "fetch.retries": String(RETRIES),
    "fetch.retryWait": "200ms",
    "fetch.retryMaxWait": `${RETRY_WAIT_MS_MAX}ms`,
    "fetch.idleTimeout": "5s",
    "fetch.headerTimeout": "5s",
    "dns.servers": `['127.0.0.1:${dnsPort}']`,
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

function introduction({ hosts, urls, seed }: DemoWebFacts, colour: boolean): string {
  return `${bold("A web to crawl", colour)}: ${hosts} hosts and ${amount(urls)} URLs on this machine, with
robots.txt, redirects, errors, duplicates, traps and broken answers. The crawl waits ${HOST_DELAY_MS} ms
between two fetches of a host and begins at ${seed}

`;
}

function conclusion(
  { summary, verdict, archive }: DemoEnd,
  kept: string | null,
  { colour, environment }: Terminal,
): string {
  const program = programName(environment);
  const folder = kept ?? "a temporary folder, removed now (--out DIR keeps it)";
  const limits = { pages: null, bytes: null, time: null };
  const files = kept === null ? null : keptFiles(kept);
  const report = { summary, limits, folder, colour, kept: files, rows: null };
  return `${summaryLines(report).join("\n")}

${bold("What the web saw", colour)}
${verdictText(verdict)}
${bold("What the archive holds", colour)}
${archiveVerdictText(archive)}
${bold("Next", colour)}
  ${program} crawl https://example.org/ -n 100    crawl a site, a page a second
  ${program} crawl --help                         everything that can be set by a flag
`;
}
