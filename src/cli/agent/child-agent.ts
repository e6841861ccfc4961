/**
 * An agent that this process has started, as a process of its own. It hears of interruptions by a channel, as
 * from a launcher: an interruption from the keyboard is for the process that has started it, and when that
 * is gone the agent ends in order.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { EXIT } from "../shell/exit-code.ts";

export interface AgentEnd {
  /** Null if a signal has ended it. */
  readonly code: number | null;
  /** What it has written to standard output. */
  readonly written: string;
}

export class ChildAgent {
  readonly #child: ChildProcess;
  #written = "";
  #isInterrupted = false;

  /** `heard` is called with each line of its standard error. */
  constructor(args: readonly string[], heard: (line: string) => void) {
    const [node = "", program = ""] = process.argv;
    this.#child = spawn(node, [...process.execArgv, program, ...args], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    this.#send({ launcher: process.pid });
    this.#child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      this.#written += piece;
    });
    const { stderr } = this.#child;
    if (stderr !== null) createInterface({ input: stderr }).on("line", heard);
  }

  /** Lets it end in order. Once: a second request would end it at once. */
  interrupt(): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.#send({ signal: "SIGTERM" });
  }

  async ended(): Promise<AgentEnd> {
    const [code, signal] = (await once(this.#child, "close")) as [number | null, string | null];
    // One that has only just been started does not hear of it yet, and is ended by the signal.
    const isEarly = this.#isInterrupted && signal === "SIGTERM";
    return { code: isEarly ? EXIT.interrupted : code, written: this.#written };
  }

  #send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}
