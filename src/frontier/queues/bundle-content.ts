/**
 * A bundle as far as memory knows it: its directory, and the bundle that it is being merged into,
 * which must learn of everything that is taken here after it was copied there.
 */
import type { Position } from "../../base/log/index.ts";
import type { BundleDirectory } from "./bundle-directory.ts";

export interface BundleContent {
  readonly id: number;
  readonly directory: BundleDirectory;
  /** Where in the log of takes the first entry about this bundle may be. */
  readonly takesFrom: Position;
  heir: Heir | null;
  /** While the bundle is being written: the queues that were taken from already. Then null. */
  draft: Set<number> | null;
}

/** A bundle into which another one's records go, or went. */
export interface Heir {
  readonly content: BundleContent;
  /** Whether the part of this queue has been copied, or has begun to be. */
  hasBegun(queue: number): boolean;
}
