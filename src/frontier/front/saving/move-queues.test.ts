import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../../test/support/lab/simulated-machine.ts";
import { CrawlError } from "../../../base/errors/index.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import {
  type DiskHostQueues,
  type HostQueues,
  openDiskHostQueues,
  type QueueMarks,
  type RecordBatch,
} from "../../queues/index.ts";
import { readTicket, TicketWriter } from "../../ticket/index.ts";
import { moveQueues, type QueuesToMove } from "./move-queues.ts";

const HOSTS = 40;
const PAGES = 30;

interface Wishes {
  readonly order?: "fifo" | "priority";
  readonly memoryBytes?: number;
  readonly marks?: QueueMarks | null;
}

function openQueues(
  machine: SimulatedMachine,
  folder: string,
  wishes: Wishes = {},
): DiskHostQueues {
  const { storage } = machine;
  const random = new SeededRandom(folder);
  const { order = "fifo", memoryBytes = 2_000_000, marks = null } = wishes;
  const report = (error: CrawlError): void => assert.fail(error);
  const options = { storage, random, folder, order, memoryBytes, marks, report };
  return machine.result<DiskHostQueues>((done) => openDiskHostQueues(options, done));
}

/** Page n of every host, priorities of all bands. */
function fill(queues: HostQueues): void {
  const writer = new TicketWriter();
  for (let page = 0; page < PAGES; page += 1) {
    for (let host = 0; host < HOSTS; host += 1) {
      const url = `http://h${host}.example/${page}` as FetchableUrl;
      const priority = (page * 7) % 100;
      writer.tryWrite(
        { url, high: host, low: page, depth: 0, via: null, redirects: 0, priority },
        0,
      );
      queues.push(host, writer.bytes, writer.queueFrom, writer.to, priority);
    }
  }
}

/** The pages of a host, in the order in which they come. */
function drained(machine: SimulatedMachine, queues: HostQueues, host: number): number[] {
  const pages: number[] = [];
  while (queues.count(host) > 0) {
    const batch = machine.result<RecordBatch>((done) => queues.pull(host, 7, done));
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset);
    for (let at = 0; at < batch.count; at += 1) {
      const [from, to] = [batch.startOf(at), batch.endOf(at)];
      pages.push(readTicket("h.example" as never, bytes, from, to).low);
    }
  }
  return pages;
}

function move(machine: SimulatedMachine, options: Partial<QueuesToMove>): CrawlError | null {
  const all = { hosts: HOSTS, ...options } as QueuesToMove;
  return machine.outcome((done) => moveQueues(all, done)).error;
}

for (const order of ["fifo", "priority"] as const) {
  test(`queues come to others in their order, and stay where they were (${order})`, () => {
    const machine = new SimulatedMachine("moved");
    const old = openQueues(machine, "old", { order });
    fill(old);
    const marks = machine.result<QueueMarks>((done) => old.checkpoint(done));
    // The new ones are small, so that they must be waited for.
    const parts = [0, 1].map((part) =>
      openQueues(machine, `new/${part}`, { order, memoryBytes: 20_000 }),
    );
    const targetOf: QueuesToMove["targetOf"] = (host) => ({
      queues: parts[host % 2] as HostQueues,
      number: host >> 1,
    });
    assert.equal(move(machine, { from: old, targetOf }), null);
    assert.equal(old.total, 0);
    machine.result((done) => old.close(done));
    const again = openQueues(machine, "old", { order, marks });
    for (let host = 0; host < HOSTS; host += 1) {
      const moved = drained(machine, parts[host % 2] as HostQueues, host >> 1);
      assert.equal(moved.length, PAGES);
      assert.deepEqual(moved, drained(machine, again, host));
    }
  });
}

/** Queues of which one host fails. */
function failing(queues: HostQueues, host: number, error: CrawlError): HostQueues {
  const pull = (asked: number, recordsMax: number, done: Done<RecordBatch>): void => {
    if (asked !== host) queues.pull(asked, recordsMax, done);
    else queues.pull(asked, recordsMax, () => done(error, undefined));
  };
  return {
    ...{ pull, count: (asked) => queues.count(asked), drop: (asked) => queues.drop(asked) },
  } as HostQueues;
}

test("a queue that cannot be read ends the move, damaged or not: nothing of it is lost", () => {
  for (const code of ["QUEUES_DAMAGED", "STORAGE_FAILED"] as const) {
    const machine = new SimulatedMachine("failing");
    const [old, to] = [openQueues(machine, "old"), openQueues(machine, "new")];
    fill(old);
    const targetOf: QueuesToMove["targetOf"] = (number) => ({ queues: to, number });
    const failure = new CrawlError(code, "planted");
    assert.equal(move(machine, { from: failing(old, 3, failure), targetOf }), failure);
  }
});
