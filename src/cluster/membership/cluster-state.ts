/**
 * What an agent must know of itself and its cluster after any crash, as a small file of JSON with a
 * checksum. It is only ever replaced as a whole.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { parseChecked, printChecked } from "../../base/folder/index.ts";
import { otherFormat } from "../state/index.ts";
import type { ClusterConfiguration } from "./shared/shared-configuration.ts";
import type { MemberRow } from "./view/member-table.ts";

export interface ClusterState {
  readonly generation: number;
  readonly incarnation: number;
  /** Whether this disk has taken part in the crawl; an empty one must not begin alone (B1). */
  readonly isEstablished: boolean;
  /** Whether this disk was there when the crawl was founded, and founded it. */
  readonly isFounder: boolean;
  /** Whether this place has ever been active: then it knows how it has voted (P2). */
  readonly isSeated: boolean;
  readonly configuration: ClusterConfiguration;
  readonly members: readonly MemberRow[];
}

export const CLUSTER_FILE = "cluster/members";

/** Grows when older versions can no longer read the file. */
const FORMAT = 1;

export function printState(state: ClusterState): Uint8Array {
  return new TextEncoder().encode(printChecked({ format: FORMAT, ...state }, 1));
}

/** The checksum was right, so we wrote it: only its format can be unknown. */
export function parseState(bytes: Uint8Array): ClusterState | CrawlError {
  const found = parseChecked(new TextDecoder().decode(bytes), "must-have");
  if (found === null) return damaged("it is not as it was written");
  const { format } = found;
  if (format !== FORMAT) return otherFormat(CLUSTER_FILE, Number(format), FORMAT);
  return found as unknown as ClusterState;
}

function damaged(fault: string): CrawlError {
  return new CrawlError(
    "CLUSTER_STATE_DAMAGED",
    `The file ${CLUSTER_FILE}, which says what this agent knows of its cluster, cannot be used: ` +
      `${fault}. Remove the crawl directory of this agent and let it join anew; the others will ` +
      "fetch again what only this one had.",
    { file: CLUSTER_FILE, fault },
  );
}
