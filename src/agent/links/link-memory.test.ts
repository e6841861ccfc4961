import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { type OpenedLog, openLog } from "../../base/log/index.ts";
import { MemoryKeyTable, openRunTable, type RunTable } from "../../base/runs/index.ts";
import { SimBackground } from "../../lab/simulator/index.ts";
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
      ...{ isSheet: false },
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

function memoryOn(machine: SimulatedMachine, pendingBytesMax: number): LinkMemory {
  const { storage, random } = machine;
  const options = { storage, random, name: "pages", framing: "binary", pendingBytesMax } as const;
  const { log } = machine.result<OpenedLog>((done) => openLog(options, done));
  return new LinkMemory(log, new MemoryKeyTable());
}

const PAGE: RememberedPage = {
  ...{ url: "https://a.example/\u00fc", redirects: 3, depth: 5, isRequisite: true },
  ...{ isSheet: true },
  ...{ links: ["https://a.example/1", "https://b.example/"], requisites: ["https://c.example/"] },
};

/** As many links as a list of a whole site may have, and longer than any frame of a log. */
const LONG: RememberedPage = {
  ...PAGE,
  links: Array.from({ length: 60_000 }, (_, at) => `https://a.example/${"\u00fc".repeat(80)}${at}`),
};

function lengthOf({ links, requisites }: RememberedPage): number {
  return 2 * links.length + requisites.length;
}

test("a page is recalled as it was kept, however many links it has", () => {
  const machine = new SimulatedMachine("long");
  const memory = memoryOn(machine, 2 * 2 ** 20);
  const pages = [PAGE, LONG, { ...PAGE, links: [] }, { ...PAGE, requisites: [] }];
  for (const [number, page] of pages.entries()) {
    let isKept = false;
    memory.keep(number, number, page, (error) => {
      isKept = error === null;
    });
    machine.time.settle();
    assert.ok(isKept, `page ${number}`);
  }
  for (const [number, page] of pages.entries()) {
    const recalled = machine.result<RememberedPage | null>((done) =>
      memory.recall(number, number, done),
    );
    // The difference of lists this long would take minutes to print.
    assert.equal(recalled?.links.length, page.links.length, `page ${number}`);
    assert.ok(isDeepStrictEqual(recalled, page), `page ${number}`);
  }
  const given: RememberedPage[] = [];
  machine.result((done) => memory.each((page) => given.push(page), done));
  const byLength = (list: readonly RememberedPage[]) =>
    list.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  assert.equal(given.length, pages.length, "pieces are not pages");
  assert.ok(isDeepStrictEqual(byLength(given), byLength(pages)));
  machine.result((done) => memory.close(done));
});

test("links for which the disk has no room are reported as an error", () => {
  const machine = new SimulatedMachine("full");
  const memory = memoryOn(machine, 2 * 2 ** 20);
  machine.disk.capacityBytes = 0;
  const codes: (string | null)[] = [];
  memory.keep(1, 1, PAGE, (error) => codes.push(error?.code ?? null));
  memory.keep(2, 2, LONG, (error) => codes.push(error?.code ?? null));
  machine.time.settle();
  assert.deepEqual(codes, [null, "STORAGE_FULL"]);
});
