/** Two real processes joined over TCP, each killed without warning and started again. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { freeAddress } from "../support/topology/free-address.ts";

const PROGRAM = fileURLToPath(new URL("./remote-side.ts", import.meta.url));
const isFull = process.env["TROBAR_FULL"] === "1";
const ITEMS = isFull ? 20_000 : 3000;
const KILLS = isFull ? 40 : 4;

test("items survive that either process is killed, in order and without a gap", async (context) => {
  const seed = freshSeed();
  context.diagnostic(`seed ${seed}, ${KILLS} kills`);
  const random = new SeededRandom(seed);
  const root = mkdtempSync(join(tmpdir(), "trobar-remote-kill-"));
  const address = await freeAddress();
  /** What each life of the receiver has taken. */
  const lives: number[][] = [];
  let taken = 0;
  let killAt = 50 + random.below(200);
  let kills = 0;
  const start = (role: string): ChildProcess =>
    spawn(process.execPath, [PROGRAM, role, join(root, role), address, String(ITEMS)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  let sender = start("send");
  for (let isOver = false; !isOver; ) {
    const receiver = start("receive");
    const life: number[] = [];
    lives.push(life);
    assert.ok(receiver.stdout !== null);
    // Lines that were in the pipe before the kill are still read after it.
    for await (const line of createInterface({ input: receiver.stdout })) {
      life.push(Number(line));
      taken = Math.max(taken, Number(line) + 1);
      if (taken < killAt || kills === KILLS) continue;
      kills += 1;
      killAt = taken + 50 + random.below(Math.floor(ITEMS / KILLS / 2));
      if (random.below(2) === 0) receiver.kill("SIGKILL");
      else {
        sender.kill("SIGKILL");
        sender = start("send");
      }
    }
    isOver = receiver.exitCode === 0 || (await exitOf(receiver)) === 0;
  }
  assert.equal(await exitOf(sender), 0);
  rmSync(root, { recursive: true });
  assert.ok(kills === KILLS, `only ${kills} kills`);
  let before = 0;
  for (const life of lives) {
    const [first] = life;
    if (first === undefined) continue;
    assert.ok(first <= before, `a life begins with ${first} after ${before} were taken`);
    assert.deepEqual(
      life,
      life.map((_, at) => first + at),
    );
    before = Math.max(before, first + life.length);
  }
  assert.equal(before, ITEMS);
});

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
