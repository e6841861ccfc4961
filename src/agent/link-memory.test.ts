import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../test/support/simulated-machine.ts";
import { type OpenedLog, openLog } from "../log/index.ts";
import { openRunTable, type RunTable } from "../runs/index.ts";
import { SimBackground } from "../simulator/index.ts";
import { LINK_PLACE_BYTES, LinkMemory, type RememberedPage } from "./link-memory.ts";

test("the links of any number of pages are recalled, from bounded memory", () => {
  const machine = new SimulatedMachine("links");
  const { storage, time, random, disk } = machine;
  const background = new SimBackground({ clock: time, random, disk });
  const report = (error: Error): void => assert.fail(error);
  const memoryBytes = 16 * 1024;
  const shape = { folder: "places", valueBytes: LINK_PLACE_BYTES, memoryBytes };
  const places = machine.result<RunTable>((done) =>
    openRunTable({ storage, background, report, ...shape }, done),
  );
  const { log } = machine.result<OpenedLog>((done) =>
    openLog({ storage, random, name: "pages", framing: "binary" }, done),
  );
  const memory = new LinkMemory(log, places);
  const keyOf = (number: number): [number, number] => [number, Math.imul(number, 0x9e3779b1) >>> 0];
  const pages = 1000;
  for (let number = 0; number < pages; number += 1) {
    const page = {
      ...{ url: `https://a.example/${number}`, redirects: -1, depth: 0, isRequisite: false },
      ...{ links: [`/${number + 1}`], requisites: [] },
    };
    memory.keep(...keyOf(number), page, (error) => assert.equal(error, null));
    if (number % 20 === 0) time.settle();
    assert.ok(places.memoryBytes <= memoryBytes, `${places.memoryBytes} bytes`);
  }
  time.settle();
  assert.ok(places.runs > 0, "most places are on disk");
  for (const number of [0, 1, 500, pages - 1, pages]) {
    const page = machine.result<RememberedPage | null>((done) =>
      memory.recall(...keyOf(number), done),
    );
    assert.deepEqual(page?.links ?? null, number < pages ? [`/${number + 1}`] : null);
  }
  machine.result((done) => memory.close(done));
});
