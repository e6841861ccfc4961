/** Divides what checkpoints of lanes hold of memory among other lanes. */
import type { TableMarks } from "../../../base/runs/index.ts";
import type { HostTableMarks, QueueMarks } from "../../queues/index.ts";
import { highInRecord, queueRecordFrom } from "../../ticket/index.ts";
import type { SavedPromotions } from "../../traversal/index.ts";
import type { SavedAddresses } from "../bench/address-table.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { SavedTally } from "../hosts/tally.ts";
import type { SavedDepths } from "../visits/depth-book.ts";
import type { FrontierCheckpoint, FrontierMarks } from "./frontier-checkpoint.ts";
import { inRounds, type MovedHosts } from "./move-hosts.ts";
import { ticketsOf } from "./restore-frontier.ts";

/** What is known of a new lane beside that. */
export interface NewLaneParts {
  readonly sieve: string;
  readonly queues: QueueMarks;
  readonly names: HostTableMarks;
  readonly depths: TableMarks | null;
  readonly promotions: SavedPromotions | null;
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
  const visits: FrontierCheckpoint["visits"][number][][] = lanes.map(() => []);
  for (const [old, at] of inRounds(before.map((checkpoint) => checkpoint.visits.length))) {
    const [theirs, visit] = (before[old] as FrontierCheckpoint).visits[at] as (typeof visits)[0][0];
    const { lane, number } = moved.placeOf(old, theirs);
    visits[lane]?.push([number, visit]);
  }
  const rests: FrontierMarks["rests"][number][][] = lanes.map(() => []);
  for (const [old, { rests: theirs }] of marks.entries()) {
    for (const [host, until] of theirs) {
      const { lane, number } = moved.placeOf(old, host);
      rests[lane]?.push([number, until]);
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
    (record) => {
      const bytes = Buffer.from(record, "base64");
      return laneOf(highInRecord(bytes, queueRecordFrom(bytes, 0)));
    },
  );
  const common = {
    // Instants of an earlier moment count as of this one: hosts wait a little longer, never less.
    takenAtMs: Math.max(...marks.map(({ takenAtMs }) => takenAtMs)),
    productToken: marks[0]?.productToken ?? "",
    addresses: united(marks.map(({ addresses }) => addresses)),
    // Every lane knows what was changed for any host: it may be asked for its robots.txt.
    rules: [...new Map(marks.flatMap(({ rules = [] }) => rules))],
  };
  return lanes.map(({ sieve, queues, names, depths, promotions, queued, ledger }, lane) => {
    const own = visits[lane] ?? [];
    const open = queued + own.reduce((sum, [, visit]) => sum + ticketsOf(visit), 0);
    const refused = lane === 0 ? refusals(marks.map(({ tally }) => tally)) : {};
    return {
      marks: {
        ...{ ...common, sieve, queues, names, depths, promotions, ends: ledger.ends },
        overflow: overflow[lane] ?? [],
        book:
          books.length === 0
            ? null
            : {
                expansions: entries("expansions", lane),
                asked: entries("asked", lane),
                ending: entries("ending", lane),
              },
        ...{ rests: rests[lane] ?? [], tally: { open, refused } },
      },
      visits: own,
      hosts: ledger.save(),
    };
  });
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

function refusals(tallies: readonly SavedTally[]): SavedTally["refused"] {
  const sums: Record<string, number> = {};
  for (const { refused } of tallies) {
    for (const [reason, count] of Object.entries(refused)) {
      sums[reason] = (sums[reason] ?? 0) + count;
    }
  }
  return sums;
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
