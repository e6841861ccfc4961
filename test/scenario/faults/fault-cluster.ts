/**
 * Agents as processes of their own, each with a directory and a `nats-server`, that crawl a small synthetic
 * web while something goes wrong. Faults wait for what the web was asked for, and for what agents say of each
 * other, never for a time.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ControlledCrawl } from "../../../src/agent/index.ts";
import { parseChecked } from "../../../src/base/folder/index.ts";
import { SeededRandom } from "../../../src/base/random/index.ts";
import type { Random } from "../../../src/base/seams/index.ts";
import { run } from "../../../src/cli/shell/run.ts";
import type { CrawlDescription } from "../../../src/lab/simweb/index.ts";
import { RecordedTerminal } from "../../support/cli/recorded-terminal.ts";
import { type AgentProcess, AgentProcesses } from "../agent-processes.ts";
import { crawlFlags, FAULTY_WEB, mannersOf } from "./faulty-web.ts";
import { JudgedWeb } from "./judged-web.ts";
import { Losses } from "./losses.ts";

export interface ClusterPlan {
  readonly seed: string;
  /** How many agents are there when the crawl begins. */
  readonly agents: number;
  /** Keys of `cluster`: after which silence others are suspected, dead, and given up. */
  readonly times: readonly string[];
  readonly hostDelayMs: number;
  /** Further flags of every agent. */
  readonly flags: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string>>;
type ClusterReport = Awaited<ReturnType<ControlledCrawl["cluster"]>>;
type MemberReport = ClusterReport["members"][number];

const HEARTBEAT_MS = 200;
const SAID_MAX = 4000;
/** What follows a checkpoint is in flight, or lies in logs that are replayed. */
const CHECKPOINTS_MS = [150, 3000];
/** A fault comes less than this after what was waited for: between two requests an agent does most. */
const LATER_MS = 200;
/** Agents do not tell when they have come to see something. */
const LOOK_MS = 250;

export class FaultCluster {
  readonly web: JudgedWeb;
  readonly random: Random;
  /** How the web is to be visited. */
  readonly manners: CrawlDescription;
  readonly losses: Losses = new Losses();
  readonly agents: AgentProcesses;
  readonly ids: readonly string[];
  readonly #folder: string;
  readonly #doomed = new Set<AgentProcess>();
  /** Those that are to end with the crawl. */
  readonly #running = new Map<string, AgentProcess>();

  private constructor(plan: ClusterPlan, web: JudgedWeb, folder: string) {
    const { seed, agents, times, hostDelayMs, flags } = plan;
    this.random = new SeededRandom(seed);
    this.web = web;
    this.ids = Array.from({ length: agents }, (_, at) => `a${at}`);
    this.manners = mannersOf(hostDelayMs);
    this.#folder = folder;
    const checkpointMs = CHECKPOINTS_MS[this.random.below(CHECKPOINTS_MS.length)];
    const settings = [
      ...[...times, `heartbeat=${HEARTBEAT_MS}ms`].map((time) => `cluster.${time}`),
      `store.checkpoint=${checkpointMs}ms`,
    ];
    this.agents = new AgentProcesses(folder, [
      ...crawlFlags(web.facts, hostDelayMs),
      ...settings.flatMap((setting) => ["--set", setting]),
      ...flags,
    ]);
  }

  static async open(plan: ClusterPlan): Promise<FaultCluster> {
    const web = await JudgedWeb.open({ ...FAULTY_WEB, seed: plan.seed });
    return new FaultCluster(plan, web, mkdtempSync(join(tmpdir(), "trobar-faults-")));
  }

  /** Those that run, or are to go on. */
  get running(): ReadonlyMap<string, AgentProcess> {
    return this.#running;
  }

  /** Starts the agents that the crawl begins with, which join the first of them. */
  async begin(): Promise<void> {
    const [first = "", ...others] = this.ids;
    const founder = this.found(first);
    const address = await founder.address();
    for (const id of others) this.join(id, [address]);
  }

  found(id: string, environment: Environment = {}): AgentProcess {
    const args = ["--expect", `${this.ids.length}`, this.web.facts.seed];
    return this.#started(id, this.agents.start(id, args, environment));
  }

  join(id: string, addresses: readonly string[], environment: Environment = {}): AgentProcess {
    const args = ["--join", addresses.join(",")];
    return this.#started(id, this.agents.start(id, args, environment));
  }

  /** By the command that has started it. */
  startAgain(id: string, environment: Environment = {}): AgentProcess {
    return this.#started(id, this.agents.startAgain(id, environment));
  }

  /** The last words of each, for people. */
  get said(): string {
    return [...this.#running]
      .map(([id, { stderr }]) => `${id}: ${stderr.slice(-SAID_MAX)}`)
      .join("\n");
  }

  agent(id: string): AgentProcess {
    return this.#running.get(id) ?? assert.fail(`${id} runs`);
  }

  folderOf(id: string): string {
    return this.agents.folderOf(id);
  }

  /** Its standard output and error from now on are nobody's concern. */
  gone(id: string): void {
    this.#running.delete(id);
  }

  /** Resolves when a part of the pages was asked for. */
  async moment(): Promise<void> {
    const { pages, laterMs } = this.#moment();
    await this.web.pages(pages);
    await setTimeout(laterMs);
  }

  /** Sends a signal at such a moment. */
  async strike(ids: readonly string[], signal: NodeJS.Signals): Promise<void> {
    const processes = ids.map((id) => this.agent(id).id);
    await this.web.strike({ ...this.#moment(), processes, signal });
  }

  /** Agents that run, chosen by the seed. */
  victims(count: number): readonly string[] {
    return this.mixed([...this.#running.keys()]).slice(0, count);
  }

  mixed(ids: readonly string[]): readonly string[] {
    const left = [...ids];
    return ids.map(() => left.splice(this.random.below(left.length), 1)[0] ?? "");
  }

  /** All at one moment; resolves when they have ended. */
  async kill(ids: readonly string[]): Promise<void> {
    await this.strike(ids, "SIGKILL");
    for (const id of ids) {
      const agent = this.agent(id);
      await agent.end();
      assert.equal(agent.signal, "SIGKILL", `${id}: ${agent.stderr}`);
      this.gone(id);
    }
    await this.died();
  }

  /** It is to end by itself, like one that is killed; resolves when it has. */
  async doomed(id: string): Promise<void> {
    const agent = this.agent(id);
    this.#doomed.add(agent);
    await agent.end();
    if (!this.#doomed.has(agent) || agent.signal !== "SIGKILL") return;
    this.gone(id);
    await this.died();
  }

  /** It is to go on after all. */
  spared(id: string): void {
    this.#doomed.delete(this.agent(id));
  }

  /** A process has just ended with what it had in flight. */
  async died(): Promise<void> {
    const folders = [...this.agents.ids].map((id) => this.folderOf(id));
    this.losses.killed(await this.web.nowMs(), folders);
  }

  /** The process number of an agent's server. */
  serverOf(id: string): number {
    return Number(readFileSync(join(this.folderOf(id), "mesh", "server.pid"), "utf8"));
  }

  /** Which life of its disk an agent is in. */
  incarnationOf(id: string): number {
    const file = join(this.folderOf(id), "cluster", "members");
    return Number(parseChecked(readFileSync(file, "utf8"), "must-have")?.["incarnation"]);
  }

  /** What a command prints as JSON, line by line; null if it ends with another exit code than 0. */
  async ask(through: string, ...words: readonly string[]): Promise<readonly Row[] | null> {
    const { code, terminal } = await this.#command(through, words);
    return code === 0 ? terminal.rows() : null;
  }

  /** For a command that must succeed. */
  async tell(through: string, ...words: readonly string[]): Promise<void> {
    const { code, terminal } = await this.#command(through, words);
    assert.equal(code, 0, `${words.join(" ")} through ${through}: ${terminal.said}`);
  }

  /** Resolves when an agent sees it so; looks again and again. */
  async seen(through: string, isSo: (report: ClusterReport) => boolean): Promise<void> {
    await this.until(async () => {
      const [report] = (await this.ask(through, "peers")) ?? [];
      return report !== undefined && isSo(report as unknown as ClusterReport);
    });
  }

  /** Resolves when all that run take part, and agree on that. */
  async together(): Promise<void> {
    for (const id of this.#running.keys()) {
      await this.seen(id, ({ members, views }) => {
        const active = members.filter(
          ({ standing, inRing, status }) =>
            standing === "alive" && inRing && status?.state === "active",
        );
        return active.length === this.#running.size && views === 1;
      });
    }
  }

  /** Whether an agent sees that nothing is left to do for any of those that run. */
  async areIdle(through: string): Promise<boolean> {
    const [report] = (await this.ask(through, "peers")) ?? [];
    if (report === undefined) return false;
    const { members, missing, views } = report as unknown as ClusterReport;
    const idle = members.filter(
      ({ status, standing }) =>
        standing === "alive" && status?.idle === true && status.pending === 0,
    );
    return idle.length === this.#running.size && missing.length === 0 && views === 1;
  }

  /** Resolves when an agent sees others in this standing. */
  async stand(
    through: string,
    others: readonly string[],
    standing: MemberReport["standing"],
  ): Promise<void> {
    await this.seen(through, ({ members }) =>
      others.every((id) => members.some((one) => one.agent === id && one.standing === standing)),
    );
  }

  async until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) {
      const ended = [...this.#running.values()].find(
        (agent) => agent.hasEnded && !this.#doomed.has(agent),
      );
      assert.equal(ended, undefined, `it ended too soon: ${ended?.stderr}`);
      await setTimeout(LOOK_MS);
    }
  }

  async close(): Promise<void> {
    this.agents.close();
    await this.web.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Some pages were asked for by then, and not most. */
  #moment(): { readonly pages: number; readonly laterMs: number } {
    const pages = Math.round(this.web.facts.due * (0.1 + 0.4 * this.random.unit()));
    return { pages, laterMs: this.random.below(LATER_MS) };
  }

  async #command(
    through: string,
    words: readonly string[],
  ): Promise<{ readonly code: number; readonly terminal: RecordedTerminal }> {
    const terminal = new RecordedTerminal();
    const code = await run([...words, "--json", "-o", this.folderOf(through)], terminal);
    return { code, terminal };
  }

  #started(id: string, agent: AgentProcess): AgentProcess {
    this.#running.set(id, agent);
    return agent;
  }
}
