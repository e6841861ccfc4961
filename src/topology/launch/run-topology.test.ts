import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { freeAddress } from "../../../test/support/topology/free-address.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { codec, itemType } from "../items/index.ts";
import { filter, provider, providerRole, sink, source } from "../unit/index.ts";
import { runTopology, startTopology } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-launch-"));
after(() => rmSync(folder, { recursive: true }));

const Count = itemType("test/count", codec.count);
const Journal = providerRole<string[]>("journal");

/** Emits 1 to `total`, or waits for ever after them. */
const numbers = (total: number, isEndless = false) =>
  source({
    name: "numbers",
    output: Count,
    create(unit) {
      let next = 1;
      return {
        pull(_countMax, emit) {
          if (next <= total) emit(next);
          else if (!isEndless) unit.finish();
          next += 1;
          return next <= total + 1;
        },
      };
    },
  });

const picky = filter({
  name: "picky",
  input: Count,
  output: Count,
  create: () => (item, emit) => {
    if (item === 2) throw new Error("two is not wanted");
    emit(item);
  },
});

const FILE = `
providers:
  journal: { unit: journal }
connectors:
  all: { type: test/count, capacity: 2 }
  some: { type: test/count }
components:
  numbers: { unit: numbers, output: all }
  picky: { unit: picky, input: all, output: some, onFailure: skip }
  writer: { unit: writer, input: some, providers: { journal: journal } }
`;

function journalUnits(journal: string[]) {
  return [
    provider({
      name: "journal",
      provides: Journal,
      create: () => ({ service: journal, close: () => void journal.push("closed") }),
    }),
    sink({
      name: "writer",
      input: Count,
      providers: { journal: Journal },
      create: (unit) => (item) => void unit.providers.journal.push(String(item)),
    }),
  ];
}

function file(text: string): string {
  const path = join(folder, "topology.yaml");
  writeFileSync(path, text);
  return path;
}

test("a file runs until its components have finished; then all of it is closed", async () => {
  const journal: string[] = [];
  const errors: CrawlError[] = [];
  const last = await runTopology(file(FILE), {
    units: [numbers(4), picky, ...journalUnits(journal)],
    report: (error) => void errors.push(error),
  });
  assert.deepEqual(journal, ["1", "3", "4", "closed"]);
  const metrics = last.find(({ id }) => id === "picky")?.metrics;
  assert.deepEqual([metrics?.["taken"], metrics?.["emitted"], metrics?.["failed"]], [4, 3, 1]);
  assert.deepEqual(
    errors.map(({ code }) => code),
    ["INTERNAL_UNIT"],
  );
});

test("a unit whose policy is to stop ends the run with its error, after all is closed", async () => {
  const journal: string[] = [];
  const units = [numbers(4), picky, ...journalUnits(journal)];
  const stopping = file(FILE.replace("onFailure: skip", "onFailure: stop"));
  await assert.rejects(runTopology(stopping, { units, report: () => undefined }), {
    code: "INTERNAL_UNIT",
  });
  assert.equal(journal.at(-1), "closed");
});

test("a run that would never end can be closed", async () => {
  const journal: string[] = [];
  const units = [numbers(1, true), picky, ...journalUnits(journal)];
  const { system, ended, close } = await startTopology(file(FILE), { units });
  assert.deepEqual(
    (await system.connectors()).map(({ id }) => id),
    ["all", "some"],
  );
  await close();
  assert.equal(journal.at(-1), "closed");
  assert.equal((await ended).length, 4);
});

test("units come from modules beside the file, and mistakes and missing files are told", async () => {
  writeFileSync(
    join(folder, "mine.js"),
    `export const mine = { kind: "source", name: "mine", inputs: {}, outputs: {}, providers: {},
      settings: {}, metrics: {}, inFlightMax: 1,
      create: (unit) => ({ pull: () => { unit.finish(); return false; } }) };`,
  );
  const [only] = await runTopology(file("components: { one: { unit: ./mine.js#mine } }\n"));
  assert.equal(only?.state, "finished");
  await assert.rejects(runTopology(file("components: { one: { unit: ./mine.js#other } }\n")), {
    code: "TOPOLOGY_INVALID",
  });
  const missing = join(folder, "nothing.yaml");
  await assert.rejects(runTopology(missing), { code: "USAGE_BAD_ARGUMENT", message: /nothing/ });
});

test("a topology ends when what it sent to another process has arrived there, not before", async () => {
  const path = join(folder, "sending.yaml");
  const address = await freeAddress();
  const ends = (end: string): string => `
connectors: { sent: { type: test/count, kind: remote, ${end}: "${address}" } }
`;
  writeFileSync(path, `${ends("to")}components: { numbers: { unit: numbers, output: sent } }`);
  const report = (): void => undefined;
  const sender = await startTopology(path, { units: [numbers(9)], report });
  let hasEnded = false;
  void sender.ended.then(() => {
    hasEnded = true;
  });
  const isOver = async (): Promise<boolean> =>
    hasEnded || (await sender.system.units()).every(({ state }) => state === "finished");
  while (!(await isOver())) await turn();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  assert.equal(hasEnded, false, "nobody has received anything yet");
  const taken: number[] = [];
  const reader = sink({
    ...{ name: "reader", input: Count },
    create: () => (item) => void taken.push(item),
  });
  const other = join(folder, "receiving.yaml");
  writeFileSync(other, `${ends("listen")}components: { reader: { unit: reader, input: sent } }`);
  await runTopology(other, { units: [reader], report });
  await sender.ended;
  assert.deepEqual(taken, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
