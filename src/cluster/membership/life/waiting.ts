/** What an agent waits for that has not joined yet, as it is told to a person. */
import { CrawlError } from "../../../base/errors/index.ts";

/** It has nothing of its own, and nobody has told it what the crawl is. */
export function unmet(): CrawlError {
  return waiting(
    "This agent knows no crawl yet, and no agent that knows one has answered it. It waits. Look whether " +
      "the addresses that it joins are those of the crawl, and whether its founder, or an agent that has " +
      "its crawl directory, runs there.",
  );
}

/** Those whom it has met are as new as it is. */
export function unestablished(): CrawlError {
  return waiting(
    "This agent has an empty disk, and finds nobody who has taken part in the crawl. It waits. " +
      "Start an agent that has its crawl directory.",
  );
}

/** All whom it has met were about to stop. */
export function endedBefore(): CrawlError {
  return new CrawlError(
    "CLUSTER_ENDED",
    "The crawl had ended, and all its agents with it, before this one could join: nothing is left for it to do. " +
      "To go on with the crawl, start agents that have its directories, with new seeds if you have any.",
  );
}

/** Those whom it has met wait too: its founder waits for more, or is not there. */
export function unbegun(): CrawlError {
  return waiting(
    "The crawl has not begun yet: the agent that founds it waits for more agents (--expect), or does not " +
      "run. This one waits. Start the others.",
  );
}

/** It founds the crawl. */
export function unfounded(agents: number, expected: number): CrawlError {
  return waiting(
    `The crawl begins when ${expected} agents are there, and this one knows of ${agents}, itself ` +
      "included. It waits. Start the others, or start this one again with a smaller --expect.",
  );
}

function waiting(message: string): CrawlError {
  return new CrawlError("CLUSTER_WAITING", message);
}
