/**
 * Providers: services that units share, known to them only by a role. A role is a name and the
 * interface behind it; which implementation stands behind a role is for the topology to say, and may
 * change while everything runs, so a unit asks `unit.providers.NAME` each time and keeps no copy.
 */
import type { MetricDefinitions } from "../../base/telemetry/index.ts";
import type { SchemaTree } from "../../rules/settings/index.ts";
import type { Unit } from "./unit.ts";

/** What a unit needs, and what a provider provides. The same name is the same role. */
export class ProviderRole<Service> {
  readonly name: string;
  /** For the type checker only: a role of one service is not a role of another. */
  declare readonly service: Service;

  constructor(name: string) {
    this.name = name;
  }
}

export function providerRole<Service>(name: string): ProviderRole<Service> {
  return new ProviderRole(name);
}

export type ProviderRoles = Readonly<Record<string, ProviderRole<unknown>>>;

export type ServicesOf<Roles extends ProviderRoles> = {
  readonly [Name in keyof Roles]: Roles[Name]["service"];
};

/** What a provider's `create` gives: the service, and what its life needs. */
export interface Provision<Service> {
  readonly service: Service;
  /**
   * Whatever a successor needs to go on where this one stopped. Called before the successor is made;
   * `close` follows when that has succeeded. If it fails, this one goes on, so it must be left usable.
   */
  handOver?(): unknown;
  /**
   * Called when live settings have other values, for a service that does not look at them each time.
   * If it throws, or rejects, the change is refused, and the service must be as it was.
   */
  changed?(): void | Promise<void>;
  close?(): void | Promise<void>;
}

export interface ProviderDefinition<
  Service = unknown,
  Roles extends ProviderRoles = ProviderRoles,
  Settings extends object = object,
  Metrics extends MetricDefinitions = MetricDefinitions,
> {
  readonly kind: "provider";
  readonly name: string;
  readonly provides: ProviderRole<Service>;
  readonly providers: Roles;
  readonly settings: SchemaTree<Settings>;
  /** Names that somebody may take for its settings, and why these cannot be changed. */
  readonly fixed?: Readonly<Record<string, string>>;
  readonly metrics: Metrics;
  /**
   * Whether it is waited for until it is made, however long that takes, as where files of any length are
   * read. Any other is given up after a while.
   */
  readonly mayTakeLong?: boolean;
  /** `state` is what a predecessor handed over, if there was one. */
  create(
    unit: Unit<Roles, Settings, Metrics>,
    state?: unknown,
  ): Provision<Service> | Promise<Provision<Service>>;
}
