import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzip } from "node:zlib";
import fc from "fast-check";
import { timeByHand, until } from "../../../test/support/fetch/time-by-hand.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";
import type { Kernel } from "../../lab/simulator/index.ts";
import type { PageRow } from "./page-row.ts";
import type { RowFormat } from "./row-format.ts";
import type { RowMark, RowSink } from "./row-sink.ts";
import { RowWriter } from "./row-writer.ts";

type Answer = (error: CrawlError | null, writtenBytes: number) => void;

/** A sink that answers when the test says so. */
class HeldSink implements RowSink {
  taken: Uint8Array[] = [];
  held: { readonly bytes: Uint8Array; readonly done: Answer } | null = null;
  cutAt: number | null = null;
  writes = 0;

  write(bytes: Uint8Array, done: Answer): void {
    assert.equal(this.held, null, "one write at a time");
    this.writes += 1;
    this.held = { bytes, done };
  }

  /** Takes this many bytes, all by default, and answers. */
  answer(error: CrawlError | null = null, count = this.held?.bytes.length ?? 0): void {
    const { held } = this;
    assert.ok(held !== null, "something is being written");
    this.held = null;
    this.taken.push(held.bytes.subarray(0, count));
    held.done(error, count);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.taken);
  }

  cutTo(lengthBytes: number, done: () => void): void {
    this.cutAt = lengthBytes;
    done();
  }

  close(done: (error: CrawlError | null) => void): void {
    done(null);
  }

  abandon(): void {
    this.answer(GONE, 0);
  }
}

const FULL = new CrawlError("PAGES_FULL", "full");
const GONE = new CrawlError("PAGES_READER_GONE", "gone");
const NUMBERS: Pick<RowFormat, "head" | "line"> = { head: "head\n", line: ({ url }) => `${url}\n` };

function row(url: string): PageRow {
  return { url } as PageRow;
}

function rig(isCompressed = false): {
  time: Kernel;
  sink: HeldSink;
  writer: RowWriter;
  failures: CrawlError[];
} {
  const time = timeByHand();
  const sink = new HeldSink();
  const failures: CrawlError[] = [];
  const failed = (error: CrawlError): void => void failures.push(error);
  const { clock } = time;
  const writer = new RowWriter({
    clock,
    sink,
    format: NUMBERS,
    compress: isCompressed ? gzip : null,
    failed,
  });
  return { time, sink, writer, failures };
}

test("rows go out in batches, in their order, each once", () => {
  const { time, sink, writer } = rig();
  for (let number = 0; number < 10; number += 1) writer.add(row(String(number)));
  assert.equal(sink.writes, 0, "a row does not go alone");
  time.pass(100);
  writer.add(row("10"));
  time.pass(1000);
  assert.equal(sink.writes, 1, "while one batch is written, others wait");
  sink.answer();
  time.pass(100);
  sink.answer();
  assert.equal(sink.bytes.toString(), "head\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
});

test("a slow reader makes fetching wait, and memory does not grow meanwhile", () => {
  const { time, sink, writer } = rig();
  const line = "x".repeat(10_000);
  let added = 0;
  const wanted = 2000;
  let waits = 0;
  while (added < wanted) {
    if (writer.hasRoom) {
      writer.add(row(line));
      added += 1;
      continue;
    }
    assert.ok(added * line.length - sink.bytes.length < 6_000_000);
    let isCalled = false;
    writer.whenRoom(() => {
      isCalled = true;
    });
    waits += 1;
    while (!isCalled) {
      sink.answer();
      time.pass(100);
    }
  }
  assert.ok(waits > 2, `${waits}`);
  let hasEnded = false;
  writer.flush((error) => {
    assert.equal(error, null);
    hasEnded = true;
  });
  while (!hasEnded) sink.answer();
  assert.equal(sink.bytes.toString(), `head\n${`${line}\n`.repeat(wanted)}`);
});

test("a full disk is reported once and waited for; no byte is lost or doubled", () => {
  const { time, sink, writer, failures } = rig();
  writer.add(row("first"));
  time.pass(100);
  sink.answer(FULL, 7);
  assert.equal(writer.hasRoom, false);
  writer.add(row("second"));
  for (let again = 0; again < 3; again += 1) {
    time.pass(1000);
    sink.answer(FULL, 1);
  }
  assert.deepEqual(failures, [FULL]);
  writer.flush((error) => assert.equal(error, FULL));
  time.pass(1000);
  sink.answer();
  assert.equal(writer.hasRoom, true);
  time.pass(100);
  sink.answer();
  assert.equal(sink.bytes.toString(), "head\nfirst\nsecond\n");
});

test("what a full disk did not take is cut back to the last whole line, and reported as lost", () => {
  const { time, sink, writer } = rig();
  writer.add(row("first"));
  time.pass(100);
  sink.answer();
  writer.add(row("second"));
  time.pass(100);
  sink.answer(FULL, 3);
  let outcome: CrawlError | null = null;
  writer.close((error) => {
    outcome = error;
  });
  assert.equal(outcome, FULL);
  assert.equal(sink.cutAt, "head\nfirst\n".length);
  time.pass(5000);
  assert.equal(sink.held, null, "nothing is written after the end");
});

test("after its reader has gone, rows are dropped and nothing waits", () => {
  const { time, sink, writer, failures } = rig();
  writer.add(row("x".repeat(5_000_000)));
  assert.equal(writer.hasRoom, false);
  let isCalled = false;
  writer.whenRoom(() => {
    isCalled = true;
  });
  sink.answer(GONE, 0);
  assert.deepEqual([isCalled, failures], [true, [GONE]]);
  writer.add(row("more"));
  time.pass(1000);
  assert.equal(sink.held, null);
  assert.equal(writer.hasRoom, true);
});

test("a flush that a reader blocks can be abandoned", () => {
  const { sink, writer } = rig();
  writer.add(row("a"));
  const said: (CrawlError | null)[] = [];
  writer.flush((error) => said.push(error));
  assert.equal(said.length, 0);
  writer.abandon();
  assert.deepEqual(said, [GONE]);
  assert.equal(sink.held, null);
});

test("when compressed, every batch is a gzip member, so the file is readable up to any of them", async () => {
  const { time, sink, writer } = rig(true);
  for (const batch of [1, 2]) {
    writer.add(row(`batch ${batch}`));
    time.pass(5000);
    await until(() => sink.held !== null);
    sink.answer();
  }
  const [first] = sink.taken;
  assert.equal(gunzipSync(first as Uint8Array).toString(), "head\nbatch 1\n");
  assert.equal(gunzipSync(sink.bytes).toString(), "head\nbatch 1\nbatch 2\n");
});

/** Knows where it ends, and says so when the test wants. */
class MarkingSink extends HeldSink {
  marking: (() => void) | null = null;

  mark(done: Done<RowMark>): void {
    const mark = { file: "pages.jsonl", bytes: this.bytes.length, nextSerial: 0 };
    this.marking = () => done(null, mark);
  }

  /** Answers what it was asked last. */
  goOn(): void {
    const { marking } = this;
    this.marking = null;
    if (marking !== null) marking();
    else this.answer();
  }

  get isAsked(): boolean {
    return this.held !== null || this.marking !== null;
  }
}

test("a mark is behind all rows before it, and before all later ones, whatever happens meanwhile", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("add", "mark", "flush", "answer", "wait")), (steps) => {
      const time = timeByHand();
      const sink = new MarkingSink();
      const failed = (error: CrawlError): void => assert.fail(error);
      const writer = new RowWriter({
        ...{ clock: time.clock, sink, format: NUMBERS, compress: null, failed },
      });
      let expected = "head\n";
      let asked = 0;
      let answered = 0;
      const perform: Record<string, () => void> = {
        add: () => {
          const url = String(expected.length);
          expected += `${url}\n`;
          writer.add(row(url));
        },
        mark: () => {
          const { length } = expected;
          asked += 1;
          writer.mark((error, mark) => {
            assert.deepEqual([error, mark?.bytes], [null, length]);
            answered += 1;
          });
        },
        flush: () => {
          const { length } = expected;
          asked += 1;
          writer.flush((error) => {
            assert.equal(error, null);
            assert.ok(sink.bytes.length >= length);
            answered += 1;
          });
        },
        answer: () => (sink.isAsked ? sink.goOn() : undefined),
        wait: () => time.pass(100),
      };
      for (const step of steps) perform[step]?.();
      for (let turn = 0; turn < steps.length * 3 + 3; turn += 1) {
        time.pass(100);
        if (sink.isAsked) sink.goOn();
      }
      assert.equal(sink.bytes.toString(), expected.length > 5 || asked > 0 ? expected : "");
      assert.equal(answered, asked, "everybody is answered");
    }),
  );
});

test("where nothing can be cut there is no mark, and a full disk gives none", () => {
  const { time, sink, writer } = rig();
  const said: unknown[] = [];
  const say = (what: unknown): void => void said.push(what);
  writer.mark((...outcome) => say(outcome));
  time.pass(0);
  assert.deepEqual(said, [[null, null]]);
  const marking = new MarkingSink();
  const { clock } = time;
  const full = new RowWriter({
    ...{ clock, sink: marking, format: NUMBERS, compress: null, failed: () => undefined },
  });
  full.add(row("a"));
  full.mark((...[error]) => say(error));
  full.add(row("b"));
  marking.answer(FULL, 2);
  assert.equal(said.at(-1), FULL);
  time.pass(1000);
  marking.answer();
  full.mark((_error, mark) => say(mark?.bytes));
  while (marking.isAsked) marking.goOn();
  assert.equal(marking.bytes.toString(), "head\na\nb\n");
  assert.equal(said.at(-1), "head\na\nb\n".length);
  assert.equal(sink.writes, 0);
});
