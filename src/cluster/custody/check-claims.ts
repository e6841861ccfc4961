/** Reads claims from outside, for those who check the directory of an agent: the table, and what each place claims. */
import type { TellOfLog } from "../../base/log/index.ts";
import { checkRuns } from "../../base/runs/index.ts";
import {
  checkRetained,
  type LogsToCheck,
  placeFolder,
  placesUnder,
  type UrlEntry,
} from "../delivery/index.ts";
import type { Place } from "../messages/index.ts";
import { type ClaimsMarks, VALUE_BYTES } from "./claims.ts";
import { HELD } from "./held-logs.ts";
import { HolderSets } from "./holder-sets.ts";

export interface ClaimFindings {
  /** A place says, or said, to have the page of this URL. */
  readonly claimed: (place: Place, entry: UrlEntry) => void;
  readonly problem: TellOfLog;
}

/** `marks`: of the last checkpoint; null if that knows of no claims. Answers with all places that have some. */
export async function checkClaims(
  { storage, isClosed }: LogsToCheck,
  marks: ClaimsMarks | null,
  { claimed, problem }: ClaimFindings,
): Promise<readonly Place[]> {
  const runs = marks?.table.stack.runs ?? [];
  await checkRuns(storage, runs, { payloadBytes: VALUE_BYTES }, problem);
  const places = await placesUnder(storage, HELD);
  for (const place of places) {
    const each = (entry: Parameters<Parameters<typeof checkRetained>[1]>[0]): void => {
      if (entry.kind === "url") claimed(place, entry);
    };
    await checkRetained({ storage, folder: placeFolder(HELD, place), isClosed }, each, problem);
  }
  return [...places, ...new HolderSets(marks?.sets ?? null).places()];
}
