/** The summary of a crawl, as `status` and `crawl --json` give it. */
import {
  COUNT,
  choice,
  list,
  NUMBER,
  nullable,
  object,
  type Schema,
  table,
  text,
} from "../description/schema.ts";

export const MISSING_SCHEMA: Schema = {
  ...list(object({ agent: text(), why: choice("dead", "given-up", "timed-out", "failed") })),
  description: "Agents of a crawl of several that have not answered: their part is not here.",
};

export const SUMMARY_SCHEMA: Schema = object({
  state: choice("running", "paused", "finished", "stopped"),
  reason: choice("none", "exhausted", "limit", "signal", "reader", "disk", "failure"),
  pages: COUNT,
  fetches: COUNT,
  urls: COUNT,
  queued: COUNT,
  bytes: COUNT,
  seconds: { ...NUMBER, description: "How long it has run; the time while paused does not count." },
  pagesPerSecond: NUMBER,
  status: table(COUNT, "Answers by status."),
  errors: table(COUNT, "By code."),
  refused: table(COUNT, "URLs that were not taken, by reason."),
  duplicates: COUNT,
  nearDuplicates: COUNT,
  truncated: COUNT,
  hosts: COUNT,
  requisites: COUNT,
  agents: COUNT,
  missing: MISSING_SCHEMA,
  coverage: { ...NUMBER, description: "The part of the known URLs with which the crawl is done." },
  overhead: { ...NUMBER, description: "URLs that agents have told each other, for each page." },
  balance: {
    ...NUMBER,
    description: "Pages of the agent with the fewest in parts of those of the one with the most.",
  },
  views: { ...COUNT, description: "Views of who takes part that differ; 1 if all agree." },
  outbox: object({
    pending: COUNT,
    lagSeconds: { ...NUMBER, description: "How long the oldest pending URL waits." },
    retained: COUNT,
  }),
  idle: table(COUNT, "Why nothing is fetched, by reason."),
  politeRate: {
    type: ["number", "null"],
    description: "Pages a second that politeness allows now; null if nothing has to wait.",
  },
  limit: nullable(choice("pages", "bytes", "time")),
  failedSeeds: list(object({ url: text(), why: text(), message: text(), remedy: text() })),
  memory: table(COUNT, "Bytes held, by owner."),
});
