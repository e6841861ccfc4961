/**
 * Reads all that a checkpoint says of the queues and the names of hosts, from outside, for those who
 * check a crawl directory. Nothing is written, cut or locked. Of records that are in no bundle yet only
 * fingerprints are held, as many as the queues have in memory when they are open; all else is read in
 * pieces.
 */
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { checkLog } from "../../base/log/index.ts";
import { answered, type FileName, type Storage } from "../../base/seams/index.ts";
import { type Bundle, bundleFile } from "./bundles/bundle.ts";
import { ENCODED_BYTES_MAX } from "./bundles/bundle-layout.ts";
import { FoundRecords } from "./bundles/found-records.ts";
import { openBundle } from "./bundles/open-bundle.ts";
import type { QueueMarks, QueueOrder } from "./host-queues.ts";
import type { HostTableMarks } from "./host-table.ts";
import { replayPushes } from "./journals/push-journal.ts";
import { replayTakes } from "./journals/take-journal.ts";
import { BANDS } from "./priority-band.ts";

/** What is told of the files. */
export interface QueueFindings {
  /** A record that waits, and the number of its host. */
  record(host: number, record: Uint8Array): void;
  /** `at` is a place in the file. */
  problem(file: FileName, at: number | null, problem: string): void;
}

export interface QueuesToCheck {
  readonly storage: Storage;
  /** Of the queues. */
  readonly folder: FileName;
  readonly order: QueueOrder;
  readonly marks: QueueMarks;
}

/** How many records wait; of what is damaged, none. */
export async function checkQueues(
  { storage, folder, order, marks }: QueuesToCheck,
  findings: QueueFindings,
): Promise<number> {
  const found = new CountedRecords(order, findings);
  const bundles: Bundle[] = [];
  const tell = (file: FileName, error: unknown): void => {
    if (!isCrawlError(error)) throw error;
    findings.problem(file, null, reasonOf(error));
  };
  try {
    for (const mark of marks.bundles) {
      try {
        bundles.push(await answered<Bundle>((done) => openBundle(storage, folder, mark, done)));
      } catch (error) {
        tell(bundleFile(folder, mark.id), error);
      }
    }
    await checkTakes({ storage, folder, marks, bundles }, findings);
    for (const bundle of bundles) {
      try {
        await readBundle(bundle, bundleFile(folder, bundle.content.id), found);
      } catch (error) {
        tell(bundleFile(folder, bundle.content.id), error);
      }
    }
  } finally {
    for (const bundle of bundles) {
      await new Promise<void>((closed) => bundle.close(() => closed()));
    }
  }
  await checkPushes({ storage, folder, order, marks }, found);
  return found.count;
}

class CountedRecords {
  readonly #bands: number;
  readonly #findings: QueueFindings;
  count = 0;

  constructor(order: QueueOrder, findings: QueueFindings) {
    this.#bands = order === "priority" ? BANDS : 1;
    this.#findings = findings;
  }

  record(queue: number, record: Uint8Array): void {
    this.count += 1;
    this.#findings.record(Math.floor(queue / this.#bands), record);
  }

  problem(file: FileName, at: number | null, problem: string): void {
    this.#findings.problem(file, at, problem);
  }
}

async function checkTakes(
  {
    storage,
    folder,
    marks,
    bundles,
  }: Pick<QueuesToCheck, "storage" | "folder" | "marks"> & { readonly bundles: readonly Bundle[] },
  findings: QueueFindings,
): Promise<void> {
  const contents = new Map(bundles.map(({ content }) => [content.id, content]));
  const from = Math.min(marks.takesEnd, ...marks.bundles.map(({ takesFrom }) => takesFrom));
  await checkLog(
    { storage, name: `${folder}/takes`, from, to: marks.takesEnd },
    (payload) => replayTakes(payload, contents),
    (...told) => findings.problem(...told),
  );
}

/** Read at once, of the part of one queue. */
const PIECE_BYTES = 4 * ENCODED_BYTES_MAX;

async function readBundle(bundle: Bundle, file: FileName, found: CountedRecords): Promise<void> {
  const { directory } = bundle.content;
  for (let place = 0; place < directory.count; place += 1) {
    const queue = directory.queueAt(place);
    const end = directory.startAt(place) + directory.lengthAt(place);
    let offset = directory.startAt(place) + directory.takenBytesAt(place);
    let left = directory.recordsAt(place);
    while (left > 0) {
      const wanted = Math.min(PIECE_BYTES, end - offset);
      const from = offset;
      const bytes = await answered<Uint8Array>((done) => bundle.read(from, wanted, done));
      const records = new FoundRecords(bundle, queue, bytes);
      const isSound = records.scan(left);
      for (const [at, start] of records.starts.entries()) {
        found.record(queue, bytes.subarray(start, records.ends[at]));
      }
      left -= records.count;
      offset += records.bytesOf(records.count);
      if (isSound && records.count > 0) continue;
      found.problem(file, offset, `${left} records of host queue ${queue} cannot be read`);
      break;
    }
  }
}

/** Records that are in no bundle yet, and are left when the takes among them are taken. */
async function checkPushes(
  { storage, folder, order, marks }: QueuesToCheck,
  found: CountedRecords,
): Promise<void> {
  const { pushes, buffer: oldest } = marks;
  const queues = new Map<number, Uint8Array[]>();
  let hasBegun = false;
  const replaying = {
    push: (queue: number, bytes: Uint8Array, from: number, to: number): void => {
      if (!hasBegun) return;
      const records = queues.get(queue) ?? [];
      records.push(bytes.slice(from, to));
      queues.set(queue, records);
    },
    take: (buffer: number, queue: number, count: number): boolean => {
      if (!hasBegun || buffer < oldest) return true;
      const records = queues.get(queue) ?? [];
      if (records.length < count) return false;
      records.splice(order === "lifo" ? records.length - count : 0, count);
      return true;
    },
    begin: (buffer: number): void => {
      hasBegun ||= buffer === oldest;
    },
  };
  const log = { storage, name: `${folder}/pushes`, from: pushes.from, to: pushes.to };
  await checkLog(
    log,
    (payload) => replayPushes(payload, replaying),
    (...told) => found.problem(...told),
  );
  for (const [queue, records] of queues) for (const record of records) found.record(queue, record);
}

/** Answers with the names of the hosts in the order of their numbers, as far as they can be read. */
export async function checkHostNames(
  storage: Storage,
  folder: FileName,
  marks: HostTableMarks,
  findings: Pick<QueueFindings, "problem">,
): Promise<number> {
  let count = 0;
  const take = (payload: Uint8Array): boolean => {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    let at = 0;
    while (at + 2 <= payload.length) {
      at += 2 + view.getUint16(at, true);
      count += 1;
    }
    return at === payload.length;
  };
  const name = `${folder}/names`;
  const tell = (...told: Parameters<QueueFindings["problem"]>): void => findings.problem(...told);
  await checkLog({ storage, name, from: null, to: marks.end }, take, tell);
  if (count !== marks.hosts) {
    const problem = `it has ${count} hosts, and the checkpoint knows ${marks.hosts}`;
    findings.problem(`${name}.log`, null, problem);
  }
  return count;
}

function reasonOf(error: CrawlError): string {
  const { fault, reason } = error.facts;
  return String(fault ?? reason ?? error.message);
}
