import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlError } from "../../base/errors/index.ts";
import { parseChecked, printChecked } from "../../base/folder/index.ts";
import { Kernel, SimDisk } from "../../lab/simulator/index.ts";
import { readClusterFile } from "./cluster-file.ts";
import { type ClusterState, parseState, printState } from "./cluster-state.ts";

const STATE: ClusterState = {
  ...{ generation: 7, incarnation: 3, isEstablished: true, isFounder: false, isSeated: true },
  configuration: {
    ...{ crawl: "c", fingerprintKey: "k", shards: 4, text: "t", electors: [] },
    version: { number: 2, by: "a" },
  },
  members: [],
};

test("no altered bit of a cluster file is taken for its state, not even in the word checksum", () => {
  const bytes = printState(STATE);
  assert.deepEqual(parseState(bytes), { format: 1, ...STATE });
  for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
    const altered = bytes.slice();
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const found = parseState(altered);
    // Spaces between words carry nothing.
    if (!(found instanceof Error)) assert.deepEqual(found, { format: 1, ...STATE }, `bit ${bit}`);
  }
  const text = new TextDecoder().decode(bytes).replace('"checksum"', '"checksun"');
  const error = parseState(new TextEncoder().encode(text)) as CrawlError;
  assert.equal(error.code, "CLUSTER_STATE_DAMAGED");
});

test("a cluster file of another version is not called damaged", () => {
  const found = parseChecked(new TextDecoder().decode(printState(STATE)), "must-have");
  for (const [format, said] of [
    [0, /an older version .*Go on with that version/],
    [2, /a newer version .*Go on with that version/],
  ] as const) {
    const text = printChecked({ ...found, format, more: "of that version" }, 1);
    const error = parseState(new TextEncoder().encode(text)) as CrawlError;
    assert.equal(error.code, "CLUSTER_STATE_VERSION");
    assert.match(error.message, said);
  }
});

test("a disk without a cluster file is new", () => {
  const kernel = new Kernel({ seed: "file" });
  const disk = new SimDisk(kernel.random);
  const found: unknown[] = [];
  readClusterFile(disk.mount(kernel.clock), (...answer) => found.push(answer));
  kernel.pass(100);
  assert.deepEqual(found, [[null, null]]);
});
