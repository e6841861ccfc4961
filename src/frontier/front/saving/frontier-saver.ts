/**
 * Takes checkpoints of a frontier while it works. Marks are taken in one turn, which makes it the moment
 * of the checkpoint; rows that have changed are then written a few at a time, each as it was at that moment
 * (`ChangedPieces`), while the files are made durable.
 */
import type { TableMarks } from "../../../base/runs/index.ts";
import type { Clock, Done } from "../../../base/seams/index.ts";
import { Gathered } from "../../../base/steps/index.ts";
import type { ChangedPieces, HostQueues, HostTableMarks, QueueMarks } from "../../queues/index.ts";
import type { Sieve } from "../../sieve/index.ts";
import type { OfferedTicket } from "../../ticket/index.ts";
import type { PromotingQueues } from "../../traversal/index.ts";
import type { AddressTable, SavedAddresses, SavedRows } from "../bench/address-table.ts";
import type { AliasTable } from "../bench/alias-table.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { HostRules } from "../hosts/host-rules.ts";
import type { VisitStates } from "../hosts/state/visit-states.ts";
import type { Tally } from "../hosts/tally.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import type { EndedUrls } from "../visits/ended-urls.ts";
import type { HeldErrands } from "../visits/held-errands.ts";
import type { TriedUrls } from "../visits/tried-urls.ts";
import type { CheckpointClock } from "./checkpoint-clock.ts";
import { GatheredRows } from "./checkpoint-rows.ts";
import type { FrontierChanges, FrontierMarks } from "./frontier-checkpoint.ts";
import { sieveRecords } from "./ticket-texts.ts";

export interface SavedParts {
  readonly clock: Clock;
  readonly crawlClock: CheckpointClock;
  readonly addresses: AddressTable;
  readonly aliasTable: AliasTable | null;
  readonly settings: FrontierSettings;
  readonly sieve: Sieve;
  readonly queues: HostQueues;
  readonly promoting: PromotingQueues | null;
  readonly ledger: HostLedger;
  readonly rules: HostRules;
  readonly states: VisitStates;
  readonly tally: Tally;
  readonly depths: DepthBook | null;
  readonly held: HeldErrands;
  readonly ended: EndedUrls;
  readonly tried: TriedUrls;
}

/** What is written in one turn: about half a millisecond. */
const TURN_BYTES = 64 * 1024;
/** How many rows of the table of addresses are looked at in one turn. */
const TURN_ADDRESSES = 65_536;

export class FrontierSaver {
  readonly #parts: SavedParts;
  readonly #pieces: readonly ChangedPieces[];
  /** Of the last checkpoint that was answered. */
  #tableMarks: TableMarks | null = null;

  constructor(parts: SavedParts) {
    this.#parts = parts;
    const { states, ended, ledger, promoting } = parts;
    this.#pieces = [
      states.pieces,
      ended.pieces,
      ledger.pieces,
      ...(promoting === null ? [] : [promoting.pieces]),
    ];
  }

  /** `overflow`: tickets that were offered while the sieve had no room. */
  checkpoint(overflow: readonly OfferedTicket[], done: Done<FrontierChanges>): void {
    const { sieve, queues, ledger, depths, states, ended, promoting } = this.#parts;
    const gathered = new GatheredRows();
    const files = new Gathered<FileMarks>(FILES, (error, marks) => {
      if (error !== null) done(error, undefined);
      else {
        this.#tableMarks = marks.depths;
        const { rows, dropped } = gathered;
        done(null, { marks: { ...rest, ...marks }, rows, dropped });
      }
    });
    const rest = this.#rest();
    const momentMs = this.#parts.clock.nowMs();
    states.beginSaving(gathered.sink("visits"));
    ended.pieces.begin(gathered.sink("ended"));
    ledger.pieces.begin(gathered.sink("hosts"));
    promoting?.pieces.begin(gathered.sink("promotions"));
    sieve.checkpoint(files.take("sieve"));
    queues.checkpoint(files.take("queues"));
    ledger.checkpointNames(files.take("names"));
    if (depths === null) files.take("depths")(null, null);
    else depths.checkpointTable(files.take("depths"));
    this.#writeRows(0, () => {
      this.#takeAddresses(momentMs, files.take("addresses"));
      this.#takeAliases(momentMs, files.take("aliases"));
      const record = sieveRecords();
      const texts = overflow.map((ticket) => record({ ...ticket, attempt: 0 }));
      files.take("overflow")(null, texts);
    });
  }

  /** The last checkpoint is recorded. */
  committed(): void {
    const { sieve, queues, depths } = this.#parts;
    sieve.committed();
    queues.committed();
    if (this.#tableMarks !== null) depths?.keepOnly(this.#tableMarks);
    for (const pieces of this.#pieces) pieces.committed();
  }

  #writeRows(at: number, done: () => void): void {
    const pieces = this.#pieces[at];
    if (pieces === undefined) done();
    else {
      this.#parts.clock.after(0, () => {
        this.#writeRows(pieces.writeSome(TURN_BYTES) ? at + 1 : at, done);
      });
    }
  }

  #takeAddresses(momentMs: number, done: Done<SavedAddresses>): void {
    const { clock, addresses, settings } = this.#parts;
    const delayMsOf = (): number => settings.addressDelayMs;
    const save = (part: SavedRows): SavedAddresses =>
      addresses.save(clock.nowMs(), delayMsOf, { momentMs, ...part });
    this.#takeRows({ rows: addresses.rows, resting: [] }, save, done);
  }

  #takeAliases(momentMs: number, done: Done<SavedAddresses | null>): void {
    const { clock, aliasTable } = this.#parts;
    if (aliasTable === null) {
      done(null, null);
      return;
    }
    const save = (part: SavedRows): SavedAddresses =>
      aliasTable.save(clock.nowMs(), { momentMs, ...part });
    this.#takeRows({ rows: aliasTable.rows.rows, resting: [] }, save, done);
  }

  /** Some rows a turn. Later than the moment, which does no harm: what rests since then is there too. */
  #takeRows(
    taken: { readonly rows: number; readonly resting: SavedAddresses["resting"][number][] },
    save: (part: SavedRows) => SavedAddresses,
    done: Done<SavedAddresses>,
    from = 0,
  ): void {
    if (from >= taken.rows) {
      done(null, taken);
      return;
    }
    this.#parts.clock.after(0, () => {
      const to = Math.min(taken.rows, from + TURN_ADDRESSES);
      for (const row of save({ from, to }).resting) taken.resting.push(row);
      this.#takeRows(taken, save, done, to);
    });
  }

  /** What is only in memory, and small. */
  #rest(): Omit<FrontierMarks, keyof FileMarks> {
    const { crawlClock, settings, ledger, rules, states, tally, depths, held, tried } = this.#parts;
    const { open, ...counts } = tally.save();
    return {
      ...{ ...crawlClock.moment, productToken: settings.productToken },
      book: depths?.save(held.expands) ?? null,
      tally: { open: open + held.size, ...counts },
      ...{ ends: [...ledger.ends], rests: states.saveRests(crawlClock), rules: rules.save() },
      ...{ held: held.save(), ended: [], tried: tried.save(crawlClock) },
    };
  }
}

interface FileMarks {
  readonly sieve: string;
  readonly queues: QueueMarks;
  readonly names: HostTableMarks;
  readonly depths: TableMarks | null;
  readonly addresses: SavedAddresses;
  readonly aliases: SavedAddresses | null;
  readonly overflow: readonly string[];
}

const FILES = [
  ...(["sieve", "queues", "names", "depths", "addresses", "aliases", "overflow"] as const),
] as const;
