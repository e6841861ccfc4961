/**
 * Fits a crawl to what its process may use, before anything is opened: fewer connections where few
 * files may be open, and a refusal that names the figure where a crawl could not end well. Without
 * this the first file or page too many ends the process somewhere in the middle.
 */

import { CrawlError } from "../../../base/errors/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";

export interface ProcessLimits {
  /** Files, sockets and pipes that may be open at once; null for no limit. */
  readonly openFilesMax: number | null;
  /** All spaces of the JavaScript heap together. */
  readonly heapBytesMax: number;
}

export interface FittedCrawl {
  readonly configuration: Configuration;
  /** What was made smaller, for the user; null when nothing was. */
  readonly note: string | null;
}

const MEBIBYTE = 2 ** 20;

/** Node's own (threads, timers, pipes: about 25), logs, archive, runs of sieve and index, bundles of queues. */
const FILES_RESERVED = 100;
/** Below this a crawl would do little more than wait for descriptors. */
const OPEN_FILES_MIN = 128;
/** A fetch may have a socket and a body on disk; a third of the files is for idle connections. */
const FILES_PER_FETCH = 3;

/**
 * The young generation, 192 MiB unless set otherwise, and 96 MiB of old space: with 64 a small crawl
 * ends well and a larger one does not.
 */
const HEAP_BYTES_MIN = 288 * MEBIBYTE;
const OLD_SPACE_MEBIBYTES_MIN = 96;

/** Throws `USAGE_PROCESS_LIMIT` when the process may not use enough for any crawl. */
export function fitted(configuration: Configuration, limits: ProcessLimits): FittedCrawl {
  if (limits.heapBytesMax < HEAP_BYTES_MIN) throw tooLittleHeap(limits.heapBytesMax);
  const { openFilesMax } = limits;
  if (openFilesMax === null) return { configuration, note: null };
  if (openFilesMax < OPEN_FILES_MIN) throw tooFewFiles(openFilesMax);
  const available = openFilesMax - FILES_RESERVED;
  const { fetch } = configuration;
  const concurrency = Math.min(fetch.concurrency, Math.floor(available / FILES_PER_FETCH));
  const needed = FILES_RESERVED + fetch.concurrency * FILES_PER_FETCH;
  const isSmaller = concurrency < fetch.concurrency;
  const idleConnections = Math.min(
    fetch.idleConnections,
    available - (FILES_PER_FETCH - 1) * concurrency,
  );
  return {
    configuration: { ...configuration, fetch: { ...fetch, concurrency, idleConnections } },
    note: isSmaller
      ? `this process may open ${openFilesMax} files (\`ulimit -n\`), so fetch.concurrency is ` +
        `${concurrency} instead of ${fetch.concurrency}; with ${needed} files it would not be lowered`
      : null,
  };
}

/** For a crawl that runs, which is refused what one that starts is lowered to. */
export function tooManyConnections(connectionsMax: number): CrawlError {
  const message =
    `The topology was not changed: fetch.concurrency can be ${connectionsMax} at most, because this ` +
    "process may not open more files (`ulimit -n`).";
  return new CrawlError("TOPOLOGY_REFUSED", message, { connectionsMax });
}

function tooLittleHeap(heapBytesMax: number): CrawlError {
  const mebibytes = Math.floor(heapBytesMax / MEBIBYTE);
  return new CrawlError(
    "USAGE_PROCESS_LIMIT",
    `Node allows this process ${mebibytes} MiB of heap, and a crawl needs ` +
      `${HEAP_BYTES_MIN / MEBIBYTE}. Give --max-old-space-size in NODE_OPTIONS at least ` +
      `${OLD_SPACE_MEBIBYTES_MIN}, or leave it out.`,
    { heapBytesMax, heapBytesMin: HEAP_BYTES_MIN },
  );
}

function tooFewFiles(openFilesMax: number): CrawlError {
  return new CrawlError(
    "USAGE_PROCESS_LIMIT",
    `This process may open ${openFilesMax} files, and a crawl needs at least ${OPEN_FILES_MIN}. ` +
      `Raise the limit (\`ulimit -n ${OPEN_FILES_MIN}\` or more, or LimitNOFILE of its service).`,
    { openFilesMax, openFilesMin: OPEN_FILES_MIN },
  );
}
