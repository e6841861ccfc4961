import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CrawlError } from "../../../base/errors/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import { GatheredReads } from "./gathered-reads.ts";

interface AskedRead {
  readonly offset: number;
  readonly lengthBytes: number;
  readonly done: Done<Uint8Array>;
}

/** A file whose byte at an offset says the offset, and which answers when it is told to. */
class HeldFile {
  asked: AskedRead[] = [];
  /** How often it has answered everything that it was asked for until then. */
  turns = 0;
  readonly reads: GatheredReads = new GatheredReads((offset, lengthBytes, done) => {
    this.asked.push({ offset, lengthBytes, done });
  });

  turn(error: CrawlError | null = null): void {
    const asked = this.asked;
    this.asked = [];
    this.turns += 1;
    for (const { offset, lengthBytes, done } of asked) {
      if (error !== null) done(error, undefined);
      else
        done(
          null,
          Uint8Array.from({ length: lengthBytes }, (_, at) => offset + at),
        );
    }
  }
}

test("parts asked for in one turn are read in the two turns that follow, whatever their number", () => {
  const file = new HeldFile();
  let answers = 0;
  for (let host = 0; host < 120; host += 1) {
    file.reads.read(((host * 37) % 120) * 1_000_000, 2048, () => {
      answers += 1;
    });
  }
  while (file.asked.length > 0) file.turn();
  assert.equal(answers, 120);
  assert.equal(file.turns, 2);
});

test("a batch goes to disk in the order of the file, and neighbours as one read", () => {
  const file = new HeldFile();
  const read = (offset: number): void => file.reads.read(offset, 1000, () => undefined);
  for (const offset of [0, 90_000, 1000, 91_500, 50_000, 3000]) read(offset);
  file.turn();
  const asked = file.asked.map(({ offset, lengthBytes }) => [offset, lengthBytes]);
  assert.deepEqual(asked, [
    [1000, 3000],
    [50_000, 1000],
    [90_000, 2500],
  ]);
});

test("a part is not passed by more than a batch, however many come before it in the file", () => {
  const file = new HeldFile();
  let hasAnswered = false;
  file.reads.read(0, 10, () => undefined);
  file.reads.read(900_000_000, 10, () => {
    hasAnswered = true;
  });
  for (let at = 1; at < 1000; at += 1) file.reads.read(at * 10_000, 10, () => undefined);
  file.turn();
  file.turn();
  assert.ok(hasAnswered);
});

test("what is under way is bounded", () => {
  const file = new HeldFile();
  for (let at = 0; at < 1000; at += 1) file.reads.read(at * 10_000, 10, () => undefined);
  for (; file.asked.length > 0; file.turn()) assert.ok(file.asked.length <= 128);
});

test("reads are joined only up to a length", () => {
  const file = new HeldFile();
  for (let at = 0; at < 100; at += 1) file.reads.read(at * 10_000, 10_000, () => undefined);
  file.turn();
  const lengths = file.asked.map(({ lengthBytes }) => lengthBytes);
  assert.ok(Math.max(...lengths) <= 128 * 1024, `${lengths}`);
  assert.equal(lengths.length, Math.ceil(99 / 13), "but no shorter");
});

test("each caller gets the bytes it asked for, however reads are joined", () => {
  const part = fc.record({
    offset: fc.nat(400_000),
    lengthBytes: fc.integer({ min: 1, max: 9000 }),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
      const file = new HeldFile();
      let answers = 0;
      for (const { offset, lengthBytes } of parts) {
        file.reads.read(offset, lengthBytes, (error, bytes) => {
          assert.equal(error, null);
          assert.equal(bytes?.length, lengthBytes);
          assert.equal(bytes?.[0], offset & 0xff);
          assert.equal(bytes?.at(-1), (offset + lengthBytes - 1) & 0xff);
          answers += 1;
        });
      }
      while (file.asked.length > 0) file.turn();
      assert.equal(answers, parts.length);
    }),
    { numRuns: 50 },
  );
});

test("a read that fails fails those whose parts it had, and the others go on", () => {
  const file = new HeldFile();
  const outcomes: string[] = [];
  const told: Done<Uint8Array> = (...[error]) => void outcomes.push(error?.code ?? "good");
  file.reads.read(0, 10, told);
  file.reads.read(10, 10, told);
  file.turn(new CrawlError("STORAGE_FAILED", "the disk is broken"));
  file.turn();
  assert.deepEqual(outcomes, ["STORAGE_FAILED", "good"]);
});
