/** Changes that a running topology does not make, and failures in the life of a unit. */
import { CrawlError, faultOf, isCrawlError } from "../../../base/errors/index.ts";
import { thrownReason } from "../../../base/text/index.ts";

export function refused(why: string): CrawlError {
  return new CrawlError("TOPOLOGY_REFUSED", `The topology was not changed: ${why}.`, { why });
}

/** For what the `create` of a component threw; errors that say what to do stay as they are. */
export function notMade(thrown: unknown, unit: string): CrawlError {
  if (isCrawlError(thrown)) return thrown;
  const message =
    `The unit ${unit} could not be made: ${thrownReason(thrown)}. Correct its create, or the settings ` +
    "and providers that it is given.";
  return new CrawlError("INTERNAL_UNIT", message, { unit }, thrown);
}

/** For what an author's code threw when its unit was made, handed over or closed. */
export function unitFault(thrown: unknown, id: string): CrawlError {
  return faultOf(thrown, { code: "INTERNAL_UNIT", what: `the life of unit ${id}`, isOver: false });
}

/** For an item that a unit neither passed on nor kept, though something must become of it. */
export function droppedItem(unit: string, item: string): CrawlError {
  const message =
    `The unit ${unit} dropped the item ${item}, which ends there. If that is meant, nothing is to be ` +
    "done; otherwise emit the item before the call returns or its promise settles, or keep it in a " +
    "general component, between hold and letGo.";
  return new CrawlError("INTERNAL_UNIT_DROPPED", message, { unit, item });
}
