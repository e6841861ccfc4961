/** Agents of one cluster as processes of their own, each with a directory and a server, on loopback. */
import assert from "node:assert/strict";
import { linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { CONFIGURATION_SCHEMA } from "../../src/rules/config/index.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

/** Agents meet and part soon, and a busy machine makes nobody seem dead. */
export const QUICK: readonly string[] = [
  ...["cluster.heartbeat=200ms", "cluster.suspectAfter=5s", "cluster.deadAfter=20s"],
  "cluster.giveUpAfter=60s",
].flatMap((setting) => ["--set", setting]);

/** Of the flags of a crawl, those that every agent has of its own. */
export function localFlags(flags: readonly string[]): readonly string[] {
  const isLocal = (key: string): boolean =>
    CONFIGURATION_SCHEMA.find(key)?.key.reach === "local" ||
    ["--lanes", "--min-free-disk"].includes(key);
  return flags.flatMap((flag, at) => {
    const [key = ""] = flag === "--set" ? (flags[at + 1] ?? "").split("=") : [flag];
    return isLocal(key) ? [flag, flags[at + 1] ?? ""] : [];
  });
}

/** For agents that have lanes of their own. */
export function withoutLanes(flags: readonly string[]): readonly string[] {
  return flags.filter((flag, at) => flag !== "--lanes" && flags[at - 1] !== "--lanes");
}

export class AgentProcesses {
  readonly #folder: string;
  readonly #own: readonly string[];
  readonly #started = new Map<string, AgentProcess>();
  readonly #args = new Map<string, readonly string[]>();

  /** Directories of agents lie in `folder`; `own` are flags that each agent is given. */
  constructor(folder: string, own: readonly string[]) {
    this.#folder = folder;
    this.#own = own;
  }

  /** Its directory has the name of its id unless one is named. */
  start(
    id: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    directory: string = id,
  ): AgentProcess {
    this.#args.set(id, args);
    const agent = new AgentProcess(
      ["agent", "--json", "--id", id, "-o", this.folderOf(directory), ...this.#own, ...args],
      { ...this.environment, ...environment },
    );
    this.#started.set(id, agent);
    return agent;
  }

  /** By the command that has started it. */
  startAgain(id: string, environment: Readonly<Record<string, string>> = {}): AgentProcess {
    return this.start(id, this.#args.get(id) ?? [], environment);
  }

  /** Of all that were ever started. */
  get ids(): readonly string[] {
    return [...this.#started.keys()];
  }

  /** The first agent and those that join it; resolves with all of them when the first one listens. */
  async startAll(
    ids: readonly string[],
    founding: readonly string[],
    joining: readonly string[] = [],
  ): Promise<readonly AgentProcess[]> {
    const [first = "", ...others] = ids;
    const founder = this.start(first, [...founding, "--expect", String(ids.length)]);
    const address = await founder.address();
    return [founder, ...others.map((id) => this.start(id, ["--join", address, ...joining]))];
  }

  /** Keeps what is the user's apart from the user of this machine, and has a bug tell where it is. */
  get environment(): Readonly<Record<string, string>> {
    return { XDG_STATE_HOME: join(this.#folder, "state"), TROBAR_DEBUG: "1" };
  }

  folderOf(id: string): string {
    return join(this.#folder, id);
  }

  /** A directory with the archives of all agents whose directories are there. */
  merged(): string {
    const all = join(this.#folder, "all");
    mkdirSync(join(all, "warc"), { recursive: true });
    for (const id of this.#started.keys()) {
      const warc = join(this.folderOf(id), "warc");
      for (const name of filesIn(warc)) linkSync(join(warc, name), join(all, "warc", name));
    }
    return all;
  }

  /** Kills what a failed test has left. */
  close(): void {
    for (const agent of this.#started.values()) agent.kill("SIGKILL");
  }
}

export class AgentProcess extends TrobarProcess {
  /** Where others can join it. */
  async address(): Promise<string> {
    await this.said('"event":"listening"');
    const { address } = this.events().find(({ event }) => event === "listening") ?? {};
    assert.ok(typeof address === "string", this.stderr);
    return address;
  }

  /** What it has said until now, line by line; what is no JSON is left out. */
  events(): readonly Readonly<Record<string, unknown>>[] {
    return this.stderr.split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line) as Readonly<Record<string, unknown>>];
      } catch {
        return [];
      }
    });
  }

  /** Resolves with its summary; it must have ended with this exit code. */
  async ended(code: number): Promise<CrawlSummary> {
    assert.equal(await this.end(), code, this.stderr);
    return JSON.parse(this.stdout);
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
