/**
 * The topology of a crawl: the default one, which is part of the package (`crawl.yaml`), or the user's.
 * It is read and checked before anything of the crawl is opened; the services behind its providers are
 * lent to it afterwards.
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import { libraryOf, loadTopology } from "../../topology/description/index.ts";
import type { Wiring } from "../../topology/runtime/index.ts";
import {
  type ComponentDefinition,
  type ProviderDefinition,
  provider,
} from "../../topology/unit/index.ts";
import { ARCHIVE } from "../units/archive.ts";
import { DOWNLOADER } from "../units/downloader.ts";
import { DUPLICATE_SEARCH } from "../units/duplicate-search.ts";
import { FRONT } from "../units/front.ts";
import { LINK_OFFERING } from "../units/link-offering.ts";
import { PARSER } from "../units/parser.ts";
import { ROWS } from "../units/rows.ts";
import { type CrawlServices, ROLES } from "./roles.ts";
import { readTopologyFile } from "./topology-file.ts";

const COMPONENTS: readonly ComponentDefinition[] = [
  ...[FRONT, DOWNLOADER, PARSER, DUPLICATE_SEARCH, LINK_OFFERING, ARCHIVE, ROWS],
];

/** The names of the units behind the roles. */
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

const DEFAULT_PATH = fileURLToPath(new URL("./crawl.yaml", import.meta.url));

export interface CrawlTopology {
  readonly wiring: Wiring;
  /** Called once, before the wiring is opened. */
  readonly lend: (services: CrawlServices) => void;
}

/** Refuses a file with mistakes, and names all of them. Null stands for the default topology. */
export async function loadCrawlTopology(path: string | null): Promise<CrawlTopology> {
  let lent: CrawlServices | null = null;
  const services = (): CrawlServices => {
    assert(lent !== null, "services are lent before the topology is opened");
    return lent;
  };
  const library = libraryOf([...COMPONENTS, ...providersFrom(services)]);
  const file = path ?? DEFAULT_PATH;
  const importUnits = importFrom(dirname(file));
  const text = readTopologyFile(file);
  const { wiring } = await loadTopology(text, { path: file, library, importUnits });
  refuseUnlessFronted(wiring, file);
  const lend = (given: CrawlServices): void => {
    lent = given;
  };
  return { wiring, lend };
}

function providersFrom(services: () => CrawlServices): ProviderDefinition[] {
  const roles = Object.keys(PROVIDERS) as (keyof CrawlServices)[];
  return roles.map((role) =>
    provider({
      name: PROVIDERS[role],
      provides: ROLES[role],
      create: () => ({ service: services()[role] }),
    }),
  );
}

/** Without a front nothing would ever be fetched; a second one would take the same pages. */
function refuseUnlessFronted({ components }: Wiring, file: string): void {
  const fronts = components.filter(({ definition }) => "steering" in definition.providers);
  const count = fronts.reduce((sum, { instances = 1 }) => sum + instances, 0);
  if (count === 1) return;
  throw new CrawlError(
    "TOPOLOGY_INVALID",
    `${quoted(file)} has ${count} units that take pages from the frontier. A crawl has one, such as ` +
      "`front: { unit: front, output: visits, providers: { steering: steering } }`.",
    { mistakes: 1 },
  );
}
