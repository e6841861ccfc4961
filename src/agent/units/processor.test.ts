import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryBody } from "../../../test/support/parse/parse-rig.ts";
import { key, value } from "../../rules/settings/index.ts";
import { type TrialResult, tryUnit } from "../../topology/launch/index.ts";
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import { processor, type SeenPage, wantsText } from "./processor.ts";

/** As much of a visit as a processor looks at. */
class FakeVisit {
  readonly errand: object;
  readonly record = { fetchedAtMs: 1000 };
  readonly page: object | null;
  /** What became of it. */
  readonly ends: string[] = [];

  constructor(url: string, body: string | null) {
    this.errand = { ticket: { url, depth: 2, via: "http://a.example/" } };
    const outcome = { status: 200, headers: [["Content-Type", "text/plain"]] };
    const decoded = body === null ? null : new MemoryBody(body);
    this.page = body === null ? null : { outcome, decoded, parsed: { title: "a title" } };
  }

  letGo(): void {
    this.ends.push("let go");
  }

  lose({ code }: { readonly code: string }): void {
    this.ends.push(code);
  }
}

const VISITS = (): FakeVisit[] => [
  new FakeVisit("http://a.example/1", "one"),
  new FakeVisit("http://a.example/failed", null),
  new FakeVisit("http://a.example/2", "two"),
];

/** Runs a processor on visits, in simulated time. */
async function tried(
  definition: ComponentDefinition,
  visits: readonly FakeVisit[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<TrialResult> {
  const clock = new SimulatedTime();
  let isOver = false;
  const trial = tryUnit(definition, { inputs: { input: visits }, settings, clock }).finally(() => {
    isOver = true;
  });
  for (let step = 0; !isOver && step < 10_000; step += 1) {
    for (let tick = 0; tick < 40; tick += 1) await Promise.resolve();
    if (!isOver) clock.step();
  }
  assert.ok(isOver, "it comes to an end");
  return await trial;
}

test("a processor sees every answer, and lets go of every visit", async () => {
  const seen: SeenPage[] = [];
  const unit = processor({ name: "all", create: () => (page) => void seen.push(page) });
  const visits = VISITS();
  const { errors, metrics } = await tried(unit, visits);
  assert.deepEqual(errors, []);
  assert.deepEqual(
    seen.map(({ url, depth, via, status, fetchedAtMs, parsed }) => {
      return { url, depth, via, status, fetchedAtMs, title: parsed?.title };
    }),
    ["1", "2"].map((name) => ({
      ...{ url: `http://a.example/${name}`, depth: 2, via: "http://a.example/" },
      ...{ status: 200, fetchedAtMs: 1000, title: "a title" },
    })),
  );
  for (const { ends } of visits) assert.deepEqual(ends, ["let go"]);
  assert.equal(metrics["taken"], 3);
});

test("a page is there with its body until the promise of its work settles", async () => {
  const bodies: string[] = [];
  const visits = VISITS();
  const unit = processor({
    name: "patient",
    create: (unit) => async (page) => {
      await new Promise<void>((resolve) => void unit.clock.after(30_000, resolve));
      assert.deepEqual(visits[0]?.ends.length, bodies.length, "one page after the other");
      bodies.push(Buffer.from((await page.body()) ?? []).toString());
    },
  });
  const { errors } = await tried(unit, visits);
  assert.deepEqual([bodies, errors], [["one", "two"], []]);
});

test("a processor that fails loses only its own sight of that page", async () => {
  const visits = VISITS();
  const unit = processor({
    name: "failing",
    create:
      () =>
      async ({ url }) => {
        if (url.endsWith("1")) throw new Error("planted");
      },
  });
  const { errors, metrics } = await tried(unit, visits);
  assert.deepEqual(
    errors.map(({ code }) => code),
    ["INTERNAL_UNIT"],
  );
  assert.match(errors[0]?.message ?? "", /planted/);
  assert.deepEqual(
    visits.map(({ ends }) => ends),
    [["INTERNAL_UNIT"], ["let go"], ["let go"]],
  );
  assert.equal(metrics["failed"], 1);
});

test("a page that is worked on for too long goes on, and its body is gone", async () => {
  const visits = VISITS();
  const late: (Uint8Array | null)[] = [];
  const unit = processor({
    name: "endless",
    create: (unit) => (page) => {
      unit.clock.after(9000, () => void page.body().then((body) => late.push(body)));
      return page.url.endsWith("1") ? new Promise(() => {}) : undefined;
    },
  });
  const { errors } = await tried(unit, [...visits, ...VISITS()], { patience: 5000 });
  assert.deepEqual(
    errors.map(({ code }) => code),
    ["INTERNAL_UNIT_LATE", "INTERNAL_UNIT_LATE"],
  );
  assert.match(errors[0]?.message ?? "", /The unit tried was not done with \S+1 within 5000 ms/);
  assert.deepEqual(visits[0]?.ends, ["INTERNAL_UNIT_LATE"]);
  assert.deepEqual(late, [null], "the first was asked for when the second was given up");
});

test("settings, metrics and an end of its own are a processor's as of any unit", async () => {
  const journal: unknown[] = [];
  const unit = processor({
    name: "closing",
    settings: { width: key(value.count({ min: 1 }), { default: 3, meaning: "W." }) },
    create: async ({ settings }) => ({
      take: () => void journal.push(settings.width),
      close: () => void journal.push("closed"),
    }),
  });
  await tried(unit, VISITS(), { width: 7 });
  assert.deepEqual(journal, [7, 7, "closed"]);
});

test("whether a processor looks at the text of pages can be seen from outside", () => {
  const create = () => () => undefined;
  assert.equal(wantsText(processor({ name: "a", create })), false);
  assert.equal(wantsText(processor({ name: "a", text: true, create })), true);
});
