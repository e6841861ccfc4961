import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { CrawlError } from "../errors/index.ts";
import type { Task } from "../seams/index.ts";
import { SystemClock } from "../time/index.ts";
import {
  doubled,
  dyingIdle,
  endless,
  exiting,
  hungry,
  lost,
  misnamed,
  rejectingLater,
  throwingLater,
} from "./deadly-tasks.fixture.ts";
import { ThreadBackground } from "./index.ts";

const storageRoot = mkdtempSync(join(tmpdir(), "trobar-thread-"));
const opened: ThreadBackground[] = [];
afterEach(async () => {
  for (const background of opened.splice(0)) {
    await new Promise<void>((resolve) => background.close(resolve));
  }
});
after(() => rmSync(storageRoot, { recursive: true }));

const deaths: readonly (readonly [string, Task<never, never>, unknown, RegExp])[] = [
  ["ends the process", exiting, 7, /exiting failed: its thread ended with exit code 7/],
  ["throws after run has returned", throwingLater, "too late", /throwingLater failed: too late/],
  ["leaves a rejected promise", rejectingLater, "unseen", /rejectingLater failed: unseen/],
  ["eats all memory", hungry, null, /hungry failed: .*memory/],
];

for (const [what, task, input, reason] of deaths) {
  test(`a task that ${what} fails, and those behind it run in a new thread`, async () => {
    const background = start({ heapMiBMax: 32 });
    const [failed, next, last] = await Promise.all([
      outcomeOf(background, task, input as never),
      outcomeOf(background, doubled, 4),
      outcomeOf(background, doubled, 5),
    ]);
    assert.equal(failed?.error?.code, "BACKGROUND_TASK_FAILED");
    assert.match(failed?.error?.message ?? "", reason);
    assert.deepEqual([next?.output, last?.output], [8, 10]);
  });
}

test("a thread that dies while idle is replaced when it is needed", async () => {
  const background = start();
  assert.equal((await outcomeOf(background, dyingIdle, null)).output, "answered");
  // Whether the thread is dead already when the order is sent is left to chance; a task that was sent
  // to a dying thread fails, since it is not known how far it got.
  const codes = new Set<string | undefined>();
  for (let tries = 0; tries < 3; tries += 1) {
    codes.add((await outcomeOf(background, doubled, 1)).error?.code);
  }
  codes.delete("BACKGROUND_TASK_FAILED");
  assert.deepEqual([...codes], [undefined]);
});

test("a thread that was warmed up does the first task, and ends without one", async () => {
  const background = start();
  background.warmUp();
  background.warmUp();
  assert.equal((await outcomeOf(background, doubled, 21)).output, 42);
  start().warmUp();
});

test("closing ends a task that would never end", async () => {
  const background = start();
  await outcomeOf(background, doubled, 1);
  const ended = outcomeOf(background, endless, null);
  await new Promise<void>((resolve) => background.close(resolve));
  assert.equal((await ended).error?.code, "BACKGROUND_CLOSED");
});

test("a task that its module does not export is unknown, and named", async () => {
  const { error } = await outcomeOf(start(), misnamed, 1);
  assert.equal(error?.code, "BACKGROUND_TASK_UNKNOWN");
  assert.match(error?.message ?? "", /notExported could not be loaded .*exports no task named/);
});

test("a task of a module that is not there is unknown, and the next one runs", async () => {
  const background = start();
  const { error } = await outcomeOf(background, lost, 1);
  assert.equal(error?.code, "BACKGROUND_TASK_UNKNOWN");
  assert.match(error?.message ?? "", /not-there\.ts/);
  assert.equal((await outcomeOf(background, doubled, 2)).output, 4);
});

test("a task of a module that fails while it is loaded is unknown, with the reason", async () => {
  const path = join(storageRoot, "broken.mjs");
  writeFileSync(path, 'throw new Error("broken at birth");');
  const broken = { ...doubled, module: pathToFileURL(path).href };
  const { error } = await outcomeOf(start(), broken, 1);
  assert.equal(error?.code, "BACKGROUND_TASK_UNKNOWN");
  assert.match(error?.message ?? "", /broken at birth/);
});

test("the stack of an error shows where it was thrown, in the other thread", async () => {
  const { error } = await outcomeOf(start(), throwingLater, "where");
  assert(error?.cause instanceof Error);
  assert.match(String(error.cause.stack), /deadly-tasks/);
});

test("an idle thread does not keep the process alive, a busy one does", () => {
  const script = `
    import { ThreadBackground } from ${JSON.stringify(new URL("./index.ts", import.meta.url))};
    import { SystemClock } from ${JSON.stringify(new URL("../time/index.ts", import.meta.url))};
    import { doubled } from ${JSON.stringify(doubled.module)};
    const options = { storageRoot: process.cwd(), clock: new SystemClock() };
    const background = new ThreadBackground(options);
    background.run(doubled, 1, (error, one) => {
      background.run(doubled, one, (again, two) => console.log(error ?? again ?? two));
    });
  `;
  const args = ["--input-type=module", "--eval", script];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.equal(stdout, "4\n", stderr);
  assert.equal(status, 0);
});

function start(options: { heapMiBMax?: number } = {}): ThreadBackground {
  const background = new ThreadBackground({ storageRoot, clock: new SystemClock(), ...options });
  opened.push(background);
  return background;
}

function outcomeOf<Input, Output>(
  background: ThreadBackground,
  task: Task<Input, Output>,
  input: Input,
): Promise<{ error: CrawlError | null; output: Output | undefined }> {
  return new Promise((resolve) =>
    background.run(task, input, (error, output) => resolve({ error, output })),
  );
}
