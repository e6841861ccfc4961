/** The one door to true chance: a seed nobody could guess, to be printed and kept. */
import { randomBytes } from "node:crypto";

/** Twenty hexadecimal digits, different at every call. */
export function freshSeed(): string {
  return randomBytes(10).toString("hex");
}
