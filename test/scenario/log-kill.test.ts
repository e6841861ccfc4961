/** A real process on a real disk, killed without warning: what it acknowledged is there. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { type OpenedLog, openLog } from "../../src/log/index.ts";
import { freshSeed, SeededRandom } from "../../src/random/index.ts";
import type { Random } from "../../src/seams/index.ts";
import { DiskStorage } from "../../src/storage/index.ts";
import { LOG_UNDER_FIRE, LOG_WRITER } from "../support/log-writer.ts";
import { countNumberedFrames } from "../support/numbered-frames.ts";

const kills = process.env["TROBAR_FULL"] === "1" ? 200 : 10;

test("a log loses nothing that it acknowledged when its process is killed", async (context) => {
  const seed = freshSeed();
  context.diagnostic(`seed ${seed}, ${kills} kills`);
  const random = new SeededRandom(seed);
  const root = mkdtempSync(join(tmpdir(), "trobar-kill-"));
  let frames = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const acknowledged = await writeUntilKilled(root, frames, random);
    frames = await checkedFrames(root);
    assert.ok(frames > acknowledged, `frame ${acknowledged} was acknowledged, ${frames} are there`);
  }
  await rm(root, { recursive: true });
});

/**
 * Runs a writer until it has made so many acknowledgements, and then some turns of this process's
 * event loop longer, so that the blow falls anywhere. The last frame that it acknowledged.
 */
async function writeUntilKilled(root: string, first: number, random: Random): Promise<number> {
  const child = spawn(process.execPath, [LOG_WRITER, root, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const mercy = 1 + random.below(60);
  let turnsLeft = random.below(300);
  const kill = (): void => {
    turnsLeft -= 1;
    if (turnsLeft < 0) child.kill("SIGKILL");
    else setImmediate(kill);
  };
  let last = -1;
  let acknowledgements = 0;
  // Lines that were in the pipe before the blow are still read after it.
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    acknowledgements += 1;
    if (acknowledgements === mercy) kill();
  }
  assert.ok(acknowledgements >= mercy, "the writer wrote until it was killed");
  return last;
}

/** Opens the log, checks every frame in it, and says how many there are. */
async function checkedFrames(root: string): Promise<number> {
  const storage = new DiskStorage(root);
  const random = new SeededRandom("unused");
  const { log, damage } = await new Promise<OpenedLog>((resolve, reject) =>
    openLog({ ...LOG_UNDER_FIRE, storage, random }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    ),
  );
  assert.deepEqual(damage, []);
  const frames = await countNumberedFrames(log);
  await new Promise((resolve) => log.close(resolve));
  return frames;
}
