/**
 * Skips the extensions of a chunk, `;name=value;name="quoted value"`, byte by byte. They are not
 * used, but checked, because a line end hidden in one would shift every byte after it.
 */
import { BYTE_KINDS, EQUALS, IN_NAME, IN_VALUE, QUOTE, SEMICOLON } from "./byte-kinds.ts";

const BACKSLASH = 92;

/** The place of the next byte in an extension. */
export type ExtensionStep = "start" | "name" | "value" | "token" | "quoted" | "escape" | "after";

/** The step after this byte; null if the byte is not allowed there. */
export function extensionStep(step: ExtensionStep, byte: number): ExtensionStep | null {
  const kind = BYTE_KINDS[byte] as number;
  const isToken = (kind & IN_NAME) !== 0;
  switch (step) {
    case "start":
      return isToken ? "name" : null;
    case "name":
      if (byte === EQUALS) return "value";
      if (byte === SEMICOLON) return "start";
      return isToken ? "name" : null;
    case "value":
      if (byte === QUOTE) return "quoted";
      return isToken ? "token" : null;
    case "token":
      if (byte === SEMICOLON) return "start";
      return isToken ? "token" : null;
    case "quoted":
      if (byte === QUOTE) return "after";
      if (byte === BACKSLASH) return "escape";
      return (kind & IN_VALUE) !== 0 ? "quoted" : null;
    case "escape":
      return (kind & IN_VALUE) !== 0 ? "quoted" : null;
    default:
      return byte === SEMICOLON ? "start" : null;
  }
}

/** Whether the line may end here. */
export function mayEndAt(step: ExtensionStep): boolean {
  return step === "name" || step === "token" || step === "after";
}
