/** The checkpoint of a simulated agent: what its parts gave for it, in one file that is replaced as a whole. */
import { deserialize, serialize } from "node:v8";
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
    if (error === null) done(null, deserialize(bytes) as SavedAgent);
    else if (error.code === "STORAGE_MISSING") done(null, null);
    else done(error, undefined);
  });
}

export function writeSaved(
  storage: Storage,
  saved: SavedAgent,
  done: Parameters<Storage["replace"]>[2],
): void {
  storage.replace(FILE, serialize(saved), done);
}
