/** Topologies on real threads, for the tests of what they do there. */
import { fileURLToPath } from "node:url";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { NodeThreads, PlacedSystem, type TopologySource } from "./index.ts";
import { collected } from "./placed-units.fixture.ts";
import type { RunningThread } from "./threads.ts";
import { loadSource } from "./topology-source.ts";

export const ON_THREADS: string = `
use: [./placed-units.fixture.ts]
providers:
  where: { unit: where }
connectors:
  pages: { type: test/page, capacity: 50 }
  links: { type: test/link, capacity: 40 }
components:
  crawl: { unit: pages, output: pages }
  parser: { unit: parser, thread: parsing, input: pages, output: links, providers: { where: where } }
  collector: { unit: collector, input: links, providers: { where: where } }
`;
export const ENDLESS: string = ON_THREADS.replace(
  "unit: pages, output",
  "unit: pages, settings: { total: 1G }, output",
);

/** The same with a parser that needs no provider. */
export const PLAIN: string = ON_THREADS.replace(
  "output: links, providers: { where: where }",
  "output: links",
);

export interface Run {
  readonly system: PlacedSystem<unknown>;
  readonly errors: CrawlError[];
  /** Resolves when everything has finished, with null, or the topology has failed. */
  readonly over: Promise<CrawlError | null>;
}

const opened: PlacedSystem<unknown>[] = [];
const running: RunningThread[] = [];

/** Remembers its threads, so that a test that fails can end those that would never end. */
class KnownThreads extends NodeThreads {
  override start(start: Parameters<NodeThreads["start"]>[0]): RunningThread {
    const thread = super.start(start);
    running.push(thread);
    return thread;
  }
}

/** Ends all threads without asking them. */
export async function endThreads(): Promise<void> {
  for (const thread of running) await thread.end();
}

/** After each test: ends what it started. */
export async function closeAll(): Promise<void> {
  for (const system of opened.splice(0)) await system.close();
  running.length = 0;
  collected.length = 0;
}

export interface RunOptions {
  readonly library?: TopologySource["library"];
  readonly heapMiBMax?: number;
  readonly clock?: Clock;
  /** Told of each error when it is reported. */
  readonly reported?: (error: CrawlError) => void;
}

export async function started(text: string, options: RunOptions = {}): Promise<Run> {
  const { library = null, clock = new SystemClock(), reported, ...limits } = options;
  const directory = fileURLToPath(new URL(".", import.meta.url));
  const source = { text, path: "topology.yaml", directory, library };
  const { wiring } = await loadSource(source);
  const errors: CrawlError[] = [];
  const { promise: over, resolve } = Promise.withResolvers<CrawlError | null>();
  const parts = {
    clock,
    report(error: CrawlError) {
      errors.push(error);
      reported?.(error);
    },
    failed: resolve,
    finished: () => resolve(null),
  };
  const system: PlacedSystem<unknown> = new PlacedSystem(parts, new KnownThreads(source, limits));
  opened.push(system);
  await system.open(wiring);
  await system.start();
  return { system, errors, over };
}
