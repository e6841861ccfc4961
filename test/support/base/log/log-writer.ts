/**
 * A process to be killed: appends numbered frames to a log without end, and prints the number of
 * the last one each time a commit has been answered.
 * Arguments: the folder, and the number of the first frame.
 */
import { writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Log, openLog } from "../../../../src/base/log/index.ts";
import { SeededRandom } from "../../../../src/base/random/index.ts";
import { DiskStorage } from "../../../../src/base/storage/index.ts";

export const LOG_WRITER: string = fileURLToPath(import.meta.url);

/** Small segments, so that a kill also meets the change from one to the next. */
export const LOG_UNDER_FIRE = {
  name: "fire/log",
  framing: "binary",
  segmentBytesMax: 20_000,
  chunkBytes: 4_000,
} as const;

/** A frame that holds its number, so that a missing, doubled or altered one is noticed. */
export function numberedFrame(number: number): Uint8Array {
  return new TextEncoder().encode(`frame ${number} ${"x".repeat((number * 37) % 200)}`);
}

/** Some frames, a commit, and so on. */
function writeOn(log: Log, random: SeededRandom, number: number): void {
  let next = number;
  for (let count = random.below(20); count >= 0; count -= 1) {
    if (log.tryAppend(numberedFrame(next)) === null) break;
    next += 1;
  }
  log.commit((error) => {
    if (error !== null) throw error;
    // Synchronously: acknowledged numbers are printed even if the next instruction never runs.
    writeSync(1, `${next - 1}\n`);
    writeOn(log, random, next);
  });
}

if (process.argv[1] === LOG_WRITER) {
  const [root = "", first = "0"] = process.argv.slice(2);
  const random = new SeededRandom(`${root} ${first}`);
  openLog({ ...LOG_UNDER_FIRE, storage: new DiskStorage(root), random }, (error, opened) => {
    if (error !== null) throw error;
    writeOn(opened.log, random, Number(first));
  });
}
