/**
 * `trobar crawl --agents N`: a crawl by N agents on this machine. Each is a process of its own, in a folder of
 * the crawl directory; this one starts them, passes on what they say, and ends with their common summary.
 */
import { basename, join } from "node:path";
import { type CrawlSummary, RestingCrawl } from "../../agent/index.ts";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { findCrawl } from "../control/find-crawl.ts";
import type { CrawlArguments } from "../crawl/crawl-arguments.ts";
import { exitCode, tellEnd } from "../crawl/crawl-end.ts";
import { amount, plural } from "../crawl/figures.ts";
import { startingOver } from "../crawl/starting-over.ts";
import { type WholeJson, wholeText } from "../crawl/whole-crawl.ts";
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
/** Each agent is given another, or none. */
const OF_EACH = ["cluster.id", "cluster.join", "cluster.listen", "cluster.nats"];

/** `folder` is that of the crawl; the agents have folders in it. */
export async function crawlTogether(
  { given, args, folder }: { given: TogetherArguments; args: readonly string[]; folder: string },
  terminal: Terminal,
): Promise<number> {
  const count = agentsWanted(given);
  checkFolder(folder, count);
  await startingOver(folder, given, terminal)?.();
  const known = agentFolders(folder);
  const first = firstOf(known);
  const agents = new Together(folder, first, terminal, given.has("quiet"));
  void terminal.untilInterrupted().then(() => agents.interrupt());
  const { founding, joining } = argumentsOf(args, given, count);
  const leader = agents.start(first, founding);
  const address = await Promise.race([agents.listening, leader.then(() => null)]);
  for (let number = 1; number <= count; number += 1) {
    if (number === first || address === null || agents.isEnding) continue;
    const own = ["--join", address, "--set", "api.port=auto"];
    void agents.start(number, [...likeFirst(known, join(folder, `${number}`)), ...joining, ...own]);
  }
  const { code, summary } = await agents.ended();
  if (summary === null) return code ?? EXIT.unexpected;
  const folders = agentFolders(folder);
  const configuration = settingsIn(folders) ?? given.configuration;
  tellEnd(
    {
      ...{ summary, folder, folders, configuration, args, command: "crawl", pagesBefore: null },
      ...{ output: null, isJson: given.has("json") },
    },
    terminal,
  );
  return code ?? exitCode(summary);
}

/** With which the crawl has ended; null if nobody has recorded them. */
function settingsIn([first]: readonly string[]): Configuration | null {
  return first === undefined ? null : CrawlDirectory.configurationOf(first);
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
    ...OF_EACH.filter((key) => given.locations.has(key)).map(
      (key) =>
        `${key} is for an agent that is started by itself; leave it out, or use trobar agent.`,
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
    if (CrawlDirectory.isOfAgent(folder)) throw isOfAgent(folder);
    throw new CrawlError(
      "CLUSTER_WHOLE_CRAWL",
      `The crawl in ${quoted(folder)} is a whole one, of a single agent. Go on with it without --agents, or ` +
        "name another directory with --out.",
    );
  }
  // One whose directory is lost is an agent too.
  const folders = agentFolders(folder);
  const [within, beyond] = [true, false].map((isWithin) =>
    folders.filter((one) => numberOf(one) <= count === isWithin),
  ) as [string[], string[]];
  const needed = beyond.filter((one) => !RestingCrawl.isGivenUpBy(within, one));
  if (needed.length === 0) return;
  const known = Math.max(...needed.map(numberOf));
  throw new CrawlError(
    "USAGE_BAD_FLAG_VALUE",
    `The crawl in ${quoted(folder)} is shared by ${plural(known, "agent")}, of which none may stay away: ` +
      `give --agents ${known} or more, or name another directory with --out.`,
  );
}

function isOfAgent(folder: string): CrawlError {
  return new CrawlError(
    "CLUSTER_PART_CRAWL",
    `The crawl in ${quoted(folder)} is the part of an agent. Name the directory that has those of all ` +
      "agents, or go on with this one by `trobar agent`.",
  );
}

/** Whom the others join: one that knows the crawl, if any does. The first may have lost its directory. */
function firstOf([first]: readonly string[]): number {
  return first === undefined ? 1 : numberOf(first);
}

/** Who comes to a crawl that goes on is set as the first agent is, where nothing else is given. */
function likeFirst(known: readonly string[], agentFolder: string): readonly string[] {
  const [first] = known;
  const isNew = first !== undefined && !known.includes(agentFolder);
  return isNew ? [`--config=${join(first, "config.yaml")}`] : [];
}

function numberOf(agentFolder: string): number {
  return Number(basename(agentFolder));
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
  // All are started by one command, so what it says counts.
  joining.push("--change");
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
  /** The number of the first agent. */
  readonly #first: number;
  readonly #terminal: Terminal;
  readonly #isQuiet: boolean;
  readonly #children = new Map<number, ChildAgent>();
  readonly #ends: Promise<AgentEnd>[] = [];
  /** Those who take part in the crawl, and hear how it goes on. */
  readonly #begun = new Set<number>();
  /** The last figures of each. */
  readonly #progress = new Map<number, Event>();
  #isEnding = false;

  constructor(folder: string, first: number, terminal: Terminal, isQuiet: boolean) {
    this.#folder = folder;
    this.#first = first;
    this.#terminal = terminal;
    this.#isQuiet = isQuiet;
    const { promise, resolve: listens } = Promise.withResolvers<string>();
    this.listening = promise;
    this.#listens = listens;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  start(number: number, args: readonly string[]): Promise<AgentEnd> {
    const id = `agent-${number}`;
    const own = ["agent", "--json", "--id", id, "--out", join(this.#folder, String(number))];
    const child = new ChildAgent([...own, ...args], (line) => this.#heard(number, line));
    const end = child.ended();
    this.#children.set(number, child);
    this.#ends.push(end);
    void end.then(({ code }) => this.#endedAs(id, code));
    return end;
  }

  /** All agents stop together, if they can be asked; else each by itself. */
  async interrupt(): Promise<void> {
    this.#isEnding = true;
    try {
      const first = join(this.#folder, `${this.#first}`);
      const { client } = await findCrawl(
        { value: (flag) => (flag === "out" ? first : null) },
        this.#terminal,
      );
      if (client === null) throw new CrawlError("CONTROL_NOT_RUNNING", "It cannot be asked yet.");
      await client.ask("POST", "/control", { action: "stop" });
      this.#interruptUnmet();
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      this.#interruptAll();
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

  #interruptAll(): void {
    for (const child of this.#children.values()) child.interrupt();
  }

  /** The crawl is over for those who take part in it; the others would look for them for ever. */
  #interruptUnmet(): void {
    for (const [number, child] of this.#children) {
      if (!this.#begun.has(number)) child.interrupt();
    }
  }

  /** One that fails takes the others with it: they would wait for it. */
  #endedAs(id: string, code: number | null): void {
    const isOver = code === EXIT.finished || code === EXIT.interrupted;
    if (isOver) this.#interruptUnmet();
    if (isOver || this.#isEnding) return;
    const how = code === null ? "was killed" : `has ended with exit code ${code}`;
    this.#terminal.err(`trobar: ${id} ${how}; the others end, and the same command goes on\n`);
    this.#isEnding = true;
    this.#interruptAll();
  }

  #heard(number: number, line: string): void {
    const event = eventIn(line);
    const id = `agent-${number}`;
    if (event === null) this.#terminal.err(`${id}: ${printable(line)}\n`);
    else {
      const { event: kind, address } = event;
      if (number === this.#first && kind === "listening") this.#listens(String(address));
      if (kind === "started") this.#begun.add(number);
      if (kind === "progress") this.#progress.set(number, event);
      if (!this.#terminal.isLive) this.#passOn(id, event);
      else if (kind === "trouble") this.#terminal.err(`trobar: ${id}: ${event["message"]}\n`);
      else if (kind === "progress" && number === this.#first && !this.#isQuiet)
        this.#tellProgress(event);
    }
  }

  #passOn(id: string, event: Event): void {
    if (this.#isQuiet && event["event"] !== "trouble") return;
    this.#terminal.err(`${JSON.stringify({ agent: id, ...event })}\n`);
  }

  /** What all have done; what each says of itself until the first of them knows that. */
  #tellProgress({ whole }: Event): void {
    if (whole !== undefined) {
      this.#terminal.err(`${wholeText(whole as WholeJson)}\n`);
      return;
    }
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
