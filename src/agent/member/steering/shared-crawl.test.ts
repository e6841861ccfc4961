/** What an agent does about what all agents share, and how it changes that. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../../test/support/rules/configured.ts";
import { CrawlError } from "../../../base/errors/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import { Kernel } from "../../../lab/simulator/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import { SharedCrawl } from "./shared-crawl.ts";
import { parseShared, type Shared } from "./shared-text.ts";

const SETTINGS = ["cluster.heartbeat=1s"];

/** An agent whose changes are heard by nobody until the test says so. */
class Rig {
  readonly kernel = new Kernel({ seed: "shared" });
  readonly notes: string[] = [];
  /** What is changed for single hosts, each time that something is said of it. */
  readonly ruled: object[] = [];
  readonly told: { readonly shared: Shared; readonly done: Done<number> }[] = [];
  readonly crawl: SharedCrawl;
  inForce: Configuration = configured(...SETTINGS);
  /** What a change of keys here waits for, and comes to. */
  changing: Promise<void> = Promise.resolve();

  constructor(state: Shared["state"] = "running") {
    const note = (text: string): void => void this.notes.push(text);
    this.crawl = new SharedCrawl(
      {
        clock: this.kernel.clock,
        node: {
          configure: ({ text }, done) => {
            const shared = parseShared(text) ?? assert.fail("nobody could read it");
            this.told.push({ shared, done });
            this.crawl.heard(shared);
          },
        },
        life: {
          pause: () => note("pause"),
          resume: () => note("resume"),
          stop: (isUrgent) => note(isUrgent === true ? "stop now" : "stop"),
        },
        setPaused: (isPaused) => note(isPaused ? "paused" : "not paused"),
        inForce: () => this.inForce,
        changeKeys: async (unit, values) => {
          note(`${unit} ${JSON.stringify(values)}`);
          await this.changing;
          this.inForce = configured(
            ...SETTINGS,
            ...Object.entries(values).map(([key, value]) => `${key}=${value}`),
          );
        },
        setHosts: async (hosts) => void this.ruled.push(hosts),
        ending: () => note("ending"),
        report: ({ code }) => note(code),
      },
      { configuration: configured(...SETTINGS), state },
    );
  }

  get taken(): string[] {
    return this.notes.splice(0);
  }

  hears(state: Shared["state"], ...keys: readonly string[]): void {
    this.crawl.heard({ configuration: configured(...SETTINGS, ...keys), state });
  }
}

/** Until promises that are due have been settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("an agent pauses and goes on as it hears, and a paused one does not end", () => {
  const rig = new Rig();
  rig.hears("paused");
  assert.deepEqual(rig.taken, ["paused", "pause"]);
  rig.hears("running");
  assert.deepEqual(rig.taken, ["not paused", "resume"]);
});

test("an agent that hears of a stop begins nothing more, and stays for some heartbeats", () => {
  const rig = new Rig();
  rig.hears("stopped");
  assert.deepEqual(rig.taken, ["not paused", "pause"]);
  rig.kernel.pass(2900);
  assert.deepEqual(rig.taken, ["ending"], "others may ask it, and it asks them");
  rig.kernel.pass(200);
  assert.deepEqual(rig.taken, ["stop"]);
});

test("a stop that is taken back while an agent stays does not end it", () => {
  const rig = new Rig();
  rig.hears("stopped");
  rig.kernel.pass(1000);
  rig.hears("running");
  rig.kernel.pass(60_000);
  assert.deepEqual(rig.taken, ["not paused", "pause", "not paused", "resume"]);
});

test("whoever stops the crawl stays until all have heard of it, but not without end", async () => {
  for (const isAnswered of [true, false]) {
    const rig = new Rig();
    const change = rig.crawl.change({ state: "stopped", isUrgent: true });
    rig.kernel.pass(10_000);
    assert.ok(!rig.taken.includes("stop now"));
    if (isAnswered) rig.told[0]?.done(null, 3);
    else rig.kernel.pass(10_000);
    assert.equal(await change, isAnswered ? 3 : null);
    rig.kernel.pass(3000);
    assert.equal(rig.taken.at(-1), "stop now");
  }
});

test("an agent that is started again goes on with a crawl that was stopped, and says so", async () => {
  const rig = new Rig("stopped");
  rig.crawl.begin(true);
  assert.equal(rig.told[0]?.shared.state, "running");
  rig.told[0]?.done(null, 1);
  await settled();
  rig.kernel.pass(60_000);
  assert.ok(!rig.taken.includes("stop"));
  rig.hears("stopped");
  assert.deepEqual(rig.taken, ["not paused", "pause"], "it obeys like all others from now on");
});

test("one that joins a crawl which is being stopped ends with it", () => {
  const rig = new Rig("stopped");
  rig.crawl.begin(false);
  rig.kernel.pass(3000);
  assert.deepEqual(rig.taken, ["not paused", "pause", "ending", "stop"]);
  assert.equal(rig.told.length, 0);
});

test("keys that others have changed are changed here too, but for those that are local", async () => {
  const rig = new Rig();
  rig.hears("running", "fetch.retries=7", "fetch.concurrency=9", "limits.pages=10");
  await settled();
  assert.deepEqual(rig.taken.slice(2).sort(), [
    'frontier {"fetch.retries":"7"}',
    'steering {"limits.pages":"10"}',
  ]);
});

test("a change that another agent's change has replaced is made again, on top of that", async () => {
  const rig = new Rig();
  const change = rig.crawl.change({ values: { "fetch.retries": "7" } });
  rig.hears("paused", "limits.pages=10");
  rig.told[0]?.done(new CrawlError("CLUSTER_SETTING_LOST", "by another"), undefined);
  await settled();
  const [, again] = rig.told;
  assert.equal(again?.shared.state, "paused");
  const { fetch, limits } = again?.shared.configuration ?? assert.fail();
  assert.deepEqual([fetch.retries, limits.pages], [7, 10]);
  again?.done(null, 2);
  assert.equal(await change, 2);
});

test("a change that is replaced again and again is given up", async () => {
  const rig = new Rig();
  const lost = { code: "CLUSTER_SETTING_LOST" };
  const refused = assert.rejects(rig.crawl.change({ values: { "fetch.retries": "7" } }), lost);
  for (let tries = 0; tries < 5; tries += 1) {
    rig.told[tries]?.done(new CrawlError("CLUSTER_SETTING_LOST", "by another"), undefined);
    await settled();
  }
  await refused;
  assert.equal(rig.told.length, 5);
});

test("keys are changed in the order in which they were heard, and what cannot be taken is told", async () => {
  const rig = new Rig();
  const { promise, reject } = Promise.withResolvers<void>();
  rig.changing = promise;
  rig.hears("running", "fetch.retries=7");
  await settled();
  assert.deepEqual(rig.taken.slice(2), ['frontier {"fetch.retries":"7"}']);
  rig.hears("running", "fetch.retries=8");
  await settled();
  assert.deepEqual(rig.taken.slice(2), [], "the change before it is under way");
  rig.changing = Promise.resolve();
  reject(new CrawlError("CONFIG_CONFLICT", "not here"));
  await settled();
  assert.deepEqual(rig.taken, ["CLUSTER_SETTING_REFUSED", 'frontier {"fetch.retries":"8"}']);
});

test("a value that makes no sense is refused, and nobody hears of it", async () => {
  const rig = new Rig();
  await assert.rejects(rig.crawl.change({ values: { "fetch.retries": "many" } }), {
    code: "CONFIG_INVALID",
  });
  assert.equal(rig.told.length, 0);
});

test("what is changed for single hosts is kept for all, and obeyed from the beginning", async () => {
  const rig = new Rig();
  rig.crawl.begin(false);
  await settled();
  assert.deepEqual(rig.ruled.splice(0), [{}]);
  const changed = async (change: Parameters<SharedCrawl["change"]>[0]): Promise<unknown> => {
    const changing = rig.crawl.change(change);
    rig.told.at(-1)?.done(null, 2);
    await changing;
    await settled();
    return rig.ruled.splice(0);
  };
  const blocked = { isBlocked: true };
  assert.deepEqual(await changed({ hosts: { "a.test": blocked } }), [{ "a.test": blocked }]);
  assert.deepEqual(await changed({ hosts: { "a.test": { delayMs: 500 }, "b.test": blocked } }), [
    { "a.test": { isBlocked: true, delayMs: 500 }, "b.test": blocked },
  ]);
  assert.deepEqual(await changed({ state: "paused" }), [], "nothing of that has changed");
  const lifted = { isBlocked: false };
  assert.deepEqual(await changed({ hosts: { "a.test": lifted, "b.test": lifted } }), [
    { "a.test": { delayMs: 500 } },
  ]);
  assert.deepEqual(await changed({ hosts: { "a.test": { delayMs: null } } }), [{}]);
});
