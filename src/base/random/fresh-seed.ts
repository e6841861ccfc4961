/** The only source of true randomness: an unguessable seed, to be printed and kept. */
import { randomBytes } from "node:crypto";

/** Twenty hexadecimal digits, different at every call. */
export function freshSeed(): string {
  return randomBytes(10).toString("hex");
}
