/**
 * Conformance suites: for each seam, the tests that every implementation of it must pass.
 *
 * A suite is a function that registers tests with `node:test`; it is given a factory that makes a
 * fresh subject for each test. Trobar runs each suite on its real and on its simulated
 * implementations; whoever writes another implementation runs the same suite on that one.
 *
 * Read `world.ts` first, then any suite.
 */
export {
  type FailingStorageSubject,
  failingStorageSuite,
  fullStorageSuite,
} from "./storage-fault-suite.ts";
export type { StorageSubject } from "./storage-subject.ts";
export { storageSuite } from "./storage-suite.ts";
export { REAL_WORLD, type World } from "./world.ts";
