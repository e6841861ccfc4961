/**
 * `trobar agent`: one agent of a cluster, from its seeds, or from the agents that it joins, until the whole
 * crawl has ended. Flags, progress and summary are those of `trobar crawl`; the summary is that of all.
 */
import { type CrawlSummary, ExtractingReader, openMember } from "../../agent/index.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { withSeeds } from "../../fetch/client/index.ts";
import type { GivenConfiguration } from "../../rules/config/index.ts";
import { describeLocation } from "../../rules/settings/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { fit, watch } from "../crawl/crawl.ts";
import { CrawlApi } from "../crawl/crawl-api.ts";
import { exitCode, tellEnd } from "../crawl/crawl-end.ts";
import { checkStdout, extractionOf, pagesOutput } from "../crawl/crawl-pages.ts";
import { CrawlProgress } from "../crawl/crawl-progress.ts";
import { readSeeds } from "../crawl/crawl-seeds.ts";
import { tryOut } from "../crawl/dry-run.ts";
import { checkAdding, recordedSeeds, refuseTogether } from "../crawl/going-on.ts";
import { startingOver } from "../crawl/starting-over.ts";
import { refuseUnbuilt } from "../crawl/unbuilt-choices.ts";
import type { Terminal } from "../shell/terminal.ts";
import {
  type AgentArguments,
  type AgentPlace,
  agentFolder,
  isFounder,
  readAgentArguments,
  withRecorded,
} from "./agent-arguments.ts";
import { ClusterLink } from "./cluster-link.ts";

type OpenOptions = Parameters<typeof openMember>[0];

export async function agent(args: readonly string[], terminal: Terminal): Promise<number> {
  const read = readAgentArguments(args, terminal);
  for (const { location, text } of read.notes)
    terminal.err(`note: ${describeLocation(location)}: ${text}\n`);
  refuseUnbuilt(read, read.configuration, { isAgent: true });
  const { seeds, credentials } = await readSeeds(read.configuration, read.seedFiles, terminal);
  checkAdding(read, seeds.length);
  const folder = agentFolder(read.text("out"), seeds, read.configuration);
  refuseTogether(folder);
  const isKnown = !read.has("fresh") && CrawlDirectory.exists(folder);
  const given = isKnown ? withRecorded(read, folder) : read;
  const { configuration } = given;
  const place = { folder, configuration, seeds, isKnown, stays: given.has("stay") };
  const founds = isFounder(place);
  const known = isKnown ? recordedSeeds(folder, seeds.length > 0) : [];
  const secrets = {
    credentials: [...credentials, ...withSeeds(given.secrets.credentials, [...known, ...seeds])],
    cookies: given.secrets.cookies,
  };
  if (given.has("dry-run")) {
    const tried = { ...configuration, seeds: seeds.length === 0 ? known : seeds };
    return await tryOut({ configuration: tried, secrets, isJson: given.has("json") }, terminal);
  }
  return await runAgent({ ...place, args, given, founds, secrets }, terminal);
}

interface StartedAgent extends AgentPlace, Required<Pick<OpenOptions, "founds" | "secrets">> {
  readonly args: readonly string[];
  readonly given: AgentArguments;
}

async function runAgent(started: StartedAgent, terminal: Terminal): Promise<number> {
  const { folder, given, configuration, args } = started;
  const extraction = extractionOf(given);
  const output = pagesOutput(given, { crawlFolder: folder, terminal });
  checkStdout(configuration, given, output);
  const clock = new SystemClock();
  const progress = new CrawlProgress({ clock, terminal, isQuiet: given.has("quiet") });
  const report = (error: CrawlError): void => progress.trouble(error);
  await using api = new CrawlApi({ clock, report });
  const port = await api.listen(configuration);
  const left = new AbortController();
  await using link = linkOf(started, { clock, terminal, progress, left });
  const interrupted = Promise.withResolvers<void>();
  const run = await openMember(
    {
      ...memberOptions(started, terminal),
      ...{ clock, report, output, reader: extraction && new ExtractingReader(extraction) },
      connect: (self, crawl) => {
        // A question must be left at once by a signal; from here on the agent ends in order.
        void terminal.untilInterrupted().then(() => {
          interrupted.resolve();
          left.abort();
        });
        return link.connect(self, crawl);
      },
      refusals: () => link.refusals(),
      ready: async () => port,
      shared: sharedTeller(progress),
      recovered: (account) => progress.recovered(account),
      seedFailed: (failure, retryAtMs) => progress.seedFailed(failure, retryAtMs),
    },
    left.signal,
  );
  const { crawl, control, member } = run;
  link.knows(() => Array.from(member.node.view.members(), ({ standing }) => standing));
  const pagesBefore = crawl.life.isContinued ? crawl.summary().pages : null;
  api.serveControl(control, folder);
  progress.partOf(() => control.status());
  const own = await watch(crawl, progress, terminal, stopped(started, run, interrupted.promise));
  const summary: CrawlSummary = control.finalSummary(own);
  const { configuration: recorded } = crawl.made.recorded;
  const end = { summary, folder, configuration: recorded, output, args };
  const isShared = summary !== own;
  tellEnd(
    {
      ...{ ...end, command: "agent", isJson: given.has("json") },
      pagesBefore: isShared ? null : pagesBefore,
    },
    terminal,
  );
  return exitCode(summary);
}

/** Tells when the crawl is paused, goes on or is stopped, through whichever agent that is. */
function sharedTeller(progress: CrawlProgress): OpenOptions["shared"] {
  let before = "running";
  return ({ state }) => {
    if (state !== before) progress.event(state, {}, `the crawl is ${state}`);
    before = state;
  };
}

/** Resolves when the crawl is to end here because the user asks for it; never if it leaves first. */
function stopped(
  { given }: StartedAgent,
  { control }: Awaited<ReturnType<typeof openMember>>,
  interrupted: Promise<void>,
): Promise<void> {
  if (!given.has("leave-on-stop")) return interrupted;
  void interrupted.then(() => control.leave());
  return new Promise(() => undefined);
}

interface Surroundings {
  readonly clock: SystemClock;
  readonly terminal: Terminal;
  readonly progress: CrawlProgress;
  /** Ends the waiting for others. */
  readonly left: AbortController;
}

function linkOf(
  { folder, configuration, isKnown }: StartedAgent,
  { clock, terminal, progress, left }: Surroundings,
): ClusterLink {
  const { name } = isKnown ? CrawlDirectory.configurationOf(folder) : configuration;
  return new ClusterLink({
    ...{ cluster: configuration.cluster, crawlName: name, folder, clock },
    environment: terminal.environment,
    listens: (id, address) =>
      progress.event(
        "listening",
        { agent: id, address },
        `agent ${id} listens at ${address}; others join it with --join ${address}`,
      ),
    report: (error) => progress.trouble(error),
    note: (event, text) => progress.event(event, {}, text),
    shutOut: (error) => left.abort(error),
  });
}

function memberOptions(
  { folder, given, configuration, founds, seeds, secrets, stays }: StartedAgent,
  terminal: Terminal,
): Pick<
  OpenOptions,
  | "configuration"
  | "given"
  | "founds"
  | "expect"
  | "changes"
  | "folder"
  | "seeds"
  | "secrets"
  | "stays"
  | "startOver"
  | "fitted"
  | "openStdout"
  | "version"
> {
  const notes = new Set<string>();
  return {
    ...{ configuration: { ...configuration, seeds: [] }, founds, expect: given.expect },
    ...{ folder, seeds, secrets, stays, version: version(), changes: given.has("change") },
    given: withoutSeeds(given),
    startOver: startingOver(folder, given, terminal),
    fitted: (whole) => fit(whole, terminal, notes),
    openStdout: () => terminal.rowSink(),
  };
}

/** Seeds are nobody's own: what an agent is given all others get too. */
function withoutSeeds({ configuration, locations }: AgentArguments): GivenConfiguration {
  const others = new Map(locations);
  others.delete("seeds");
  return { configuration: { ...configuration, seeds: [] }, locations: others };
}
