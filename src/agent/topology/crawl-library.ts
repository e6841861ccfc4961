/** The units of the crawler, which every topology of a crawl may name. */
import assert from "node:assert/strict";
import { CONFIGURATION_SCHEMA, type Configuration } from "../../rules/config/index.ts";
import {
  type ConnectorKind,
  type Library,
  libraryOf,
  type OpenRemote,
  remoteKind,
} from "../../topology/description/index.ts";
import { type ProviderDefinition, type Provision, provider } from "../../topology/unit/index.ts";
import { ANSWERS } from "../units/answers.ts";
import { ARCHIVE } from "../units/archive.ts";
import { documentParser } from "../units/document-parser.ts";
import { DOWNLOADER } from "../units/downloader.ts";
import { DUPLICATE_SEARCH } from "../units/duplicate-search.ts";
import { FRONT } from "../units/front.ts";
import { INDEX_PAGES } from "../units/index-pages.ts";
import { LINK_GRAPH } from "../units/link-graph.ts";
import { LINK_OFFERING } from "../units/link-offering.ts";
import { LOG } from "../units/log.ts";
import { PAGE_STORE } from "../units/page-store.ts";
import { PARSER } from "../units/parser.ts";
import { REMOTE_DOWNLOADER } from "../units/remote-downloader.ts";
import { REMOTE_PARSER } from "../units/remote-parser.ts";
import { REQUESTS } from "../units/requests.ts";
import { ROWS } from "../units/rows.ts";
import { SEEN } from "../units/seen.ts";
import { SIEVE } from "../units/sieve.ts";
import { type Adjustable, fixedAt, PROVIDER_NAMES, settingsOf } from "./crawl-settings.ts";
import { type CrawlServices, ROLES } from "./roles.ts";

type RoleName = keyof CrawlServices;

/** The roles that the provider of each role uses. */
interface Uses {
  steering: "web" | "frontier" | "links" | "duplicates" | "store" | "index" | "rows" | "ledger";
  web: "ledger";
  parsing: never;
  duplicates: "store" | "index" | "ledger";
  seen: "ledger";
  frontier: "rules" | "ledger";
  links: "seen" | "frontier" | "web" | "rules" | "ledger";
  store: "ledger";
  index: "store" | "ledger";
  rows: never;
  rules: never;
  ledger: never;
}

type UsesByRole = { readonly [Role in RoleName]: readonly Uses[Role][] };

/** The roles that the provider of each role uses. */
const USES: UsesByRole = {
  steering: ["web", "frontier", "links", "duplicates", "store", "index", "rows", "ledger"],
  web: ["ledger"],
  parsing: [],
  duplicates: ["store", "index", "ledger"],
  seen: ["ledger"],
  frontier: ["rules", "ledger"],
  links: ["seen", "frontier", "web", "rules", "ledger"],
  store: ["ledger"],
  index: ["store", "ledger"],
  rows: [],
  rules: [],
  ledger: [],
};

/** What the provider of a role is given. */
export type UsedBy<Role extends RoleName> = Pick<CrawlServices, Uses[Role]>;

type Opening<Role extends RoleName> = (
  used: UsedBy<Role>,
  unit: Adjustable,
) => Provision<CrawlServices[Role]> | Promise<Provision<CrawlServices[Role]>>;

/** Opens the service of each provider, with those that it uses and the settings in force. */
export type CrawlOpenings = { readonly [Role in RoleName]: Opening<Role> };

/**
 * `openings` and `openRemote` are asked when a topology is opened; without them a topology can only be
 * looked at. Settings have the values of `configuration` unless a topology gives others. `ownStore` is a
 * provider of the user's in place of WARC files and crawl log.
 */
export function crawlLibrary(
  openings: (() => CrawlOpenings) | null = null,
  openRemote: OpenRemote | null = null,
  configuration: Configuration = CONFIGURATION_SCHEMA.defaults,
  ownStore: ProviderDefinition | null = null,
): Library {
  const kinds = openRemote === null ? [] : [remoteKind(openRemote) as unknown as ConnectorKind];
  const components = [
    ...[FRONT, DOWNLOADER, PARSER, DUPLICATE_SEARCH, LINK_OFFERING, SEEN, SIEVE],
    ...[LINK_GRAPH, ARCHIVE, LOG, INDEX_PAGES, ROWS, REMOTE_PARSER, documentParser, PAGE_STORE],
    ...[REMOTE_DOWNLOADER, REQUESTS, ANSWERS],
  ];
  const roles = Object.keys(USES) as RoleName[];
  const providers = roles.map((role) =>
    role === "store" && ownStore !== null
      ? inPlaceOfWarcs(ownStore)
      : providerOf(role, openings, configuration),
  );
  return libraryOf([...components, ...providers], kinds);
}

/** A topology may give it what it gives to ours. */
function inPlaceOfWarcs(ownStore: ProviderDefinition): ProviderDefinition {
  const [name, uses]: [string, readonly RoleName[]] = [PROVIDER_NAMES.store, USES.store];
  const given = Object.fromEntries(uses.map((used) => [used, ROLES[used]]));
  return { ...ownStore, name, providers: { ...given, ...ownStore.providers } };
}

function providerOf<Role extends RoleName>(
  role: Role,
  openings: (() => CrawlOpenings) | null,
  configuration: Configuration,
): ProviderDefinition {
  const uses: readonly RoleName[] = USES[role];
  return provider({
    name: PROVIDER_NAMES[role],
    provides: ROLES[role],
    providers: Object.fromEntries(uses.map((used) => [used, ROLES[used]])),
    settings: settingsOf(role, configuration),
    fixed: fixedAt(role),
    // After a kill an archive file is read from its beginning.
    mayTakeLong: true,
    create: (unit) => {
      assert(openings !== null, "a topology that is only looked at is not opened");
      return openings()[role](unit.providers as UsedBy<Role>, unit);
    },
  });
}
