/**
 * Conformance suites: for each seam, and for connectors, the tests that every implementation must pass.
 *
 * A suite is a function that registers tests with `node:test`; it is given a factory that makes a
 * fresh subject for each test. Trobar runs each suite on its real and on its simulated
 * implementations; the author of another implementation runs the same suite on it.
 *
 * Read `world.ts` first, then any suite.
 */

export { type BackgroundSubject, backgroundSuite } from "./background-suite.ts";
export { type ClockSubject, clockSuite } from "./clock-suite.ts";
export type { ConnectorOpening, ConnectorSubject } from "./connector-actors.ts";
export { connectorSuite } from "./connector-suite.ts";
export { databaseSuite } from "./database-suite.ts";
export { fetcherSuite } from "./fetcher-suite.ts";
export type { DatabaseOpening, DatabaseSubject } from "./open-database.ts";
export { randomSuite } from "./random-suite.ts";
export type { FetcherSubject } from "./scripted-web.ts";
export { SieveFront, type TestOffer, type Told, toldOf } from "./sieve-model.ts";
export { type SieveOpening, type SieveSubject, sieveSuite } from "./sieve-suite.ts";
export {
  type FailingStorageSubject,
  failingStorageSuite,
  fullStorageSuite,
} from "./storage-fault-suite.ts";
export type { StorageSubject } from "./storage-subject.ts";
export { storageSuite } from "./storage-suite.ts";
export type { TransportSubject } from "./transport-cluster.ts";
export { transportSuite } from "./transport-suite.ts";
export { REAL_WORLD, type World } from "./world.ts";
