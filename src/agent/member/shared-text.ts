/**
 * What the agents of a crawl share besides its identity, as text: the configuration, but for seeds, which
 * they share in another way, and whether the crawl runs.
 */
import {
  type Configuration,
  readConfiguration,
  writeConfiguration,
} from "../../rules/config/index.ts";

export type SharedState = "running" | "paused" | "stopped";

export interface Shared {
  readonly configuration: Configuration;
  readonly state: SharedState;
}

const STATES: ReadonlySet<string> = new Set(["running", "paused", "stopped"]);

export function printShared({ configuration, state }: Shared): string {
  return JSON.stringify({ state, keys: writeConfiguration({ ...configuration, seeds: [] }) });
}

/** Null for what no agent of this version has printed. */
export function parseShared(text: string): Shared | null {
  const { state, keys } = fieldsOf(text);
  if (typeof keys !== "string" || !STATES.has(String(state))) return null;
  const file = { path: "the configuration of the crawl", bytes: Buffer.from(keys), isOwn: true };
  const reading = readConfiguration({ files: [file] });
  return reading.ok ? { configuration: reading.configuration, state: state as SharedState } : null;
}

function fieldsOf(text: string): { readonly state?: unknown; readonly keys?: unknown } {
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === "object" && fields !== null ? fields : {};
  } catch {
    return {};
  }
}
