/** What every `Background` must do. Its tasks are in `background-tasks.ts`. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Background, Storage, Task } from "../../base/seams/index.ts";
import { ask, errorOf, resultOf } from "./ask.ts";
import {
  counted,
  echo,
  emptied,
  incremented,
  refusing,
  silent,
  stuttering,
  throwing,
  twoLines,
  uncopyable,
} from "./background-tasks.ts";
import type { World } from "./world.ts";

export interface BackgroundSubject {
  readonly world: World;
  readonly background: Background;
  /** The storage that tasks see, seen from outside. */
  readonly storage: Storage;
  /** Removes everything; the background was closed before. */
  dispose(): Promise<void>;
}

type Opening = () => Promise<BackgroundSubject>;

export function backgroundSuite(name: string, open: Opening): void {
  describe(`${name} is a background`, () => {
    testValues(open);
    testOrder(open);
    testErrors(open);
    testClosing(open);
  });
}

function testValues(open: Opening): void {
  test("a task is given its input and its output comes back", async () => {
    await using lane = await Lane.of(open);
    const value = {
      text: "é\u{1f980}\u0000",
      numbers: [0, -1, 1.5, 2 ** 53, Number.NaN],
      big: 2n ** 64n,
      nothing: [null, undefined],
      bytes: Uint8Array.of(0, 127, 255),
      words: Float64Array.of(1, 2),
      map: new Map([["key", new Set([1, 2])]]),
    };
    assert.deepEqual(await lane.run(echo, value), value);
  });

  test("input and output are copies", async () => {
    await using lane = await Lane.of(open);
    const list = [1, 2, 3];
    assert.equal(await lane.run(emptied, list), 3);
    assert.deepEqual(list, [1, 2, 3]);
    const output = await lane.run(echo, list);
    assert.notEqual(output, list);
  });

  test("a buffer of eight megabytes is moved there and back", async () => {
    await using lane = await Lane.of(open);
    const buffer = new ArrayBuffer(8 * 1024 * 1024);
    new Uint8Array(buffer).fill(41);
    const returned = await lane.run(incremented, buffer);
    assert.equal(buffer.byteLength, 0, "what was given away is empty");
    assert.equal(returned.byteLength, 8 * 1024 * 1024);
    assert.ok(new Uint8Array(returned).every((byte) => byte === 42));
  });

  test("only the first answer of a task counts", async () => {
    await using lane = await Lane.of(open);
    assert.equal(await lane.run(stuttering, null), "first");
    assert.equal(await lane.run(echo, "next"), "next");
  });

  test("what a task writes is in the storage", async () => {
    await using lane = await Lane.of(open);
    await lane.run(twoLines, "work");
    assert.equal(await lane.lines(), "work begins\nwork ends\n");
  });

  test("a database is there for one task after the other, whether or not it was closed", async () => {
    await using lane = await Lane.of(open);
    const counts: number[] = [];
    for (const isLast of [false, true, true, false, true]) {
      counts.push(await lane.run(counted, isLast));
    }
    assert.deepEqual(counts, [1, 2, 3, 4, 5]);
  });
}

function testOrder(open: Opening): void {
  test("tasks run one after the other in the order of the calls", async () => {
    await using lane = await Lane.of(open);
    const answered: number[] = [];
    await ask<null>(lane.world, (done) => {
      for (let number = 0; number < 20; number += 1) {
        lane.background.run(twoLines, `task ${number}`, (...[error]) => {
          assert.equal(error, null);
          answered.push(number);
          if (answered.length === 20) done(null);
        });
      }
    });
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    assert.deepEqual(answered, numbers);
    const lines = numbers.map((number) => `task ${number} begins\ntask ${number} ends\n`);
    assert.equal(await lane.lines(), lines.join(""));
  });

  test("a task may be given while another one is answered", async () => {
    await using lane = await Lane.of(open);
    const output = await resultOf<unknown>(lane.world, (done) => {
      lane.background.run(echo, 1, () => lane.background.run(echo, 2, done));
    });
    assert.equal(output, 2);
  });
}

function testErrors(open: Opening): void {
  test("an error that a task answers with keeps its code, message and facts", async () => {
    await using lane = await Lane.of(open);
    const error = await lane.failure(refusing, "no room for a");
    assert.equal(error.code, "STORAGE_FULL");
    assert.equal(error.message, "no room for a");
    assert.deepEqual(error.facts, { file: "a", bytes: 7 });
    assert.equal(error.retry, "later");
  });

  test("a task that throws has failed, with the reason, and the next one runs", async () => {
    await using lane = await Lane.of(open);
    const error = await lane.failure(throwing, "the sort went wrong");
    assert.equal(error.code, "BACKGROUND_TASK_FAILED");
    assert.match(error.message, /throwing failed: the sort went wrong/);
    assert.equal(error.facts["task"], "throwing");
    assert.ok(error.cause instanceof Error && error.cause.message === "the sort went wrong");
    assert.equal(await lane.run(echo, "next"), "next");
  });

  test("an input or output that cannot be copied fails the task, and the next one runs", async () => {
    await using lane = await Lane.of(open);
    assert.equal((await lane.failure(uncopyable, null)).code, "BACKGROUND_TASK_FAILED");
    const error = await lane.failure(echo, () => {});
    assert.equal(error.code, "BACKGROUND_TASK_FAILED");
    assert.equal(await lane.run(echo, "next"), "next");
  });
}

function testClosing(open: Opening): void {
  test("closing answers open and later tasks with closed", async () => {
    await using lane = await Lane.of(open);
    const codes: (string | undefined)[] = [];
    await ask<null>(lane.world, (closed) => {
      const answered = (error: CrawlError | null, _output: unknown) => codes.push(error?.code);
      lane.background.run(silent, null, answered);
      lane.background.run(echo, 1, answered);
      lane.background.run(echo, 2, answered);
      lane.background.close(() => closed(null));
    });
    assert.deepEqual(codes, ["BACKGROUND_CLOSED", "BACKGROUND_CLOSED", "BACKGROUND_CLOSED"]);
    assert.equal((await lane.failure(echo, 3)).code, "BACKGROUND_CLOSED");
  });

  test("closing in the middle of a task ends it", async () => {
    await using lane = await Lane.of(open);
    await lane.run(echo, "the thread is up");
    const outcome = ask<string | undefined>(lane.world, (answered) => {
      lane.background.run(silent, null, (...[error]) => answered(error?.code));
      lane.background.close(() => {});
    });
    assert.equal(await outcome, "BACKGROUND_CLOSED");
  });

  test("closing twice, or before anything was done, is harmless", async () => {
    await using lane = await Lane.of(open);
    let closings = 0;
    await ask<null>(lane.world, (closed) => {
      const count = () => {
        closings += 1;
        if (closings === 2) closed(null);
      };
      lane.background.close(count);
      lane.background.close(count);
    });
  });
}

/** A background under test, asked with `await`. */
class Lane implements AsyncDisposable {
  readonly #subject: BackgroundSubject;

  private constructor(subject: BackgroundSubject) {
    this.#subject = subject;
  }

  static async of(open: Opening): Promise<Lane> {
    return new Lane(await open());
  }

  get world(): World {
    return this.#subject.world;
  }

  get background(): Background {
    return this.#subject.background;
  }

  run<Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> {
    return resultOf<Output>(this.world, (done) => this.background.run(task, input, done));
  }

  failure<Input, Output>(task: Task<Input, Output>, input: Input): Promise<CrawlError> {
    return errorOf(this.world, (done) => this.background.run(task, input, done));
  }

  async lines(): Promise<string> {
    const { storage } = this.#subject;
    const bytes = await resultOf<Uint8Array>(this.world, (done) =>
      storage.readWhole("lines.log", done),
    );
    return Buffer.from(bytes).toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ask<null>(this.world, (closed) => this.background.close(() => closed(null)));
    await this.#subject.dispose();
  }
}
