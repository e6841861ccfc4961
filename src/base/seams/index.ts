/**
 * The seams: the seven interfaces through which the deterministic core sees the world.
 *
 * Frontier, sieve, queues, logs and store are synchronous state machines. They take a `Clock`, a
 * `Random`, a `Storage`, a `Transport`, a `Fetcher`, a `Database` and a `Background` as arguments
 * and touch nothing else: no wall clock, no randomness, no timers, no files, no sockets, no
 * promises. So the same code runs in production and under the simulator, where a seed decides what
 * the world does.
 *
 * Every seam answers by callback, exactly once and never before the call has returned: a caller
 * can finish its own step first, in production as in simulation. Each seam has a conformance suite
 * in `src/lab/conformance`, which both the real and the simulated implementation pass. Six contracts
 * are here; that of `Transport` is long, has few users and is in the module of its real
 * implementation.
 *
 * | seam       | real                                    | simulated            |
 * |------------|-----------------------------------------|----------------------|
 * | Clock      | `time/system-clock.ts`                  | `simulator/`         |
 * | Random     | `random/seeded-random.ts` (same in both)|                      |
 * | Storage    | `storage/disk-storage.ts`               | `simulator/`         |
 * | Transport  | `transport/`                            | `simulator/`         |
 * | Database   | `database/sqlite-database.ts`           | `simulator/`         |
 * | Background | `background/thread-background.ts`       | `simulator/`         |
 * | Fetcher    | `fetch/client/http-fetcher.ts`          | `simulator/`         |
 *
 * Read `storage.ts` first: it shows how contracts are written here.
 */
export { answered } from "./answered.ts";
export { whenDone, withValue } from "./answers.ts";
export type { Background, Task, TaskWorld } from "./background.ts";
export type { Body } from "./body.ts";
export type { Clock, Timer } from "./clock.ts";
export type {
  Batch,
  Database,
  DatabaseShape,
  Databases,
  Row,
} from "./database.ts";
export type { Acknowledge, Done } from "./done.ts";
export type {
  FetchedOutcome,
  Fetcher,
  FetchInFlight,
  FetchLimits,
  FetchOutcome,
  FetchRequest,
  Header,
  SentRequest,
} from "./fetcher.ts";
export type { Random } from "./random.ts";
export {
  type FileName,
  isFileName,
  type ReadableFile,
  type Storage,
  type StorageFile,
} from "./storage.ts";
