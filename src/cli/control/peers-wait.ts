/**
 * How `trobar peers --wait N` waits until N agents are there and agree on it. It is used right after agents
 * were started, so at first there may be no process that answers, and no directory; it does not wait for ever
 * for a crawl that nobody starts.
 */
import type { ControlledCrawl } from "../../agent/index.ts";
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";

export type ClusterReport = Awaited<ReturnType<ControlledCrawl["cluster"]>>;

const LOOK_AGAIN_MS = SECOND_MS / 5;
/** A process that was just started takes seconds until it has its directory. */
const START_MS = 60 * SECOND_MS;

export interface PeersSought {
  readonly clock: Clock;
  /** Resolves when the user does not want to wait any longer. */
  readonly interrupted: Promise<void>;
  /** Resolves with why nobody can be asked; null while an agent is about to answer. */
  readonly look: () => Promise<ClusterReport | CrawlError | null>;
  /** Called once, when nobody can be asked. */
  readonly absent: (why: CrawlError) => void;
}

/** Null if it was interrupted. Rejects with why nobody can be asked, if that has been so for a minute. */
export async function untilThere(
  count: number,
  { clock, interrupted, look, absent }: PeersSought,
): Promise<ClusterReport | null> {
  let isInterrupted = false;
  const over = interrupted.then(() => {
    isInterrupted = true;
  });
  let absentSinceMs: number | null = null;
  let hasTold = false;
  while (!isInterrupted) {
    const seen = await look();
    if (isCrawlError(seen)) {
      absentSinceMs ??= clock.nowMs();
      if (clock.nowMs() - absentSinceMs >= START_MS) throw seen;
      if (!hasTold) absent(seen);
      hasTold = true;
    } else {
      absentSinceMs = null;
      if (seen !== null && areThere(seen, count)) return seen;
    }
    const passed = new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve));
    await Promise.race([over, passed]);
  }
  return null;
}

function areThere({ members, missing, views }: ClusterReport, count: number): boolean {
  const active = members.filter(
    ({ standing, status, inRing }) => standing === "alive" && inRing && status?.state === "active",
  );
  return active.length >= count && missing.length === 0 && views === 1;
}
