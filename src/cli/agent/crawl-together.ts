/**
 * `trobar crawl --agents N`: a crawl by N agents on this machine. Each is a process of its own, in a folder of
 * the crawl directory; this one starts them, passes on what they say, and ends with their common summary.
 */
import { join } from "node:path";
import type { CrawlSummary } from "../../agent/index.ts";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { findCrawl } from "../control/find-crawl.ts";
import type { CrawlArguments } from "../crawl/crawl-arguments.ts";
import { exitCode, tellEnd } from "../crawl/crawl-end.ts";
import { amount, plural } from "../crawl/figures.ts";
import { startingOver } from "../crawl/starting-over.ts";
import { parseCommandLine } from "../shell/arguments.ts";
import { EXIT } from "../shell/exit-code.ts";
import { CRAWL_FLAGS } from "../shell/flag-table.ts";
import type { Terminal } from "../shell/terminal.ts";
import { agentFolders } from "../store/agent-folders.ts";
import { type AgentEnd, ChildAgent } from "./child-agent.ts";

export interface TogetherArguments extends CrawlArguments {
  readonly configuration: Configuration;
}

const AGENTS_MAX = 100;
/** Of one process, or said otherwise to agents. */
const NOT_PASSED_ON = new Set(["agents", "out", "json", "quiet", "fresh", "yes", "seeds"]);
/** What several processes cannot write at once. */
const OF_ONE = ["pages", "text", "links", "markdown", "extract", "dry-run"];

/** `folder` is that of the crawl; the agents have folders in it. */
export async function crawlTogether(
  { given, args, folder }: { given: TogetherArguments; args: readonly string[]; folder: string },
  terminal: Terminal,
): Promise<number> {
  const count = agentsWanted(given);
  checkFolder(folder, count);
  await startingOver(folder, given, terminal)?.();
  const agents = new Together(folder, terminal, given.has("quiet"));
  void terminal.untilInterrupted().then(() => agents.interrupt());
  const { founding, joining } = argumentsOf(args, given, count);
  const founder = agents.start(1, founding);
  const address = await Promise.race([agents.listening, founder.then(() => null)]);
  if (address !== null) {
    for (let number = 2; number <= count; number += 1) {
      void agents.start(number, [...joining, "--join", address, "--set", "api.port=auto"]);
    }
  }
  const { code, summary } = await agents.ended();
  if (summary === null) return code ?? EXIT.unexpected;
  const { configuration } = given;
  const folders = agentFolders(folder);
  tellEnd(
    {
      ...{ summary, folder, folders, configuration, args, command: "crawl", pagesBefore: null },
      ...{ output: null, isJson: given.has("json") },
    },
    terminal,
  );
  return code ?? exitCode(summary);
}

function agentsWanted(given: TogetherArguments): number {
  const text = given.text("agents") ?? "";
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  const problems = [
    ...(count >= 1 && count <= AGENTS_MAX
      ? []
      : [`--agents ${quoted(text)} is not a number of agents: 1 to ${AGENTS_MAX}.`]),
    ...OF_ONE.filter((flag) => given.has(flag)).map(
      (flag) => `--${flag} is for a crawl by one process; leave it out, or leave out --agents.`,
    ),
    ...(given.texts("seeds").includes("-")
      ? ["--seeds - cannot be read by agents; write the seeds to a file."]
      : []),
  ];
  if (problems.length > 0) throw new CrawlError("USAGE_BAD_FLAG_VALUE", problems.join("\n  "));
  return count;
}

function checkFolder(folder: string, count: number): void {
  if (CrawlDirectory.exists(folder)) {
    throw new CrawlError(
      "CLUSTER_WHOLE_CRAWL",
      `The crawl in ${quoted(folder)} is a whole one, of a single agent. Go on with it without --agents, or ` +
        "name another directory with --out.",
    );
  }
  const { length } = agentFolders(folder);
  if (length <= count) return;
  throw new CrawlError(
    "USAGE_BAD_FLAG_VALUE",
    `The crawl in ${quoted(folder)} is shared by ${plural(length, "agent")}, of which none may stay away: ` +
      `give --agents ${length} or more, or name another directory with --out.`,
  );
}

function argumentsOf(
  args: readonly string[],
  given: TogetherArguments,
  count: number,
): { readonly founding: readonly string[]; readonly joining: readonly string[] } {
  const { uses, words } = parseCommandLine(args, CRAWL_FLAGS);
  const joining = uses
    .filter(({ flag }) => !NOT_PASSED_ON.has(flag.long))
    .map(({ flag, text }) => (text === null ? `--${flag.long}` : `--${flag.long}=${text}`));
  if (given.has("fresh")) joining.push("--fresh", "--yes");
  // All agents share the cores of this machine.
  if (!given.locations.has("lanes")) joining.push("--lanes=1");
  const files = given.texts("seeds").map((file) => `--seeds=${file}`);
  return { joining, founding: [...joining, "--expect", String(count), ...files, "--", ...words] };
}

type Event = Readonly<Record<string, unknown>>;

class Together {
  /** Where the first agent can be joined. */
  readonly listening: Promise<string>;
  readonly #listens: (address: string) => void;
  readonly #folder: string;
  readonly #terminal: Terminal;
  readonly #isQuiet: boolean;
  readonly #children: ChildAgent[] = [];
  readonly #ends: Promise<AgentEnd>[] = [];
  /** The last figures of each. */
  readonly #progress = new Map<number, Event>();
  #isEnding = false;

  constructor(folder: string, terminal: Terminal, isQuiet: boolean) {
    this.#folder = folder;
    this.#terminal = terminal;
    this.#isQuiet = isQuiet;
    const { promise, resolve: listens } = Promise.withResolvers<string>();
    this.listening = promise;
    this.#listens = listens;
  }

  start(number: number, args: readonly string[]): Promise<AgentEnd> {
    const id = `agent-${number}`;
    const own = ["agent", "--json", "--id", id, "--out", join(this.#folder, String(number))];
    const child = new ChildAgent([...own, ...args], (line) => this.#heard(number, line));
    const end = child.ended();
    this.#children.push(child);
    this.#ends.push(end);
    void end.then(({ code }) => this.#endedAs(id, code));
    return end;
  }

  /** All agents stop together, if they can be asked; else each by itself. */
  async interrupt(): Promise<void> {
    this.#isEnding = true;
    try {
      const first = join(this.#folder, "1");
      const { client } = await findCrawl(
        { value: (flag) => (flag === "out" ? first : null) },
        this.#terminal,
      );
      if (client === null) throw new CrawlError("CONTROL_NOT_RUNNING", "It cannot be asked yet.");
      await client.ask("POST", "/control", { action: "stop" });
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      for (const child of this.#children) child.interrupt();
    }
  }

  /** When all have ended: the code with which they did if they agree, and what they have done together. */
  async ended(): Promise<{ readonly code: number | null; readonly summary: CrawlSummary | null }> {
    const ends = await Promise.all(this.#ends);
    const codes = new Set(ends.map(({ code }) => code ?? EXIT.unexpected));
    const failed = [...codes].find((code) => code !== EXIT.finished && code !== EXIT.interrupted);
    const summaries = ends.flatMap(({ written }) => summaryIn(written));
    const most = summaries.toSorted((one, other) => other.agents - one.agents)[0] ?? null;
    const [only = null] = codes.size === 1 ? codes : [];
    return { code: failed ?? only ?? EXIT.interrupted, summary: most };
  }

  /** One that fails takes the others with it: they would wait for it. */
  #endedAs(id: string, code: number | null): void {
    const isOver = code === EXIT.finished || code === EXIT.interrupted;
    if (isOver || this.#isEnding) return;
    const how = code === null ? "was killed" : `has ended with exit code ${code}`;
    this.#terminal.err(`trobar: ${id} ${how}; the others end, and the same command goes on\n`);
    this.#isEnding = true;
    for (const child of this.#children) child.interrupt();
  }

  #heard(number: number, line: string): void {
    const event = eventIn(line);
    const id = `agent-${number}`;
    if (event === null) this.#terminal.err(`${id}: ${printable(line)}\n`);
    else {
      const { event: kind, address } = event;
      if (number === 1 && kind === "listening") this.#listens(String(address));
      if (kind === "progress") this.#progress.set(number, event);
      if (!this.#terminal.isLive) this.#passOn(id, event);
      else if (kind === "trouble") this.#terminal.err(`trobar: ${id}: ${event["message"]}\n`);
      else if (kind === "progress" && number === 1 && !this.#isQuiet) this.#tellProgress();
    }
  }

  #passOn(id: string, event: Event): void {
    if (this.#isQuiet && event["event"] !== "trouble") return;
    this.#terminal.err(`${JSON.stringify({ agent: id, ...event })}\n`);
  }

  #tellProgress(): void {
    const sum = (name: string): number =>
      [...this.#progress.values()].reduce((total, event) => total + Number(event[name]), 0);
    this.#terminal.err(`${plural(sum("pages"), "page")} · ${amount(sum("queued"))} queued\n`);
  }
}

function eventIn(line: string): Event | null {
  try {
    const event: unknown = JSON.parse(line);
    return typeof event === "object" && event !== null ? (event as Event) : null;
  } catch {
    return null;
  }
}

function summaryIn(written: string): readonly CrawlSummary[] {
  const summary = eventIn(written);
  return summary === null ? [] : [summary as unknown as CrawlSummary];
}
