/**
 * The runtime: runs a wiring of units in one thread.
 *
 * A `System` makes providers, connectors and components, in this order. Each instance of a component
 * is a `ComponentInstance`: it takes a batch of items from its inputs, calls the unit's function for
 * each, collects what that emits, and hands it to its outputs. If an output has no room, the instance
 * waits and takes nothing meanwhile: back-pressure, which the author of a unit never sees. `Turns` says
 * who runs next; there is no promise and no timer for an item.
 *
 * Read `instances/component-instance.ts` first, then `system/system.ts` for changes while everything runs.
 * `instances` is one instance and what it does, `ports` its ends, `units` a component with its instances and a
 * provider with its service, `settings` their values, `system` the whole, `changes` what is decided about
 * changes of it.
 *
 * Words of this module:
 * - *work*: what an instance of a unit does, made by the unit's `create`
 * - *port*: an input or output of an instance, with what waits there
 * - *tenure*: the time of one work in an instance
 * - *pause*: an instance takes no items; there may be several reasons at once, each with its own end
 * - *patience*: how long the runtime waits for code of authors
 */

export { readValues } from "./settings/read-values.ts";
export { UnitSettings } from "./settings/unit-settings.ts";
export { orderOfUse } from "./system/provider-order.ts";
export type { Bindable, ConnectorStatus, UnitStatus } from "./system/status.ts";
export { type Ending, System, type SystemParts } from "./system/system.ts";
export { refused } from "./units/refusal.ts";
export { COMPONENT_METRICS } from "./units/unit-metrics.ts";
export type {
  AcrossThreads,
  ComponentWiring,
  ConnectorForm,
  ConnectorWiring,
  FailurePolicy,
  ProviderWiring,
  Wiring,
} from "./wiring.ts";
