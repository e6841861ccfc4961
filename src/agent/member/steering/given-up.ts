/** Which agents are needed for a crawl to go on: all but those that have left, or that the others have given up. */
import { join } from "node:path";
import { CrawlError } from "../../../base/errors/index.ts";
import { readFile } from "../../../base/folder/index.ts";
import { MIB } from "../../../base/units/index.ts";
import { CLUSTER_FILE, type ClusterState, parseState } from "../../../cluster/membership/index.ts";

const STATE_BYTES_MAX = 64 * MIB;

/** Whether each of `others`, of whom there is one at least, goes on without the agent in `folder`. */
export function isGivenUpBy(others: readonly string[], folder: string, id: string): boolean {
  const own = stateIn(folder);
  return others.length > 0 && own !== null && others.every((other) => hasGivenUp(other, id, own));
}

/** Not the disk of before, nor one that has come since. */
function hasGivenUp(folder: string, id: string, { generation }: ClusterState): boolean {
  const row = stateIn(folder)?.members.find((member) => member.id === id);
  return row?.isGivenUp === true && row.generation >= generation;
}

/** Null if it cannot be read: the agent says so when it starts. */
function stateIn(folder: string): ClusterState | null {
  const file = readFile(join(folder, CLUSTER_FILE), STATE_BYTES_MAX);
  if (!file.ok) return null;
  const state = parseState(file.bytes);
  return state instanceof CrawlError ? null : state;
}
