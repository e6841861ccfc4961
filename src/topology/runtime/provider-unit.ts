/**
 * A provider while it runs: the slot behind a role. Units reach the service through the slot each time,
 * so another implementation can be put in without their knowing.
 */
import assert from "node:assert/strict";
import { openMetrics, type Reading, readMetrics } from "../../base/telemetry/index.ts";
import type { ProviderDefinition, Provision } from "../unit/index.ts";
import type { UnitSurroundings } from "./surroundings.ts";
import { unitContext } from "./surroundings.ts";
import { UnitSettings } from "./unit-settings.ts";
import type { ProviderWiring } from "./wiring.ts";

export class ProviderUnit {
  readonly id: string;
  readonly #surroundings: UnitSurroundings;
  #wiring: ProviderWiring;
  #settings: UnitSettings;
  #metrics: ReturnType<typeof openMetrics>;
  #provision: Provision<unknown> | null = null;

  constructor(wiring: ProviderWiring, surroundings: UnitSurroundings) {
    this.id = wiring.id;
    this.#surroundings = surroundings;
    this.#wiring = wiring;
    this.#settings = new UnitSettings(wiring.definition.settings, wiring.settings ?? new Map());
    this.#metrics = openMetrics(wiring.definition.metrics);
  }

  get wiring(): ProviderWiring {
    return this.#wiring;
  }

  get definition(): ProviderDefinition {
    return this.#wiring.definition;
  }

  get settings(): UnitSettings {
    return this.#settings;
  }

  /** Ids of the providers that it uses. */
  get uses(): readonly string[] {
    return Object.values(this.#wiring.providers ?? {});
  }

  get service(): unknown {
    const provision = this.#provision;
    // Units ask for every item, and a call of `assert` would cost more than all the rest.
    if (provision === null) assert.fail("a provider is asked between its creation and its end");
    return provision.service;
  }

  readMetrics(): Record<string, Reading> {
    return readMetrics(this.#metrics);
  }

  async create(state?: unknown): Promise<void> {
    const unit = unitContext({
      name: this.id,
      roles: this.#wiring.providers ?? {},
      settings: this.#settings,
      metrics: this.#metrics,
      surroundings: this.#surroundings,
    });
    this.#provision = await this.definition.create(unit, state);
  }

  /** Its service is over; gives what a successor needs. */
  async end(): Promise<unknown> {
    const provision = this.#provision;
    const state = provision?.handOver?.();
    await provision?.close?.();
    this.#provision = null;
    return state;
  }

  /** The same implementation, made anew with the settings in force. */
  async renew(): Promise<void> {
    await this.create(await this.end());
  }

  /** Another implementation, which gets what the old one hands over. The old one stays if it fails. */
  async replace(wiring: ProviderWiring): Promise<void> {
    const before = this.#provision;
    const [oldWiring, oldSettings, oldMetrics] = [this.#wiring, this.#settings, this.#metrics];
    const state = before?.handOver?.();
    this.#wiring = wiring;
    this.#settings = new UnitSettings(wiring.definition.settings, wiring.settings ?? new Map());
    this.#metrics = openMetrics(wiring.definition.metrics);
    try {
      await this.create(state);
    } catch (thrown) {
      this.#wiring = oldWiring;
      this.#settings = oldSettings;
      this.#metrics = oldMetrics;
      this.#provision = before;
      throw thrown;
    }
    await before?.close?.();
  }
}
