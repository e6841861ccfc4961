/** Changes that a running topology does not make, and failures in the life of a unit. */
import { CrawlError, faultOf } from "../../base/errors/index.ts";

export function refused(why: string): CrawlError {
  return new CrawlError("TOPOLOGY_REFUSED", `The topology was not changed: ${why}.`, { why });
}

/** For what an author's code threw when its unit was made, handed over or closed. */
export function unitFault(thrown: unknown, id: string): CrawlError {
  return faultOf(thrown, { code: "INTERNAL_UNIT", what: `the life of unit ${id}`, isOver: false });
}
