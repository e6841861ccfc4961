import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Timer } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { closeAll, ENDLESS, endThreads, ON_THREADS, PLAIN, started } from "./placed-rig.fixture.ts";
import { loadSourceAgain } from "./topology-source.ts";

afterEach(closeAll);

test("an item on which a unit of another thread fails is reported here", async () => {
  const text = PLAIN.replace("unit: parser", "unit: failing");
  const run = await started(text);
  assert.equal(await run.over, null);
  assert.equal(run.errors.length, 1000);
  assert.equal(run.errors[0]?.code, "INTERNAL_UNIT");
  assert.match(String(run.errors[0]?.message), /parser.*cannot parse \/0/);
});

test("a unit on another thread whose policy is to stop fails the topology", async () => {
  const text = PLAIN.replace("unit: parser", "onFailure: stop, unit: failing");
  const failure = await (await started(text)).over;
  assert.equal(failure?.code, "INTERNAL_UNIT");
});

test("a thread that exits fails the topology, and says which and why", async () => {
  const run = await started(PLAIN.replace("unit: parser", "unit: exiting"));
  const failure = await run.over;
  assert.equal(failure?.code, "TOPOLOGY_THREAD_ENDED");
  assert.match(String(failure?.message), /thread parsing .*exit code 7/);
  await assert.rejects(run.system.suspend("parser"), { code: "TOPOLOGY_THREAD_ENDED" });
  assert.ok((await run.system.units()).every(({ thread }) => thread === null));
});

test("a thread that runs out of memory fails the topology", async () => {
  const run = await started(PLAIN.replace("unit: parser", "unit: hungry"), { heapMiBMax: 32 });
  const failure = await run.over;
  assert.equal(failure?.code, "TOPOLOGY_THREAD_ENDED");
  assert.match(String(failure?.message), /memory/);
});

test("a unit that cannot be made on its thread keeps the topology from starting", async () => {
  const text = PLAIN.replace("unit: parser", "unit: unmakeable");
  await assert.rejects(started(text), /no parser today/);
});

test("changes that units elsewhere cannot follow are refused", async () => {
  const { system } = await started(ENDLESS);
  await assert.rejects(system.changeSettings("parser", new Map([["host", () => 1]])), {
    code: "TOPOLOGY_REFUSED",
  });
  await assert.rejects(system.suspend("nobody"), { code: "TOPOLOGY_REFUSED" });
});

test("a thread that does not know a unit says how to give it one", async () => {
  const text = ON_THREADS.replace("use: [./placed-units.fixture.ts]", "");
  const source = { text, path: "topology.yaml", directory: import.meta.dirname, library: null };
  await assert.rejects(loadSourceAgain(source, "parsing"), (thrown: CrawlError) => {
    assert.equal(thrown.code, "TOPOLOGY_INVALID");
    assert.match(thrown.message, /thread parsing .*under `use` .*parser is not a known unit/s);
    return true;
  });
});

test("a failure stops the units of all threads", async () => {
  const text = `${ENDLESS}
  own: { unit: pages, settings: { total: 1G }, output: own-pages }
  own-parser: { unit: parser, input: own-pages, output: links, providers: { where: where } }
  bad-crawl: { unit: pages, thread: bad, output: bad-pages }
  bad-parser: { unit: failing, thread: bad, onFailure: stop, input: bad-pages, output: links }
`.replace(
    "connectors:",
    "connectors:\n  own-pages: { type: test/page }\n  bad-pages: { type: test/page }",
  );
  const run = await started(text);
  const failure = await run.over;
  assert.match(String(failure?.message), /bad-parser/);
  const units = (await run.system.units()).filter(({ kind }) => kind !== "provider");
  assert.equal(units.length, 7);
  assert.deepEqual(
    units.filter(({ state }) => state === "running").map(({ id }) => id),
    [],
  );
  await assert.rejects(run.system.resume("parser"), { code: "TOPOLOGY_REFUSED" });
});

/** Its long delays are over when a test says so. */
class ImpatientClock extends SystemClock {
  readonly #long = new Map<object, () => void>();

  override after(delayMs: number, callback: () => void): Timer {
    if (delayMs < 1000) return super.after(delayMs, callback);
    const timer = { cancel: () => void this.#long.delete(timer) };
    this.#long.set(timer, callback);
    return timer;
  }

  /** Whether anybody waits for long. */
  hasLong(): boolean {
    return this.#long.size > 0;
  }

  endLong(): void {
    const due = [...this.#long];
    this.#long.clear();
    for (const [, callback] of due) callback();
  }
}

test("a thread on which a unit loops for ever is told, and ended with the topology", async () => {
  const clock = new ImpatientClock();
  const { promise: loops, resolve } = Promise.withResolvers<CrawlError>();
  const run = await started(PLAIN.replace("unit: parser", "unit: looping"), {
    ...{ clock, reported: resolve },
  });
  assert.match((await loops).message, /it loops/);
  const units = run.system.units();
  for (let waits = 0; clock.hasLong() && waits < 100; waits += 1) clock.endLong();
  const isGivenUp = !clock.hasLong();
  if (!isGivenUp) await endThreads();
  assert.ok(isGivenUp, "nobody waits for ever for a thread that is silent");
  assert.ok((await units).every(({ thread }) => thread === null));
  const refusal = run.system.changeSettings("parser", new Map());
  await assert.rejects(refusal, { code: "TOPOLOGY_THREAD_STUCK" });
  await run.system.close();
  const codes = run.errors.map(({ code }) => code);
  assert.deepEqual(codes, ["INTERNAL_UNIT", "TOPOLOGY_THREAD_STUCK"]);
});
