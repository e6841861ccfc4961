/** The memory that this process holds after a full collection: JavaScript's heap and what is beside it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

export function heldBytes(): number {
  // What finalizers release in the first round is freed in the second.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
