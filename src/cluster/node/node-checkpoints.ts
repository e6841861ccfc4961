/**
 * The part of a node in the checkpoints of its agent: its moment, what is to be recorded, and what may be
 * dropped afterwards. The module's head has the rules.
 */
import assert from "node:assert/strict";
import { type Acknowledge, type Done, whenDone, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import { CheckpointWaiters, type NodeMark } from "./checkpoint-waiters.ts";
import type { OpenNode } from "./open-logs.ts";

type Saved = Pick<OpenNode, "custody" | "inbox" | "outboxes">;

export interface NodeCheckpointsParts {
  /** Null until everything of the last life has been replayed. */
  readonly open: () => Saved | null;
  readonly whenOpen: (act: (open: Saved) => void) => void;
  /** Up to where seeds were told to the agent. */
  readonly seedsUpTo: () => number;
}

export class NodeCheckpoints {
  readonly #parts: NodeCheckpointsParts;
  readonly #waiters = new CheckpointWaiters();

  constructor(parts: NodeCheckpointsParts) {
    this.#parts = parts;
  }

  /** Calls back when a checkpoint is recorded that was begun after this call. */
  whenSaved(done: () => void): void {
    this.#waiters.whenSaved(done);
  }

  /** Whether somebody waits for a checkpoint, though there may be nothing new to record. */
  get isAwaited(): boolean {
    return this.#waiters.isAwaited;
  }

  /** Whether nothing is in memory only: a checkpoint may begin. */
  get isSettled(): boolean {
    return this.#parts.open()?.custody.held === 0;
  }

  /**
   * A checkpoint begins: this is the moment of the node, at which nothing may be held (`isSettled`). The
   * moments of the lanes follow, each after all that was asked of the lane until now. `done` gets what is to
   * be recorded with it.
   */
  begin(done: Done<NodeMark>): void {
    const open = this.#parts.open();
    assert(open?.custody.held === 0, "no checkpoint begins while entries are in memory only");
    this.#waiters.begun();
    const seeds = this.#parts.seedsUpTo();
    const gathered = new Gathered<Pick<NodeMark, "inbox" | "custody">>(
      ["inbox", "custody"],
      withValue(done, (taken) => done(null, { ...taken, seeds })),
    );
    open.custody.checkpoint(gathered.take("custody"));
    open.inbox.mark(gathered.take("inbox"));
  }

  /** All lanes have had their moments: answers when all that they have told until now is durable. */
  whenTold(done: Acknowledge): void {
    this.#parts.whenOpen(({ inbox, outboxes }) =>
      inbox.commit(whenDone(done, () => outboxes.whenDurable(() => done(null)))),
    );
  }

  /** The checkpoint with this mark is recorded. */
  recorded({ inbox, custody }: NodeMark): void {
    const open = this.#parts.open();
    open?.inbox.recorded(inbox);
    if (custody !== null) open?.custody.recorded(custody);
    this.#waiters.recorded();
  }
}
