import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SqliteDatabase } from "../../src/base/database/index.ts";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import type { Done, Random, Row } from "../../src/base/seams/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { COMMIT_LOOP, COMMIT_SCHEMA } from "./commit-loop.ts";

const ROUNDS = process.env["TROBAR_FULL"] === "1" ? 60 : 8;

test("killed at any moment, a database has every answered batch, and each batch is whole or absent", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trobar-crash-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "crash.db");
  const random = new SeededRandom(freshSeed());
  t.diagnostic(`seed ${random.seed}`);
  let answered = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    answered = Math.max(answered, await killedAfter(path, 1 + random.below(40), random));
    answered = await checkedNumber(path, answered);
  }
  assert.ok(answered >= ROUNDS, "the process got nowhere");
});

/**
 * Runs the commit loop until it has printed this many numbers, and then some turns of this process's
 * event loop longer, so that the kill falls anywhere within a commit. Returns the last number
 * printed.
 */
function killedAfter(path: string, numbers: number, random: Random): Promise<number> {
  const child = spawn(process.execPath, [COMMIT_LOOP, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve) => {
    let output = "";
    let turnsLeft = random.below(400);
    const kill = () => {
      turnsLeft -= 1;
      if (turnsLeft < 0) child.kill("SIGKILL");
      else setImmediate(kill);
    };
    const isReached = () => output.split("\n").length > numbers;
    child.stdout.on("data", (chunk) => {
      const wasReached = isReached();
      output += chunk;
      if (!wasReached && isReached()) kill();
    });
    child.on("close", () => {
      // The kill may have torn the last line; it then ends without a line break.
      const lines = output.split("\n").slice(0, -1);
      resolve(Number(lines.at(-1) ?? 0));
    });
  });
}

/** The number of the last batch, after checking that it and all before are there and whole. */
async function checkedNumber(path: string, answered: number): Promise<number> {
  const options = { path, schema: COMMIT_SCHEMA, clock: new SystemClock() };
  const database = await result<SqliteDatabase>((done) => SqliteDatabase.open(options, done));
  const marks = await result<Readonly<Record<string, unknown>>>((done) => database.marks(done));
  const last = Number(marks["first"]);
  assert.ok(last >= answered, `batch ${answered} was answered, but the last one is ${last}`);
  assert.ok(last <= answered + 1, "only one batch was in flight");
  assert.equal(marks["second"], last);
  const latest = await result<readonly Row[]>((done) => database.scan("latest", null, 99, done));
  assert.deepEqual(
    latest,
    Array.from({ length: 10 }, (_, place) => ({ place, number: last })),
  );
  const batches = await result<readonly Row[]>((done) =>
    database.scan("batches", null, last + 1, done),
  );
  assert.deepEqual(
    batches.map((row) => row["number"]),
    Array.from({ length: last }, (_, index) => index + 1),
  );
  await new Promise<void>((resolve) => database.close(() => resolve()));
  return last;
}

function result<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value);
      else reject(error);
    });
  });
}
