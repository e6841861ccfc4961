/**
 * A wiring: a topology whose names have been resolved and whose ends fit, ready to be run. The
 * `description` module makes one from a file; code that knows its units may write one directly.
 */
import type { Connector } from "../connector/index.ts";
import type { ItemType } from "../items/index.ts";
import type { ComponentDefinition, ProviderDefinition } from "../unit/index.ts";

/** What follows when a unit's own code throws: the item is skipped; the unit is also made anew; the topology fails. */
export type FailurePolicy = "skip" | "restart" | "stop";

export interface ProviderWiring {
  readonly id: string;
  readonly definition: ProviderDefinition;
  /** Values by key; what is left out has its default. */
  readonly settings?: ReadonlyMap<string, unknown>;
  /** Ids of providers, by role. */
  readonly providers?: Readonly<Record<string, string>>;
  /** Whether topologies that share providers have this one in common. */
  readonly shared?: boolean;
}

export interface ConnectorWiring {
  readonly id: string;
  /** Opened once, after the providers and before the components. */
  readonly open: () => Connector<unknown> | Promise<Connector<unknown>>;
  /** Absent if its ends cannot be on different threads. */
  readonly across?: AcrossThreads;
  /** Given if it was read from a file: what other threads make the same of. */
  readonly form?: ConnectorForm;
}

/** What a connector is made of, in plain values that can be given to another thread. */
export interface ConnectorForm {
  readonly kind: string;
  readonly type: string;
  readonly settings: object;
}

/** What it takes to carry the items of a connector between threads. */
export interface AcrossThreads {
  readonly type: ItemType<unknown>;
  /** Items on the way and waiting at most, in all threads together. */
  readonly capacity: number;
  /** The piece of it that is on one thread, with its share of the capacity. */
  open(capacity: number): Connector<unknown>;
}

export interface ComponentWiring {
  readonly id: string;
  readonly definition: ComponentDefinition;
  /** One unless given. */
  readonly instances?: number;
  readonly settings?: ReadonlyMap<string, unknown>;
  /** Ids of connectors, by role. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  /** Ids of providers, by role. */
  readonly providers?: Readonly<Record<string, string>>;
  /** The name of the thread on which it runs; the thread of the topology unless given. */
  readonly thread?: string;
  /** `skip` unless given. */
  readonly onFailure?: FailurePolicy;
}

export interface Wiring {
  readonly providers: readonly ProviderWiring[];
  readonly connectors: readonly ConnectorWiring[];
  readonly components: readonly ComponentWiring[];
}
