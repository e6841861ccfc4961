/** Promises of any make: what an author's function gives may come from a library with its own. */

/** Null if the value is no promise. */
export function promised<Value>(given: Value | PromiseLike<Value>): Promise<Value> | null {
  // Most calls give nothing, and there is one for each item.
  if (given === undefined || given === null) return null;
  if (given instanceof Promise) return given;
  const { then } = given as { readonly then?: unknown };
  return typeof then === "function" ? Promise.resolve(given) : null;
}
