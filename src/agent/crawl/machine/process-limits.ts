/** What the operating system and Node allow this process. */
import { availableParallelism } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { Configuration } from "../../../rules/config/index.ts";
import { type FittedCrawl, fitted, type ProcessLimits, tooManyConnections } from "./fitting.ts";

/** The crawl, fitted to this process. Throws `USAGE_PROCESS_LIMIT` if it may not use enough for any. */
export function fittedToProcess(configuration: Configuration): FittedCrawl {
  return fitted(configuration, readProcessLimits());
}

/** Throws `TOPOLOGY_REFUSED` if a crawl that runs wants more connections than this process may have. */
export function refuseUnfitted(configuration: Configuration): void {
  const { concurrency } = fittedToProcess(configuration).configuration.fetch;
  if (concurrency < configuration.fetch.concurrency) throw tooManyConnections(concurrency);
}

/** Threads that can run at once. */
export function availableCores(): number {
  return availableParallelism();
}

/** Read once: a report asks every thread of the process, and waits for each. */
let known: ProcessLimits | null = null;

function readProcessLimits(): ProcessLimits {
  const heapBytesMax = getHeapStatistics().heap_size_limit;
  known ??= { openFilesMax: openFilesMax(), heapBytesMax };
  return known;
}

/** Node has raised the soft limit as far as it may go. Null where there is none, as on Windows. */
function openFilesMax(): number | null {
  // Newer than the types.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  // Network interfaces are not needed here, and looking them up may ask name servers.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : null;
}
