import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import { type ClosedUnits, closeUnits, GRACE_MS, makeDurable } from "./crawl-ending.ts";

const FULL = new CrawlError("STORAGE_FULL", "planted");

/** The parts of a crawl that are made durable; the one that is named fails. */
function parts(steps: string[], failing: string | null = null) {
  const step = (name: string, done: Acknowledge): void => {
    steps.push(name);
    done(name === failing ? FULL : null);
  };
  return {
    store: {},
    index: {
      commit: (_store: unknown, done: Acknowledge) => step("pages", done),
      flush: (done: Acknowledge) => step("index", done),
    },
    rows: {
      flushKeepers: (done: Acknowledge) => step("keepers", done),
      writer: { flush: (done: Acknowledge) => step("rows", done) },
    },
  } as unknown as Parameters<typeof makeDurable>[0];
}

test("pages are durable before their rows are written, in other stores first", () => {
  const steps: string[] = [];
  const ends: (CrawlError | null)[] = [];
  makeDurable(parts(steps), (error) => ends.push(error));
  assert.deepEqual(steps, ["keepers", "pages", "rows", "index"]);
  assert.deepEqual(ends, [null]);
});

test("rows are not written for pages that are not durable; the index is, whatever rows did", () => {
  for (const [failing, met] of [
    ["pages", ["keepers", "pages"]],
    ["rows", ["keepers", "pages", "rows", "index"]],
    ["index", ["keepers", "pages", "rows", "index"]],
  ] as const) {
    const steps: string[] = [];
    const ends: (CrawlError | null)[] = [];
    makeDurable(parts(steps, failing), (error) => ends.push(error));
    assert.deepEqual([steps, ends], [met, [FULL]]);
  }
});

/** Units that tell what is done with them. */
function units(steps: string[], changes: Partial<ClosedUnits> = {}): ClosedUnits {
  const step = (name: string) => async (): Promise<void> => void steps.push(name);
  return {
    clock: new Kernel({ seed: "ending" }).clock,
    system: { drain: step("drain"), close: step("close") },
    requests: { finish: () => steps.push("finish") },
    remotes: { drain: step("tell"), close: step("hang up") },
    hasOthers: true,
    ...changes,
  };
}

test("units finish and close before other processes hear of the end", async () => {
  const steps: string[] = [];
  assert.equal(await closeUnits(units(steps)), null);
  assert.deepEqual(steps, ["finish", "drain", "close", "tell", "hang up"]);
});

test("other processes are not told where there are none", async () => {
  const steps: string[] = [];
  assert.equal(await closeUnits(units(steps, { hasOthers: false })), null);
  assert.deepEqual(steps, ["finish", "drain", "close", "hang up"]);
});

test("processes that are gone are not waited for longer than the grace", async () => {
  const kernel = new Kernel({ seed: "ending" });
  const steps: string[] = [];
  const { promise: isAsked, resolve } = Promise.withResolvers<void>();
  const remotes = {
    drain: (): Promise<void> => {
      resolve();
      return new Promise(() => undefined);
    },
    close: async (): Promise<void> => void steps.push(`hang up at ${kernel.nowMs}`),
  };
  const ended = closeUnits(units([], { clock: kernel.clock, remotes }));
  await isAsked;
  while (kernel.step());
  assert.equal(await ended, null);
  assert.deepEqual(steps, [`hang up at ${GRACE_MS}`]);
});

test("a unit that cannot be closed is named by its error", async () => {
  const close = (): Promise<void> => Promise.reject(new Error("planted"));
  const error = await closeUnits(units([], { system: { drain: async () => undefined, close } }));
  assert.equal(error?.code, "INTERNAL_UNIT");
});
