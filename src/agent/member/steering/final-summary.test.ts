/** What an agent says of the whole crawl when that has ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "../../../lab/simulator/index.ts";
import type { CrawlSummary } from "../../crawl/counting/crawl-summary.ts";
import { FinalSummary } from "./final-summary.ts";

function summaryOf(pages: number, agents: number, state: CrawlSummary["state"]): CrawlSummary {
  const rest = { state, reason: "exhausted", limit: null, idle: {}, missing: [] } as const;
  return { pages, agents, ...rest } as unknown as CrawlSummary;
}

function rigOf(agents: number, asking: Promise<void> = Promise.resolve()) {
  const kernel = new Kernel({ seed: "end" });
  const final = new FinalSummary({
    clock: kernel.clock,
    ask: async () => {
      await asking;
      return summaryOf(30, agents, "running");
    },
    beatMs: () => 1000,
  });
  return { kernel, final };
}

test("the end waits until others have asked too", async () => {
  const { kernel, final } = rigOf(3);
  let isOver = false;
  await final.concluded(() => {
    isOver = true;
  });
  kernel.pass(1999);
  assert.equal(isOver, false);
  kernel.pass(1);
  assert.equal(isOver, true);
  const { pages, agents, state } = final.with(summaryOf(10, 1, "finished"));
  assert.deepEqual([pages, agents, state], [30, 3, "finished"]);
});

test("whoever has not answered in time is asked again, and not for ever", async () => {
  const { clock } = new Kernel({ seed: "late" });
  const missing = [{ agent: "b", why: "timed-out" }] as const;
  for (const [answersAt, pages] of [
    [1, 30],
    [2, 30],
    [3, 30],
    [4, 10],
  ] as const) {
    let asked = 0;
    const ask = (): Promise<CrawlSummary> => {
      asked += 1;
      const whole = summaryOf(30, 2, "running");
      return Promise.resolve(
        asked < answersAt ? { ...summaryOf(10, 2, "running"), missing } : whole,
      );
    };
    const final = new FinalSummary({ clock, ask, beatMs: () => 1000 });
    await final.concluded(() => undefined);
    assert.equal(final.with(summaryOf(10, 1, "finished")).pages, pages);
    assert.equal(asked, Math.min(answersAt, 3));
    final.close();
  }
});

test("an agent that is alone waits for nobody", async () => {
  const { final } = rigOf(1);
  let isOver = false;
  await final.concluded(() => {
    isOver = true;
  });
  assert.equal(isOver, true);
});

test("an agent that ends while the others go on has its own part", async () => {
  const { final } = rigOf(3);
  assert.equal(final.with(summaryOf(10, 1, "stopped")).pages, 10);
  await final.ask();
  final.forget();
  assert.equal(final.with(summaryOf(10, 1, "stopped")).pages, 10);
});

test("an end that is found again waits again, and comes once", async () => {
  const { kernel, final } = rigOf(3);
  await final.concluded(() => assert.fail("there was work again"));
  kernel.pass(1500);
  let isOver = false;
  await final.concluded(() => {
    isOver = true;
  });
  kernel.pass(1999);
  assert.equal(isOver, false);
  kernel.pass(1);
  assert.equal(isOver, true);
});

test("an end that is found again is not undone by an earlier one that still asks", async () => {
  const kernel = new Kernel({ seed: "again" });
  const slow = Promise.withResolvers<CrawlSummary>();
  const answers = [slow.promise, Promise.resolve(summaryOf(30, 3, "running"))];
  const ask = (): Promise<CrawlSummary> => answers.shift() ?? assert.fail("asked once more");
  const final = new FinalSummary({ clock: kernel.clock, ask, beatMs: () => 1000 });
  const first = final.concluded(() => assert.fail("there was work again"));
  let isOver = false;
  await final.concluded(() => {
    isOver = true;
  });
  const missing = [{ agent: "b", why: "timed-out" }] as const;
  slow.resolve({ ...summaryOf(10, 3, "running"), missing });
  await first;
  kernel.pass(2000);
  assert.equal(isOver, true);
  assert.equal(final.with(summaryOf(10, 1, "finished")).pages, 30);
});

test("nothing follows once it is closed", async () => {
  const asking = Promise.withResolvers<void>();
  const soon = rigOf(1, asking.promise);
  const concluded = soon.final.concluded(() => assert.fail("it was closed meanwhile"));
  soon.final.close();
  asking.resolve();
  await concluded;
  const { kernel, final } = rigOf(3);
  await final.concluded(() => assert.fail("it is closed"));
  final.close();
  kernel.pass(5000);
});
