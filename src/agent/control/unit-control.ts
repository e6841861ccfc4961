/**
 * The units of a running crawl, and its settings: a key of the configuration is a setting of the provider
 * that takes it (`topology/crawl-settings.ts`). What is changed by such a key is recorded too, so that the
 * crawl goes on with it.
 */
import { CrawlError, type ErrorCode } from "../../base/errors/index.ts";
import { quoted, withoutCredentials } from "../../base/text/index.ts";
import { CONFIGURATION_SCHEMA } from "../../rules/config/index.ts";
import { describeShape } from "../../rules/settings/index.ts";
import { type Answer, Control } from "../../topology/control/index.ts";
import type { Crawl } from "../crawl/crawl.ts";
import { changeableAt } from "../topology/crawl-settings.ts";

type Told = Extract<Answer, { readonly ok: true }>;

/** Plain data. */
export type UnitList = Required<Pick<Told, "units" | "connectors">>;
export type Unit = UnitList["units"][number];
export type Settings = NonNullable<Told["settings"]>;

/** A change of the topology: a file in YAML with units to add, or with one provider or connector to swap. */
export type TopologyChange =
  | { readonly do: "add" | "swap"; readonly topology: string }
  | { readonly do: "remove"; readonly id: string }
  | { readonly do: "instances"; readonly id: string; readonly count: number };

/** A key of the configuration as texts, for people to read. */
export interface ConfiguredKey {
  readonly key: string;
  readonly meaning: string;
  /** The legal values in words. */
  readonly legal: string;
  readonly value: string;
  /** Why it cannot be changed while the crawl runs; null if it can. */
  readonly fixed: string | null;
}

export class UnitControl {
  readonly #crawl: Crawl;
  readonly #control: Control;

  constructor(crawl: Crawl) {
    const { library, importModule: importUnits } = crawl.made.topology;
    this.#crawl = crawl;
    this.#control = new Control({ system: crawl.units, library, importUnits });
  }

  async list(): Promise<UnitList> {
    const { units = [], connectors = [] } = await this.#ask({ do: "list" });
    return { units, connectors };
  }

  /** Throws `CONTROL_NOT_FOUND`. */
  async find(id: string): Promise<Unit> {
    const unit = (await this.list()).units.find((one) => one.id === id);
    if (unit === undefined) throw notFound(`There is no unit ${quoted(id)}.`);
    return unit;
  }

  async settings(id: string): Promise<Settings> {
    await this.find(id);
    return (await this.#ask({ do: "settings", id })).settings ?? [];
  }

  /** New values by key, written as in a file. All of them are taken, or none. */
  async change(id: string, values: Readonly<Record<string, string>>): Promise<Settings> {
    const { unit } = await this.find(id);
    const { settings = [] } = await this.#ask({ do: "change", id, values });
    this.#record(id, unit, Object.keys(values));
    return settings;
  }

  async suspend(id: string): Promise<Unit> {
    await this.find(id);
    await this.#ask({ do: "suspend", id });
    return await this.find(id);
  }

  async start(id: string): Promise<Unit> {
    await this.find(id);
    await this.#ask({ do: "resume", id });
    return await this.find(id);
  }

  async changeTopology(change: TopologyChange): Promise<UnitList> {
    await this.#ask(change);
    return await this.list();
  }

  /** The configuration with which the crawl would go on; secrets in headers and URLs are left out. */
  configuration(): readonly ConfiguredKey[] {
    const { configuration } = this.#crawl.made.recorded;
    const values = CONFIGURATION_SCHEMA.values(configuration);
    values.set(
      "fetch.headers",
      configuration.fetch.headers.map(([name]) => [name, "…"]),
    );
    return CONFIGURATION_SCHEMA.keys.map(({ path, key }) => {
      const place = changeableAt(path);
      return {
        ...{ key: path, meaning: key.meaning, legal: describeShape(key.type.shape) },
        value: withoutCredentials(key.type.write(values.get(path))),
        fixed: place.unit === null ? place.why : null,
      };
    });
  }

  /** A key of the configuration, or a unit's id and the key of one of its settings: `web.fetch.minRate`. */
  async set(key: string, text: string): Promise<Settings> {
    if (CONFIGURATION_SCHEMA.find(key) !== undefined) return await this.#setKey(key, text);
    const dot = key.indexOf(".");
    const { units } = await this.list();
    const owner = units.find(({ id }) => dot > 0 && id === key.slice(0, dot));
    if (owner === undefined) {
      throw notFound(`${quoted(key)} is neither a key of the configuration nor UNIT.KEY.`);
    }
    return await this.change(owner.id, { [key.slice(dot + 1)]: text });
  }

  async #setKey(key: string, text: string): Promise<Settings> {
    const place = changeableAt(key);
    if (place.unit === null) throw fixed(key, place.why);
    const { units } = await this.list();
    const owner = units.find(({ kind, unit }) => kind === "provider" && unit === place.unit);
    if (owner === undefined) throw fixed(key, `this topology has no ${place.unit}`);
    const settings = await this.change(owner.id, { [key]: text });
    return settings.filter((one) => one.key === key);
  }

  /** Keys of the configuration among those that were changed. */
  #record(id: string, unit: string, keys: readonly string[]): void {
    const { recorded } = this.#crawl.made;
    const values = CONFIGURATION_SCHEMA.values(recorded.configuration);
    const own = keys.filter((key) => values.has(key) && changeableAt(key).unit === unit);
    if (own.length === 0) return;
    const now = this.#crawl.units.settingsOf(id).values;
    for (const key of own) values.set(key, now.get(key));
    const { depth } = recorded.configuration.limits;
    recorded.change(CONFIGURATION_SCHEMA.build(values));
    if (depth === null || !own.includes("limits.depth")) return;
    // Links that a lower limit has cut off are followed now; the next run will not know of it.
    this.#crawl.side.offerCut(depth);
    this.#crawl.woken();
  }

  async #ask(request: object): Promise<Told> {
    const answer = await this.#control.answer(request);
    if (answer.ok) return answer;
    throw new CrawlError(answer.code as ErrorCode, answer.message);
  }
}

function notFound(message: string): CrawlError {
  return new CrawlError("CONTROL_NOT_FOUND", message);
}

function fixed(key: string, why: string): CrawlError {
  return new CrawlError(
    "CONFIG_FIXED_KEY",
    `${key} cannot be changed while the crawl runs: ${why}.`,
    { key },
  );
}
