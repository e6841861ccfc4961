/**
 * A topology as it was written, before any name in it has been looked up: units and connectors by id,
 * each part with its location, so that every mistake can name its place. Whatever notation a file has
 * (YAML here, the XML of the Crawler.NET thesis), this is what reading it gives.
 */
import type { GivenTree, Location } from "../../rules/settings/index.ts";

/** A text of the file, with its place. */
export interface Written {
  readonly text: string;
  readonly location: Location;
}

/** The end or provider of a unit that has this role, and the id that is bound to it. */
export interface Binding {
  readonly role: Written;
  readonly id: Written;
}

export interface UnitDescription {
  readonly id: Written;
  /** A name that is known, or a module and the name of an export: `./units.js#parser`. */
  readonly unit: Written;
  readonly settings: GivenTree | null;
  readonly providers: readonly Binding[];
}

export interface ProviderDescription extends UnitDescription {
  /**
   * `true` for one that exists once, on the thread of the topology, also where several topologies share
   * it; each thread has its own unless given.
   */
  readonly shared?: Written | null;
}

export interface ComponentDescription extends UnitDescription {
  readonly instances: Written | null;
  readonly onFailure: Written | null;
  /** The name of the thread on which it runs; null for the thread of the topology. */
  readonly thread: Written | null;
  readonly inputs: readonly Binding[];
  readonly outputs: readonly Binding[];
}

export interface ConnectorDescription {
  readonly id: Written;
  /** The name of the type of its items. */
  readonly type: Written;
  /** Such as `local`, which it is unless given. */
  readonly kind: Written | null;
  /** Everything else, by the schema of its kind. */
  readonly settings: GivenTree;
}

export interface TopologyDescription {
  /** Modules that declare further units, types and kinds of connectors. */
  readonly use: readonly Written[];
  readonly providers: readonly ProviderDescription[];
  readonly connectors: readonly ConnectorDescription[];
  readonly components: readonly ComponentDescription[];
}
