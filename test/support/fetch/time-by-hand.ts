/**
 * Time that passes only when a test says so, for fetches over real sockets. Bytes travel as they
 * do; limits of time are reached after the bytes of the test have arrived, on a machine of any speed.
 */
import { Kernel } from "../../../src/lab/simulator/index.ts";

export function timeByHand(): Kernel {
  return new Kernel({ seed: "time by hand" });
}

/** Waits, turn by turn of the event loop, until it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** Lets time pass in steps, with a turn of the event loop after each, until something has come. */
export async function passUntil<Value>(
  time: Kernel,
  coming: Promise<Value>,
  step: { readonly ms: number; readonly before?: () => void },
): Promise<Value> {
  let hasCome = false;
  const noticed = coming.finally(() => {
    hasCome = true;
  });
  while (!hasCome) {
    step.before?.();
    await turn();
    time.pass(step.ms);
    await turn();
  }
  return await noticed;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
