/** Runs the steps of a gate side by side and prints, for each, how long it took and what it said. */
import { spawn } from "node:child_process";

export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The exit code for all: 0 only if every step ended with 0. Output is shown for failed steps. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const codes = await Promise.all(steps.map(runStep));
  return codes.every((code) => code === 0) ? 0 : 1;
}

async function runStep(step: Step): Promise<number> {
  const startedAtMs = performance.now();
  const { code, output } = await execute(step);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${step.name} (${seconds} s)`);
  if (code !== 0) console.log(output);
  return code;
}

function execute(step: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => resolve({ code: 1, output: `${step.command}: ${error.message}` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
