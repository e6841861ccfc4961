/** The host queues of this project, behind the interface of their rivals. */
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Done } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import {
  type DiskHostQueues,
  openDiskHostQueues,
  type QueueMarks,
} from "../../src/frontier/queues/index.ts";
import type { ContenderOptions, QueueContender, RecordSink } from "./queue-contender.ts";
import { turn } from "./queue-load.ts";

function answer<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value as Value);
      else reject(error);
    });
  });
}

export async function openTrobarQueues(
  { folder, memoryBytes }: ContenderOptions,
  marks: QueueMarks | null = null,
): Promise<TrobarQueues> {
  const options = {
    ...{ storage: new DiskStorage(folder), random: new SeededRandom(1), folder: "queues", marks },
    ...({ order: "fifo", memoryBytes } as const),
    report: (error: Error) => console.error(error),
  };
  return new TrobarQueues(await answer((done) => openDiskHostQueues(options, done)));
}

export class TrobarQueues implements QueueContender {
  readonly queues: DiskHostQueues;
  marks: QueueMarks | null = null;

  constructor(queues: DiskHostQueues) {
    this.queues = queues;
  }

  get total(): number {
    return this.queues.total;
  }

  count(host: number): number {
    return this.queues.count(host);
  }

  push(host: number, _serial: number, record: Buffer): void {
    this.queues.push(host, record, 0, record.length, 0);
  }

  async breathe(): Promise<void> {
    while (this.queues.isFull) await turn();
  }

  async checkpoint(): Promise<void> {
    this.marks = await answer((done) => this.queues.checkpoint(done));
    this.queues.committed();
  }

  async pull(host: number, recordsMax: number, sink: RecordSink): Promise<void> {
    const batch = await answer((done: Parameters<DiskHostQueues["pull"]>[2]) =>
      this.queues.pull(host, recordsMax, done),
    );
    for (let at = 0; at < batch.count; at += 1) {
      sink(batch.bytes, batch.startOf(at), batch.endOf(at));
    }
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queues.close((error) => (error === null ? resolve() : reject(error)));
    });
  }
}
