/**
 * Looks at the queues of a crawl that rests, from outside: which records of one host wait, in their
 * order. Nothing is written, cut or locked, and the queues are not opened: only what belongs to the
 * host is read, apart from the journals.
 */
import { eachFrame } from "../../base/log/index.ts";
import { answered, type FileName, type Storage } from "../../base/seams/index.ts";
import type { Bundle } from "./bundles/bundle.ts";
import { FoundRecords } from "./bundles/found-records.ts";
import { openBundle } from "./bundles/open-bundle.ts";
import type { QueueMarks } from "./host-queues.ts";
import { replayPushes } from "./journals/push-journal.ts";
import { replayTakes } from "./journals/take-journal.ts";

/** The number of a host, from its name; null if the table of this folder does not have it. */
export async function viewHostNumber(
  storage: Storage,
  folder: FileName,
  host: string,
): Promise<number | null> {
  let number = 0;
  let found: number | null = null;
  const take = (payload: Uint8Array): boolean => {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
    for (let at = 0; at + 2 <= bytes.length && found === null; number += 1) {
      const end = at + 2 + bytes.readUInt16LE(at);
      if (bytes.toString("latin1", at + 2, end) === host) found = number;
      at = end;
    }
    return found === null;
  };
  await eachFrame(storage, `${folder}/names`, { from: null, to: null }, take);
  return found;
}

/** The records that wait in a queue, in first-in, first-out order. */
export async function viewQueue(
  storage: Storage,
  folder: FileName,
  marks: QueueMarks,
  queue: number,
): Promise<readonly Buffer[]> {
  const bundles: Bundle[] = [];
  try {
    for (const mark of marks.bundles) {
      bundles.push(await answered<Bundle>((done) => openBundle(storage, folder, mark, done)));
    }
    await applyTakes(storage, folder, marks, bundles);
    const records: Buffer[] = [];
    for (const bundle of bundles) records.push(...(await recordsIn(bundle, queue)));
    return [...records, ...(await pushedRecords(storage, folder, marks, queue))];
  } finally {
    for (const bundle of bundles) {
      await new Promise<void>((closed) => bundle.close(() => closed()));
    }
  }
}

async function applyTakes(
  storage: Storage,
  folder: FileName,
  { bundles: named, takesEnd }: QueueMarks,
  bundles: readonly Bundle[],
): Promise<void> {
  const contents = new Map(bundles.map(({ content }) => [content.id, content]));
  const from = Math.min(takesEnd, ...named.map(({ takesFrom }) => takesFrom));
  const take = (payload: Uint8Array): boolean => replayTakes(payload, contents);
  await eachFrame(storage, `${folder}/takes`, { from, to: takesEnd }, take);
}

async function recordsIn(bundle: Bundle, queue: number): Promise<readonly Buffer[]> {
  const { directory } = bundle.content;
  const place = directory.find(queue);
  if (place < 0 || directory.recordsAt(place) === 0) return [];
  const takenBytes = directory.takenBytesAt(place);
  const offset = directory.startAt(place) + takenBytes;
  const leftBytes = directory.lengthAt(place) - takenBytes;
  const bytes = await answered<Uint8Array>((done) => bundle.read(offset, leftBytes, done));
  const found = new FoundRecords(bundle, queue, bytes);
  if (!found.scan(directory.recordsAt(place))) throw bundle.damaged(queue, offset);
  return found.starts.map((start, at) => Buffer.from(bytes.subarray(start, found.ends[at])));
}

/** Those that are in no bundle yet. */
async function pushedRecords(
  storage: Storage,
  folder: FileName,
  { pushes, buffer: oldest }: QueueMarks,
  queue: number,
): Promise<readonly Buffer[]> {
  const records: Buffer[] = [];
  let hasBegun = false;
  const replaying = {
    push: (of: number, record: Uint8Array, from: number, to: number): void => {
      if (hasBegun && of === queue) records.push(Buffer.from(record.subarray(from, to)));
    },
    take: (buffer: number, of: number, count: number): boolean => {
      if (hasBegun && buffer >= oldest && of === queue) records.splice(0, count);
      return true;
    },
    begin: (buffer: number): void => {
      hasBegun ||= buffer === oldest;
    },
  };
  const take = (payload: Uint8Array): boolean => replayPushes(payload, replaying);
  await eachFrame(storage, `${folder}/pushes`, pushes, take);
  return records;
}
