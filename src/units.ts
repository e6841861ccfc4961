/**
 * The door for authors of units, `trobar/units`: the kinds of components and the provider, what they
 * declare (types of items, settings, metrics), and functions that run a topology. `docs/units.md` leads
 * through all of it.
 */

export {
  documentParser,
  type Processor,
  processor,
  type SeenPage,
  type SeenPages,
  type SeenTest,
  type Store,
  seenRole,
  storeRole,
} from "./agent/index.ts";
export { CrawlError, isCrawlError } from "./base/errors/index.ts";
export { counter, gauge, histogram, type Reading } from "./base/telemetry/index.ts";
export type { UserDocument, UserFindings, UserParser } from "./parse/page/index.ts";
export { key, type SchemaTree, value } from "./rules/settings/index.ts";
export type { CrawlLine, FetchedPage, StoredPage } from "./store/archive/index.ts";
export type { Connector, Inlet, Outlet } from "./topology/connector/index.ts";
export { LocalConnector, PriorityLine } from "./topology/connector/index.ts";
export type { ConnectorKind, UnitDefinition } from "./topology/description/index.ts";
export { type Codec, codec, type ItemType, itemType } from "./topology/items/index.ts";
export {
  type RunningSystem,
  type RunningTopology,
  runTopology,
  startTopology,
  type TopologyOptions,
  type Trial,
  type TrialResult,
  tryUnit,
} from "./topology/launch/index.ts";
export type { ConnectorStatus, UnitStatus } from "./topology/runtime/index.ts";
export {
  type ComponentDefinition,
  type Emit,
  filter,
  general,
  join,
  merge,
  type ProviderDefinition,
  type Provision,
  provider,
  providerRole,
  sink,
  source,
  type Taken,
  type Unit,
} from "./topology/unit/index.ts";
