/**
 * A process to be killed: opens the log in the folder given, appends numbered frames without end,
 * and prints the number of each frame as soon as its commit has been answered.
 */
import { writeSync } from "node:fs";
import { type Log, openLog } from "../../src/log/index.ts";
import { SeededRandom } from "../../src/random/index.ts";
import { DiskStorage } from "../../src/storage/index.ts";
import { LOG_UNDER_FIRE, numberedFrame } from "./numbered-frame.ts";

const [root = "", first = "0"] = process.argv.slice(2);
const storage = new DiskStorage(root);
const random = new SeededRandom(`${root} ${first}`);

openLog({ ...LOG_UNDER_FIRE, storage, random }, (error, opened) => {
  if (error !== null) throw error;
  writeOn(opened.log, Number(first));
});

/** A few frames of some length, one commit; some more frames while that is under way. */
function writeOn(log: Log, number: number): void {
  let next = number;
  for (let count = random.below(20); count >= 0; count -= 1) {
    if (log.tryAppend(numberedFrame(next)) === null) break;
    next += 1;
  }
  log.commit((error) => {
    if (error !== null) throw error;
    // Synchronously: what was acknowledged is told even if the next instruction never comes.
    writeSync(1, `${next - 1}\n`);
    writeOn(log, next);
  });
}
