import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import type { CrawlSummary } from "../../agent/index.ts";
import { WholeCrawl, wholeFacts, wholeJson, wholeText } from "./whole-crawl.ts";

const { limits } = configured("limits={pages: 1000, time: 1h}");

function summaryOf(pages: number, more: Partial<CrawlSummary> = {}): CrawlSummary {
  const counts = { pages, queued: 70, hosts: 9, bytes: 100 * pages, seconds: 60 };
  return { ...counts, agents: 3, missing: [], ...more } as unknown as CrawlSummary;
}

/** Lets answers come in, and time pass until the next timer. */
async function step(clock: SimulatedTime): Promise<void> {
  await null;
  await null;
  clock.step();
  await null;
  await null;
}

test("the limit is that of the whole crawl, and so are its pages and the time that is left", async () => {
  const clock = new SimulatedTime();
  let pages = 400;
  const whole = new WholeCrawl(clock, async () => {
    pages += 20;
    return summaryOf(pages);
  });
  assert.equal(whole.facts, null, "nothing is known yet");
  whole.start();
  await step(clock);
  const facts = whole.facts ?? assert.fail("all have answered");
  // Twenty pages in two seconds.
  assert.deepEqual(wholeFacts(facts, limits), [
    ...["3 agents together: 440 pages", "44 % of 1,000 pages", "1 % of 1h 00m"],
    ...["about 56 s left", "70 queued"],
  ]);
  const json = wholeJson(facts, limits);
  assert.deepEqual([json.pages, json.pagesPerSecond, json.secondsLeft], [440, 10, 56]);
  assert.deepEqual(json.limits, { pages: 1000, bytes: null, seconds: 3600 });
  assert.equal(wholeText(JSON.parse(JSON.stringify(json))), wholeFacts(facts, limits).join(" · "));
  whole.stop();
});

test("many agents are asked less often, and one that does not answer is counted", async () => {
  const clock = new SimulatedTime();
  let asked = 0;
  const missing = [{ agent: "b", why: "dead" }] as const;
  const whole = new WholeCrawl(clock, async () => {
    asked += 1;
    if (asked > 1) throw new Error("it is being closed");
    return summaryOf(5, { agents: 50, missing });
  });
  whole.start();
  await step(clock);
  assert.deepEqual([asked, clock.nowMs()], [2, 10_000]);
  const facts = whole.facts ?? assert.fail("what was known is still shown");
  assert.equal(wholeFacts(facts, limits).at(-1), "1 agent without an answer");
  whole.stop();
});
