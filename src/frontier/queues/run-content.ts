/**
 * A run as far as memory knows it: its directory, and the run that it is being merged into, which
 * must learn of everything that is taken here after it was copied there.
 */
import type { Position } from "../../base/log/index.ts";
import type { RunDirectory } from "./run-directory.ts";

export interface RunContent {
  readonly id: number;
  readonly directory: RunDirectory;
  /** Where in the log of takes the first entry about this run may be. */
  readonly takesFrom: Position;
  heir: Heir | null;
  /** While the run is being written: the queues that were taken from already. Then null. */
  draft: Set<number> | null;
}

/** A run into which another one's records go, or went. */
export interface Heir {
  readonly content: RunContent;
  /** Whether the part of this queue has been copied, or has begun to be. */
  hasBegun(queue: number): boolean;
}
