/** Divides what checkpoints of lanes hold of memory among other lanes. */
import type { TableMarks } from "../../../base/runs/index.ts";
import type { HostTableMarks, QueueMarks } from "../../queues/index.ts";
import { highInRecord, queueRecordFrom } from "../../ticket/index.ts";
import type { PromotingQueues } from "../../traversal/index.ts";
import type { SavedAddresses } from "../bench/address-table.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { SavedTally } from "../hosts/tally.ts";
import type { SavedDepths } from "../visits/depth-book.ts";
import type { SavedEnded } from "../visits/ended-urls.ts";
import type { SavedTries } from "../visits/tried-urls.ts";
import type { SavedInstant } from "./checkpoint-clock.ts";
import { type CheckpointRows, GatheredRows } from "./checkpoint-rows.ts";
import { endedIn, type FrontierCheckpoint, type FrontierMarks } from "./frontier-checkpoint.ts";
import { inRounds, type MovedHosts } from "./move-hosts.ts";
import { type SavedVisits, ticketsOf, visitsIn } from "./restore-frontier.ts";
import type { SavedVisit } from "./saved-visit.ts";

/** What is known of a new lane beside that. */
export interface NewLaneParts {
  readonly sieve: string;
  readonly queues: QueueMarks;
  readonly names: HostTableMarks;
  readonly depths: TableMarks | null;
  /** Null unless URLs that wait can be promoted. */
  readonly promoting: PromotingQueues | null;
  /** How many URLs are in its queues. */
  readonly queued: number;
  readonly ledger: HostLedger;
}

interface Division {
  readonly moved: MovedHosts;
  laneOf(high: number): number;
}

/** What only adds up, such as counts of refusals, goes to the first lane. */
export function divideCheckpoints(
  before: readonly FrontierCheckpoint[],
  lanes: readonly NewLaneParts[],
  { moved, laneOf }: Division,
): FrontierCheckpoint[] {
  const marks = before.map((checkpoint) => checkpoint.marks);
  const saved = before.map(({ rows }) => visitsIn(rows));
  const visits: [number, SavedVisit][][] = lanes.map(() => []);
  for (const [old, at] of inRounds(saved.map(({ length }) => length))) {
    const [theirs, visit] = (saved[old] as SavedVisits)[at] as SavedVisits[number];
    const { lane, number } = moved.placeOf(old, theirs);
    visits[lane]?.push([number, visitFrom(visit, marks[old]?.momentMs ?? 0)]);
  }
  const rests: FrontierMarks["rests"][number][][] = lanes.map(() => []);
  const ended: SavedEnded[][] = lanes.map(() => []);
  for (const [old, checkpoint] of before.entries()) {
    const { rests: theirs, momentMs } = checkpoint.marks;
    for (const [host, until] of theirs) {
      const { lane, number } = moved.placeOf(old, host);
      rests[lane]?.push([number, instantFrom(until, momentMs)]);
    }
    for (const [high, low, host, ...rest] of endedIn(checkpoint)) {
      const { lane, number } = moved.placeOf(old, host);
      ended[lane]?.push([high, low, number, ...rest]);
    }
  }
  const books = marks.flatMap(({ book }) => book ?? []);
  const entries = <Name extends keyof SavedDepths>(name: Name, lane: number) =>
    books.flatMap((book) =>
      (book[name] as readonly SavedDepths[Name][number][]).filter(
        ([high]) => laneOf(high) === lane,
      ),
    );
  const overflow = divided(
    marks.flatMap((each) => each.overflow),
    lanes,
    (record) => laneOf(highIn(record)),
  );
  const held = divided(
    marks.flatMap((each) => each.held),
    lanes,
    ([record]) => laneOf(highIn(record)),
  );
  const tried = divided(marks.flatMap(triesFrom), lanes, ([high]) => laneOf(high));
  const aliases = marks.flatMap((each) => each.aliases ?? []);
  const common = {
    // Instants of an earlier moment count as of this one: hosts wait a little longer, never less.
    takenAtMs: Math.max(...marks.map(({ takenAtMs }) => takenAtMs)),
    momentMs: 0,
    productToken: marks[0]?.productToken ?? "",
    addresses: united(marks.map(({ addresses }) => addresses)),
    aliases: aliases.length === 0 ? null : united(aliases),
    // Every lane knows what was changed for any host: it may be asked for its robots.txt.
    rules: [...new Map(marks.flatMap(({ rules }) => rules))],
  };
  return lanes.map(({ sieve, queues, names, depths, promoting, queued, ledger }, lane) => {
    const own = visits[lane] ?? [];
    const waiting = own.reduce((sum, [, visit]) => sum + ticketsOf(visit), 0);
    const open = queued + waiting + (held[lane]?.length ?? 0);
    const sums = sumsOf(lane === 0 ? marks.map(({ tally }) => tally) : []);
    return {
      marks: {
        ...{ ...common, sieve, queues, names, depths, ends: ledger.ends },
        ...{ overflow: overflow[lane] ?? [], held: held[lane] ?? [], ended: ended[lane] ?? [] },
        tried: tried[lane] ?? [],
        book:
          books.length === 0
            ? null
            : {
                expansions: entries("expansions", lane),
                asked: entries("asked", lane),
                ending: entries("ending", lane),
              },
        ...{ rests: rests[lane] ?? [], tally: { open, ...sums } },
      },
      rows: rowsOfLane(own, ledger, promoting),
    };
  });
}

/** All of them: nothing of a new lane is recorded. */
function rowsOfLane(
  visits: SavedVisits,
  ledger: HostLedger,
  promoting: PromotingQueues | null,
): CheckpointRows {
  const gathered = new GatheredRows();
  const put = gathered.sink("visits");
  for (const [number, visit] of visits) put(number, Buffer.from(JSON.stringify(visit)));
  for (const [pieces, kind] of [
    [ledger.pieces, "hosts"],
    [promoting?.pieces, "promotions"],
  ] as const) {
    pieces?.begin(gathered.sink(kind));
    pieces?.writeSome(Number.POSITIVE_INFINITY);
  }
  return gathered.rows;
}

/** By the time of the crawl in the new lanes, in which the moment is 0. */
function instantFrom(instant: SavedInstant, momentMs: number): SavedInstant {
  return instant === null ? null : instant - momentMs;
}

function triesFrom({ tried = [], momentMs }: FrontierMarks): SavedTries[] {
  return tried.map(([high, low, attempt, again = null]) => [
    ...([high, low, attempt] as const),
    instantFrom(again, momentMs),
  ]);
}

function visitFrom({ waits, reach, origins, tickets }: SavedVisit, momentMs: number): SavedVisit {
  const from = (instant: SavedInstant): SavedInstant => instantFrom(instant, momentMs);
  return {
    reach,
    waits: { ...waits, rests: from(waits.rests), held: from(waits.held) },
    origins: origins.map((origin) => ({
      ...origin,
      settled: from(origin.settled),
      again: from(origin.again),
      ...(origin.moved === undefined
        ? {}
        : { moved: { ...origin.moved, at: from(origin.moved.at) } }),
    })),
    tickets: {
      ...tickets,
      retries: tickets.retries.map(([at, record]) => [from(at), record] as const),
    },
  };
}

/** Of the fingerprint in a sieve record, in base64. */
function highIn(record: string): number {
  const bytes = Buffer.from(record, "base64");
  return highInRecord(bytes, queueRecordFrom(bytes, 0));
}

function divided<Item>(
  items: readonly Item[],
  lanes: readonly unknown[],
  laneOf: (item: Item) => number,
): Item[][] {
  const parts: Item[][] = lanes.map(() => []);
  for (const item of items) parts[laneOf(item)]?.push(item);
  return parts;
}

function sumsOf(tallies: readonly SavedTally[]): Omit<SavedTally, "open"> {
  const sums: Record<string, number> = {};
  for (const { refused } of tallies) {
    for (const [reason, count] of Object.entries(refused)) {
      sums[reason] = (sums[reason] ?? 0) + count;
    }
  }
  const elsewhere = tallies.reduce((sum, tally) => sum + (tally.elsewhere ?? 0), 0);
  return { elsewhere, refused: sums };
}

/** All lanes share one table, so each may have saved all of it; the longest rest of a row counts. */
function united(tables: readonly SavedAddresses[]): SavedAddresses {
  const rows = Math.max(0, ...tables.map((table) => table.rows));
  const resting = new Map<number, number>();
  for (const table of tables) {
    if (table.rows !== rows) continue;
    for (const [row, restMs] of table.resting) {
      resting.set(row, Math.max(restMs, resting.get(row) ?? 0));
    }
  }
  return { rows, resting: [...resting] };
}
