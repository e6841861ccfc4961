/**
 * Topologies that stand still for ever: there is nothing left in this process that could happen, no timer,
 * socket or file, but components have not finished. Node would end such a process in the middle of its
 * `await`, with exit code 13 and without a word; those who wait here are told before.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { UnitStatus } from "../runtime/index.ts";

const waiting = new Set<() => void>();

function tellAll(): void {
  for (const tell of [...waiting]) tell();
}

/** Calls back when nothing is left to happen, once or more often; gives what ends that. */
export function whenStalled(tell: () => void): () => void {
  if (waiting.size === 0) process.on("beforeExit", tellAll);
  waiting.add(tell);
  return () => {
    waiting.delete(tell);
    if (waiting.size === 0) process.off("beforeExit", tellAll);
  };
}

/** Names the components that have not finished, those with something in flight first. */
export function stalled(units: readonly UnitStatus[]): CrawlError {
  const unfinished = units
    .filter(({ state }) => state !== "providing" && state !== "finished")
    .toSorted((one, other) => Number(other.inFlight > 0) - Number(one.inFlight > 0));
  const names = unfinished.map(({ id, state, inFlight }) => {
    if (inFlight > 0) return `${id} (${inFlight} in flight)`;
    return state === "suspended" ? `${id} (suspended)` : id;
  });
  const message =
    `The topology stands still and will never end: ${names.join(", ")} did not finish, and nothing is ` +
    "left in this process that could happen. A component with something in flight needs its promises " +
    "to settle, and a letGo for each hold; a source, and one component of a circle, calls finish when " +
    "there will be no more items.";
  return new CrawlError("TOPOLOGY_STALLED", message, {
    units: unfinished.map(({ id }) => id).join(", "),
  });
}
