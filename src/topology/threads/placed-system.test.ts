import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { CrawlError } from "../../base/errors/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { loadSource, NodeThreads, PlacedSystem, type TopologySource } from "./index.ts";
import { collected, untilCollected } from "./placed-units.fixture.ts";
import { loadSourceAgain } from "./topology-source.ts";

const ON_THREADS = `
use: [./placed-units.fixture.ts]
providers:
  where: { unit: where }
connectors:
  pages: { type: test/page, capacity: 50 }
  links: { type: test/link, capacity: 40 }
components:
  crawl: { unit: pages, output: pages }
  parser: { unit: parser, thread: parsing, input: pages, output: links, providers: { where: where } }
  collector: { unit: collector, input: links, providers: { where: where } }
`;
const ENDLESS = ON_THREADS.replace(
  "unit: pages, output",
  "unit: pages, settings: { total: 1G }, output",
);

interface Run {
  readonly system: PlacedSystem<unknown>;
  readonly errors: CrawlError[];
  /** Resolves when everything has finished, with null, or the topology has failed. */
  readonly over: Promise<CrawlError | null>;
}

const opened: PlacedSystem<unknown>[] = [];
afterEach(async () => {
  for (const system of opened.splice(0)) await system.close();
  collected.length = 0;
});

async function started(
  text: string,
  options: { readonly library?: TopologySource["library"]; readonly heapMiBMax?: number } = {},
): Promise<Run> {
  const { library = null, ...limits } = options;
  const directory = fileURLToPath(new URL(".", import.meta.url));
  const source = { text, path: "topology.yaml", directory, library };
  const { wiring } = await loadSource(source);
  const errors: CrawlError[] = [];
  const { promise: over, resolve } = Promise.withResolvers<CrawlError | null>();
  const parts = {
    clock: new SystemClock(),
    report: (error: CrawlError) => void errors.push(error),
    failed: resolve,
    finished: () => resolve(null),
  };
  const system: PlacedSystem<unknown> = new PlacedSystem(parts, new NodeThreads(source, limits));
  opened.push(system);
  await system.open(wiring);
  await system.start();
  return { system, errors, over };
}

function targets(): string[] {
  return collected.splice(0).map(({ to }) => to);
}

test("a parser on a thread of its own finds what it finds on one thread, in the same order", async () => {
  const apart = await started(ON_THREADS);
  assert.equal(await apart.over, null);
  assert.ok(collected.every(({ thread }) => thread !== 0));
  const found = targets();
  const together = await started(ON_THREADS.replace("thread: parsing, ", ""));
  assert.equal(await together.over, null);
  assert.ok(collected.every(({ thread }) => thread === 0));
  assert.equal(found.length, 2000);
  assert.deepEqual(found, targets());
  assert.deepEqual([...apart.errors, ...together.errors], []);
});

test("every component may be on a thread of its own, with several at one connector", async () => {
  const text = `${ON_THREADS.replace("unit: pages, output", "unit: pages, thread: a, output")}
  more-pages: { unit: pages, thread: b, output: pages }
  more-parser: { unit: parser, thread: c, instances: 3, input: pages, output: links, providers: { where: where } }
`;
  const run = await started(text);
  assert.equal(await run.over, null);
  assert.equal(collected.length, 4000);
  assert.equal(new Set(targets()).size, 2000);
});

test("a tee gives every item to consumers on every thread", async () => {
  const text = `${ON_THREADS.replace("capacity: 50", "capacity: 50, kind: tee")}
  here: { unit: parser, input: pages, output: links, providers: { where: where } }
  also-there: { unit: parser, thread: parsing, input: pages, output: links, providers: { where: where } }
  elsewhere: { unit: parser, thread: other, input: pages, output: links, providers: { where: where } }
`;
  const run = await started(text);
  assert.equal(await run.over, null);
  const counts = new Map<string, number>();
  for (const to of targets()) counts.set(to, (counts.get(to) ?? 0) + 1);
  assert.equal(counts.size, 2000);
  assert.ok([...counts.values()].every((count) => count === 4));
});

test("units of the program are brought to a thread by a module that makes its library", async () => {
  const text = ON_THREADS.replace("use: [./placed-units.fixture.ts]", "").replace(
    /unit: /g,
    "unit: my-",
  );
  const module = new URL("./placed-units.fixture.ts", import.meta.url).href;
  const run = await started(text, { library: { module, name: "libraryWith", input: "my-" } });
  assert.equal(await run.over, null);
  assert.equal(targets().length, 2000);
});

test("a unit on another thread is suspended, changed and resumed with nothing lost", async () => {
  const { system } = await started(ENDLESS);
  await untilCollected(() => collected.length > 500);
  await system.suspend("parser");
  const suspended = (await system.units()).find(({ id }) => id === "parser");
  assert.equal(suspended?.state, "suspended");
  assert.equal(suspended?.thread, "parsing");
  assert.equal(suspended?.inFlight, 0);
  await system.changeSettings("parser", new Map([["host", "two"]]));
  assert.deepEqual(system.settingsOf("parser").current, { host: "two", scheme: "http" });
  await system.resume("parser");
  await untilCollected(() => collected.at(-1)?.to.startsWith("http://two/") === true);
  await system.changeSettings("parser", new Map([["scheme", "https"]]));
  await untilCollected(() => collected.at(-1)?.to.startsWith("https://two/") === true);
  await system.setInstances("parser", 3);
  const grown = (await system.units()).find(({ id }) => id === "parser");
  assert.equal(grown?.instances, 3);
  await system.suspend("crawl");
  const paths = collected.map(({ to }) => to.replace(/^\w+:\/\/\w+/, ""));
  assert.equal(new Set(paths).size, paths.length, "no item twice");
});

test("draining lets everything through, on all threads", async () => {
  const { system } = await started(ENDLESS);
  await untilCollected(() => collected.length > 500);
  assert.equal(await system.drain(), 0);
  const units = new Map((await system.units()).map(({ id, metrics }) => [id, metrics]));
  assert.equal(units.get("parser")?.["taken"], units.get("crawl")?.["emitted"]);
  assert.equal(units.get("collector")?.["taken"], units.get("parser")?.["emitted"]);
  assert.equal(collected.length, 2 * Number(units.get("crawl")?.["emitted"]));
});

test("metrics of a unit on another thread are read, and its connectors' fill", async () => {
  const run = await started(ON_THREADS);
  assert.equal(await run.over, null);
  const units = await run.system.units();
  const metrics = units.find(({ id }) => id === "parser")?.metrics;
  assert.equal(metrics?.["taken"], 1000);
  assert.equal(metrics?.["links"], 2000);
  const providers = units.filter(({ id }) => id === "where").map(({ thread }) => thread);
  assert.deepEqual(providers, [null, "parsing"]);
  assert.deepEqual(
    (await run.system.connectors()).map(({ id, length }) => [id, length]).toSorted(),
    [
      ["links", 0],
      ["pages", 0],
    ],
  );
});

test("a unit that takes nothing on another thread holds its producers back", async () => {
  const { system } = await started(ENDLESS);
  await untilCollected(() => collected.length > 100);
  await system.suspend("parser");
  const isHeld = async (): Promise<boolean> => {
    const pages = (await system.units()).find(({ id }) => id === "crawl");
    return Number(pages?.waitingOut) > 0;
  };
  while (!(await isHeld()));
  const inside = (await system.connectors()).find(({ id }) => id === "pages");
  assert.equal(inside?.capacity, 50);
  assert.ok(Number(inside?.length) <= 50);
});

test("producers are not held up by consumers on another thread that have finished", async () => {
  const text = `
use: [./placed-units.fixture.ts]
providers: { where: { unit: where } }
connectors:
  few: { type: test/page, capacity: 20 }
  many: { type: test/page, capacity: 20 }
  links: { type: test/link }
components:
  short: { unit: pages, settings: { total: 10 }, output: few }
  long: { unit: pages, output: many }
  pairs: { unit: pairs, thread: pairing, inputs: { one: few, other: many }, output: links }
  collector: { unit: collector, input: links, providers: { where: where } }
`;
  const run = await started(text);
  assert.equal(await run.over, null);
  assert.equal(collected.length, 10);
  const many = (await run.system.connectors()).find(({ id }) => id === "many");
  assert.ok(Number(many?.dropped) > 0);
});

test("an item on which a unit of another thread fails is reported here", async () => {
  const text = ON_THREADS.replace("unit: parser", "unit: failing").replace(
    "output: links, providers: { where: where }",
    "output: links",
  );
  const run = await started(text);
  assert.equal(await run.over, null);
  assert.equal(run.errors.length, 1000);
  assert.equal(run.errors[0]?.code, "INTERNAL_UNIT");
  assert.match(String(run.errors[0]?.message), /parser.*cannot parse \/0/);
});

const PLAIN = ON_THREADS.replace("output: links, providers: { where: where }", "output: links");

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
