/**
 * The units of a running crawl, and its settings: a key of the configuration is a setting of the provider
 * that takes it (`topology/crawl-settings.ts`). What is changed by such a key is recorded too, so that the
 * crawl goes on with it. With several lanes each has units of its own under the same ids: they are shown
 * as one and changed together; what is divided among lanes is shown and given as a whole.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted, withoutCredentials } from "../../base/text/index.ts";
import { CONFIGURATION_SCHEMA, type Configuration } from "../../rules/config/index.ts";
import { describeShape } from "../../rules/settings/index.ts";
import { readValues } from "../../topology/runtime/index.ts";
import { laneConfiguration } from "../lanes/lane-shares.ts";
import { changeableAt } from "../topology/crawl-settings.ts";
import type { CrawlLanes } from "./crawl-lanes.ts";
import type { Told } from "./lane-answers.ts";
import { merged } from "./merged-units.ts";
import type { RecordedConfiguration } from "./recorded-configuration.ts";

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

export interface UnitControlParts {
  readonly lanes: CrawlLanes;
  readonly recorded: RecordedConfiguration;
  /** Other limits are in force in all lanes. */
  readonly limitsChanged: (limits: Configuration["limits"]) => void;
}

type Values = Readonly<Record<string, string>>;

export class UnitControl {
  readonly #parts: UnitControlParts;

  constructor(parts: UnitControlParts) {
    this.#parts = parts;
  }

  async list(): Promise<UnitList> {
    return merged(await this.#askAll({ do: "list" }));
  }

  /** Throws `CONTROL_NOT_FOUND`. */
  async find(id: string): Promise<Unit> {
    const unit = (await this.list()).units.find((one) => one.id === id);
    if (unit === undefined) throw notFound(`There is no unit ${quoted(id)}.`);
    return unit;
  }

  async settings(id: string): Promise<Settings> {
    const { unit } = await this.find(id);
    const [first] = await this.#askAll({ do: "settings", id });
    const values = CONFIGURATION_SCHEMA.values(this.#parts.recorded.configuration);
    return (first?.settings ?? []).map((setting) => {
      const key = CONFIGURATION_SCHEMA.find(setting.key)?.key;
      if (this.#parts.lanes.count === 1 || key === undefined) return setting;
      if (changeableAt(setting.key).unit !== unit) return setting;
      return { ...setting, value: key.type.write(values.get(setting.key)) };
    });
  }

  /** New values by key, written as in a file. All of them are taken, or none. */
  async change(id: string, values: Values): Promise<Settings> {
    const { unit } = await this.find(id);
    const own = Object.keys(values).filter(
      (key) => CONFIGURATION_SCHEMA.find(key) !== undefined && changeableAt(key).unit === unit,
    );
    const { lanes } = this.#parts;
    for (let lane = 0; lane < lanes.count; lane += 1) {
      const ofLane = lanes.count === 1 ? values : this.#shares(id, values, own, lane);
      await lanes.ask(lane, "units", { do: "change", id, values: ofLane });
    }
    if (own.length > 0) await this.#record(id, values, own);
    return await this.settings(id);
  }

  async suspend(id: string): Promise<Unit> {
    await this.find(id);
    await this.#askAll({ do: "suspend", id });
    return await this.find(id);
  }

  async start(id: string): Promise<Unit> {
    await this.find(id);
    await this.#askAll({ do: "resume", id });
    return await this.find(id);
  }

  async changeTopology(change: TopologyChange): Promise<UnitList> {
    await this.#askAll(change);
    return await this.list();
  }

  /** The configuration with which the crawl would go on; secrets in headers and URLs are left out. */
  configuration(): readonly ConfiguredKey[] {
    const { configuration } = this.#parts.recorded;
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

  /** Keys of the configuration that one provider takes, by its name. All of them are taken, or none. */
  async setKeys(provider: string, values: Values): Promise<Settings> {
    const { units } = await this.list();
    const owner = units.find(({ kind, unit }) => kind === "provider" && unit === provider);
    const [first = ""] = Object.keys(values);
    if (owner === undefined) throw fixed(first, `this topology has no ${provider}`);
    return await this.change(owner.id, values);
  }

  async #setKey(key: string, text: string): Promise<Settings> {
    const place = changeableAt(key);
    if (place.unit === null) throw fixed(key, place.why);
    const settings = await this.setKeys(place.unit, { [key]: text });
    return settings.filter((one) => one.key === key);
  }

  /** What is recorded with other values for some keys; null if they have mistakes. */
  #changed(id: string, values: Values, own: readonly string[]): Configuration | null {
    const { configuration } = this.#parts.recorded;
    const texts = Object.fromEntries(own.map((key) => [key, values[key] ?? ""]));
    try {
      const read = readValues(texts, { schema: CONFIGURATION_SCHEMA, fixed: {} }, id);
      const all = CONFIGURATION_SCHEMA.values(configuration);
      return CONFIGURATION_SCHEMA.build(new Map([...all, ...read]));
    } catch {
      return null;
    }
  }

  /** The values for one lane: its share of what is divided. Mistakes are told by its unit. */
  #shares(id: string, values: Values, own: readonly string[], lane: number): Values {
    const whole = this.#changed(id, values, own);
    if (whole === null) return values;
    const shares = CONFIGURATION_SCHEMA.values(
      laneConfiguration(whole, lane, this.#parts.lanes.count),
    );
    const texts = own.map((key) => [
      key,
      CONFIGURATION_SCHEMA.find(key)?.key.type.write(shares.get(key)),
    ]);
    return { ...values, ...Object.fromEntries(texts) };
  }

  async #record(id: string, values: Values, own: readonly string[]): Promise<void> {
    const { recorded, lanes, limitsChanged } = this.#parts;
    const { depth, hostDepth } = recorded.configuration.limits;
    const changed = this.#changed(id, values, own);
    if (changed === null) return;
    recorded.change(changed);
    if (own.some((key) => key.startsWith("limits."))) limitsChanged(changed.limits);
    // Links that a lower limit has cut off are followed now; the next run will not know of it.
    if (depth === null || !own.includes("limits.depth")) return;
    await lanes.askAll("offerCut", { depth, hostDepth });
  }

  #askAll(request: object): Promise<Told[]> {
    return this.#parts.lanes.askAll("units", request);
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
