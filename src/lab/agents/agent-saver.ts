/**
 * Takes the checkpoints of a simulated agent: all its parts at one moment, in one file. Outboxes and pages
 * are made durable before it, and what only earlier checkpoints need is dropped after it.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import { type Clock, type Row, type Storage, whenDone, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { Custody } from "../../cluster/custody/index.ts";
import type { Inbox, Outboxes } from "../../cluster/delivery/index.ts";
import type { Frontier, FrontierCheckpoint } from "../../frontier/front/index.ts";
import type { Sieve } from "../../frontier/sieve/index.ts";
import type { PageLog } from "./page-log.ts";
import { type SavedAgent, writeSaved } from "./saved-agent.ts";

export interface SavedParts {
  readonly frontier: Frontier;
  readonly foreign: Sieve;
  readonly inbox: Inbox;
  readonly outboxes: Outboxes;
  readonly pages: PageLog;
  readonly custody: Custody;
}

export interface AgentSaverOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly everyMs: number;
  readonly last: SavedAgent | null;
  readonly failed: (error: CrawlError) => void;
}

/** What a frontier answers. */
type Changes = NonNullable<Parameters<Parameters<Frontier["checkpoint"]>[0]>[1]>;

interface Taken {
  readonly changes: Changes;
  readonly foreign: string;
  readonly inbox: Position;
}

export class AgentSaver {
  readonly #options: AgentSaverOptions;
  readonly #rows: Map<string, Uint8Array>;
  readonly #claims = new Map<string, Row>();
  /** Who waits for a checkpoint that begins after they asked. */
  #waiting: (() => void)[] = [];

  constructor(options: AgentSaverOptions) {
    this.#options = options;
    this.#rows = new Map(options.last?.frontier.rows);
    for (const row of options.last?.claims ?? []) this.#claims.set(String(row["key"]), row);
  }

  whenSaved(done: () => void): void {
    this.#waiting.push(done);
  }

  /** From now on, one after the other. */
  start(parts: SavedParts): void {
    this.#options.clock.after(this.#options.everyMs, () => this.#save(parts));
  }

  #save(parts: SavedParts): void {
    const { frontier, foreign, inbox, pages, custody } = parts;
    const { failed } = this.#options;
    const waiting = this.#waiting.splice(0);
    const pagesEnd = pages.end;
    const { put, remove } = custody.claims.changes();
    const gathered = new Gathered<Taken>(
      ["changes", "foreign", "inbox"],
      withValue(failed, ({ changes, foreign: marks, inbox: mark }) => {
        for (const { row } of put) this.#claims.set(String(row["key"]), row);
        for (const { key } of remove) this.#claims.delete(String(key));
        const claims = [...this.#claims.values()];
        const saved = { frontier: this.#whole(changes), foreign: marks, inbox: mark };
        this.#write(parts, { ...saved, claims, pagesEnd }, waiting);
      }),
    );
    frontier.checkpoint(gathered.take("changes"));
    foreign.checkpoint(gathered.take("foreign"));
    inbox.mark(gathered.take("inbox"));
  }

  /** The checkpoint that the changes make of the last one. */
  #whole({ marks, rows, dropped }: Changes): FrontierCheckpoint {
    for (const name of dropped) this.#rows.delete(name);
    for (const [name, bytes] of rows) this.#rows.set(name, Uint8Array.from(bytes));
    return { marks, rows: new Map(this.#rows) };
  }

  #write(parts: SavedParts, saved: SavedAgent, waiting: readonly (() => void)[]): void {
    const { storage, failed } = this.#options;
    const { frontier, foreign, inbox, pages, outboxes } = parts;
    const hasSaved = (): void => {
      frontier.committed();
      foreign.committed();
      inbox.recorded(saved.inbox);
      for (const done of waiting) done();
      this.start(parts);
    };
    const write = (): void => writeSaved(storage, saved, whenDone(failed, hasSaved));
    pages.commit(whenDone(failed, () => outboxes.whenDurable(write)));
  }
}
