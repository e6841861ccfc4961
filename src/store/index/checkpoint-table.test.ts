import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, type Database, type Row } from "../../base/seams/index.ts";
import { Kernel, SimBackground, SimDatabases, SimDisk } from "../../lab/simulator/index.ts";
import {
  type Checkpoint,
  type FoundCheckpoint,
  openCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "./checkpoint-table.ts";
import { CHECKPOINTS, INDEX_FILE, INDEX_SHAPE } from "./page-table.ts";

/** A process on a disk that outlives it. */
class Process {
  readonly #kernel: Kernel;
  readonly #databases: SimDatabases;
  readonly #background: SimBackground;

  constructor(kernel: Kernel, disk: SimDisk) {
    const { clock, random } = kernel;
    this.#kernel = kernel;
    this.#databases = new SimDatabases({ clock, disk, random: random.fork("databases") });
    this.#background = new SimBackground({ clock, disk, random: random.fork("background") });
  }

  read(): Promise<FoundCheckpoint | null> {
    return this.#driven(answered((done) => readCheckpoint(this.#databases, done)));
  }

  open(): Promise<void> {
    return this.#driven(answered((done) => openCheckpoint(this.#databases, done)));
  }

  write(values: Checkpoint, dropped: readonly string[] = [], isWhole = true): Promise<null> {
    const input = { values, dropped, isWhole };
    return this.#driven(answered((done) => this.#background.run(writeCheckpoint, input, done)));
  }

  /** The values as they are stored. */
  async stored(): Promise<ReadonlyMap<string, Uint8Array>> {
    const database = await this.#database();
    const rows = await this.#driven(
      answered<readonly Row[]>((done) => database.scan(CHECKPOINTS, null, 100, done)),
    );
    return new Map(rows.map(({ name, value }) => [String(name), value as Uint8Array]));
  }

  async store(name: string, value: Uint8Array): Promise<void> {
    const database = await this.#database();
    const put = [{ table: CHECKPOINTS, row: { name, value } }];
    await this.#driven(answered((done) => database.commit({ put }, done)));
  }

  #database(): Promise<Database> {
    const open = answered<Database>((done) => this.#databases.open(INDEX_FILE, INDEX_SHAPE, done));
    return this.#driven(open);
  }

  async #driven<Value>(promise: Promise<Value>): Promise<Value> {
    this.#kernel.runUntil(() => false, { stepsMax: 10_000, virtualMsMax: 60_000 });
    return await promise;
  }
}

function rig(): () => Process {
  const kernel = new Kernel({ seed: "checkpoint table" });
  const disk = new SimDisk(kernel.random.fork("disk"));
  return () => new Process(kernel, disk);
}

function valuesOf(...names: string[]): Checkpoint {
  return new Map(names.map((name) => [name, Buffer.from(`value of ${name}`)]));
}

function textsOf(checkpoint: Checkpoint): Record<string, string> {
  return Object.fromEntries(
    Array.from(checkpoint, ([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}

test("a new crawl has no checkpoint", async () => {
  const start = rig();
  assert.equal(await start().read(), null);
});

test("a checkpoint is read as it was written, however many values it has", async () => {
  const start = rig();
  const names = Array.from({ length: 2500 }, (_none, at) => `0/visits/${at}`);
  const written = valuesOf(...names);
  await start().write(written);
  assert.deepEqual(textsOf((await start().read())?.values ?? new Map()), textsOf(written));
});

test("a checkpoint says whether the crawl has ended, or was killed since", async () => {
  const start = rig();
  const isWhole = async () => (await start().read())?.isWhole;
  await start().write(valuesOf("a"));
  assert.equal(await isWhole(), true);
  await start().open();
  assert.equal(await isWhole(), false);
  await start().write(valuesOf("a"), [], false);
  assert.equal(await isWhole(), false);
  await start().write(valuesOf("a"));
  assert.equal(await isWhole(), true);
});

test("a later checkpoint replaces the one before", async () => {
  const start = rig();
  await start().write(valuesOf("a", "b"));
  await start().open();
  await start().write(valuesOf("b", "c"), ["a"]);
  assert.deepEqual(
    textsOf((await start().read())?.values ?? new Map()),
    textsOf(valuesOf("b", "c")),
  );
});

test("a value that was altered or cut, or has the name of another, is noticed", async () => {
  const other = (await storedBy(rig())).get("b") ?? assert.fail("it is stored");
  for (const harm of [
    (bytes: Uint8Array) => bytes.with(0, (bytes[0] ?? 0) ^ 1),
    (bytes: Uint8Array) => bytes.subarray(0, -1),
    () => new Uint8Array(2),
    () => other,
  ]) {
    const start = rig();
    const value = (await storedBy(start)).get("a") ?? assert.fail("it is stored");
    await start().store("a", harm(value));
    await assert.rejects(start().read(), { code: "DATABASE_CORRUPT" });
  }
});

async function storedBy(start: () => Process): Promise<ReadonlyMap<string, Uint8Array>> {
  await start().write(valuesOf("a", "b"));
  return await start().stored();
}
