/**
 * Writes what a crawl has taken, again and again: at once to where others can read it, and every
 * few seconds so that it is durable and a crash costs no more than those.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { type Acknowledge, type Clock, type Timer, whenDone } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { LinkSink } from "../topology/roles.ts";
import { RETRY_FULL_MS } from "./machine/disk-watch.ts";
import { isFull } from "./machine/room-watch.ts";

export interface CommitsParts {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly services: () => Committed;
  /** Makes what was taken durable, in one way or another. */
  readonly commit: (done: Acknowledge) => void;
  /** A write between two commits found no room. */
  readonly metFull: () => void;
  /** Called after each commit that was not the last. */
  readonly committed: (error: CrawlError | null) => void;
}

/** What is committed, and what is tried again with it. */
export type Committed = Pick<UsedBy<"steering">, "store" | "index" | "rows"> & {
  readonly duplicates: Pick<UsedBy<"steering">["duplicates"], "retry">;
  readonly links: {
    readonly memory: { retry(): void } | null;
    readonly graph: Pick<LinkSink, "flush" | "counts"> | null;
  };
};

/** What was taken and is not in its file is fetched again if the process is killed. */
const FLUSH_MS = 50;

export class Commits {
  readonly #parts: CommitsParts;
  #flushTimer: Timer | null = null;
  #commitTimer: Timer | null = null;
  /** Whether the next commit is about to begin. */
  #isSoon = false;
  #isStopped = false;

  constructor(parts: CommitsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#commitLater();
    this.#flushLater();
  }

  /**
   * Much has been taken: it is not waited for the next commit, unless one is under way. It begins in a turn of
   * its own, since parts say so while they are told something, and have no state to be saved then.
   */
  soon(): void {
    if (this.#isStopped || this.#isSoon || this.#commitTimer === null) return;
    this.#isSoon = true;
    this.#commitTimer.cancel();
    this.#commitAfter(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#commitTimer?.cancel();
    this.#flushTimer?.cancel();
  }

  /** A flush that fails is only noted: the next commit meets the same disk, and reports it. */
  #flushLater(): void {
    const { clock, services } = this.#parts;
    this.#flushTimer = clock.after(FLUSH_MS, () =>
      services().store.flush((error) => {
        if (this.#isStopped) return;
        if (error !== null && isFull(error)) this.#parts.metFull();
        this.#flushLater();
      }),
    );
  }

  /** What found no room is tried again soon. */
  #commitLater(error: CrawlError | null = null): void {
    const { configuration } = this.#parts;
    const { checkpoint } = configuration.store;
    const isRetried = error !== null && isFull(error);
    const afterMs = isRetried ? Math.min(RETRY_FULL_MS, checkpoint) : checkpoint;
    this.#commitAfter(afterMs);
  }

  #commitAfter(delayMs: number): void {
    this.#commitTimer = this.#parts.clock.after(delayMs, () => {
      this.#commitTimer = null;
      this.#isSoon = false;
      this.#commit();
    });
  }

  #commit(): void {
    const { services, committed, commit } = this.#parts;
    const { duplicates, links } = services();
    duplicates.retry();
    links.memory?.retry();
    commit((error) => {
      if (this.#isStopped) return;
      this.#commitLater(error);
      committed(error);
    });
  }
}

/**
 * Makes the pages that were taken durable: where other stores have them, their records, then their
 * lines; their rows follow.
 */
export function commitPages(
  { store, index, rows }: Pick<UsedBy<"steering">, "store" | "index" | "rows">,
  done: Acknowledge,
): void {
  const commit = (): void => {
    if (index === null) store.commit(done);
    else index.commit(store, done);
  };
  if (rows === null) commit();
  else rows.flushKeepers(whenDone(done, commit));
}
