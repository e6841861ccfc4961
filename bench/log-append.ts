/**
 * Claim: appending frames of 100 bytes to the log with group commit reaches at least half the
 * rate of a bare `fs.writev` of the same bytes with the same sync points.
 *
 * Both sides write the same number of frames and sync (fdatasync) after every group of the same
 * size, one group at a time. The bare side has its bytes ready and only hands them to the system, a
 * quarter of a megabyte at a time; the log makes the frames of the next group while one is being
 * written and synced, and its caller lets other events in now and then, as a crawler does. Rounds
 * are interleaved and medians taken, since machines are noisy. The last lines have no sync, and no
 * disk, and show what the log costs in CPU.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BinaryFraming } from "../src/base/log/binary-framing.ts";
import { type Log, type OpenedLog, openLog } from "../src/base/log/index.ts";
import { PendingFrames } from "../src/base/log/pending-frames.ts";
import { SeededRandom } from "../src/base/random/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";

const PAYLOAD_BYTES = 100;
const CHUNK_BYTES = 256 * 1024;
const PENDING_BYTES = 16 * 1024 * 1024;
const FRAMES_PER_TURN = 1024;
const ROUNDS = 11;
const root = fs.mkdtempSync(join(process.argv[2] ?? tmpdir(), "trobar-bench-"));
const storage = new DiskStorage(root);
const payloads = Array.from({ length: 64 }, (_, salt) =>
  new Uint8Array(PAYLOAD_BYTES).map((_byte, at) => at * 7 + salt),
);
/** More than the processor's caches hold, as the frames of a log are. */
const source = new Uint8Array(64 * CHUNK_BYTES).map((_, at) => at * 7);
let files = 0;

interface Case {
  readonly name: string;
  readonly frames: number;
  readonly groupBytes: number;
}

const cases: readonly Case[] = [
  { name: "sync every 64 kB", frames: 60_000, groupBytes: 64 * 1024 },
  { name: "sync every 1 MB", frames: 400_000, groupBytes: 1024 * 1024 },
  { name: "sync every 4 MB", frames: 800_000, groupBytes: 4 * 1024 * 1024 },
  { name: "no sync", frames: 800_000, groupBytes: Number.POSITIVE_INFINITY },
];

for (const each of cases) {
  const log: number[] = [];
  const bare: number[] = [];
  // One round more than counted: the first warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = [await rate(each, appendToLog), await rate(each, writeBare)] as const;
    if (round === 0) continue;
    log.push(measured[0]);
    bare.push(measured[1]);
  }
  // Of neighbouring rounds, since other users of the machine come and go.
  const ratio = median(log.map((framesPerMs, round) => framesPerMs / (bare[round] ?? 1)));
  console.log(
    `${each.name.padEnd(18)} log ${figure(log)}  bare writev ${figure(bare)}  ` +
      `ratio ${ratio.toFixed(2)}`,
  );
}
fs.rmSync(root, { recursive: true });
encodeOnly(2_000_000);

/** Frames made in memory and forgotten: the processor's share alone. */
function encodeOnly(frames: number): void {
  const limits = { chunkBytes: CHUNK_BYTES, pendingBytesMax: 4 * CHUNK_BYTES };
  const pending = new PendingFrames(new BinaryFraming([1, 2]), limits, 0);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAtMs = performance.now();
    for (let frame = 0; frame < frames; frame += 1) {
      pending.tryAppend(payloads[frame % payloads.length] ?? new Uint8Array(0));
      if (pending.hasFullChunk) pending.written(pending.firstPieceBytes);
    }
    rounds.push(frames / (performance.now() - startedAtMs));
  }
  const nanoseconds = Math.round(1e6 / median(rounds));
  console.log(`${"in memory only".padEnd(18)} log ${figure(rounds)}  ${nanoseconds} ns per frame`);
}

/** Thousands of frames per second; a side answers with how many milliseconds it took. */
async function rate(each: Case, side: (each: Case) => Promise<number>): Promise<number> {
  return each.frames / (await side(each));
}

async function appendToLog({ frames, groupBytes }: Case): Promise<number> {
  files += 1;
  const random = new SeededRandom(files);
  const { log } = await new Promise<OpenedLog>((resolve, reject) =>
    openLog(
      { storage, name: `log${files}/x`, framing: "binary", random, pendingBytesMax: PENDING_BYTES },
      (error, opened) => (error === null ? resolve(opened) : reject(error)),
    ),
  );
  const startedAtMs = performance.now();
  let groupEnd = groupBytes;
  let group = Promise.resolve();
  for (let frame = 0; frame < frames; frame += 1) {
    const payload = payloads[frame % payloads.length] ?? new Uint8Array(0);
    while (log.tryAppend(payload) === null) await aMoment();
    if (frame % FRAMES_PER_TURN === 0) await turn();
    if (log.end < groupEnd) continue;
    await group;
    group = commit(log);
    groupEnd = log.end + groupBytes;
  }
  await group;
  if (groupBytes < Number.POSITIVE_INFINITY) await commit(log);
  else while (log.pendingBytes > CHUNK_BYTES) await aMoment();
  const tookMs = performance.now() - startedAtMs;
  await new Promise((resolve) => log.close(resolve));
  fs.rmSync(join(root, `log${files}`), { recursive: true });
  return tookMs;
}

function commit(log: Log): Promise<void> {
  return new Promise((resolve, reject) =>
    log.commit((error) => (error === null ? resolve() : reject(error))),
  );
}

function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

/** One turn of the event loop, in which pending work goes on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function writeBare({ frames, groupBytes }: Case): Promise<number> {
  files += 1;
  const descriptor = fs.openSync(join(root, `bare${files}`), "w");
  const startedAtMs = performance.now();
  // The log's header is ten bytes.
  const wholeBytes = frames * (PAYLOAD_BYTES + 10);
  let unsyncedBytes = 0;
  for (let offset = 0; offset < wholeBytes; ) {
    const restBytes = Math.min(wholeBytes - offset, groupBytes - unsyncedBytes, CHUNK_BYTES);
    const from = offset % (source.length - CHUNK_BYTES);
    await writev(descriptor, source.subarray(from, from + restBytes), offset);
    offset += restBytes;
    unsyncedBytes += restBytes;
    if (unsyncedBytes < groupBytes && offset < wholeBytes) continue;
    if (groupBytes < Number.POSITIVE_INFINITY) await sync(descriptor);
    unsyncedBytes = 0;
  }
  const tookMs = performance.now() - startedAtMs;
  fs.closeSync(descriptor);
  fs.rmSync(join(root, `bare${files}`));
  return tookMs;
}

function writev(descriptor: number, bytes: Uint8Array, offset: number): Promise<void> {
  return new Promise((resolve, reject) =>
    fs.writev(descriptor, [bytes], offset, (error) => (error === null ? resolve() : reject(error))),
  );
}

function sync(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) =>
    fs.fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error))),
  );
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, two) => one - two)[Math.floor(numbers.length / 2)] ?? 0;
}

function figure(rates: readonly number[]): string {
  const framesPerMs = median(rates);
  const megabytes = (framesPerMs * 1000 * (PAYLOAD_BYTES + 10)) / 1e6;
  return `${Math.round(framesPerMs)} k frames/s (${Math.round(megabytes)} MB/s)`.padEnd(30);
}
