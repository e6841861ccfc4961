/**
 * An agent that this process has started, as a process of its own. It hears of interruptions by a channel, as
 * from a launcher: an interruption from the keyboard is for the process that has started it, and when that
 * is gone the agent ends in order.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface AgentEnd {
  /** Null if a signal has ended it. */
  readonly code: number | null;
  /** What it has written to standard output. */
  readonly written: string;
}

export class ChildAgent {
  readonly #child: ChildProcess;
  #written = "";

  /** `heard` is called with each line of its standard error. */
  constructor(args: readonly string[], heard: (line: string) => void) {
    const [node = "", program = ""] = process.argv;
    this.#child = spawn(node, [...process.execArgv, program, ...args], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    this.#send({ launcher: process.pid });
    this.#child.stdout?.on("data", (piece: Buffer) => {
      this.#written += piece;
    });
    const { stderr } = this.#child;
    if (stderr !== null) createInterface({ input: stderr }).on("line", heard);
  }

  /** Lets it end in order. */
  interrupt(): void {
    this.#send({ signal: "SIGTERM" });
  }

  async ended(): Promise<AgentEnd> {
    const [code] = (await once(this.#child, "close")) as [number | null];
    return { code, written: this.#written };
  }

  #send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}
