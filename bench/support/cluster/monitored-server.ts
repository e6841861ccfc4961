/**
 * A `nats-server` that can be asked what passed through it: the real one, with a line more in its
 * configuration. It tells its ports, that of its monitor among them, in the folder of its agent.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const MONITORED = `#!/bin/sh
if [ "$1" = -c ]; then echo 'http: "127.0.0.1:-1"' >> "$2"; fi
PATH="$PATH_FOR_BENCH" exec nats-server "$@"
`;

/** Since it was started. */
export interface Passed {
  readonly messages: number;
  readonly bytes: number;
}

export class MonitoredServer {
  /** Of an agent whose server is monitored. */
  readonly environment: Readonly<Record<string, string>>;

  /** Makes the folder. */
  constructor(folder: string) {
    mkdirSync(folder);
    writeFileSync(join(folder, "nats-server"), MONITORED, { mode: 0o755 });
    const path = [process.env["PATH"] ?? "", "/usr/sbin", "/usr/local/sbin"].join(delimiter);
    this.environment = { PATH_FOR_BENCH: path, PATH: [folder, path].join(delimiter) };
  }
}

/** The number of the server's process, by the directory of its agent. */
export function serverProcess(agent: string): number {
  return Number(readFileSync(join(agent, "mesh", "server.pid"), "utf8"));
}

/** What the server has handed to its agent and to other servers. */
export async function passedThrough(agent: string): Promise<Passed> {
  const mesh = join(agent, "mesh");
  const name = readdirSync(mesh).find((each) => each.endsWith(".ports")) ?? "";
  const { monitoring } = JSON.parse(readFileSync(join(mesh, name), "utf8"));
  const answer = await fetch(`${monitoring[0]}/varz`);
  const { out_msgs: messages, out_bytes: bytes } = (await answer.json()) as {
    readonly out_msgs: number;
    readonly out_bytes: number;
  };
  return { messages, bytes };
}
