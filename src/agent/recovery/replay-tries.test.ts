/** A page that fails is tried no more often because the crawl was killed in between. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import { urlOf } from "../../../test/support/agent/virtual-web.ts";

const PAGE = "h0/1";
const FAILING = { status: 503, reason: "Service Unavailable" };
const TRIES = 3;

for (const [what, settings] of [
  ["one lane", []],
  ["another number of lanes each time", ["lanes=1"]],
  ["a checkpoint in between", ["store.checkpoint=2s"]],
] as const) {
  test(`tries before a kill count (${what})`, async () => {
    let killed = 0;
    for (let steps = 260; steps <= 760; steps += 50) {
      let asked = 0;
      let before = 0;
      const options: VirtualCrawlOptions = {
        ...{ graph: { "h0/0": [PAGE], [PAGE]: [] }, seeds: ["h0/0"], answers: { [PAGE]: FAILING } },
        settings: ["store.checkpoint=1h", "fetch.retries=2", "fetch.retryWait=1s", ...settings],
        kills: [
          { steps, isPower: false },
          { steps: steps / 2, isPower: false },
        ],
        ...(what.startsWith("another")
          ? { settingsOfRuns: [["lanes=1"], ["lanes=2"], ["lanes=1"]] }
          : {}),
        beforeRun: (run) => {
          if (run === 1) before = asked;
        },
        requested: (page) => {
          if (page === PAGE) asked += 1;
        },
      };
      const { lines } = await crawlVirtually(options);
      const written = lines.filter(({ url }) => url === urlOf(PAGE));
      const attempts = written.map(({ attempt }) => attempt);
      assert.deepEqual(attempts, [1, 2, 3].slice(0, TRIES), `killed after ${steps} events`);
      killed += before > 0 && before < TRIES ? 1 : 0;
    }
    assert.ok(killed > 2, `${killed} were killed between two tries`);
  });
}
