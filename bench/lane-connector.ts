/**
 * Claim: a lane between two threads carries at least 2 M items of 100 bytes a second, offered in batches of
 * 100. The reference is bare `postMessage` of buffers that hold such a batch, allocated and moved, which
 * nobody encodes or decodes and nothing holds back; that is the least that crossing to another thread costs.
 *
 * `node bench/lane-connector.ts [items] [rounds]`
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { SystemClock } from "../src/base/time/index.ts";
import { codec, type ItemType, itemType } from "../src/topology/items/index.ts";
import { LaneSender, openChannel, ThreadPort } from "../src/topology/threads/index.ts";
import type { LaneRun } from "./support/lane-thread.ts";
import { printTable } from "./support/unit-table.ts";

const [ITEMS = 400_000, ROUNDS = 9] = process.argv.slice(2).map(Number);
const BATCH = 100;
const BYTES = 100;
const CAPACITY = 4096;
const clock = new SystemClock();
const thread = new Worker(new URL("./support/lane-thread.ts", import.meta.url));

const texts = Array.from({ length: BATCH }, (_, at) =>
  `https://host${at}.example/`.padEnd(BYTES, "x"),
);
const bytes = texts.map((text) => new TextEncoder().encode(text));

/** Starts the other side, and gives our end and when everything was taken. */
function crossing(run: Omit<LaneRun, "port">) {
  const [here, there] = openChannel();
  const port = there;
  thread.postMessage({ ...run, port }, [there]);
  return { here, taken: once(thread, "message") };
}

async function lane<Item>(
  kind: "bytes" | "text",
  type: ItemType<Item>,
  batch: readonly Item[],
): Promise<number> {
  const { here, taken } = crossing({ kind, capacity: CAPACITY, count: ITEMS });
  const port = new ThreadPort<ArrayBuffer | null, number>(here);
  const report = (error: unknown): never => {
    throw error;
  };
  const inlet = new LaneSender({ type, capacity: CAPACITY, port, clock, report }).openInlet();
  let offered = 0;
  const offer = (): void => {
    while (offered < ITEMS && inlet.tryOffer(batch)) offered += batch.length;
    if (offered < ITEMS) inlet.whenRoom(batch.length, () => setImmediate(offer));
  };
  offer();
  await taken;
  return ITEMS;
}

async function bare(): Promise<number> {
  const count = ITEMS / BATCH;
  const { here, taken } = crossing({ kind: "bare", capacity: CAPACITY, count });
  for (let sent = 0; sent < count; sent += 1) {
    const buffer = new ArrayBuffer(BATCH * BYTES);
    here.postMessage(buffer, [buffer]);
  }
  await taken;
  return ITEMS;
}

const Bytes = itemType("bench/bytes", codec.bytes);
const Text = itemType("bench/text", codec.text);
await printTable(
  [
    { name: "bytes through a lane", run: () => lane("bytes", Bytes, bytes), promised: 2e6 },
    { name: "texts through a lane", run: () => lane("text", Text, texts) },
    { name: "bare postMessage of such batches", run: bare },
  ],
  ROUNDS,
);
await thread.terminate();
