/** The checkpoint of a simulated agent: what its parts gave for it, in one file that is replaced as a whole. */
import type { Position } from "../../base/log/index.ts";
import type { Done, Storage } from "../../base/seams/index.ts";
import type { NodeMark } from "../../cluster/node/index.ts";
import type { FrontierCheckpoint } from "../../frontier/front/index.ts";

/** What a lane gives for it. */
export interface SavedLane {
  readonly frontier: FrontierCheckpoint;
  /** Marks of the sieve of foreign links. */
  readonly foreign: string;
}

export interface SavedAgent {
  readonly lanes: readonly SavedLane[];
  readonly mark: NodeMark;
  /** The links of pages before this line are part of the checkpoint. */
  readonly pages: Position;
  /** How long the crawl had run. */
  readonly elapsedMs: number;
}

const FILE = "checkpoint";

export function readSaved(storage: Storage, done: Done<SavedAgent | null>): void {
  storage.readWhole(FILE, (error, bytes) => {
    if (error === null) done(null, parse(Buffer.from(bytes).toString()));
    else if (error.code === "STORAGE_MISSING") done(null, null);
    else done(error, undefined);
  });
}

export function writeSaved(
  storage: Storage,
  saved: SavedAgent,
  done: Parameters<Storage["replace"]>[2],
): void {
  storage.replace(FILE, Buffer.from(JSON.stringify(saved, bytesToText)), done);
}

function bytesToText(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...value] };
  // Buffers are turned into objects before this is asked.
  const isBuffer =
    typeof value === "object" && value !== null && "type" in value && "data" in value;
  if (isBuffer && value.type === "Buffer") {
    return { base64: Buffer.from(value.data as number[]).toString("base64") };
  }
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
}

function parse(text: string): SavedAgent {
  return JSON.parse(text, (_key, value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if (value.base64 !== undefined) return Buffer.from(value.base64, "base64");
    return value.map === undefined ? value : new Map(value.map);
  }) as SavedAgent;
}
