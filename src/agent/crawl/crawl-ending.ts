/**
 * The last steps of a crawl: what it took is made durable, and its units are closed. When each is due,
 * and what its errors mean, is decided by its life.
 */
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import { type Acknowledge, type Clock, whenDone } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { RemotePost } from "../../topology/launch/index.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { commitPages } from "./commits.ts";

/** How long others may take when a crawl is stopped: fetches in flight, and its other processes. */
export const GRACE_MS: number = 5 * SECOND_MS;

/** Commits the pages, then writes all rows. */
export function makeDurable(
  parts: Pick<UsedBy<"steering">, "store" | "index" | "rows">,
  done: Acknowledge,
): void {
  const { rows, index } = parts;
  const flush = (): void =>
    flushed(rows?.writer ?? null, (rowsError) =>
      flushed(index, (indexError) => done(rowsError ?? indexError)),
    );
  commitPages(parts, whenDone(done, flush));
}

export interface ClosedUnits {
  readonly clock: Clock;
  readonly system: { drain(): Promise<unknown>; close(): Promise<void> };
  readonly requests: { finish(): void };
  /** Null if the topology has no connectors to other processes. */
  readonly remotes: Pick<RemotePost, "drain" | "close"> | null;
  /** Whether pages are fetched by other processes, or for them. */
  readonly hasOthers: boolean;
}

/**
 * Each provider closes what it opened. Units of users may still be busy with what pages gave them.
 * Resolves with the error of a unit, and never rejects.
 */
export async function closeUnits(units: ClosedUnits): Promise<CrawlError | null> {
  const { system, requests, remotes, hasOthers } = units;
  try {
    requests.finish();
    await system.drain();
    await system.close();
    if (hasOthers) await tellOthers(units);
    await remotes?.close();
    return null;
  } catch (thrown) {
    return faultOf(thrown, { code: "INTERNAL_UNIT", what: "the units", isOver: false });
  }
}

/** The other processes of the crawl end when they hear that this one has; they may be gone. */
async function tellOthers({ clock, remotes }: ClosedUnits): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(GRACE_MS, resolve);
  await Promise.race([remotes?.drain(), late]);
  timer.cancel();
}

/** Answers when all has been written that was given to a writer, if there is one. */
function flushed(writer: { flush(done: Acknowledge): void } | null, done: Acknowledge): void {
  if (writer === null) done(null);
  else writer.flush(done);
}
