/**
 * Makes the frontiers of some lanes from those of others, when a crawl goes on with another number of
 * lanes. All of them are closed. Everything is written anew in the folders of the new lanes: hosts with
 * what is known of them, queues in their order, runs and undecided offers of the sieve, depths, visit
 * states. The old files stay as the old checkpoints need them, so until the owner has kept the new
 * checkpoints, in one transaction, nothing has happened; then it removes the old files.
 *
 * Lanes own ranges of fingerprints, and a host is in one lane with all its URLs. Memory does not depend
 * on the number of URLs.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../base/errors/index.ts";
import { type RunStackMarks, splitStacks, type TableMarks } from "../../../base/runs/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../../base/seams/index.ts";
import { inTurn, valuesInTurn } from "../../../base/steps/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import {
  type HostQueues,
  type HostTable,
  type HostTableMarks,
  openDiskHostQueues,
  openHostTable,
  type QueueMarks,
} from "../../queues/index.ts";
import { splitSieves } from "../../sieve/index.ts";
import { PromotingQueues } from "../../traversal/index.ts";
import { type FrontierPlan, type PlannedOptions, planOf } from "../frontier-plan.ts";
import { HostLedger } from "../hosts/host-ledger.ts";
import { DEPTH_ENTRY_BYTES } from "../visits/depth-book.ts";
import { rowsOf } from "./checkpoint-rows.ts";
import { divideCheckpoints } from "./divide-checkpoints.ts";
import type { FrontierCheckpoint } from "./frontier-checkpoint.ts";
import { MovedHosts } from "./move-hosts.ts";
import { moveQueues, type QueuesToMove } from "./move-queues.ts";
import { incomplete, openTickets } from "./restore-frontier.ts";

export interface FrontiersToRelane extends PlannedOptions {
  readonly storage: Storage;
  readonly random: Random;
  /** The old lanes, in the order of their ranges. */
  readonly from: readonly SavedLane[];
  /** The folders of the new lanes, in the order of their ranges; none is that of an old lane. */
  readonly folders: readonly FileName[];
  /** For records of a new lane that are not yet on disk. */
  readonly queueBytes: number;
  /** Which new lane has the fingerprints with this high half; never falls when they rise. */
  laneOf(high: number): number;
  /** Which new lane has this host: that of the fingerprints of all its URLs. */
  laneOfHost(host: HostName): number;
  /** Told of damage that costs some URLs. */
  report(error: CrawlError): void;
}

/** A frontier that was closed, and the checkpoint it left. */
export interface SavedLane {
  readonly folder: FileName;
  readonly checkpoint: FrontierCheckpoint;
}

/** Answers with the checkpoints of the new lanes, whose files are durable. */
export function relaneFrontiers(
  options: FrontiersToRelane,
  done: Done<readonly FrontierCheckpoint[]>,
): void {
  new Relaning(options).start(done);
}

/** A new lane while it is being made. */
interface NewLane {
  readonly ledger: HostLedger;
  readonly queues: HostQueues;
  /** Null unless URLs that wait can be promoted. */
  readonly promoting: PromotingQueues | null;
}

class Relaning {
  readonly #options: FrontiersToRelane;
  readonly #plan: FrontierPlan;
  /** What is open, and is closed at the end. */
  readonly #open: { close(done: Acknowledge): void }[] = [];

  constructor(options: FrontiersToRelane) {
    this.#options = options;
    this.#plan = planOf(options);
    assert(!this.#plan.traversal.repeats, "a crawl whose URLs come again has one lane");
  }

  start(done: Done<readonly FrontierCheckpoint[]>): void {
    const close: Done<readonly FrontierCheckpoint[]> = (...outcome) =>
      inTurn(
        this.#open.splice(0).reverse(),
        (part, next) => part.close(next),
        (closeError) => {
          if (outcome[0] === null && closeError !== null) done(closeError, undefined);
          else done(...outcome);
        },
      );
    this.#openOld(
      withValue(close, (before) =>
        this.#openNew(withValue(close, (lanes) => this.#move(before, lanes, close))),
      ),
    );
  }

  #move(
    before: readonly HostLedger[],
    lanes: readonly NewLane[],
    done: Done<readonly FrontierCheckpoint[]>,
  ): void {
    const ledgers = lanes.map(({ ledger }) => ledger);
    const moved = new MovedHosts(before, ledgers, (host) => this.#options.laneOfHost(host));
    const finish = (sieves: readonly string[]): void =>
      this.#splitDepths(
        withValue(done, (depths) =>
          this.#checkpoint(
            lanes,
            withValue(done, (files) => {
              const parts = lanes.map((lane, at) => ({
                ...(files[at] as FileMarks),
                sieve: sieves[at] as string,
                depths: depths[at] ?? null,
                promoting: lane.promoting,
                queued: (lane.promoting ?? lane.queues).total,
                ledger: lane.ledger,
              }));
              const checkpoints = this.#options.from.map(({ checkpoint }) => checkpoint);
              const { laneOf } = this.#options;
              const divided = divideCheckpoints(checkpoints, parts, { moved, laneOf });
              const missing = openTickets(checkpoints) - openTickets(divided);
              if (missing === 0) done(null, divided);
              else done(incomplete(missing), undefined);
            }),
          ),
        ),
      );
    const split = (): void => this.#splitSieves(withValue(done, finish));
    const moveLane = (old: number, next: Acknowledge): void =>
      this.#moveQueues(old, before[old] as HostLedger, { lanes, moved }, next);
    inTurn(this.#options.from.keys(), moveLane, whenDone(done, split));
  }

  /** What the old lanes know of their hosts. */
  #openOld(done: Done<readonly HostLedger[]>): void {
    const open = ({ folder, checkpoint }: SavedLane, opened: Done<HostLedger>): void => {
      const { marks, rows } = checkpoint;
      const restore = (table: HostTable): void => {
        const ledger = new HostLedger(table);
        ledger.restore(rowsOf(rows, "hosts"), marks.ends);
        opened(null, ledger);
      };
      this.#openTable(folder, marks.names, withValue(opened, restore));
    };
    valuesInTurn(this.#options.from, open, done);
  }

  #openNew(done: Done<readonly NewLane[]>): void {
    const { folders } = this.#options;
    const { promotes } = this.#plan.traversal;
    const open = (folder: FileName, opened: Done<NewLane>): void =>
      this.#openTable(
        folder,
        null,
        withValue(opened, (table) =>
          this.#openQueues(
            `${folder}/queues`,
            null,
            withValue(opened, (queues) => {
              this.#open.push(queues);
              const promoting = promotes ? new PromotingQueues(queues) : null;
              opened(null, { ledger: new HostLedger(table), queues, promoting });
            }),
          ),
        ),
      );
    valuesInTurn(folders, open, done);
  }

  #openTable(folder: FileName, marks: HostTableMarks | null, done: Done<HostTable>): void {
    const { storage, random } = this.#options;
    const options = { storage, random, folder: `${folder}/hosts`, marks };
    const keep = (table: HostTable): void => {
      this.#open.push(table);
      done(null, table);
    };
    openHostTable(options, withValue(done, keep));
  }

  #openQueues(folder: FileName, marks: QueueMarks | null, done: Done<HostQueues>): void {
    const { storage, random, queueBytes: memoryBytes, report } = this.#options;
    const { order } = this.#plan.traversal;
    const options = { storage, random, folder, order, memoryBytes, marks, report };
    openDiskHostQueues(options, done);
  }

  #moveQueues(
    old: number,
    { hosts }: HostLedger,
    { lanes, moved }: { readonly lanes: readonly NewLane[]; readonly moved: MovedHosts },
    done: Acknowledge,
  ): void {
    const { folder, checkpoint } = this.#options.from[old] as SavedLane;
    const { queues: marks } = checkpoint.marks;
    const promotions = Array.from(rowsOf(checkpoint.rows, "promotions"), ([, bytes]) => bytes);
    const targetOf = (host: number): ReturnType<QueuesToMove["targetOf"]> => {
      const { lane, number } = moved.placeOf(old, host);
      const { promoting, queues } = lanes[lane] as NewLane;
      return { queues: promoting ?? queues, number };
    };
    const move = (opened: HostQueues, next: Acknowledge): void => {
      const promoting = this.#plan.traversal.promotes ? new PromotingQueues(opened) : null;
      promoting?.restore(promotions);
      const from = promoting ?? opened;
      if (this.#plan.traversal.order !== "lifo") moveQueues({ from, hosts, targetOf }, next);
      else this.#turn({ from, hosts, targetOf }, next);
    };
    this.#withQueues(`${folder}/queues`, marks, move, done);
  }

  /** What is pulled last-in first-out and pushed again is turned round, so it is done twice. */
  #turn(queues: QueuesToMove, done: Acknowledge): void {
    const folder = `${this.#options.folders[0]}/turned`;
    const turn = (turned: HostQueues, next: Acknowledge): void => {
      const targetOf = (number: number): ReturnType<QueuesToMove["targetOf"]> => ({
        queues: turned,
        number,
      });
      const turnBack = (): void => moveQueues({ ...queues, from: turned }, next);
      moveQueues({ ...queues, targetOf }, whenDone(next, turnBack));
    };
    const remove = whenDone(done, () => removeFolder(this.#options.storage, folder, done));
    this.#withQueues(folder, null, turn, remove);
  }

  /** Opens queues for as long as they are used. */
  #withQueues(
    folder: FileName,
    marks: QueueMarks | null,
    use: (queues: HostQueues, done: Acknowledge) => void,
    done: Acknowledge,
  ): void {
    const used = (queues: HostQueues): void =>
      use(queues, (error) => queues.close((closeError) => done(error ?? closeError)));
    this.#openQueues(folder, marks, withValue(done, used));
  }

  #splitSieves(done: Done<readonly string[]>): void {
    const { storage, random, from, folders, laneOf: partOf } = this.#options;
    const sieves = {
      ...{ storage, random, partOf, withDepth: this.#plan.withDepth },
      from: from.map(({ folder, checkpoint }) => ({
        folder: `${folder}/sieve`,
        marks: checkpoint.marks.sieve,
      })),
      folders: folders.map((folder) => `${folder}/sieve`),
    };
    splitSieves(sieves, done);
  }

  /** No tables where depths are not kept. */
  #splitDepths(done: Done<readonly TableMarks[]>): void {
    const { storage, from, folders, laneOf: partOf } = this.#options;
    const tables = from.flatMap(({ checkpoint }) => checkpoint.marks.depths ?? []);
    if (tables.length === 0) {
      done(null, []);
      return;
    }
    const greatest = Math.max(...tables.map((table) => table.greatest));
    const answer = (stacks: readonly RunStackMarks[]): void =>
      done(
        null,
        stacks.map((stack) => ({ stack, greatest })),
      );
    splitStacks(
      {
        ...{ storage, partOf, payloadBytes: DEPTH_ENTRY_BYTES },
        from: tables.map(({ stack }) => stack),
        folders: folders.map((folder) => `${folder}/depths`),
      },
      withValue(done, answer),
    );
  }

  /** Makes hosts and queues of the new lanes durable. */
  #checkpoint(lanes: readonly NewLane[], done: Done<readonly FileMarks[]>): void {
    const take = ({ ledger, queues }: NewLane, taken: Done<FileMarks>): void =>
      queues.checkpoint(
        withValue(taken, (queueMarks) =>
          ledger.checkpointNames(
            withValue(taken, (names) => taken(null, { queues: queueMarks, names })),
          ),
        ),
      );
    valuesInTurn(lanes, take, done);
  }
}

function removeFolder(storage: Storage, folder: FileName, done: Acknowledge): void {
  const remove = (files: readonly FileName[]): void =>
    inTurn(files, (file, next) => storage.remove(file, next), done);
  storage.list(folder, withValue(done, remove));
}

interface FileMarks {
  readonly queues: QueueMarks;
  readonly names: HostTableMarks;
}
