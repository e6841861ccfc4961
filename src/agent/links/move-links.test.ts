import assert from "node:assert/strict";
import { test } from "node:test";
import { toyFingerprint } from "../../../test/support/frontier/toy-crawl.ts";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { type OpenedLog, openLog } from "../../base/log/index.ts";
import { MemoryKeyTable } from "../../base/runs/index.ts";
import { LinkMemory, type RememberedPage } from "./link-memory.ts";
import { moveLinks } from "./move-links.ts";

const laneOf = (high: number, lanes: number): number => Math.floor((high / 2 ** 32) * lanes);

function openMemories(machine: SimulatedMachine, lanes: number): LinkMemory[] {
  const { storage, random } = machine;
  return Array.from({ length: lanes }, (_none, lane) => {
    const options = { storage, random, name: `${lanes}/${lane}`, framing: "binary" as const };
    // Little may wait, so that memories must be waited for.
    const pendingBytesMax = 4 * 1024 * 1024;
    const { log } = machine.result<OpenedLog>((done) =>
      openLog({ ...options, pendingBytesMax }, done),
    );
    return new LinkMemory(log, new MemoryKeyTable());
  });
}

function pageAt(number: number, links: number): RememberedPage {
  const url = `https://a.example/${number}`;
  return {
    ...{ url, redirects: -1, depth: number, isRequisite: false, isSheet: false },
    ...{ links: Array.from({ length: links }, (_none, at) => `${url}/${at}`), requisites: [] },
  };
}

test("lanes remember the links of their pages, however often those move", () => {
  const machine = new SimulatedMachine("moved links");
  // Some pages are remembered twice, the short one later, and some do not fit into one frame.
  const pages = Array.from({ length: 60 }, (_none, at) => pageAt(at, at % 20 === 7 ? 100_000 : at));
  const again = [
    ...pages,
    ...pages
      .filter((_page, at) => at % 20 === 7)
      .map((page) => ({ ...page, links: ["https://b.example/"] })),
  ];
  let memories = openMemories(machine, 1);
  for (const page of again) {
    const { high, low } = toyFingerprint(page.url);
    machine.outcome((done) => {
      memories[0]?.keep(high, low, page, () => undefined);
      machine.storage.freeBytes(() => done(null));
    });
  }
  for (const lanes of [3, 2]) {
    const to = openMemories(machine, lanes);
    const options = {
      fingerprintOf: toyFingerprint,
      laneOf: (high: number) => laneOf(high, lanes),
    };
    machine.result((done) => moveLinks({ from: memories, to, ...options }, done));
    memories = to;
  }
  const expected = new Map(again.map((page) => [page.url, page]));
  for (const [url, page] of expected) {
    const { high, low } = toyFingerprint(url);
    const found = memories.map((memory) =>
      machine.result<RememberedPage | null>((done) => memory.recall(high, low, done)),
    );
    const lane = laneOf(high, 2);
    assert.deepEqual(found[lane], page);
    assert.equal(found[1 - lane], null);
  }
});
