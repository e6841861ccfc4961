/**
 * What code that is not ours threw, in words. It may throw anything: no error at all, an error whose
 * message is no text, an object that fails when it is printed. A message about it never fails.
 */
import { printable } from "./printable.ts";

const REASON_SHOWN = 200;

/** One short line that can be shown, without a full stop at its end. */
export function thrownReason(thrown: unknown): string {
  let reason: string;
  try {
    reason = String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    reason = "something that cannot be shown";
  }
  return printable((reason.split("\n", 1)[0] ?? "").slice(0, REASON_SHOWN)).replace(/\.$/, "");
}
