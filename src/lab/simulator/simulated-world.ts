/**
 * The world of the conformance suites, simulated: waiting for an answer runs the kernel until it has
 * come. Where a real world would hang, this one says that nothing is left to happen.
 */
import type { World } from "../conformance/index.ts";
import type { Kernel, RunLimits } from "./kernel/kernel.ts";

const LIMITS: RunLimits = { stepsMax: 1_000_000, virtualMsMax: 86_400_000 };

export function simulatedWorld(kernel: Kernel): World {
  return {
    answer: async <Value>(start: (answered: (value: Value) => void) => void): Promise<Value> => {
      const answers: Value[] = [];
      start((value) => answers.push(value));
      const end = kernel.runUntil(() => answers.length > 0, LIMITS);
      if (end !== "done") {
        throw new Error(
          `The simulated world gave no answer: ${end} at ${kernel.nowMs} ms of virtual time.`,
        );
      }
      return answers[0] as Value;
    },
  };
}
