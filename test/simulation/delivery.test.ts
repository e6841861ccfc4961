/**
 * Entries between two agents that crash, lose power, and lose, double and delay messages: what was durable
 * in an outbox arrives, what arrived survives, and what was ever told can be told again.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Position } from "../../src/base/log/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import type { Transport } from "../../src/base/transport/index.ts";
import {
  type Entry,
  type Inbox,
  type Outboxes,
  openInbox,
  openOutboxes,
  type UrlEntry,
} from "../../src/cluster/delivery/index.ts";
import { Kernel, type Life, SimCluster, SimDisk } from "../../src/lab/simulator/index.ts";
import { fingerprintOf } from "./laned-crawl.ts";

const SETTINGS = {
  ...{
    batchEntries: 4,
    batchBytes: 1000,
    lingerMs: 20,
    restMs: 20,
    burst: 1,
    waitMsMax: 20,
    timeoutMs: 300,
  },
  ...{ segmentBytesMax: 600, retainBytes: 300, repeatsMax: 30 },
};
const TO = { id: "b.2", generation: 7 };
const LIMITS = { stepsMax: 500_000, virtualMsMax: 3_600_000 };

function entryOf(number: number): UrlEntry {
  const url = `http://host-${number % 5}.example/${number}`;
  const record = new TextEncoder().encode(url);
  const holders = number % 7 === 0 ? [{ id: "c", generation: 1 }] : [];
  return {
    ...{ kind: "url", host: `host-${number % 5}.example`, depth: number % 4, holders, record },
    ...fingerprintOf(url),
  };
}

function textOf(entry: Entry): string {
  return entry.kind === "url" ? new TextDecoder().decode(entry.record) : "";
}

/** The sender: appends numbered entries, and remembers which of them are durable. */
class Sender {
  outboxes: Outboxes | null = null;
  next = 0;
  /** Durable in some life; a later crash must not undo it. */
  durable = 0;

  boot(life: Life, transport: Transport, disk: SimDisk): void {
    this.outboxes = null;
    // What was not durable is found again by whoever finds links, in another order maybe.
    this.next = this.durable;
    openOutboxes(
      {
        ...{ clock: life.clock, random: life.random, storage: disk.mount(life.clock) },
        ...{ settings: SETTINGS, transportTo: () => transport, isReachable: () => true },
        report: (error) => assert.fail(error),
        fail: (error) => assert.fail(error),
      },
      (error, outboxes) => {
        assert.ifError(error);
        this.outboxes = outboxes ?? null;
      },
    );
  }

  append(random: Random): void {
    const { outboxes } = this;
    if (outboxes === null) return;
    for (let count = random.below(6); count > 0; count -= 1) {
      outboxes.append(TO, entryOf(this.next), random.below(3) === 0);
      this.next += 1;
    }
    const upTo = this.next;
    outboxes.whenDurable(() => {
      if (this.outboxes === outboxes) this.durable = Math.max(this.durable, upTo);
    });
  }
}

/** The receiver: its state is a set of texts; a checkpoint keeps it with a mark. */
class Receiver {
  inbox: Inbox | null = null;
  has = new Set<string>();
  recorded: { readonly has: ReadonlySet<string>; readonly mark: Position } | null = null;
  isBusy = false;

  boot(life: Life, transport: Transport, disk: SimDisk): void {
    this.inbox = null;
    this.has = new Set(this.recorded?.has);
    transport.serve("connector", (_from, body, respond) => this.inbox?.receive(body, respond));
    openInbox(
      {
        ...{ clock: life.clock, random: life.random, storage: disk.mount(life.clock) },
        ...{ segmentBytesMax: 600, isBusy: () => this.isBusy },
        arrived: (entries) => {
          for (const entry of entries) this.has.add(textOf(entry));
        },
        report: (error) => assert.fail(error),
        fail: (error) => assert.fail(error),
      },
      this.recorded?.mark ?? null,
      (error, inbox) => {
        assert.ifError(error);
        inbox?.replay((failure) => {
          assert.ifError(failure);
          this.inbox = inbox;
        });
      },
    );
  }

  checkpoint(): void {
    const { inbox } = this;
    if (inbox === null) return;
    const has = new Set(this.has);
    inbox.mark((error, mark) => {
      assert.ifError(error);
      if (this.inbox !== inbox || mark === undefined) return;
      this.recorded = { has, mark };
      inbox.recorded(mark);
    });
  }
}

function tryDelivery(seed: string): { told: number; bytes: number } {
  const kernel = new Kernel({ seed });
  const random = kernel.random.fork("trial");
  const cluster = new SimCluster(kernel, {
    ...{ lossRatio: 0.1, duplicateRatio: 0.1, lateRatio: 0.1, lateMsMax: 3000, reorderRatio: 0.5 },
  });
  const [sender, receiver] = [new Sender(), new Receiver()];
  const disks = { a: new SimDisk(random.fork("a")), b: new SimDisk(random.fork("b")) };
  cluster.add("a", (life, transport) => sender.boot(life, transport, disks.a));
  cluster.add(TO.id, (life, transport) => receiver.boot(life, transport, disks.b));
  const tick = (left: number): void => {
    sender.append(random);
    receiver.isBusy = random.below(4) === 0;
    const what = random.below(12);
    if (what < 3) receiver.checkpoint();
    if (what === 3 || what === 4) {
      const [id, disk] = what === 3 ? (["a", disks.a] as const) : ([TO.id, disks.b] as const);
      cluster.takeDown(id);
      disk.crash();
      kernel.schedule(random.below(500), () => cluster.node(id).start());
    }
    if (left > 0) kernel.schedule(random.below(200), () => tick(left - 1));
    else receiver.isBusy = false;
  };
  tick(60);
  kernel.runUntil(() => false, { ...LIMITS, virtualMsMax: 60_000 });
  for (const id of ["a", TO.id]) cluster.node(id).start();
  kernel.runUntil(() => sender.outboxes?.pending === 0 && receiver.inbox !== null, LIMITS);
  const { outboxes } = sender;
  assert.ok(outboxes !== null, "the sender runs");
  assert.equal(outboxes.pending, 0, "everything is acknowledged");
  for (let number = 0; number < sender.durable; number += 1) {
    assert.ok(receiver.has.has(textOf(entryOf(number))), `entry ${number} has arrived`);
  }
  const told = new Map<string, Entry>();
  let isRead = false;
  outboxes.each(
    TO,
    (entries, next) => {
      for (const entry of entries) told.set(textOf(entry), entry);
      kernel.schedule(1, next);
    },
    (error) => {
      assert.ifError(error);
      isRead = true;
    },
  );
  kernel.runUntil(() => isRead, LIMITS);
  for (let number = 0; number < sender.durable; number += 1) {
    const entry = told.get(textOf(entryOf(number)));
    assert.deepEqual({ ...entry, record: null }, { ...entryOf(number), record: null });
  }
  return { told: sender.durable, bytes: outboxes.retainedBytes };
}

const RUNS = process.env["TROBAR_FULL"] === "1" ? 3000 : 30;

test("D1, D3, U3, I3: what is durable in an outbox arrives, stays, and can be told again", () => {
  let told = 0;
  for (let seed = 0; seed < RUNS; seed += 1) {
    try {
      told += tryDelivery(String(seed)).told;
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  assert.ok(told > RUNS * 20, `${told} entries were told`);
});
