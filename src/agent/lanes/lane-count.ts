/** How many lanes a crawl has, and what only one lane can do. */
import { CrawlError } from "../../base/errors/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { Fetching } from "../crawl/fetching.ts";

export interface LaneNeeds {
  readonly configuration: Configuration;
  readonly fetching: Fetching;
  /** Whether code in this process is shown pages. */
  readonly hasReader: boolean;
  /** Whether modules are given by code in this process. */
  readonly hasOwnModules: boolean;
}

/** Throws `CONFIG_CONFLICT` if more lanes are asked for than can be. */
export function laneCount(needs: LaneNeeds): number {
  const { lanes, fetch, frontier } = needs.configuration;
  if (lanes === "auto" || lanes === 1) return 1;
  const why = oneLaneOnly(needs);
  if (why !== null) {
    throw new CrawlError(
      "CONFIG_CONFLICT",
      `The crawl cannot have ${lanes} lanes: ${why}. Use \`--lanes 1\`, or leave it out.`,
      { lanes },
    );
  }
  return Math.min(lanes, fetch.concurrency, frontier.shards);
}

/** Why this crawl has one lane; null if it can have more. */
function oneLaneOnly(needs: LaneNeeds): string | null {
  const { configuration, fetching, hasReader, hasOwnModules } = needs;
  const { store, frontier, topology } = configuration;
  if (topology !== null) return "the key topology names a topology, which describes one lane";
  if (fetching !== "here") return "its pages are fetched by other processes, or for them";
  if (frontier.traversal === "random-walk") return "a random walk has one lane";
  if (store.kind !== "warc") return `a store of the kind ${store.kind} is written by one lane`;
  if (hasReader) return "its pages are shown to code in this process (`--extract`, or a handler)";
  return hasOwnModules ? "its modules are given by the program that runs it" : null;
}
