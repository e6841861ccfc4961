import assert from "node:assert/strict";
import { test } from "node:test";
import type { Acknowledge } from "../../base/seams/index.ts";
import { Kernel, type Life, SimCluster, SimDisk } from "../../lab/simulator/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import type { Place } from "../messages/index.ts";
import { HeldLogs } from "./held-logs.ts";

const A: Place = { id: "a", generation: 1 };
/** More than a block. */
const MANY = Array.from({ length: 100 }, (_none, number) => number);

function entryOf(low: number): UrlEntry {
  const record = new TextEncoder().encode(String(low));
  return { kind: "url", host: "h.example", high: low, low, depth: 0, holders: [], record };
}

/** Logs on a disk that can lose its power. */
class Bench {
  readonly #kernel = new Kernel({ seed: "held" });
  readonly #cluster = new SimCluster(this.#kernel, {});
  readonly #disk = new SimDisk(this.#kernel.random.fork("disk"));
  #life: Life | null = null;
  logs: HeldLogs;

  constructor() {
    this.#cluster.add("self", (life) => {
      this.#life = life;
    });
    this.logs = this.#open();
  }

  #open(): HeldLogs {
    const { clock, random } = this.#life as Life;
    const fail = (error: Error): never => assert.fail(error);
    const storage = this.#disk.mount(clock);
    const logs = new HeldLogs({
      ...{ clock, random, storage, segmentBytesMax: 2000, report: fail, fail },
    });
    this.wait((done) => logs.open(done));
    return logs;
  }

  wait(begin: (done: Acknowledge) => void): void {
    let isOver = false;
    begin((error) => {
      assert.ifError(error);
      isOver = true;
    });
    this.#kernel.runUntil(() => isOver, { stepsMax: 100_000, virtualMsMax: 100_000 });
    assert.ok(isOver, "it is answered");
  }

  keep(...numbers: readonly number[]): void {
    for (const number of numbers) this.logs.keep(A, entryOf(number));
  }

  crash(): void {
    this.#cluster.takeDown("self");
    this.#disk.crash();
    this.#cluster.node("self").start();
    this.logs = this.#open();
  }

  read(): readonly number[] {
    const found: number[] = [];
    this.wait((done) =>
      this.logs.each(
        A,
        (entries, next) => {
          found.push(...entries.map(({ low }) => low));
          next();
        },
        done,
      ),
    );
    return found;
  }
}

test("D1: all that came while a log was being opened is durable after the next commit", () => {
  const bench = new Bench();
  bench.keep(...MANY);
  bench.wait((done) => bench.logs.commit(done));
  bench.crash();
  assert.deepEqual(bench.read(), MANY);
});

test("what comes while a log is removed goes into another one", () => {
  const bench = new Bench();
  bench.keep(1);
  bench.wait((done) => bench.logs.commit(done));
  bench.wait((done) => {
    bench.logs.remove(A, done);
    bench.keep(2);
  });
  assert.deepEqual(bench.read(), [2]);
});

test("D1: what comes while a log is removed is durable after the next commit", () => {
  const bench = new Bench();
  bench.keep(1);
  bench.wait((done) => bench.logs.commit(done));
  bench.logs.remove(A, (error) => assert.ifError(error));
  bench.keep(2);
  bench.wait((done) => bench.logs.commit(done));
  bench.crash();
  assert.deepEqual(bench.read(), [2]);
});
