/**
 * `trobar peers`: the agents that share a crawl, as one of them sees them; with `--wait N`, as soon as this
 * many are there and agree on who is. `peers forget` gives one up that is dead, and `leave` takes one out.
 */
import { basename, join } from "node:path";
import { RestingCrawl } from "../../agent/index.ts";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { amount, bytesText, durationText, plural } from "../crawl/figures.ts";
import { type CommandWords, readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { shellWord } from "../shell/typed-command.ts";
import type { ApiClient } from "./api-client.ts";
import { type FoundCrawl, findCrawl, running, titled } from "./find-crawl.ts";
import { type ClusterReport, untilThere } from "./peers-wait.ts";
import { untilGone } from "./steer.ts";

type Member = ClusterReport["members"][number];

const AGENTS_MAX = 1000;

export async function peers(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("peers", args, 0, 0);
  const count = countToWaitFor(given);
  const report =
    count === null
      ? await reportFrom(running(await findCrawl(given, terminal)))
      : await reportWith(count, given, terminal);
  if (report === null) return EXIT.interrupted;
  if (given.has("json")) terminal.out(`${JSON.stringify(report)}\n`);
  else terminal.out(tableOf((await findCrawl(given, terminal)).name, report));
  return EXIT.finished;
}

/** Resolves when all have given it up that are there. */
export async function forgetPeer(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("peers forget", args, 1, 1);
  const [agent = ""] = given.words;
  const found = await findCrawl(given, terminal);
  const answer = (await running(found).ask("POST", "/cluster", { action: "forget", agent })) as {
    readonly agents: number;
  };
  if (given.has("json")) terminal.out(`${JSON.stringify(answer)}\n`);
  else {
    const text = `${agent} is given up, by ${plural(answer.agents, "agent")}; the others take its hosts over`;
    terminal.out(titled(found.name, text));
  }
  return EXIT.finished;
}

/** Resolves when the agent has handed over everything and has ended. */
export async function leave(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("leave", args, 0, 0);
  const found = await findCrawl(given, terminal);
  refuseSeveral(found);
  const client = running(found);
  const { members } = await reportFrom(client);
  const isLast = !members.some(
    ({ self, standing, inRing }) => !self && inRing && standing !== "dead",
  );
  const answer = (await client.ask("POST", "/cluster", { action: "leave" })) as {
    readonly leaving: string;
  };
  if (!(await untilGone(client, terminal))) return EXIT.interrupted;
  const rest = isLast
    ? "nobody was there to take its part over, so it keeps it"
    : "the others go on";
  if (given.has("json")) terminal.out(`${JSON.stringify({ left: answer.leaving })}\n`);
  else terminal.out(titled(found.name, `agent ${answer.leaving} has left; ${rest}`));
  return EXIT.finished;
}

/** Which of the agents is to leave must be said; any other question is answered by any of them. */
function refuseSeveral({ folders, out }: FoundCrawl): void {
  const [first] = folders;
  if (first === undefined || folders.length === 1) return;
  throw new CrawlError(
    "USAGE_BAD_FLAG_VALUE",
    `${quoted(out ?? "")} has the directories of ${plural(folders.length, "agent")}. Name that of the one which ` +
      `is to leave, such as -o ${shellWord(join(out ?? "", basename(first)))}.`,
  );
}

function countToWaitFor(given: CommandWords): number | null {
  const text = given.value("wait");
  if (text === null) return null;
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= AGENTS_MAX) return count;
  throw new CrawlError(
    "USAGE_BAD_FLAG_VALUE",
    `--wait ${quoted(text)} is not a number of agents: 1 to ${AGENTS_MAX}.`,
  );
}

async function reportFrom(client: ApiClient): Promise<ClusterReport> {
  return (await client.ask("GET", "/cluster")) as ClusterReport;
}

/** Null if the user does not want to wait any longer. */
function reportWith(
  count: number,
  given: CommandWords,
  terminal: Terminal,
): Promise<ClusterReport | null> {
  return untilThere(count, {
    clock: new SystemClock(),
    interrupted: terminal.untilInterrupted(),
    look: () => lookFor(given, terminal),
    absent: ({ message }) =>
      terminal.err(`trobar: ${printable(message)}\n  Waiting for it to start.\n`),
  });
}

/** Codes of a crawl that may be about to start, or to end. */
const ABSENT: ReadonlySet<string> = new Set([
  "API_NOT_READY",
  "CONTROL_NOT_RUNNING",
  "CONTROL_UNREACHABLE",
  "DIRECTORY_MISSING",
]);

/** What an agent says; null if it is starting; else why there is none. */
async function lookFor(
  given: CommandWords,
  terminal: Terminal,
): Promise<ClusterReport | CrawlError | null> {
  try {
    const found = await findCrawl(given, terminal);
    if (found.client === null && (await isStarting(found))) return null;
    return await reportFrom(running(found));
  } catch (error) {
    // A directory that was not named is not waited for, nor what is on another machine.
    const isNamed = given.value("out") !== null || given.value("api") !== null;
    const mayCome = isCrawlError(error) && ABSENT.has(error.code) && isNamed;
    if (mayCome && error.facts["isForeign"] !== true) return error;
    throw error;
  }
}

/** Whether another process has the directory, which may be about to answer. */
async function isStarting({ folder }: FoundCrawl): Promise<boolean> {
  return folder !== null && (await RestingCrawl.open(folder)).isInUse;
}

function tableOf(name: string, { agent, members, views, missing, refused }: ClusterReport): string {
  if (agent === null) return titled(name, "a crawl of a single agent");
  const rows = members.map(rowOf);
  const titles = ["agent", "state", "share", "pages", "queued", "to tell", "kept", "heard"];
  const table = [titles, ...rows];
  const widths = titles.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  const lines = table.map((row) =>
    printable(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).trimEnd(),
  );
  const silent = missing.map((one) => `${one.agent} (${one.why})`).join(", ");
  const shut = Object.entries(refused).map(([why, count]) => `${why} ${amount(count)}`);
  const notes = [
    ...(views > 1 ? [`they do not agree yet on who is there: ${views} views`] : []),
    ...(silent === "" ? [] : [`without an answer: ${silent}`]),
    ...(shut.length === 0 ? [] : [`connections refused: ${shut.join(", ")}`]),
  ];
  return `${[...lines, ...notes.map(printable)].join("\n")}\n`;
}

function rowOf(member: Member): string[] {
  const { agent, self, state, standing, share, silentSeconds, full, status } = member;
  const stands = standing === "alive" ? (status?.state ?? state) : standing;
  const heard = silentSeconds === null ? "never" : `${durationText(silentSeconds * SECOND_MS)} ago`;
  return [
    agent,
    full ? `${stands}, disk full` : stands,
    `${Math.round(share * 100)} %`,
    ...(status === null
      ? ["", "", "", ""]
      : [
          ...[amount(status.pages), amount(status.queued), amount(status.pending)],
          bytesText(status.retainedBytes),
        ]),
    self ? "this one" : heard,
  ];
}
