import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import type { CheckpointKeeper, FoundCrawl } from "../saving/checkpoint-keeper.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import { type Before, readBefore } from "./read-before.ts";

const SAVED = { logEnd: 7 } as unknown as SavedCrawl;
const RECORDED = configured("contact=me@example.org");
const FILE = "frontier/sieve/text.log";

/** What is read, and whether what was queued is still there. */
async function readAfter(
  found: FoundCrawl | null,
  recorded: typeof RECORDED | null = RECORDED,
  graph: readonly string[] = ["links/graph/runs"],
): Promise<Before & { readonly isKept: boolean }> {
  const machine = new SimulatedMachine("before");
  const { storage, disk } = machine;
  for (const name of [FILE, ...graph]) {
    machine.result((done) => storage.replace(name, new Uint8Array(1), done));
  }
  const checkpoints = { read: (done) => done(null, found) } as Pick<CheckpointKeeper, "read">;
  const parts = { recorded, folder: "out", storage, checkpoints: checkpoints as CheckpointKeeper };
  let before: Before | null = null;
  let failure: unknown = null;
  void readBefore(parts).then(
    (read) => {
      before = read;
    },
    (error) => {
      failure = error;
    },
  );
  for (let turn = 0; turn < 500 && before === null && failure === null; turn += 1) {
    machine.time.step();
    await setImmediate();
  }
  if (failure !== null) throw failure;
  assert.ok(before !== null, "it is read");
  return { ...(before as Before), isKept: disk.contentOf(FILE) !== null };
}

test("a crawl goes on from its checkpoint, whether or not it ended in order", async () => {
  for (const isWhole of [true, false]) {
    const before = await readAfter({ saved: SAVED, isWhole });
    assert.deepEqual(before, { read: SAVED, isKilled: !isWhole, isKept: true });
  }
});

test("one that was killed before its first checkpoint begins anew, without what it had queued", async () => {
  assert.deepEqual(await readAfter(null), { read: null, isKilled: true, isKept: false });
});

test("a crawl whose links were lost is refused, unless it keeps none or reads all again", async () => {
  const found = { saved: SAVED, isWhole: true };
  await assert.rejects(readAfter(found, RECORDED, []), {
    code: "LINKS_DAMAGED",
    message: /links\/graph: it is missing.*--rebuild/,
  });
  const without = configured("contact=me@example.org", "store.links=false");
  assert.equal((await readAfter(found, without, [])).read, SAVED);
  assert.equal((await readAfter(null, RECORDED, [])).isKilled, true);
});

test("a new crawl has nothing to go on from", async () => {
  assert.deepEqual(await readAfter(null, null), { read: null, isKilled: false, isKept: true });
});

test("a crawl of which other processes had a part cannot go on", async () => {
  const { storage } = new SimulatedMachine("parts elsewhere");
  const parts = { recorded: RECORDED, folder: "out", storage, checkpoints: null };
  await assert.rejects(readBefore(parts), { code: "CHECKPOINT_MISSING" });
});
