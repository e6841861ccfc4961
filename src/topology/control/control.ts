/**
 * Carries out requests to a running topology. One request is one change: it is made as a whole, or
 * refused and leaves everything as it was.
 */
import { CrawlError, faultOf, isCrawlError } from "../../base/errors/index.ts";
import { type Library, loadTopology } from "../description/index.ts";
import {
  type ConnectorStatus,
  readValues,
  type System,
  type UnitStatus,
  type Wiring,
} from "../runtime/index.ts";
import { type Request, readRequest } from "./request.ts";
import { type SettingStatus, settingStatuses } from "./unit-values.ts";

type Maybe<Value> = Value | Promise<Value>;

/** What is controlled: a `System`, or one whose units are on several threads. */
export interface Controlled
  extends Pick<
    System,
    | "settingsOf"
    | "changeSettings"
    | "suspend"
    | "setInstances"
    | "swapProvider"
    | "swapConnector"
    | "add"
    | "remove"
    | "bindable"
  > {
  units(): Maybe<readonly UnitStatus[]>;
  connectors(): Maybe<readonly ConnectorStatus[]>;
  resume(id: string): Maybe<void>;
}

export interface ControlParts {
  readonly system: Controlled;
  /** What topology files in requests may name. */
  readonly library: Library;
  /** Imports the modules that they name. */
  readonly importUnits: (name: string) => Promise<unknown>;
}

/** Plain data. */
export type Answer =
  | {
      readonly ok: true;
      readonly units?: readonly UnitStatus[];
      readonly connectors?: readonly ConnectorStatus[];
      readonly settings?: readonly SettingStatus[];
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

type Result = Omit<Extract<Answer, { readonly ok: true }>, "ok">;

/** In messages, where the name of a file stands otherwise. */
const REQUEST = "request";

export class Control {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** Never throws. Without an `await` it is carried out all the same. */
  async answer(request: unknown): Promise<Answer> {
    try {
      return { ok: true, ...(await this.#carryOut(readRequest(request))) };
    } catch (thrown) {
      const what = { code: "INTERNAL_UNIT", what: "a change of the topology" } as const;
      const error = isCrawlError(thrown) ? thrown : faultOf(thrown, { ...what, isOver: false });
      return { ok: false, code: error.code, message: error.message };
    }
  }

  async #carryOut(request: Request): Promise<Result> {
    const { system } = this.#parts;
    switch (request.do) {
      case "list":
        return { units: await system.units(), connectors: await system.connectors() };
      case "settings":
        return { settings: settingStatuses(system.settingsOf(request.id)) };
      case "change":
        return await this.#change(request.id, request.values);
      case "suspend":
        await system.suspend(request.id);
        return await this.#unit(request.id);
      case "resume":
        await system.resume(request.id);
        return await this.#unit(request.id);
      case "instances":
        await system.setInstances(request.id, request.count);
        return await this.#unit(request.id);
      case "remove":
        await system.remove(request.id);
        return {};
      case "add":
        return await this.#add(await this.#load(request.topology, "add"));
      case "swap":
        return await this.#swap(await this.#load(request.topology, "swap"));
    }
  }

  async #change(id: string, texts: Readonly<Record<string, string>>): Promise<Result> {
    const { system } = this.#parts;
    const values = readValues(texts, system.settingsOf(id), id);
    await system.changeSettings(id, values);
    return { settings: settingStatuses(system.settingsOf(id)) };
  }

  async #add(wiring: Wiring): Promise<Result> {
    const { system } = this.#parts;
    await system.add(wiring);
    const units = new Set([...wiring.providers, ...wiring.components].map(({ id }) => id));
    const connectors = new Set(wiring.connectors.map(({ id }) => id));
    return {
      units: (await system.units()).filter(({ id }) => units.has(id)),
      connectors: (await system.connectors()).filter(({ id }) => connectors.has(id)),
    };
  }

  async #swap({ providers, connectors }: Wiring): Promise<Result> {
    const { system } = this.#parts;
    const [provider, connector] = [providers[0], connectors[0]];
    if (providers.length + connectors.length !== 1) {
      const why = "one provider or one connector is swapped at a time";
      throw new CrawlError("TOPOLOGY_REFUSED", `The topology was not changed: ${why}.`, { why });
    }
    if (connector !== undefined) {
      await system.swapConnector(connector);
      return { connectors: (await system.connectors()).filter(({ id }) => id === connector.id) };
    }
    if (provider !== undefined) await system.swapProvider(provider);
    return await this.#unit(provider?.id ?? "");
  }

  async #load(topology: string, use: "add" | "swap"): Promise<Wiring> {
    const { system, library, importUnits } = this.#parts;
    const fragment = { use, running: system.bindable() };
    const options = { path: REQUEST, library, importUnits, fragment };
    const { wiring } = await loadTopology(topology, options);
    return wiring;
  }

  async #unit(id: string): Promise<Result> {
    const units = await this.#parts.system.units();
    return { units: units.filter((one) => one.id === id) };
  }
}
