import assert from "node:assert/strict";
import { test } from "node:test";
import { printChecked } from "../../base/folder/index.ts";
import { Kernel, SimDisk } from "../../lab/simulator/index.ts";
import type { Ledger } from "./ledger.ts";
import { LIMITS_FILE, openLedger } from "./limits-file.ts";

const FOUNDING = { crawl: "c", amounts: { pages: 100, bytes: 2000 } };

/** What a disk has, or says instead. */
function read(kernel: Kernel, disk: SimDisk, founding: typeof FOUNDING | null): Ledger | string {
  const answers: (Ledger | string)[] = [];
  openLedger(disk.mount(kernel.clock), founding, (error, ledger) => {
    answers.push(error === null ? (ledger ?? "nothing") : error.code);
  });
  kernel.pass(100);
  return answers[0] ?? assert.fail("it answers");
}

function founded(): { readonly kernel: Kernel; readonly disk: SimDisk } {
  const kernel = new Kernel({ seed: "ledger" });
  const disk = new SimDisk(kernel.random);
  read(kernel, disk, FOUNDING);
  return { kernel, disk };
}

test("M1: the founder's disk has everything, and another one nothing", () => {
  const { kernel, disk } = founded();
  const ledger = read(kernel, disk, null);
  assert.ok(typeof ledger === "object");
  assert.deepEqual(ledger.budget, FOUNDING.amounts);
  assert.equal(read(kernel, new SimDisk(kernel.random), null), "nothing");
});

test("a ledger of a newer version is not called damaged, nor replaced by what a founder has", () => {
  const { kernel, disk } = founded();
  const newer = new TextEncoder().encode(printChecked({ format: 2, budgets: [] }, 1));
  disk.mount(kernel.clock).replace(LIMITS_FILE, newer, () => undefined);
  kernel.pass(100);
  assert.equal(read(kernel, disk, FOUNDING), "CLUSTER_STATE_VERSION");
  assert.deepEqual(disk.contentOf(LIMITS_FILE), newer);
});

test("no altered bit gives another ledger", () => {
  const { kernel, disk } = founded();
  const { length = 0 } = disk.contentOf(LIMITS_FILE) ?? [];
  for (let bit = 0; bit < 8 * length; bit += 1) {
    disk.flipBit(LIMITS_FILE, bit);
    const found = read(kernel, disk, null);
    if (typeof found === "string") assert.equal(found, "CLUSTER_STATE_DAMAGED", `bit ${bit}`);
    else assert.deepEqual(found.budget, FOUNDING.amounts, `bit ${bit}`);
    disk.flipBit(LIMITS_FILE, bit);
  }
});
