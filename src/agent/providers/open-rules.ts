/** Opens the filters of a crawl. Others take their place while it runs, unless they have a mistake. */
import type { Configuration } from "../../rules/config/index.ts";
import {
  FILTER_PLACES,
  type FilterPlace,
  loadFilter,
  type Sight,
} from "../../rules/filter/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { type Adjustable, adjusted } from "../topology/crawl-settings.ts";
import type { PageRules } from "../topology/roles.ts";
import type { CrawlWorld } from "./crawl-world.ts";

export async function openRules(
  configuration: Configuration,
  world: CrawlWorld,
  unit: Adjustable,
): Promise<Provision<PageRules>> {
  const load = (): Promise<PageRules> =>
    loadRules(adjusted(configuration, unit, world.fetching), world);
  const service = { ...(await load()) };
  const changed = async (): Promise<void> => {
    const { settings } = unit;
    const rules = await load();
    // A module may take so long to load that the change was refused.
    if (unit.settings === settings) Object.assign(service, rules);
  };
  return { service, changed };
}

async function loadRules(
  configuration: Configuration,
  { report, importModule }: CrawlWorld,
): Promise<PageRules> {
  const { filters, politeness } = configuration;
  const options = { importModule, use: filters.modules, onFailure: report };
  const load = async <Seen extends Sight>(text: string | null, place: FilterPlace<Seen>) =>
    text === null ? null : await loadFilter(text, place, options);
  return {
    schedule: await load(filters.schedule, FILTER_PLACES.schedule),
    fetch: await load(filters.fetch, FILTER_PLACES.fetch),
    parse: await load(filters.parse, FILTER_PLACES.parse),
    follow: await load(filters.follow, FILTER_PLACES.follow),
    store: await load(filters.store, FILTER_PLACES.store),
    obeysNoarchive: politeness.noarchive === "obey",
  };
}
