/**
 * Descriptions: topologies as people write them, read and checked before anything starts.
 *
 * A file is read into a `TopologyDescription`, in which every name keeps its place: YAML by
 * `read-topology.ts`, the XML of the Crawler.NET thesis by `read-xml-topology.ts`.
 * A `Library` holds what names may mean: units of the program, those of the user's modules
 * (`load-library.ts`), kinds of connectors. `check-topology.ts` compares the two and gives a wiring for
 * the runtime, or mistakes: all of them, each with file, line and column.
 *
 * Read `load-topology.ts` first, then `topology-description.ts` and `check-topology.ts`.
 */
export { wireAgain } from "./connector-wiring.ts";
export { type ConnectorKind, type Library, libraryOf, type UnitDefinition } from "./library.ts";
export {
  type LoadedTopology,
  loadTopology,
  TOPOLOGY_BYTES_MAX,
  topologyError,
  tryLoadTopology,
} from "./load-topology.ts";
export { type OpenRemote, type RemoteSettings, remoteKind } from "./remote-kind.ts";
