/**
 * Many bodies at once, each written, ended, read, abandoned and released at moments that chance
 * chooses, on a disk that may fail: compared with the plainest model, an array of bytes for each.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Body } from "../../base/seams/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import type { BodySink } from "./body-sink.ts";
import { PooledSpool } from "./body-spool.ts";

const BUDGET_BYTES = 256 * 1024;
const RUNS = process.env["TROBAR_FULL"] === "1" ? 3000 : 150;

interface Subject {
  sink: BodySink;
  state: "open" | "behind" | "ending" | "body" | "failed" | "over";
  body: Body | null;
  expected: number[];
  readers: number;
}

class Model {
  readonly time = new SimulatedTime();
  readonly disk = new SimDisk(new SeededRandom("fuzz"));
  readonly spool = new PooledSpool({
    memoryBytes: BUDGET_BYTES,
    storage: this.disk.mount(this.time),
    clock: this.time,
  });
  readonly subjects: Subject[] = [];
  /** One buffer for all writes, as sockets have it: it is overwritten by each. */
  readonly #buffer = new Uint8Array(40_000);
  #seed = 0;

  open(announced: number | null): void {
    const subject: Subject = {
      sink: this.spool.open(announced, () => {
        assert.equal(subject.state, "behind", "only who is behind is told");
        subject.state = "open";
      }),
      state: "open",
      body: null,
      expected: [],
      readers: 0,
    };
    this.subjects.push(subject);
  }

  write(subject: Subject, count: number): void {
    if (subject.state !== "open") return;
    const from = this.#seed % 100;
    for (let at = from; at < from + count; at += 1) {
      this.#seed = (this.#seed * 5 + at) & 0xffff;
      this.#buffer[at] = this.#seed >> 4;
      subject.expected.push(this.#buffer[at] ?? 0);
    }
    if (!subject.sink.write(this.#buffer, from, from + count)) subject.state = "behind";
  }

  end(subject: Subject): void {
    if (subject.state !== "open" && subject.state !== "behind") return;
    subject.state = "ending";
    subject.sink.end((error, body) => {
      assert.equal(subject.state, "ending", "an end answers once");
      subject.state = error === null ? "body" : "failed";
      subject.body = body ?? null;
    });
  }

  read(subject: Subject, offset: number, count: number): void {
    if (subject.state !== "body" || subject.body === null) return;
    subject.readers += 1;
    const expected = subject.expected.slice(offset, offset + count);
    subject.body.read(offset, count, (error, bytes) => {
      subject.readers -= 1;
      if (error === null) assert.deepEqual([...bytes], expected);
      else assert.equal(error.code, "FETCH_BODY_NOT_KEPT");
    });
  }

  drop(subject: Subject): void {
    if (subject.state === "body" && subject.readers === 0) subject.body?.release();
    else if (["open", "behind", "ending"].includes(subject.state)) subject.sink.abandon();
    else return;
    subject.state = "over";
  }

  check(): void {
    assert.ok(this.spool.memoryBytes <= BUDGET_BYTES, `${this.spool.memoryBytes} bytes held`);
    for (const { state, body, expected } of this.subjects) {
      if (state !== "body" || body === null) continue;
      assert.equal(body.lengthBytes, expected.length);
      if (body.bytes !== null) assert.ok(Buffer.from(expected).equals(body.bytes));
    }
  }

  finish(): void {
    for (const subject of this.subjects) this.end(subject);
    this.disk.failWhen = () => false;
    this.time.settle();
    for (const subject of this.subjects) {
      assert.ok(["body", "failed", "over"].includes(subject.state), `hangs ${subject.state}`);
      this.read(subject, 0, subject.expected.length);
    }
    this.time.settle();
    this.check();
    for (const subject of this.subjects) this.drop(subject);
    this.time.settle();
    assert.equal(this.spool.usedBytes, 0);
    assert.deepEqual(this.disk.fileNames(), []);
  }
}

const announced = fc.option(fc.oneof(fc.nat(100_000), fc.nat(10_000_000)));
const length = fc.oneof(fc.nat(200), fc.nat(5000), fc.nat(39_000));
const which = fc.nat(20);

const action = fc.oneof(
  { weight: 2, arbitrary: announced.map((bytes) => (model: Model) => model.open(bytes)) },
  {
    weight: 8,
    arbitrary: on(which, length, (model, subject, count) => model.write(subject, count)),
  },
  { weight: 2, arbitrary: on(which, length, (model, subject) => model.end(subject)) },
  {
    weight: 2,
    arbitrary: on(which, length, (model, subject, count) => model.read(subject, count >> 1, count)),
  },
  { weight: 1, arbitrary: on(which, length, (model, subject) => model.drop(subject)) },
  {
    weight: 6,
    arbitrary: fc.nat(6).map((events) => (model: Model) => {
      for (let event = 0; event < events; event += 1) model.time.step();
    }),
  },
);

function on(
  index: fc.Arbitrary<number>,
  amount: fc.Arbitrary<number>,
  act: (model: Model, subject: Subject, count: number) => void,
): fc.Arbitrary<(model: Model) => void> {
  return fc.tuple(index, amount).map(([place, count]) => (model: Model) => {
    const subject = model.subjects[place % Math.max(1, model.subjects.length)];
    if (subject !== undefined) act(model, subject, count);
  });
}

const failures = fc.option(fc.record({ every: fc.integer({ min: 2, max: 30 }) }));

test("bodies written, read and dropped at any moments are as a plain model has them", () => {
  const actions = fc.array(action, { minLength: 10, maxLength: 150, size: "max" });
  fc.assert(
    fc.property(actions, failures, (steps, failing) => {
      const model = new Model();
      if (failing !== null) {
        model.disk.failWhen = (call) => call.kind !== "remove" && call.number % failing.every === 0;
      }
      for (const step of steps) {
        step(model);
        model.check();
      }
      model.finish();
    }),
    { numRuns: RUNS },
  );
});
