/**
 * A checkpoint of a frontier: the marks of sieve, queues, names and depths, and what is only in
 * memory. All of it belongs to one moment; the owner keeps it in one transaction.
 *
 * It has one text, the *marks*, and rows by name: one for each visit state, and one for each chunk of the
 * tables. The marks are new each time; of the rows a running frontier gives those that have changed, and
 * the owner keeps the others as they are.
 */
import type { TableMarks } from "../../../base/runs/index.ts";
import type { HostTableMarks, QueueMarks } from "../../queues/index.ts";
import type { SavedAddresses } from "../bench/address-table.ts";
import type { SavedRule } from "../hosts/host-rules.ts";
import type { HostEnd } from "../hosts/state/visit-home.ts";
import type { SavedRest } from "../hosts/state/visit-states.ts";
import type { SavedTally } from "../hosts/tally.ts";
import type { SavedDepths } from "../visits/depth-book.ts";
import { endedOf, type SavedEnded } from "../visits/ended-urls.ts";
import type { SavedHeld } from "../visits/held-errands.ts";
import type { SavedTries } from "../visits/tried-urls.ts";
import type { CheckpointMoment } from "./checkpoint-clock.ts";
import { type CheckpointRows, rowsOf } from "./checkpoint-rows.ts";

/** What a frontier is opened with: all rows there are. */
export interface FrontierCheckpoint {
  readonly marks: FrontierMarks;
  readonly rows: CheckpointRows;
}

/** What makes a new checkpoint of the last one that was recorded. */
export interface FrontierChanges extends FrontierCheckpoint {
  /** Names of rows that are no more. */
  readonly dropped: readonly string[];
}

/** Plain values. */
export interface FrontierMarks extends CheckpointMoment {
  /** Whose rules the robots rules are. */
  readonly productToken: string;
  readonly sieve: string;
  readonly queues: QueueMarks;
  readonly names: HostTableMarks;
  /** Null where better depths are not kept. */
  readonly depths: TableMarks | null;
  /** What is to be expanded, and what the disk was being asked; null where depths are not kept. */
  readonly book: SavedDepths | null;
  /** With what is held. */
  readonly tally: SavedTally;
  readonly ends: readonly HostEnd[];
  readonly rests: readonly SavedRest[];
  /** What was changed for single hosts. */
  readonly rules: readonly SavedRule[];
  readonly addresses: SavedAddresses;
  /** The same of canonical names; null where these do not count. */
  readonly aliases: SavedAddresses | null;
  /** Sieve records, in base64, that the sieve had no room for. */
  readonly overflow: readonly string[];
  /** URLs that have ended, and whose owner was not done with them. */
  readonly held: readonly SavedHeld[];
  /** URLs whose tickets are dropped when they come out, if they are not in rows: see `endedIn`. */
  readonly ended: readonly SavedEnded[];
  /** URLs that were tried more often than their tickets say; left out by earlier versions. */
  readonly tried?: readonly SavedTries[];
}

/** URLs whose tickets are dropped when they come out. */
export function* endedIn({ marks, rows }: FrontierCheckpoint): Generator<SavedEnded> {
  yield* marks.ended;
  for (const [, piece] of rowsOf(rows, "ended")) yield* endedOf(piece);
}
