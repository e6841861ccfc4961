/**
 * The settings of a crawl's providers: keys of the configuration, under their own names and with their
 * own bounds. Each begins with the configuration's value, unless the topology file gives another, and
 * can be changed while the crawl runs, with effect at once.
 */
import {
  CONFIGURATION_SCHEMA,
  type Configuration,
  crossChecked,
} from "../../rules/config/index.ts";
import { KeyDefinition, type SchemaTree } from "../../rules/settings/index.ts";
import { configurationFor, type Fetching } from "../crawl/network/fetching.ts";
import type { CrawlServices } from "./roles.ts";

type RoleName = keyof CrawlServices;

/** Where the values in force are looked up. */
export interface Adjustable {
  readonly settings: object;
}

/** Keys of the configuration, by the provider that takes them. */
const KEYS: Readonly<Partial<Record<RoleName, readonly string[]>>> = {
  steering: ["limits.pages", "limits.bytes", "limits.time", "fetch.concurrency"],
  web: [
    ...["fetch.connectTimeout", "fetch.headerTimeout", "fetch.idleTimeout", "fetch.totalTimeout"],
    ...["fetch.minRate", "fetch.maxBody", "fetch.keepAlive", "fetch.idleConnections"],
    ...["fetch.bandwidth", "fetch.pagesPerSecond", "politeness.blockAddresses"],
  ],
  seen: ["frontier.recentlySeen"],
  frontier: [
    ...["politeness.hostDelay", "politeness.ipDelay", "politeness.robotsMaxAge"],
    ...[
      "politeness.crawlDelayMax",
      "politeness.hosts",
      "politeness.blockHosts",
      "limits.pagesPerHost",
    ],
    ...["fetch.retries", "fetch.retryWait", "fetch.retryMaxWait"],
    ...["politeness.robots", "frontier.memory"],
  ],
  links: ["limits.depth", "politeness.nofollow"],
  rules: [
    ...["filters.schedule", "filters.fetch", "filters.parse", "filters.follow", "filters.store"],
    "politeness.noarchive",
  ],
};

/** The names of the providers, by what they provide. */
export const PROVIDER_NAMES: Readonly<Record<RoleName, string>> = {
  ...{ steering: "steering", web: "web", parsing: "parsing", duplicates: "known-pages" },
  ...{ seen: "recently-seen", frontier: "frontier", links: "links", store: "warcs" },
  ...{ index: "page-index", rows: "page-rows", rules: "rules", ledger: "ledger" },
};

type Groups = Record<string, Record<string, KeyDefinition<unknown>>>;

/** What the provider of a role declares; defaults are the configuration's values. */
export function settingsOf(role: RoleName, configuration: Configuration): SchemaTree<object> {
  const tree: Groups = {};
  for (const path of KEYS[role] ?? []) {
    const [group = "", name = ""] = path.split(".");
    const { type, ...rules } = keyAt(path);
    tree[group] ??= {};
    tree[group][name] = new KeyDefinition(type, {
      ...rules,
      default: CONFIGURATION_SCHEMA.value(configuration, path),
      live: true,
    });
  }
  return tree as SchemaTree<object>;
}

/** Where a key of the configuration can be changed while a crawl runs, or why it cannot. */
export function changeableAt(
  path: string,
): { readonly unit: string } | { readonly unit: null; readonly why: string } {
  const role = Object.entries(KEYS).find(([, paths]) => paths.includes(path))?.[0];
  if (role !== undefined) return { unit: PROVIDER_NAMES[role as RoleName] };
  return { unit: null, why: whyFixed(path, keyAt(path)) };
}

/**
 * Why the other keys of the configuration cannot be changed at the provider of this role, by key: none
 * is taken and ignored.
 */
export function fixedAt(role: RoleName): Record<string, string> {
  const known = FIXED.get(role) ?? reasonsAt(role);
  FIXED.set(role, known);
  return known;
}

/** The same in all crawls, and asked for by each of their lanes. */
const FIXED = new Map<RoleName, Record<string, string>>();

function reasonsAt(role: RoleName): Record<string, string> {
  const owners = new Map<string, string>();
  for (const [owner, paths] of Object.entries(KEYS))
    for (const path of paths) owners.set(path, owner);
  const reasons: Record<string, string> = {};
  for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
    const owner = owners.get(path) as RoleName | undefined;
    if (owner === role) continue;
    if (owner !== undefined) reasons[path] = `it is a setting of ${PROVIDER_NAMES[owner]}`;
    else reasons[path] = whyFixed(path, key);
  }
  return reasons;
}

function whyFixed(path: string, { fixed, reach }: KeyDefinition<unknown>): string {
  if (fixed) return "it is fixed when the crawl is created";
  return path.startsWith("cluster.") && reach === "shared"
    ? "it is read when an agent starts; stop the crawl, and start all agents again with another value and --change"
    : "it is read when the crawl starts; start it again with another value";
}

/** The configuration with the values in force; throws `CONFIG_INVALID` if they do not fit together. */
export function adjusted(
  configuration: Configuration,
  { settings }: Adjustable,
  fetching: Fetching,
): Configuration {
  const groups = Object.entries(settings as Partial<Configuration>).map(([name, values]) => {
    const before = configuration[name as keyof Configuration];
    return [name, { ...(before as object), ...(values as object) }];
  });
  const whole = crossChecked({ ...configuration, ...Object.fromEntries(groups) });
  return configurationFor(fetching, whole);
}

function keyAt(path: string): KeyDefinition<unknown> {
  const found = CONFIGURATION_SCHEMA.find(path);
  if (found === undefined) throw new Error(`the configuration has no key ${path}`);
  return found.key;
}
