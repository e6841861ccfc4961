/** What can be seen of a running topology, as plain data. */
import type { Reading } from "../../../base/telemetry/index.ts";
import type { Connector } from "../../connector/index.ts";
import type { InstanceState } from "../instances/component-instance.ts";
import type { ComponentUnit } from "../units/component-unit.ts";
import type { ProviderUnit } from "../units/provider-unit.ts";

export interface UnitStatus {
  readonly id: string;
  readonly kind: string;
  readonly unit: string;
  readonly state: InstanceState | "providing";
  readonly instances: number;
  /** Items that are being worked on. */
  readonly inFlight: number;
  /** Items that wait for room in an output. */
  readonly waitingOut: number;
  readonly metrics: Readonly<Record<string, Reading>>;
  /** Ids of connectors, by role. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** Ids of providers, by role. */
  readonly providers: Readonly<Record<string, string>>;
}

export interface ConnectorStatus {
  readonly id: string;
  readonly type: string;
  readonly capacity: number;
  readonly length: number;
  /** Items that came after all of its consumers had finished. */
  readonly dropped: number;
}

/** Ids, with the names of the roles of providers and of the types of connectors. */
export interface Bindable {
  readonly providers: ReadonlyMap<string, string>;
  readonly connectors: ReadonlyMap<string, string>;
  readonly components: readonly string[];
}

export function providerStatus(provider: ProviderUnit): UnitStatus {
  const { id, definition } = provider;
  return {
    ...{ id, kind: "provider", unit: definition.name, state: "providing" },
    ...{ instances: 1, inFlight: 0, waitingOut: 0, metrics: provider.readMetrics() },
    ...{ inputs: {}, outputs: {}, providers: provider.wiring.providers ?? {} },
  };
}

export function componentStatus(component: ComponentUnit): UnitStatus {
  const { id, definition, state, instances, inFlight, waitingOut } = component;
  return {
    ...{ id, kind: definition.kind, unit: definition.name, state },
    ...{ instances, inFlight, waitingOut, metrics: component.readMetrics() },
    ...{ inputs: component.wiring.inputs ?? {}, outputs: component.wiring.outputs ?? {} },
    providers: component.wiring.providers ?? {},
  };
}

export function connectorStatus(
  id: string,
  { type, capacity, length }: Connector<unknown>,
  dropped: number,
): ConnectorStatus {
  return { id, type: type.name, capacity, length, dropped };
}
