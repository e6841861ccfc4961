/** Swapping connectors whose ends are on several threads, while items flow. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { libraryOf, wireAgain } from "../description/index.ts";
import type { ConnectorWiring } from "../runtime/index.ts";
import { closeAll, ON_THREADS, started } from "./placed-rig.fixture.ts";
import { collected, libraryWith, untilCollected } from "./placed-units.fixture.ts";

afterEach(closeAll);

const SPREAD = `${ON_THREADS.replace("unit: pages, output", "unit: pages, settings: { total: 6000 }, thread: a, output")}
  more-pages: { unit: pages, settings: { total: 2000 }, thread: b, output: pages }
  more-parser: { unit: parser, thread: c, instances: 3, input: pages, output: links, providers: { where: where } }
  passing: { unit: parser, thread: b, input: pages, output: links, providers: { where: where } }
`;
const CAPACITIES = [1, 400, 7, 2, 90];

function wired(id: string, kind: string, capacity: number): ConnectorWiring {
  const library = { ...libraryWith(""), connectorKinds: libraryOf([]).connectorKinds };
  const type = id === "pages" ? "test/page" : "test/link";
  const settings = { capacity, ...(kind === "priority" ? { field: "depth" } : {}) };
  return wireAgain(id, { kind, type, settings }, library);
}

/** How often each link was collected. */
function counts(): Map<string, number> {
  const found = new Map<string, number>();
  for (const { to } of collected) found.set(to, (found.get(to) ?? 0) + 1);
  return found;
}

for (const kind of ["local", "tee"]) {
  test(`a ${kind} connector between four threads is swapped again and again, and all arrives`, async () => {
    const run = await started(SPREAD.replace("capacity: 50", `capacity: 50, kind: ${kind}`));
    for (const capacity of CAPACITIES) {
      const before = collected.length;
      await untilCollected(() => collected.length > before + 50);
      // Several at once are made one after another.
      await Promise.all([
        run.system.swapConnector(wired("pages", kind, capacity)),
        run.system.swapConnector(wired("links", "priority", 2 * capacity)),
        run.system.swapConnector(wired("pages", kind, capacity + 1)),
      ]);
    }
    assert.equal(await run.over, null);
    const found = counts();
    const times = kind === "tee" ? 3 : 1;
    assert.equal(found.size, 12_000);
    for (const [to, count] of found) {
      const page = Number(/\/(\d+)/.exec(to.replace("http://", ""))?.[1]);
      assert.equal(count, page < 2000 ? 2 * times : times, to);
    }
    assert.deepEqual(run.errors, []);
  });
}

test("a connector whose producers are done is swapped with what is left in it", async () => {
  const run = await started(
    ON_THREADS.replace("unit: pages,", "unit: pages, settings: { total: 40 },"),
  );
  await run.system.suspend("collector");
  const isHeld = async (): Promise<boolean> => {
    const units = await run.system.units();
    return units.find(({ id }) => id === "crawl")?.state === "finished";
  };
  while (!(await isHeld()));
  await run.system.swapConnector(wired("pages", "local", 5));
  await run.system.swapConnector(wired("links", "local", 5));
  await run.system.resume("collector");
  assert.equal(await run.over, null);
  assert.equal(collected.length, 80);
  assert.equal(counts().size, 80);
});

test("a connector that code opens cannot be given to other threads", async () => {
  const run = await started(ON_THREADS);
  const { form: _, ...formless } = wired("links", "local", 9);
  await assert.rejects(run.system.swapConnector(formless), { code: "TOPOLOGY_REFUSED" });
  assert.equal(await run.over, null);
});
