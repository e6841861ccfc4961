/**
 * A provider while it runs: the slot behind a role. Units reach the service through the slot each time,
 * so another implementation can be put in without their knowing. The slot is never empty between the
 * first making and the end: a successor is made before its predecessor is closed.
 */
import assert from "node:assert/strict";
import { openMetrics, type Reading, readMetrics } from "../../../base/telemetry/index.ts";
import type { ProviderDefinition, Provision } from "../../unit/index.ts";
import { UnitSettings } from "../settings/unit-settings.ts";
import type { ProviderWiring } from "../wiring.ts";
import { LATE } from "./patience.ts";
import { notMade, refused, unitFault } from "./refusal.ts";
import type { UnitSurroundings } from "./surroundings.ts";
import { unitContext } from "./surroundings.ts";

/** An implementation and what belongs to it. */
interface Occupant {
  readonly wiring: ProviderWiring;
  readonly settings: UnitSettings;
  readonly metrics: ReturnType<typeof openMetrics>;
}

export class ProviderUnit {
  readonly id: string;
  readonly #surroundings: UnitSurroundings;
  #occupant: Occupant;
  #provision: Provision<unknown> | null = null;

  constructor(wiring: ProviderWiring, surroundings: UnitSurroundings) {
    this.id = wiring.id;
    this.#surroundings = surroundings;
    this.#occupant = occupantOf(wiring);
  }

  get wiring(): ProviderWiring {
    return this.#occupant.wiring;
  }

  get definition(): ProviderDefinition {
    return this.wiring.definition;
  }

  get settings(): UnitSettings {
    return this.#occupant.settings;
  }

  /** Ids of the providers that it uses. */
  get uses(): readonly string[] {
    return Object.values(this.wiring.providers ?? {});
  }

  get service(): unknown {
    const provision = this.#provision;
    // Units ask for every item, and a call of `assert` would cost more than all the rest.
    if (provision === null) assert.fail("a provider is asked between its creation and its end");
    return provision.service;
  }

  readMetrics(): Record<string, Reading> {
    return readMetrics(this.#occupant.metrics);
  }

  async create(): Promise<void> {
    this.#provision = await this.#make(this.#occupant);
  }

  /** Its service is over. */
  async end(): Promise<void> {
    const provision = this.#provision;
    if (provision !== null) await this.#close(provision);
    this.#provision = null;
  }

  /** Tells the service of live settings that have changed; refused if it does not take them. */
  async settingsChanged(): Promise<void> {
    const { patience } = this.#surroundings;
    if ((await patience.wait(this.#provision?.changed?.())) !== LATE) return;
    throw refused(`${this.id} did not take its settings within ${patience.limitMs} ms`);
  }

  /** The same implementation, made anew with the settings in force. */
  async renew(): Promise<void> {
    await this.#succeed(this.#occupant);
  }

  /** Another implementation, which gets what the old one hands over. The old one stays if it fails. */
  async replace(wiring: ProviderWiring): Promise<void> {
    await this.#succeed(occupantOf(wiring));
  }

  async #succeed(occupant: Occupant): Promise<void> {
    const before = this.#provision;
    const after = await this.#make(occupant, before?.handOver?.());
    this.#occupant = occupant;
    this.#provision = after;
    if (before !== null) await this.#close(before);
  }

  async #make(
    { wiring, settings, metrics }: Occupant,
    state?: unknown,
  ): Promise<Provision<unknown>> {
    const { patience } = this.#surroundings;
    const unit = unitContext({
      ...{ name: this.id, roles: wiring.providers ?? {}, settings, metrics },
      surroundings: this.#surroundings,
    });
    try {
      const making = wiring.definition.create(unit, state);
      const { mayTakeLong = false } = wiring.definition;
      const made = await (mayTakeLong ? making : patience.wait(making));
      if (made !== LATE) return whole(made);
      // Should it come after all, nobody waits for it.
      void Promise.resolve(making)
        .then((late) => this.#close(late))
        .catch(() => undefined);
    } catch (thrown) {
      throw notMade(thrown, this.id);
    }
    throw refused(`${this.id} was not made within ${patience.limitMs} ms`);
  }

  /** Whatever happens in there, its service is over. */
  async #close(provision: Provision<unknown>): Promise<void> {
    const { patience, report } = this.#surroundings;
    try {
      if ((await patience.wait(provision.close?.())) !== LATE) return;
      report(unitFault(new Error(`it did not close within ${patience.limitMs} ms`), this.id));
    } catch (thrown) {
      report(unitFault(thrown, this.id));
    }
  }
}

/** No compiler has seen JavaScript; a service that is missing would show only at its first use. */
function whole(made: Provision<unknown> | null | undefined): Provision<unknown> {
  if (made?.service !== undefined) return made;
  throw new TypeError("what its create gives has no service: give { service: … }");
}

function occupantOf(wiring: ProviderWiring): Occupant {
  const { definition, settings } = wiring;
  return {
    wiring,
    settings: new UnitSettings(definition, settings),
    metrics: openMetrics(definition.metrics),
  };
}
