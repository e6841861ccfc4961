/**
 * A crawl of an endless web by agents that are processes of their own, each with a directory and a server, or by
 * one process alone; and what it has used and said so far. The web is a process too, and ends with it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  AgentProcess,
  AgentProcesses,
  localFlags,
} from "../../../test/scenario/agent-processes.ts";
import { ApiClient } from "../../../test/scenario/api-client.ts";
import {
  ENDLESS_WEB,
  type EndlessWebOpened,
  type EndlessWebPlan,
  type EndlessWebQuestion,
  type EndlessWebSeen,
} from "./endless-web.ts";
import { MonitoredServer, passedThrough, serverProcess } from "./monitored-server.ts";
import { usedMsOf } from "./used-time-of.ts";

export interface ClusterPlan {
  /** 0 for a crawl by one process that knows of no others. */
  readonly agents: number;
  /** Of the whole crawl, and of each agent. */
  readonly flags: readonly string[];
  readonly web: Omit<EndlessWebPlan, "seeds">;
}

/** Sums over all agents since they were started. */
export interface ClusterFigures {
  readonly atMs: number;
  /** Processor time. */
  readonly agentsMs: number;
  readonly serversMs: number;
  /** URLs that agents have told others. */
  readonly told: number;
  /** Messages that agents have sent; one that goes to all counts once. */
  readonly sent: number;
  /** What servers have handed to their agents and to other servers. */
  readonly passed: number;
  readonly passedBytes: number;
}

const CACHE = resolve(import.meta.dirname, "../../../node_modules/.cache/trobar");
const POLL_MS = 500;
const NOTHING_PASSED = { messages: 0, bytes: 0 };

export class BenchCluster {
  readonly plan: ClusterPlan;
  readonly #folder: string;
  readonly #web: ChildProcess;
  readonly #agents: AgentProcesses;
  #started: readonly AgentProcess[] = [];

  /** Resolves when all agents are started; the web sees when they have met. */
  static async start(plan: ClusterPlan): Promise<BenchCluster> {
    const folder = mkdtempSync(join(tmpdir(), "bench-cluster-"));
    const seeds = join(folder, "seeds");
    const web = fork(ENDLESS_WEB, [JSON.stringify({ ...plan.web, seeds })]);
    const [{ dnsPort }] = (await once(web, "message")) as [EndlessWebOpened];
    const common = [
      ...["--allow-private", "--ignore-robots", "--min-free-disk", "0", "--no-dashboard"],
      ...["--set", `dns.servers=['127.0.0.1:${dnsPort}']`, ...plan.flags],
    ];
    const cluster = new BenchCluster(plan, { folder, web, own: localFlags(common) });
    const founding = [...common, "-i", seeds];
    if (plan.agents === 0) cluster.#startAlone(founding);
    else await cluster.#start(founding);
    return cluster;
  }

  private constructor(
    plan: ClusterPlan,
    parts: { readonly folder: string; readonly web: ChildProcess; readonly own: readonly string[] },
  ) {
    this.plan = plan;
    this.#folder = parts.folder;
    this.#web = parts.web;
    this.#agents = new AgentProcesses(parts.folder, parts.own);
  }

  #startAlone(flags: readonly string[]): void {
    const args = ["crawl", "--json", ...flags, "-o", this.#agents.folderOf("alone")];
    this.#started = [new AgentProcess(args, { NODE_COMPILE_CACHE: CACHE })];
  }

  async #start(founding: readonly string[]): Promise<void> {
    const { environment } = new MonitoredServer(join(this.#folder, "bin"));
    const given = { ...environment, NODE_COMPILE_CACHE: CACHE };
    const ids = Array.from({ length: this.plan.agents }, (_, at) => `a${at}`);
    const [first = "", ...others] = ids;
    const founder = this.#agents.start(first, [...founding, "--expect", `${ids.length}`], given);
    const address = await founder.address();
    const joined = others.map((id) => this.#agents.start(id, ["--join", address], given));
    this.#started = [founder, ...joined];
  }

  /** Looks every half second until the web has seen so much; fails when an agent ends, or after so long. */
  async until(isSo: (seen: EndlessWebSeen) => boolean, secondsMax: number): Promise<void> {
    const untilMs = performance.now() + 1000 * secondsMax;
    while (!isSo(await this.seen({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }))) {
      const ended = this.#started.find(({ hasEnded }) => hasEnded);
      if (ended !== undefined) throw new Error(`An agent has ended:\n${ended.stderr}`);
      if (performance.now() > untilMs) throw new Error(`Not ready after ${secondsMax} s.`);
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  async seen(question: EndlessWebQuestion): Promise<EndlessWebSeen> {
    this.#web.send(question);
    const [seen] = (await once(this.#web, "message")) as [EndlessWebSeen];
    return seen;
  }

  async figures(): Promise<ClusterFigures> {
    const folders = this.#agents.ids.map((id) => this.#agents.folderOf(id));
    const statuses = await statusesBy(folders[0]);
    const passed = await Promise.all(folders.map(passedThrough));
    const total = passed.reduce(
      (sum, { messages, bytes }) => ({
        ...{ messages: sum.messages + messages, bytes: sum.bytes + bytes },
      }),
      NOTHING_PASSED,
    );
    return {
      atMs: Date.now(),
      agentsMs: sumOf(this.#started.map(({ id }) => usedMsOf(id))),
      serversMs: sumOf(folders.map((folder) => usedMsOf(serverProcess(folder)))),
      told: sumOf(statuses.map(({ told }) => told)),
      sent: sumOf(statuses.map(({ sent }) => sent)),
      ...{ passed: total.messages, passedBytes: total.bytes },
    };
  }

  /** Ends all processes, in order, and removes what they have kept. */
  async close(): Promise<void> {
    for (const agent of this.#started) agent.kill("SIGTERM");
    await Promise.all(this.#started.map((agent) => agent.end()));
    this.#agents.close();
    this.#web.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface AgentStatus {
  readonly told: number;
  readonly sent: number;
}

/** Of all agents, as one of them knows them. */
async function statusesBy(folder: string | undefined): Promise<readonly AgentStatus[]> {
  if (folder === undefined) return [];
  const { body } = await new ApiClient(folder).get("/cluster");
  const { members } = body as { members: readonly { readonly status: AgentStatus | null }[] };
  return members.map(({ status }) => status ?? { told: Number.NaN, sent: Number.NaN });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
