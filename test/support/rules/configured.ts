/** A configuration of assignments such as `limits.pages=10`, all else as by default. */
import assert from "node:assert/strict";
import { type Configuration, readConfiguration } from "../../../src/rules/config/index.ts";

export function configured(...assignments: readonly string[]): Configuration {
  const flags = assignments.map((text, at) => {
    return { kind: "assignment" as const, ordinal: at + 1, text };
  });
  const reading = readConfiguration({ flags });
  assert.ok(reading.ok, JSON.stringify(reading.ok ? "" : reading.mistakes));
  return reading.configuration;
}
