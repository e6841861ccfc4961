/**
 * What the agents of a crawl share besides its identity, as text: the configuration, but for seeds, which
 * they share in another way, and whether the crawl runs.
 */
import {
  type Configuration,
  readConfiguration,
  writeConfiguration,
} from "../../../rules/config/index.ts";

export type SharedState = "running" | "paused" | "stopped";

export interface Shared {
  readonly configuration: Configuration;
  readonly state: SharedState;
  /** Whether fetches in flight are given up by the stop. */
  readonly isUrgent?: boolean;
}

const STATES: ReadonlySet<string> = new Set(["running", "paused", "stopped"]);

export function printShared({ configuration, state, isUrgent = false }: Shared): string {
  return JSON.stringify({
    state,
    isUrgent,
    keys: writeConfiguration({ ...configuration, seeds: [] }),
  });
}

/** Null for what no agent of this version has printed. */
export function parseShared(text: string): Shared | null {
  const { state, keys, isUrgent } = fieldsOf(text);
  if (typeof keys !== "string" || !STATES.has(String(state))) return null;
  const file = { path: "the configuration of the crawl", bytes: Buffer.from(keys), isOwn: true };
  const reading = readConfiguration({ files: [file] });
  if (!reading.ok) return null;
  const { configuration } = reading;
  return { configuration, state: state as SharedState, isUrgent: isUrgent === true };
}

interface Fields {
  readonly state?: unknown;
  readonly keys?: unknown;
  readonly isUrgent?: unknown;
}

function fieldsOf(text: string): Fields {
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === "object" && fields !== null ? fields : {};
  } catch {
    return {};
  }
}
