/**
 * Launch: runs topologies that are files, in this process, without the crawler.
 *
 * `startTopology` reads a file, loads the modules that it names, checks it as a whole and starts it;
 * what it gives can be looked at, changed and closed. `runTopology` also waits until every component has
 * finished. Whatever is wrong with the file is one error with all of its mistakes, before anything
 * starts. `tryUnit` runs one component without a file, for tests of its author.
 *
 * Read `run-topology.ts` first.
 */
export { RemotePost } from "./remote-post.ts";
export {
  type RunningSystem,
  type RunningTopology,
  runTopology,
  startTopology,
  type TopologyOptions,
} from "./run-topology.ts";
export { type Trial, type TrialResult, tryUnit } from "./try-unit.ts";
