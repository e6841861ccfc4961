import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { closeAll, ENDLESS, ON_THREADS, started } from "./placed-rig.fixture.ts";
import { collected, untilCollected } from "./placed-units.fixture.ts";

afterEach(closeAll);

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

test("what is dropped on any thread is counted", async () => {
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
  pairs: { unit: pairs, thread: one, inputs: { one: few, other: many }, output: links }
  more-pairs: { unit: pairs, thread: other, inputs: { one: few, other: many }, output: links }
  collector: { unit: collector, input: links, providers: { where: where } }
`;
  const run = await started(text);
  assert.equal(await run.over, null);
  // Its home is the thread of the topology, where nothing is dropped; the last have been by now.
  const many = (await run.system.connectors()).find(({ id }) => id === "many");
  assert.equal(many?.dropped, 1000 - collected.length);
});
