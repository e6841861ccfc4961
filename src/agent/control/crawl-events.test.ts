import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { CrawlSummary } from "../crawl/counting/crawl-summary.ts";
import { CrawlEvents } from "./crawl-events.ts";

function rig() {
  const time = new SimulatedTime();
  const summary = { state: "running", reason: "none", limit: null, errors: {}, pages: 0 };
  /** What the log has, by position; the answers come when they are let. */
  const asked: (number | null)[] = [];
  const log: { url: string }[] = [];
  const ask = async (_kind: string, { after, count }: { after: number | null; count: number }) => {
    asked.push(after);
    const pages = after === null ? [] : log.slice(after);
    const cursor = log.length;
    return { pages: pages.slice(-count), skipped: Math.max(0, pages.length - count), cursor };
  };
  const events = new CrawlEvents({
    ...{ clock: time, summary: () => structuredClone(summary) as unknown as CrawlSummary },
    questions: { ask: ask as never },
  });
  const second = async (): Promise<void> => {
    time.step();
    await new Promise(setImmediate);
  };
  return { events, summary, log, asked, second, time };
}

test("a listener hears how it stands, and then what changes", async () => {
  const { events, summary, second } = rig();
  const heard: string[] = [];
  const end = events.listen(({ kind, data }) => heard.push(`${kind} ${JSON.stringify(data)}`));
  assert.deepEqual(
    heard.map((line) => line.split(" ")[0]),
    ["state", "status"],
  );
  heard.length = 0;
  summary.state = "paused";
  events.look();
  events.look();
  assert.deepEqual(heard, ['state {"state":"paused","reason":"none","limit":null}']);
  heard.length = 0;
  summary.errors = { INTERNAL_PARSE: 3, FETCH_TIMEOUT: 9 };
  await second();
  assert.equal(heard[0], 'fault {"code":"INTERNAL_PARSE","count":3}');
  assert.match(heard[1] ?? "", /^status /);
  heard.length = 0;
  summary.errors = { INTERNAL_PARSE: 4, FETCH_TIMEOUT: 9 };
  await second();
  await second();
  const faults = heard.filter((line) => line.startsWith("fault"));
  assert.deepEqual(faults, ['fault {"code":"INTERNAL_PARSE","count":1}'], "each is told once");
  end();
});

test("pages that end are told, the last of them if they are too many", async () => {
  const { events, log, second } = rig();
  log.push({ url: "before" });
  const heard: string[] = [];
  events.listen(({ kind, data }) => {
    if (kind === "page") heard.push(data.url);
    else if (kind === "skipped") heard.push(`skipped ${data.pages}`);
  });
  await new Promise(setImmediate);
  log.push({ url: "one" });
  await second();
  assert.deepEqual(heard, ["one"]);
  log.push(...Array.from({ length: 60 }, (_, at) => ({ url: String(at) })));
  await second();
  assert.deepEqual(heard.slice(1, 3), ["skipped 10", "10"]);
  assert.equal(heard.at(-1), "59");
});

test("a question about pages that takes long is not asked again meanwhile", async () => {
  const time = new SimulatedTime();
  const answers: ((found: object) => void)[] = [];
  const ask = () => new Promise<object>((resolve) => answers.push(resolve));
  const summary = { state: "running", reason: "none", limit: null, errors: {} };
  const events = new CrawlEvents({
    ...{ clock: time, summary: () => summary as unknown as CrawlSummary },
    questions: { ask: ask as never },
  });
  events.listen(() => {});
  for (let seconds = 0; seconds < 3; seconds += 1) time.step();
  assert.equal(answers.length, 1);
  answers[0]?.({ pages: [], skipped: 0, cursor: 0 });
  await new Promise(setImmediate);
  time.step();
  assert.equal(answers.length, 2, "the next look asks again");
});

test("nothing is looked up while nobody listens", async () => {
  const { events, asked, time } = rig();
  events.look();
  assert.equal(time.step(), false);
  const ends = [events.listen(() => {}), events.listen(() => {})];
  assert.equal(events.listeners, 2);
  await new Promise(setImmediate);
  assert.equal(asked.length, 1);
  for (const end of ends) end();
  assert.equal(events.listeners, 0);
  assert.equal(time.step(), false);
  // Those who come later hear of what happens then.
  events.listen(() => {});
  await new Promise(setImmediate);
  assert.deepEqual(asked, [null, null]);
});
