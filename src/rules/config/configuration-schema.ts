/**
 * The schema of the crawl's configuration: every key of the contract, in its order. The keys stand
 * in three files by subject; the compiler checks that together they are exactly `Configuration`.
 */
import { Schema } from "../settings/index.ts";
import { AGENT_KEYS } from "./agent-keys.ts";
import type { Configuration } from "./configuration.ts";
import { CRAWL_KEYS } from "./crawl-keys.ts";
import { FETCH_KEYS } from "./fetch-keys.ts";

export const CONFIGURATION_SCHEMA: Schema<Configuration> = new Schema<Configuration>({
  seeds: CRAWL_KEYS.seeds,
  name: CRAWL_KEYS.name,
  userAgent: CRAWL_KEYS.userAgent,
  contact: CRAWL_KEYS.contact,
  scope: CRAWL_KEYS.scope,
  limits: CRAWL_KEYS.limits,
  politeness: CRAWL_KEYS.politeness,
  fetch: FETCH_KEYS.fetch,
  dns: FETCH_KEYS.dns,
  url: CRAWL_KEYS.url,
  filters: CRAWL_KEYS.filters,
  frontier: AGENT_KEYS.frontier,
  parse: FETCH_KEYS.parse,
  sitemaps: CRAWL_KEYS.sitemaps,
  store: AGENT_KEYS.store,
  lanes: AGENT_KEYS.lanes,
  cluster: AGENT_KEYS.cluster,
  assignment: AGENT_KEYS.assignment,
  api: AGENT_KEYS.api,
  topology: AGENT_KEYS.topology,
});
