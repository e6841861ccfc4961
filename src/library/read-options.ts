/** Checks the options of a program; every mistake is in one error, each with the key that is wrong. */
import { fittedToProcess, noSeeds, type openCrawl, readSeed, refusedKeys } from "../agent/index.ts";
import { isCrawlError } from "../base/errors/index.ts";
import { readSecrets, withSeeds } from "../fetch/client/index.ts";
import { type Extraction, readExtraction } from "../formats/selector/index.ts";
import {
  CONFIGURATION_SCHEMA,
  type Configuration,
  goOnWith,
  readConfiguration,
  schemesOf,
} from "../rules/config/index.ts";
import {
  type ConfigMistake,
  configError,
  type Location,
  mistakeOf,
} from "../rules/settings/index.ts";
import { CrawlDirectory } from "../store/directory/index.ts";
import { OWN_FIELDS, type RowTarget, rowTarget } from "../store/export/index.ts";
import type { CrawlOptions } from "./crawl-options.ts";
import { OptionModules } from "./option-modules.ts";
import { environment } from "./process-edge.ts";

/** Options that are not keys of the configuration, and what each must be. */
const OWN: Readonly<Record<string, (value: unknown) => string | null>> = {
  out: isText,
  fresh: isBoolean,
  add: isBoolean,
  handler: isFunction,
  handlers: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 64
      ? null
      : "a number from 1 to 64",
  handlerErrors: (value) =>
    value === "stop" || value === "continue" ? null : '"stop" or "continue"',
  text: isBoolean,
  links: isBoolean,
  markdown: isBoolean,
  pages: (value) =>
    typeof value === "string" && value !== "-" && rowTarget(value) !== null
      ? null
      : "a file that ends in .jsonl, .csv, .jsonl.gz or .csv.gz",
  extract: (value) =>
    isRecord(value) && Object.values(value).every((one) => typeof one === "string")
      ? null
      : 'names with CSS selectors, such as { price: ".price" }',
  fields: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === "string") ? null : "names",
  cookies: isText,
  signal: (value) => (value instanceof AbortSignal ? null : "an AbortSignal"),
  onProgress: isFunction,
  onTrouble: isFunction,
  onSeedFailed: isFunction,
};

/** For seeds that are not those of the crawl. */
const OTHER_SEEDS =
  "add it with the option add: true, start over with fresh: true, or name another directory with out";

const LOCATION: Location = { kind: "option", ordinal: null };

type RequestSecrets = NonNullable<Parameters<typeof openCrawl>[0]["secrets"]>;

export interface ReadOptions {
  readonly configuration: Configuration;
  readonly secrets: RequestSecrets;
  readonly modules: OptionModules;
  readonly target: RowTarget | null;
  readonly extraction: Extraction | null;
  /** For a crawl that exists: given options count where they may change. Throws `CONFIG_INVALID`. */
  readonly goOn: (recorded: Configuration) => Configuration;
}

/** Throws `CONFIG_INVALID`, which lists every mistake. */
export function readOptions(options: CrawlOptions): ReadOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const own = given.filter(([name]) => Object.hasOwn(OWN, name));
  const tree = Object.fromEntries(given.filter(([name]) => !Object.hasOwn(OWN, name)));
  const modules = new OptionModules();
  const reading = readConfiguration({ options: modules.named(tree) });
  const { configuration } = reading;
  const mistakes: ConfigMistake[] = [
    ...own.flatMap(([name, value]) => ownMistake(name, value)),
    ...(reading.ok ? [] : reading.mistakes),
  ];
  const seeds = readSeeds(configuration, mistakes);
  const secrets = readSecrets(
    {
      ...{ configuration, location: LOCATION, cookieLocation: LOCATION },
      cookieFiles: typeof options.cookies === "string" ? [options.cookies] : [],
      environment: environment(),
    },
    mistakes,
  );
  const extraction = readFields(options, mistakes);
  if (reading.ok) refuseUnbuilt(configuration, mistakes);
  if (mistakes.length > 0) throw configError(mistakes, reading.ok ? 0 : reading.omitted);
  const goesOn = options.out !== undefined && options.fresh !== true;
  const mayHaveNone =
    configuration.topology !== null || (goesOn && CrawlDirectory.exists(options.out));
  if (seeds.urls.length === 0 && !mayHaveNone) throw noSeeds("there is no seed");
  const { configuration: fit } = fittedToProcess({ ...configuration, seeds: seeds.urls });
  const locations = reading.ok ? reading.locations : new Map<string, Location>();
  const goOn = (recorded: Configuration): Configuration => {
    const given = { configuration: fit, locations, mayAdd: options.add === true };
    return goOnWith(recorded, { ...given, remedy: OTHER_SEEDS });
  };
  return {
    ...{ configuration: fit, modules, extraction, goOn },
    secrets: {
      credentials: [...seeds.credentials, ...withSeeds(secrets.credentials, seeds.urls)],
      cookies: secrets.cookies,
    },
    target: options.pages === undefined ? null : rowTarget(options.pages),
  };
}

function ownMistake(name: string, value: unknown): ConfigMistake[] {
  const legal = OWN[name]?.(value) ?? null;
  if (legal === null) return [];
  const problem = "is not what this option takes";
  return [mistakeOf({ code: "CONFIG_BAD_VALUE", location: LOCATION, key: name, problem, legal })];
}

interface Seeds {
  readonly urls: readonly string[];
  readonly credentials: RequestSecrets["credentials"];
}

function readSeeds(configuration: Configuration, mistakes: ConfigMistake[]): Seeds {
  const schemes = schemesOf(configuration);
  const read = configuration.seeds.flatMap((text, index) => {
    const seed = readSeed(text, schemes);
    if (seed.ok) return [seed];
    const location: Location = { kind: "option", ordinal: index + 1 };
    const { problem } = seed;
    mistakes.push(
      mistakeOf({ code: "CONFIG_BAD_VALUE", location, key: "seeds", value: text, problem }),
    );
    return [];
  });
  return {
    urls: [...new Set(read.map(({ url }) => url))],
    credentials: read.flatMap(({ credential }) => credential ?? []),
  };
}

function readFields({ extract }: CrawlOptions, mistakes: ConfigMistake[]): Extraction | null {
  if (extract === undefined || OWN["extract"]?.(extract) !== null) return null;
  try {
    return readExtraction(extract, OWN_FIELDS);
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    const problem = `: ${error.message.replace(/\.$/, "")}`;
    mistakes.push(
      mistakeOf({ code: "CONFIG_BAD_VALUE", location: LOCATION, key: "extract", problem }),
    );
    return null;
  }
}

/** What is understood and does not work yet is refused rather than ignored. */
function refuseUnbuilt(configuration: Configuration, mistakes: ConfigMistake[]): void {
  const { api } = CONFIGURATION_SCHEMA.defaults;
  const isPlain = JSON.stringify(configuration.api) === JSON.stringify(api);
  const { unbuilt, ofAgents } = refusedKeys(configuration);
  for (const key of [...unbuilt, ...ofAgents, ...(isPlain ? [] : ["api"])]) {
    const problem = "is not part of this version of the library yet; leave it out";
    mistakes.push(mistakeOf({ code: "CONFIG_BAD_VALUE", location: LOCATION, key, problem }));
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? null : "a text";
}

function isBoolean(value: unknown): string | null {
  return typeof value === "boolean" ? null : "true or false";
}

function isFunction(value: unknown): string | null {
  return typeof value === "function" ? null : "a function";
}
