/**
 * One life of a managed server, from its start to its end.
 *
 * It runs under a guard, a few lines of shell that read from a pipe of this process: a line asks the server
 * to end, and the end of the pipe kills it. So it does not outlive this process, even one that is killed.
 * It has a session of its own: an interruption from the keyboard is for the agent, which needs its server
 * to say farewell. Where there is no shell (Windows) what a killed agent leaves is ended at its next start.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { removeFile } from "../../folder/index.ts";
import type { Clock } from "../../seams/index.ts";
import { printable } from "../../text/index.ts";
import type { ServerFiles } from "./server-configuration.ts";

export interface ServerStart {
  readonly program: string;
  /** The path of its configuration. */
  readonly configuration: string;
  readonly files: ServerFiles;
  readonly clock: Clock;
}

export interface ServerPorts {
  readonly client: number;
  readonly routes: number;
}

export interface StartedServer {
  readonly server: RunningServer;
  readonly ports: ServerPorts;
}

/** A server that is not ready by then is ended. */
const READY_MS_MAX = 20_000;
const LOOK_MS = 5;
/** A server that is asked to end and does not is killed. */
const STOP_MS_MAX = 2000;
const REASON_LENGTH_MAX = 500;

const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ if read -r word <&3; then kill -TERM $server; read -r word <&3; fi; kill -KILL $server; } 2>/dev/null &
guard=$!
exec 3<&-
wait $server
code=$?
kill -KILL $guard
exit $code`;

export class RunningServer {
  /** Resolves when it has ended, however that came. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #start: ServerStart;
  #isEnded = false;

  private constructor(start: ServerStart) {
    this.#start = start;
    this.#child = spawned(start);
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#isEnded = true;
        resolve();
      };
      this.#child.once("exit", end).once("error", end);
    });
    this.#child.stdin?.on("error", () => undefined);
  }

  /** Resolves when it is ready; to a text if it ended before, which says why. */
  static async start(start: ServerStart): Promise<StartedServer | string> {
    for (const name of portsFiles(start)) removeFile(join(start.files.ports, name));
    const server = new RunningServer(start);
    const ports = await server.#ready();
    return ports === null ? lastWords(start) : { server, ports };
  }

  /** Asks it to end, and kills it if it does not. */
  async stop(): Promise<void> {
    this.#child.stdin?.write("stop\n");
    if (this.#child.stdin === null) this.#child.kill();
    const patience = this.#start.clock.after(STOP_MS_MAX, () => this.kill());
    await this.ended;
    patience.cancel();
  }

  /** With its guard, which may be stopped too. */
  kill(): void {
    const { pid, stdin } = this.#child;
    if (stdin === null || pid === undefined) this.#child.kill("SIGKILL");
    else if (!this.#isEnded) killGroup(pid);
  }

  /** Null if it has ended. */
  async #ready(): Promise<ServerPorts | null> {
    const { clock } = this.#start;
    const patience = clock.after(READY_MS_MAX, () => this.kill());
    let ports: ServerPorts | null = null;
    while (ports === null && !this.#isEnded) {
      await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
      ports = portsIn(this.#start);
    }
    patience.cancel();
    return this.#isEnded ? null : ports;
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** What it says before it has a log goes where its log goes. */
function spawned({ program, configuration, files }: ServerStart): ChildProcess {
  const said = openSync(files.log, "a", 0o600);
  try {
    const command = [program, "-c", configuration];
    return process.platform === "win32"
      ? spawn(program, ["-c", configuration], { stdio: ["ignore", said, said] })
      : spawn("/bin/sh", ["-c", GUARD, "trobar-mesh", ...command], {
          stdio: ["pipe", said, said],
          detached: true,
        });
  } finally {
    closeSync(said);
  }
}

function portsFiles({ files }: ServerStart): readonly string[] {
  return readdirSync(files.ports).filter((name) => name.endsWith(".ports"));
}

/** Null if the server is not ready. */
function portsIn(start: ServerStart): ServerPorts | null {
  const [name] = portsFiles(start);
  if (name === undefined) return null;
  try {
    const text = readFileSync(join(start.files.ports, name), "utf8");
    const { nats, cluster } = JSON.parse(text) as Record<"nats" | "cluster", readonly string[]>;
    return { client: portOf(nats), routes: portOf(cluster) };
  } catch {
    // It is being written.
    return null;
  }
}

function portOf([url = ""]: readonly string[]): number {
  return Number(/:(\d+)$/.exec(url)?.[1] ?? Number.NaN);
}

/** Why a server has ended, by the last line of its log that tells. */
function lastWords({ files }: ServerStart): string {
  const lines = readFileSync(files.log, "utf8").trimEnd().split("\n");
  const line = lines.findLast((text) => /\[(?:FTL|ERR)\]/.test(text)) ?? lines.at(-1) ?? "";
  const words = line.replace(/^.*\[(?:FTL|ERR)\] /, "").slice(0, REASON_LENGTH_MAX);
  return words === "" ? "it says nothing" : printable(words);
}
