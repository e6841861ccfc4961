/**
 * The seeds of the crawl, all of them at every agent (S1), in a log of their own. A seed is known by the
 * place where it was added and a number there; each agent holds the seeds of a place from the first one
 * up to some number. So what an agent holds is a count for each place, and what it lacks follows from
 * the counts of another.
 *
 * Invariant: what is counted is durable. In memory is only where the batches are in the log.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import {
  checkLog,
  type Log,
  type LogReader,
  type LogToCheck,
  openLog,
  type Position,
  type TellOfLog,
} from "../../../base/log/index.ts";
import type { Clock, Done, Random, Storage } from "../../../base/seams/index.ts";
import { ByteReader, ByteWriter } from "../../../topology/items/index.ts";
import { placeText } from "../../messages/index.ts";
import { SEED_BATCH, type SeedBatch, type SeedCount } from "../membership-messages.ts";
import { SeedCounts } from "./seed-counts.ts";

export interface SeedBookParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  /** Seeds from this position on are told again; 0 for all of them. */
  readonly from: Position;
  /** How long to wait after a failed commit. */
  readonly retryMs: number;
  /** Told of seeds that are durable; their batch ends at `upTo`. */
  readonly arrived: (seeds: readonly string[], upTo: Position) => void;
  readonly trouble: (error: CrawlError) => void;
}

const SEED_LOG = "cluster/seeds";
/** A batch in the log is about this long, and a reply to another agent at most twice as long. */
const BATCH_BYTES = 64 * 1024;
const REPLY_BYTES = 256 * 1024;

/** Where a batch is in the log. */
interface Written {
  readonly origin: string;
  readonly end: number;
  readonly position: Position;
  readonly bytes: number;
}

/** Opens the book and tells its seeds from `parts.from` on. */
export function openSeedBook(parts: SeedBookParts, done: Done<SeedBook>): void {
  const { storage, random } = parts;
  openLog({ storage, name: SEED_LOG, framing: "binary", random }, (error, opened) => {
    if (error !== null) done(error, undefined);
    else new SeedBook(parts, opened.log).read(done);
  });
}

/** Reads the book from outside, for those who check the directory of an agent. */
export async function checkSeeds(
  book: Pick<LogToCheck, "storage" | "isClosed">,
  tell: TellOfLog,
): Promise<void> {
  const take = (bytes: Uint8Array): boolean => {
    try {
      SEED_BATCH.read(new ByteReader(bytes));
      return true;
    } catch {
      // Codecs throw about bytes that nobody wrote.
      return false;
    }
  };
  await checkLog({ ...book, name: SEED_LOG, from: null, to: null }, take, tell);
}

export class SeedBook {
  readonly #parts: SeedBookParts;
  readonly #log: Log;
  /** What is durable, and what is at least appended. */
  readonly #held = new SeedCounts();
  readonly #appended = new SeedCounts();
  readonly #written: Written[] = [];
  /** Appended, and not yet durable. */
  #pending: { readonly batch: SeedBatch; readonly written: Written; readonly upTo: Position }[] =
    [];
  #waiting: { readonly upTo: Position; readonly done: () => void }[] = [];
  #isCommitting = false;
  #isClosed = false;

  constructor(parts: SeedBookParts, log: Log) {
    this.#parts = parts;
    this.#log = log;
  }

  get held(): SeedCounts {
    return this.#held;
  }

  /** Adds seeds of the own place. */
  addOwn(origin: SeedBatch["origin"], seeds: readonly string[], done: () => void): void {
    this.add({ origin, first: this.#appended.of(origin), seeds }, done);
  }

  /** Adds a batch as far as it continues what is here; `done` when that is durable. */
  add(batch: SeedBatch, done: () => void): void {
    const origin = placeText(batch.origin);
    let at = this.#appended.of(batch.origin);
    for (const seeds of inBatches(batch.seeds.slice(Math.max(0, at - batch.first)))) {
      if (at < batch.first) break;
      const part = { origin: batch.origin, first: at, seeds };
      at += seeds.length;
      const bytes = encodeBatch(part);
      const position = this.#log.append(bytes);
      const written = { origin, end: at, position, bytes: bytes.byteLength };
      this.#pending.push({ batch: part, written, upTo: this.#log.end });
      this.#appended.set(batch.origin, at);
    }
    this.#waiting.push({ upTo: this.#log.end, done });
    this.#commit();
  }

  /** Batches that follow what another agent has, as many as fit into a message. */
  after(have: readonly SeedCount[], done: (batches: readonly SeedBatch[]) => void): void {
    const theirs = new SeedCounts(have);
    const wanted = new Set<Position>();
    let bytes = 0;
    for (const batch of this.#written) {
      if (batch.end <= theirs.byText(batch.origin)) continue;
      bytes += batch.bytes;
      if (wanted.size > 0 && bytes > REPLY_BYTES) break;
      wanted.add(batch.position);
    }
    const [first] = wanted;
    if (first === undefined) this.#parts.clock.after(0, () => done([]));
    else this.#collect(this.#log.reader(first), wanted, [], done);
  }

  close(done: () => void): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#log.close(done);
  }

  /** For `openSeedBook`. */
  read(done: Done<SeedBook>): void {
    const reader = this.#log.reader();
    const next = (): void =>
      reader.read((error, frames) => {
        if (error !== null) {
          done(error, undefined);
          return;
        }
        for (const { from, to } of frames.damage) this.#parts.trouble(lost(to - from));
        for (let index = 0; index < frames.count; index += 1) {
          this.#found(frames.payloadOf(index), frames.positionOf(index), frames.endOf(index));
        }
        if (frames.count + frames.damage.length > 0) next();
        else reader.close(() => done(null, this));
      });
    next();
  }

  #found(payload: Uint8Array, position: Position, upTo: Position): void {
    const batch = SEED_BATCH.read(new ByteReader(payload));
    // After damage a batch may be missing; it will come again from others.
    if (batch.first > this.#held.of(batch.origin)) return;
    const end = batch.first + batch.seeds.length;
    const bytes = payload.byteLength;
    this.#keep({ origin: placeText(batch.origin), end, position, bytes }, batch);
    this.#appended.set(batch.origin, end);
    if (upTo > this.#parts.from) this.#parts.arrived(batch.seeds, upTo);
  }

  #keep(written: Written, { origin }: SeedBatch): void {
    this.#written.push(written);
    this.#held.set(origin, written.end);
  }

  #commit(): void {
    if (this.#isCommitting || this.#isClosed) return;
    this.#isCommitting = true;
    const upTo = this.#log.end;
    this.#log.commit((error) => {
      this.#isCommitting = false;
      if (this.#isClosed) return;
      if (error !== null) this.#fail(error);
      else this.#committed(upTo);
    });
  }

  #committed(upTo: Position): void {
    const durable = this.#pending.filter((pending) => pending.upTo <= upTo);
    this.#pending = this.#pending.filter((pending) => pending.upTo > upTo);
    for (const { batch, written } of durable) this.#keep(written, batch);
    for (const { batch, upTo: end } of durable) this.#parts.arrived(batch.seeds, end);
    const answered = this.#waiting.filter((waiting) => waiting.upTo <= upTo);
    this.#waiting = this.#waiting.filter((waiting) => waiting.upTo > upTo);
    for (const { done } of answered) done();
    if (this.#waiting.length > 0) this.#commit();
  }

  #fail(error: CrawlError): void {
    const { clock, retryMs, trouble } = this.#parts;
    trouble(error);
    if (error.code === "STORAGE_FULL") clock.after(retryMs, () => this.#commit());
  }

  #collect(
    reader: LogReader,
    wanted: Set<Position>,
    batches: SeedBatch[],
    done: (batches: readonly SeedBatch[]) => void,
  ): void {
    reader.read((error, frames) => {
      if (error !== null) this.#parts.trouble(error);
      const count = error === null ? frames.count : 0;
      for (let index = 0; frames !== undefined && index < count; index += 1) {
        if (!wanted.delete(frames.positionOf(index))) continue;
        batches.push(SEED_BATCH.read(new ByteReader(frames.payloadOf(index))));
      }
      if (count > 0 && wanted.size > 0) this.#collect(reader, wanted, batches, done);
      else reader.close(() => done(batches));
    });
  }
}

function lost(bytes: number): CrawlError {
  return new CrawlError(
    "CLUSTER_SEEDS_DAMAGED",
    `Of the seeds that this agent holds, ${bytes} bytes are damaged. Seeds that another agent holds come ` +
      "again from there; if there is none, give the seeds again.",
    { bytes },
  );
}

function encodeBatch(batch: SeedBatch): Uint8Array {
  const writer = new ByteWriter();
  SEED_BATCH.write(batch, writer);
  return writer.copy();
}

/** The seeds in parts that are short enough for a frame and a message. */
function* inBatches(seeds: readonly string[]): Generator<readonly string[]> {
  let from = 0;
  let bytes = 0;
  for (const [index, seed] of seeds.entries()) {
    bytes += Buffer.byteLength(seed);
    if (bytes < BATCH_BYTES && index < seeds.length - 1) continue;
    yield seeds.slice(from, index + 1);
    from = index + 1;
    bytes = 0;
  }
}
