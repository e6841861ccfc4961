/** From the configuration of a crawl to the settings of its nodes. */

import { KIB, MIB, MINUTE_MS, SECOND_MS } from "../../base/units/index.ts";
import type { CrawlBounds } from "../../cluster/limits/index.ts";
import type { NodeSettings } from "../../cluster/node/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { keepsDepths } from "../crawl/frontier-keys.ts";
import { tableBytes } from "../providers/open-table.ts";

/** How long an answer of another agent is waited for, in heartbeats: long enough for a slow link. */
const ANSWER_BEATS = 2;
const ANSWER_MS_MAX = 10_000;
/** Waves of termination follow each other faster than that would be noticed. */
const WAVE_BEATS = 0.5;

/** Of a batch of URLs: a few hundred of usual length. */
const BATCH = { batchEntries: 512, batchBytes: 64 * KIB };
/** What is told all the time goes out once a second, to one agent; what waits does so at checkpoints anyway. */
const PACE = { lingerMs: 50, restMs: SECOND_MS, burst: 20, waitMsMax: 10 * SECOND_MS };
const OUTBOX = { segmentBytesMax: 8 * MIB, retainBytes: MIB, repeatsMax: 10_000 };

const SHIPPING = { pieceBytes: 256 * KIB, pagesAtOnce: 8 };
/** What pages that follow their hosts in the background may take of a network. */
const MIGRATION_BYTES_PER_SECOND = 10 * MIB;
/** Pages are looked for on a disk that others use too. */
const QUERY_MS_MIN = 2 * SECOND_MS;
const QUERIES = { triesMax: 10, partBytes: 256 * KIB, servedMax: 8, pollMs: 1000 };

/** What an agent asks for when it lacks something is a page, or as many bytes as a large one has. */
const LEAST = { pages: 1, bytes: MIB };

export function nodeSettings(configuration: Configuration): NodeSettings {
  const { cluster, politeness, fetch, store, frontier } = configuration;
  const { heartbeat: heartbeatMs } = cluster;
  const timeoutMs = Math.min(ANSWER_MS_MAX, ANSWER_BEATS * heartbeatMs);
  return {
    membership: {
      heartbeatMs,
      suspectAfterMs: cluster.suspectAfter,
      deadAfterMs: cluster.deadAfter,
      giveUpAfterMs: cluster.giveUpAfter,
      partition: cluster.partition,
      fullDisk: cluster.fullDisk,
      recovery: cluster.recovery,
      replicas: cluster.replicas,
    },
    delivery: { ...BATCH, ...PACE, ...OUTBOX, timeoutMs },
    slots: {
      ipDelayMs: politeness.ipDelay,
      totalTimeoutMs: fetch.totalTimeout,
      deadAfterMs: cluster.deadAfter,
      timeoutMs,
      retryMs: heartbeatMs / 4,
      forgetMs: MINUTE_MS,
    },
    termination: { intervalMs: WAVE_BEATS * heartbeatMs, timeoutMs },
    shipping: { ...SHIPPING, timeoutMs, bytesPerSecondMax: MIGRATION_BYTES_PER_SECOND },
    migrate: store.migrate,
    claimsBytes: tableBytes(frontier.memory),
    keepsDepths: keepsDepths(configuration),
    limits: {
      ...{ timeoutMs, retryMs: heartbeatMs / 4, retryMsMax: 4 * heartbeatMs },
      ...{ lingerMs: heartbeatMs / 2, compareMs: heartbeatMs },
      ...{ least: LEAST, low: { pages: fetch.concurrency, bytes: 4 * LEAST.bytes } },
    },
    queries: {
      ...{ ...QUERIES, timeoutMs: Math.max(timeoutMs, QUERY_MS_MIN) },
      retryMs: heartbeatMs / 4,
    },
    askTimeoutMs: timeoutMs,
  };
}

/**
 * Whether a member with the settings of the one can go on with those of the other: it keeps what it was made
 * with, and one that joins was made before it knew what the crawl is like.
 */
export function areAlike(one: Configuration, other: Configuration): boolean {
  const kept = (configuration: Configuration): string =>
    JSON.stringify([nodeSettings(configuration), configuration.limits]);
  return kept(one) === kept(other);
}

export function boundsOf({ limits }: Configuration): CrawlBounds {
  return { pages: limits.pages, bytes: limits.bytes, timeMs: limits.time };
}
