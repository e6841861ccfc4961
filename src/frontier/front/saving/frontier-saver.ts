/** Takes a checkpoint of a frontier: everything is read in one turn, then its files are made durable. */
import type { TableMarks } from "../../../base/runs/index.ts";
import type { Clock, Done } from "../../../base/seams/index.ts";
import type { HostQueues, HostTableMarks, QueueMarks } from "../../queues/index.ts";
import type { Sieve } from "../../sieve/index.ts";
import { type Ticket, TicketWriter, type WaitingTicket } from "../../ticket/index.ts";
import type { PromotingQueues } from "../../traversal/index.ts";
import type { AddressTable } from "../bench/address-table.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { HostRules } from "../hosts/host-rules.ts";
import type { Tally } from "../hosts/tally.ts";
import type { VisitStates } from "../hosts/visit-states.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import { CheckpointClock } from "./checkpoint-clock.ts";
import type { FrontierCheckpoint, FrontierMarks } from "./frontier-checkpoint.ts";
import { Gathered } from "./gathered.ts";

export interface SavedParts {
  readonly clock: Clock;
  readonly addresses: AddressTable;
  readonly settings: FrontierSettings;
  readonly sieve: Sieve;
  readonly queues: HostQueues;
  readonly promoting: PromotingQueues | null;
  readonly ledger: HostLedger;
  readonly rules: HostRules;
  readonly states: VisitStates;
  readonly tally: Tally;
  readonly depths: DepthBook | null;
}

export class FrontierSaver {
  readonly #parts: SavedParts;
  /** Of the last checkpoint that was answered. */
  #tableMarks: TableMarks | null = null;

  constructor(parts: SavedParts) {
    this.#parts = parts;
  }

  /** `overflow`: tickets that were offered while the sieve had no room. */
  checkpoint(overflow: readonly Ticket[], done: Done<FrontierCheckpoint>): void {
    const { sieve, queues, ledger, depths } = this.#parts;
    const rest = restOf(this.#parts, overflow);
    const files = new Gathered<FileMarks>(
      ["sieve", "queues", "names", "depths"],
      (error, marks) => {
        if (error !== null) done(error, undefined);
        else {
          this.#tableMarks = marks.depths;
          done(null, { ...rest, marks: { ...rest.marks, ...marks } });
        }
      },
    );
    sieve.checkpoint(files.take("sieve"));
    queues.checkpoint(files.take("queues"));
    ledger.checkpointNames(files.take("names"));
    if (depths === null) files.take("depths")(null, null);
    else depths.checkpointTable(files.take("depths"));
  }

  /** The last checkpoint is recorded. */
  committed(): void {
    const { sieve, queues, depths } = this.#parts;
    sieve.committed();
    queues.committed();
    if (this.#tableMarks !== null) depths?.keepOnly(this.#tableMarks);
  }
}

interface FileMarks {
  readonly sieve: string;
  readonly queues: QueueMarks;
  readonly names: HostTableMarks;
  readonly depths: TableMarks | null;
}

type Rest = Omit<FrontierCheckpoint, "marks"> & {
  readonly marks: Omit<FrontierMarks, keyof FileMarks>;
};

/** What is only in memory. */
function restOf(parts: SavedParts, overflow: readonly Ticket[]): Rest {
  const { clock, addresses, settings, promoting, ledger, states, tally, depths } = parts;
  const moment = CheckpointClock.now(clock);
  const writer = new TicketWriter();
  const queueRecord = (ticket: WaitingTicket): string => recordOf(writer, ticket, "queue");
  return {
    marks: {
      takenAtMs: clock.wallMs(),
      productToken: settings.productToken,
      book: depths?.save() ?? null,
      tally: tally.save(),
      ends: ledger.ends,
      rests: states.saveRests(moment),
      rules: parts.rules.save(),
      addresses: addresses.save(clock.nowMs(), settings.addressDelayMs),
      overflow: overflow.map((ticket) => recordOf(writer, { ...ticket, attempt: 0 }, "sieve")),
      promotions: promoting?.save() ?? null,
    },
    visits: Array.from(states.all(), (state) => [state.number, state.save(moment, queueRecord)]),
    hosts: ledger.save(),
  };
}

/** Gives the queue records of tickets, in base64. */
export function queueRecords(): (ticket: WaitingTicket) => string {
  const writer = new TicketWriter();
  return (ticket) => recordOf(writer, ticket, "queue");
}

function recordOf(writer: TicketWriter, ticket: WaitingTicket, form: "queue" | "sieve"): string {
  writer.tryWrite(ticket, ticket.attempt);
  const { bytes, queueFrom, to } = writer;
  const from = form === "queue" ? queueFrom : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("base64");
}
