import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import type { CrawlSummary } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { CrawlProgress } from "./crawl-progress.ts";

/** What takes two lines away. */
const ERASED = "\r\u001b[1A\u001b[J";

interface RigOptions {
  readonly settings?: readonly string[];
  /** Of a part of a crawl: how the whole goes. */
  readonly ask?: () => Promise<CrawlSummary>;
}

function rig(terminal: RecordedTerminal, { settings = [], ask }: RigOptions = {}) {
  const clock = new SimulatedTime();
  const configuration = configured(...settings);
  const crawl = { pages: 0 };
  const source = {
    ...{ open: 0, configuration, life: { isContinued: false, wasKilled: false } },
    summary: () =>
      ({
        ...{ pages: crawl.pages, seconds: clock.nowMs() / 1000, queued: 0, hosts: 1, bytes: 0 },
        ...{ errors: {}, idle: {} },
      }) as unknown as CrawlSummary,
  };
  const progress = new CrawlProgress({ clock, terminal, isQuiet: false });
  if (ask !== undefined) progress.partOf(ask);
  progress.start(source);
  return { clock, progress, crawl };
}

function advance(clock: SimulatedTime, ms: number): void {
  const untilMs = clock.nowMs() + ms;
  clock.after(ms, () => {});
  while (clock.nowMs() < untilMs) clock.step();
}

function ratesIn({ said }: RecordedTerminal): string[] {
  return [...said.matchAll(/([\d.]+)\/s/g)].map(([, rate]) => rate ?? "");
}

test("the rate is that of the last ten seconds, and does not jump between redraws", () => {
  const terminal = new RecordedTerminal({ isLive: true });
  const { clock, crawl } = rig(terminal);
  // One page a second, redrawn twice a second.
  for (let second = 0; second < 30; second += 1) {
    crawl.pages += 1;
    advance(clock, 1000);
  }
  const rates = ratesIn(terminal).slice(20).map(Number);
  assert.ok(rates.length >= 30);
  for (const rate of rates) assert.ok(rate >= 0.9 && rate <= 1.1, String(rate));
});

test("what is said while a block is shown appears above it", () => {
  const terminal = new RecordedTerminal({ isLive: true });
  const { progress } = rig(terminal);
  terminal.said = "";
  progress.trouble(new CrawlError("STORE_FULL", "The disk is full."));
  assert.ok(terminal.said.startsWith(`${ERASED}trobar: The disk is full.\n0 pages`));
  progress.stop();
  assert.ok(terminal.said.endsWith(ERASED));
});

test("after the terminal became narrower the rows of broken lines are erased too", () => {
  const terminal = new RecordedTerminal({ isLive: true });
  const { clock } = rig(terminal);
  const widest = Math.max(...terminal.said.split("\n").map(({ length }) => length));
  terminal.columns = Math.ceil(widest / 2);
  terminal.said = "";
  advance(clock, 500);
  assert.ok(terminal.said.startsWith("\r\u001b[3A\u001b[J"), JSON.stringify(terminal.said));
});

test("a dumb terminal gets plain lines now and then, and no escapes", () => {
  const terminal = new RecordedTerminal({ isLive: true, canRewrite: false });
  const { clock, progress, crawl } = rig(terminal);
  crawl.pages = 7;
  advance(clock, 25_000);
  progress.stop();
  assert.match(terminal.said, /^(?:7 pages · [^\n]*\n){2}$/);
  assert.ok(!terminal.said.includes("\r") && !terminal.said.includes("\u001b"));
});

test("what was done after a kill is told in words, and elsewhere as JSON", () => {
  const account = {
    ...{ pagesReplayed: 240, robotsReplayed: 0, linesCounted: 0, queued: 1204, seconds: 1.2 },
  };
  const cuts = { recordsCut: 2, linesCut: 1 };
  const terminal = new RecordedTerminal({ isLive: true });
  rig(terminal).progress.recovered({ ...account, ...cuts });
  assert.match(
    terminal.said,
    /240 pages read again, 2 records and 1 line cut off that were not whole, 1,204 URLs queued\n/,
  );
  const none = { ...account, recordsCut: 0, linesCut: 0, linesCounted: 3 };
  rig(terminal).progress.recovered(none);
  assert.match(terminal.said, /240 pages read again, 3 further lines counted, 1,204 URLs queued\n/);
  rig(terminal).progress.recovered({ ...none, linesCounted: 0, robotsReplayed: 1 });
  assert.match(terminal.said, /240 pages and 1 robots.txt file read again, 1,204 URLs queued\n/);
  const file = new RecordedTerminal({ isLive: false });
  rig(file).progress.recovered({ ...account, ...cuts });
  const last = file.said.trimEnd().split("\n").at(-1) ?? "";
  assert.deepEqual(JSON.parse(last), { event: "recovered", ...account, ...cuts });
});

test("a part of a crawl shows its own figures, and the limits of the whole", async () => {
  for (const isLive of [true, false]) {
    const terminal = new RecordedTerminal({ isLive });
    const whole = { agents: 3, missing: [], pages: 600, queued: 5, hosts: 9, bytes: 7, seconds: 9 };
    const { clock, crawl, progress } = rig(terminal, {
      settings: ["limits.pages=1000"],
      ask: async () => whole as unknown as CrawlSummary,
    });
    crawl.pages = 200;
    if (isLive) assert.doesNotMatch(terminal.said, / % of /, "not before it is known");
    await new Promise((resolve) => setImmediate(resolve));
    advance(clock, 10_000);
    progress.stop();
    if (isLive) {
      assert.match(terminal.said, /\n200 pages · |\r[^\n]*200 pages · /);
      assert.match(terminal.said, /3 agents together: 600 pages · 60 % of 1,000 pages · 5 queued/);
    } else {
      const told = terminal.said.trimEnd().split("\n");
      const { pages, whole: all } = JSON.parse(told.at(-1) ?? "");
      assert.deepEqual([pages, all.pages, all.limits.pages], [200, 600, 1000]);
    }
  }
});
