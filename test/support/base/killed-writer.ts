/**
 * A writer that is killed: it runs until it has made a number of acknowledgements, and then some
 * turns of this process's event loop longer, so that the kill comes at any moment.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Random } from "../../../src/base/seams/index.ts";

export interface KilledWriter {
  /** Prints the number of each thing when it is durable, a line each. */
  readonly program: string;
  readonly root: string;
  /** The number of the first thing to write. */
  readonly first: number;
  readonly acknowledgementsMax: number;
}

/** The number of the last thing that was acknowledged. */
export async function writeUntilKilled(writer: KilledWriter, random: Random): Promise<number> {
  const { program, root, first, acknowledgementsMax } = writer;
  const child = spawn(process.execPath, [program, root, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const mercy = 1 + random.below(acknowledgementsMax);
  let turnsLeft = random.below(300);
  const kill = (): void => {
    turnsLeft -= 1;
    if (turnsLeft < 0) child.kill("SIGKILL");
    else setImmediate(kill);
  };
  let last = -1;
  let acknowledgements = 0;
  // Lines that were in the pipe before the kill are still read after it.
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    acknowledgements += 1;
    if (acknowledgements === mercy) kill();
  }
  assert.ok(acknowledgements >= mercy, "the writer wrote until it was killed");
  return last;
}
