/** A real process on a real disk, killed without warning: what it acknowledged is there. */
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type OpenedLog, openLog } from "../../src/base/log/index.ts";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { writeUntilKilled } from "../support/base/killed-writer.ts";
import { LOG_UNDER_FIRE, LOG_WRITER } from "../support/base/log/log-writer.ts";
import { countNumberedFrames } from "../support/base/log/numbered-frames.ts";

const kills = process.env["TROBAR_FULL"] === "1" ? 200 : 10;

test("a log loses nothing that it acknowledged when its process is killed", async (context) => {
  const seed = freshSeed();
  context.diagnostic(`seed ${seed}, ${kills} kills`);
  const random = new SeededRandom(seed);
  const root = mkdtempSync(join(tmpdir(), "trobar-kill-"));
  let frames = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const acknowledged = await writeUntilKilled(
      { program: LOG_WRITER, root, first: frames, acknowledgementsMax: 60 },
      random,
    );
    frames = await checkedFrames(root);
    assert.ok(frames > acknowledged, `frame ${acknowledged} was acknowledged, ${frames} are there`);
  }
  await rm(root, { recursive: true });
});

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
