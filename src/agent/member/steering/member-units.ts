/**
 * The units and settings of an agent among others: what all agents share is changed everywhere, the rest
 * here. A change is made here first, so that one with mistakes is refused before others hear of it.
 */
import { CrawlError, type ErrorCode } from "../../../base/errors/index.ts";
import { CONFIGURATION_SCHEMA } from "../../../rules/config/index.ts";
import type { ControlledCrawl } from "../../control/controlled-crawl.ts";
import type {
  Settings,
  TopologyChange,
  Unit,
  UnitControl,
  UnitList,
} from "../../control/unit-control.ts";
import type { MemberCalls } from "./member-calls.ts";
import type { SharedCrawl } from "./shared-crawl.ts";

type Values = Readonly<Record<string, string>>;

export interface MemberUnitsParts {
  /** Of this agent. */
  readonly local: UnitControl;
  readonly shared: Pick<SharedCrawl, "change">;
  readonly calls: Pick<MemberCalls, "all">;
}

export class MemberUnits implements Readonly<ControlledCrawl["units"]> {
  readonly #parts: MemberUnitsParts;

  constructor(parts: MemberUnitsParts) {
    this.#parts = parts;
  }

  list(): Promise<UnitList> {
    return this.#parts.local.list();
  }

  find(id: string): Promise<Unit> {
    return this.#parts.local.find(id);
  }

  settings(id: string): Promise<Settings> {
    return this.#parts.local.settings(id);
  }

  suspend(id: string): Promise<Unit> {
    return this.#parts.local.suspend(id);
  }

  start(id: string): Promise<Unit> {
    return this.#parts.local.start(id);
  }

  changeTopology(change: TopologyChange): Promise<UnitList> {
    return this.#parts.local.changeTopology(change);
  }

  configuration(): ReturnType<UnitControl["configuration"]> {
    return this.#parts.local.configuration();
  }

  async change(id: string, values: Values): Promise<Settings> {
    const settings = await this.#parts.local.change(id, values);
    await this.#tell(id, values);
    return settings;
  }

  async set(key: string, text: string): Promise<Settings> {
    const settings = await this.#parts.local.set(key, text);
    const isKey = CONFIGURATION_SCHEMA.find(key) !== undefined;
    const dot = key.indexOf(".");
    if (isKey) await this.#tell("", { [key]: text });
    else await this.#tell(key.slice(0, dot), { [key.slice(dot + 1)]: text });
    return settings;
  }

  /** Keys of the configuration go with it; settings of a unit are its own at each agent. */
  async #tell(unit: string, values: Values): Promise<void> {
    const { shared, calls } = this.#parts;
    const pairs = Object.entries(values);
    const keys = pairs.filter(([key]) => CONFIGURATION_SCHEMA.find(key)?.key.reach === "shared");
    const own = pairs.filter(([key]) => CONFIGURATION_SCHEMA.find(key) === undefined);
    if (keys.length > 0) await shared.change({ values: Object.fromEntries(keys) });
    if (own.length === 0) return;
    const asked = { id: unit, values: Object.fromEntries(own) };
    const { refusals } = await calls.all("change", asked);
    const [first] = refusals;
    if (first === undefined) return;
    const { agent, code, text } = first;
    throw new CrawlError(code as ErrorCode, `The agent ${agent} has not taken it over: ${text}`);
  }
}
