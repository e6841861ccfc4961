/** Reads the file in which an agent keeps what it must know of itself and its cluster. */
import type { Done, Storage } from "../../base/seams/index.ts";
import { CLUSTER_FILE, type ClusterState, parseState } from "./cluster-state.ts";

/** The state that this disk has; null if it is new. */
export function readClusterFile(storage: Storage, done: Done<ClusterState | null>): void {
  storage.readWhole(CLUSTER_FILE, (error, bytes) => {
    if (error?.code === "STORAGE_MISSING") done(null, null);
    else if (error !== null) done(error, undefined);
    else {
      const state = parseState(bytes);
      if (state instanceof Error) done(state, undefined);
      else done(null, state);
    }
  });
}
