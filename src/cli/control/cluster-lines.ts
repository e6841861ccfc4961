/** How several agents share a crawl, in a line of `trobar status`; nothing of a crawl of one agent. */
import type { CrawlSummary } from "../../agent/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { bytesText, durationText, plural } from "../crawl/figures.ts";

type Together = Pick<
  CrawlSummary,
  "agents" | "missing" | "views" | "balance" | "overhead" | "outbox"
>;

export function clusterLines(summary: Together): readonly string[] {
  const { agents, missing, views, balance, overhead, outbox } = summary;
  // What answers may be anything that listens where the directory says.
  if (!(agents > 1)) return [];
  const { pending, lagSeconds, retained } = outbox;
  const waiting = pending === 0 ? "" : ` for ${durationText(lagSeconds * SECOND_MS)}`;
  const silent = missing.map(({ agent, why }) => `${agent} (${why})`).join(", ");
  const facts = [
    plural(agents, "agent"),
    views > 1 ? `${views} views of who is there` : "all agree on who is there",
    `balance ${balance.toFixed(2)}`,
    `${overhead.toFixed(2)} URLs told for each page`,
    `${plural(pending, "URL")} to tell${waiting}`,
    `${bytesText(retained)} kept of those told`,
    ...(silent === "" ? [] : [`without an answer: ${silent}`]),
  ];
  return [facts.join(" · ")];
}
