/**
 * A checkpoint of a frontier: the marks of sieve, queues, names and depths, and what is only in
 * memory. All of it belongs to one moment; the owner keeps it in one transaction.
 *
 * It has one text, the *marks*, and rows: one for each visit state, by the number of its host, and one
 * for each chunk of the table of hosts.
 */
import type { TableMarks } from "../../../base/runs/index.ts";
import type { HostTableMarks, QueueMarks } from "../../queues/index.ts";
import type { SavedPromotions } from "../../traversal/index.ts";
import type { SavedAddresses } from "../bench/address-table.ts";
import type { SavedRule } from "../hosts/host-rules.ts";
import type { SavedTally } from "../hosts/tally.ts";
import type { HostEnd } from "../hosts/visit-home.ts";
import type { SavedRest } from "../hosts/visit-states.ts";
import type { SavedDepths } from "../visits/depth-book.ts";
import type { SavedVisit } from "./saved-visit.ts";

export interface FrontierCheckpoint {
  readonly marks: FrontierMarks;
  readonly visits: readonly (readonly [number: number, visit: SavedVisit])[];
  readonly hosts: readonly Uint8Array[];
}

/** Plain values. */
export interface FrontierMarks {
  /** By the wall clock. */
  readonly takenAtMs: number;
  /** Whose rules the robots rules are. */
  readonly productToken: string;
  readonly sieve: string;
  readonly queues: QueueMarks;
  readonly names: HostTableMarks;
  /** Null where better depths are not kept. */
  readonly depths: TableMarks | null;
  /** What is to be expanded, and what the disk was being asked; null where depths are not kept. */
  readonly book: SavedDepths | null;
  readonly tally: SavedTally;
  readonly ends: readonly HostEnd[];
  readonly rests: readonly SavedRest[];
  /** What was changed for single hosts; absent in checkpoints of earlier versions. */
  readonly rules?: readonly SavedRule[];
  readonly addresses: SavedAddresses;
  /** Sieve records, in base64, that the sieve had no room for. */
  readonly overflow: readonly string[];
  /** Null unless URLs that wait can be promoted. */
  readonly promotions: SavedPromotions | null;
}
