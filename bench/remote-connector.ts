/**
 * Claim: for every size of batches, an item takes less time through a remote connector, both of whose
 * sides make it durable, than table 6.2 of the Crawler.NET thesis says of its own.
 *
 * Two sides in this process, joined over TCP on loopback, each with its log on the disk of the temporary
 * directory, or of the one that is named. Items are numbers, offered one at a time; the time runs from
 * the first offer until the last item was taken. A local connector stands beside it, as in the thesis,
 * since its machine was another: the ratio of remote to local can be compared too.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "../src/base/random/index.ts";
import type { Done } from "../src/base/seams/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { openTcpTransport, type TcpTransport } from "../src/base/transport/index.ts";
import type { Connector } from "../src/topology/connector/index.ts";
import { LocalConnector } from "../src/topology/connector/index.ts";
import { codec, itemType } from "../src/topology/items/index.ts";
import {
  openReceivingConnector,
  openSendingConnector,
  type ReceivingConnector,
  type SendingConnector,
  Switchboard,
} from "../src/topology/remote/index.ts";
import { median } from "./support/rounds.ts";

const THESIS_US: readonly (readonly [batch: number, microseconds: number])[] = [
  ...([
    [1, 921],
    [5, 628],
    [10, 419],
    [50, 408],
  ] as const),
  ...([
    [75, 359],
    [100, 359],
    [500, 372],
    [1000, 367],
  ] as const),
];
const THESIS_LOCAL_US = 12;
const CAPACITY = 100_000;
const MS_PER_CASE = 300;
const ROUNDS = 3;

const Count = itemType("bench/count", codec.count);
const clock = new SystemClock();
const fail = (error: Error): never => {
  throw error;
};

const local = new LocalConnector(Count, { capacity: CAPACITY });
const localUs = await measured(local, local);
console.log(`local: ${localUs.toFixed(2)} µs an item; thesis ${THESIS_LOCAL_US} µs`);
for (const [batch, thesisUs] of THESIS_US) {
  const us = await remote(batch);
  const verdict = us < thesisUs ? "kept" : "BROKEN";
  console.log(
    `remote, batch ${String(batch).padStart(4)}: ${us.toFixed(1).padStart(7)} µs an item; thesis ` +
      `${thesisUs} µs (${verdict}); ${(us / localUs).toFixed(0)} times local, thesis ` +
      `${(thesisUs / THESIS_LOCAL_US).toFixed(0)}`,
  );
}

async function remote(batchItems: number): Promise<number> {
  const root = mkdtempSync(join(process.argv[2] ?? tmpdir(), "trobar-bench-"));
  const listening = await opened<TcpTransport>((done) =>
    openTcpTransport({ self: "receiver", clock, listenAt: "127.0.0.1:0" }, done),
  );
  const asking = await opened<TcpTransport>((done) =>
    openTcpTransport({ self: "sender", clock, listenAt: null }, done),
  );
  const place = (name: string) => ({
    ...{ clock, report: fail, fail, random: new SeededRandom(name) },
    storage: new DiskStorage(join(root, name)),
  });
  const common = { id: "items", capacity: CAPACITY, segmentBytesMax: 16 * 1024 * 1024 };
  const receiver = await opened<ReceivingConnector<number>>((done) =>
    openReceivingConnector(
      Count,
      { ...common, senders: 1, markAfterMs: 1000 },
      { ...place("receiver"), switchboard: new Switchboard(listening, fail) },
      done,
    ),
  );
  const limits = { batchItems, batchBytes: 1024 * 1024, lingerMs: 1 };
  const sender = await opened<SendingConnector<number>>((done) =>
    openSendingConnector(
      Count,
      {
        ...{ ...common, ...limits, to: listening.address ?? "" },
        ...{ spillBytes: 1024 * 1024 * 1024, timeoutMs: 10_000 },
      },
      { ...place("sender"), transport: asking },
      done,
    ),
  );
  const us = await measured(sender, receiver);
  await new Promise((resolve) => sender.close(resolve));
  await new Promise((resolve) => receiver.close(resolve));
  for (const transport of [asking, listening]) transport.close();
  rmSync(root, { recursive: true });
  return us;
}

/** Microseconds an item, by rounds of as many items as take some time. */
async function measured(into: Connector<number>, outOf: Connector<number>): Promise<number> {
  const inlet = into.openInlet();
  const outlet = outOf.openOutlet("reader");
  const carry = async (items: number): Promise<number> => {
    const startedAtMs = performance.now();
    let [offered, taken] = [0, 0];
    const buffer: number[] = [];
    while (taken < items) {
      const end = Math.min(items, offered + 1000);
      while (offered < end && inlet.tryOffer([offered])) offered += 1;
      buffer.length = 0;
      taken += outlet.takeInto(buffer, CAPACITY);
      await new Promise(setImmediate);
    }
    return ((performance.now() - startedAtMs) * 1000) / items;
  };
  const firstUs = await carry(2000);
  const items = Math.max(2000, Math.round((MS_PER_CASE * 1000) / firstUs));
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await carry(items));
  return median(rounds);
}

function opened<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) =>
    start((error, value) => (error === null ? resolve(value) : reject(error))),
  );
}
