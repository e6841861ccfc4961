/** The units of the crawler, which every topology of a crawl may name. */
import assert from "node:assert/strict";
import {
  type ConnectorKind,
  type Library,
  libraryOf,
  type OpenRemote,
  remoteKind,
} from "../../topology/description/index.ts";
import { type ProviderDefinition, provider } from "../../topology/unit/index.ts";
import { ARCHIVE } from "../units/archive.ts";
import { documentParser } from "../units/document-parser.ts";
import { DOWNLOADER } from "../units/downloader.ts";
import { DUPLICATE_SEARCH } from "../units/duplicate-search.ts";
import { FRONT } from "../units/front.ts";
import { LINK_OFFERING } from "../units/link-offering.ts";
import { PARSER } from "../units/parser.ts";
import { REMOTE_PARSER } from "../units/remote-parser.ts";
import { ROWS } from "../units/rows.ts";
import { type CrawlServices, ROLES } from "./roles.ts";

/** The names of the providers, by what they provide. */
const PROVIDERS: { readonly [Role in keyof CrawlServices]: string } = {
  steering: "steering",
  web: "web",
  parsing: "parsing",
  duplicates: "known-pages",
  links: "links",
  store: "warcs",
  rows: "page-rows",
  rules: "rules",
  ledger: "ledger",
};

/**
 * `services` and `openRemote` are asked when a topology is opened; without them a topology can only be
 * looked at.
 */
export function crawlLibrary(
  services: (() => CrawlServices) | null = null,
  openRemote: OpenRemote | null = null,
): Library {
  const kinds = openRemote === null ? [] : [remoteKind(openRemote) as unknown as ConnectorKind];
  const components = [
    ...[FRONT, DOWNLOADER, PARSER, DUPLICATE_SEARCH, LINK_OFFERING, ARCHIVE, ROWS],
    ...[REMOTE_PARSER, documentParser],
  ];
  const roles = Object.keys(PROVIDERS) as (keyof CrawlServices)[];
  return libraryOf([...components, ...roles.map((role) => providerOf(role, services))], kinds);
}

function providerOf(
  role: keyof CrawlServices,
  services: (() => CrawlServices) | null,
): ProviderDefinition {
  return provider({
    name: PROVIDERS[role],
    provides: ROLES[role],
    create: () => {
      assert(services !== null, "a topology that is only looked at is not opened");
      return { service: services()[role] };
    },
  });
}
