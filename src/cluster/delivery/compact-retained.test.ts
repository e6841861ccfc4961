import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Kernel, SimDisk } from "../../lab/simulator/index.ts";
import { placeText } from "../messages/index.ts";
import { compactRetained } from "./compact-retained.ts";
import { type Entry, keptEntry, type UrlEntry } from "./entry.ts";
import { packBlock, writeEntries } from "./entry-blocks.ts";
import { openRetainedLog, type RetainedLog } from "./retained-log.ts";

const LIMITS = { stepsMax: 100_000, virtualMsMax: 1_000_000 };

const place = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  generation: fc.integer({ min: 1, max: 2 }),
});
const url: fc.Arbitrary<UrlEntry> = fc
  .record({ number: fc.nat(20), depth: fc.nat(5), holders: fc.array(place, { maxLength: 3 }) })
  .map(({ number, depth, holders }) => ({
    ...{ kind: "url" as const, host: "h.example", depth, holders, low: number },
    high: (number * 0x0fff_ffff) >>> 0,
    record: Uint8Array.of(number, depth),
  }));
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 8, arbitrary: url },
  {
    weight: 1,
    arbitrary: fc.constant<Entry>({ kind: "host", host: "h.example", record: Uint8Array.of(1) }),
  },
  {
    weight: 1,
    arbitrary: place.map(
      (toward): Entry => ({ kind: "hide", host: "h.example", high: 1, low: 2, toward }),
    ),
  },
);

/** What all of them say together, in words. */
function merged(entries: readonly Entry[]): readonly string[] {
  const known = new Map<string, { depth: number; record: string; holders: Set<string> }>();
  for (const one of entries) {
    if (one.kind !== "url") continue;
    // Claims of one depth say nothing of another.
    const key = `${one.low} ${one.holders.length === 0 ? "" : one.depth}`;
    const before = known.get(key) ?? { depth: 99, record: "", holders: new Set() };
    for (const holder of one.holders) before.holders.add(placeText(holder));
    const isNearer = one.depth < before.depth;
    const record = isNearer ? one.record.join() : before.record;
    known.set(key, { ...before, record, depth: Math.min(one.depth, before.depth) });
  }
  return Array.from(
    known,
    ([key, { depth, record, holders }]) => `${key} ${depth} ${record} ${[...holders].sort()}`,
  ).sort();
}

test("U3: what is retained says the same when it is compacted: least depth, all holders, once for each depth of theirs", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(entry, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      (blocks, entriesMax) => {
        const kernel = new Kernel({ seed: "compact" });
        const storage = new SimDisk(kernel.random).mount(kernel.clock);
        const fail = (error: Error): never => assert.fail(error);
        const wait = <Value>(
          begin: (done: (error: Error | null, value?: Value) => void) => void,
        ) => {
          let got: { readonly value: Value | undefined } | null = null;
          begin((error, value) => {
            assert.ifError(error);
            got = { value };
          });
          kernel.runUntil(() => got !== null, LIMITS);
          return (got as { readonly value: Value | undefined } | null)?.value as Value;
        };
        const open = (): RetainedLog =>
          wait((done) =>
            openRetainedLog(
              {
                ...{ storage, random: kernel.random, folder: "kept", segmentBytesMax: 200 },
                ...{ report: fail, damaged: () => fail(new Error("damaged")) },
              },
              done,
            ),
          );
        const read = (log: RetainedLog): readonly Entry[] => {
          const found: Entry[] = [];
          wait((done) =>
            log.each((entries, next) => {
              found.push(...entries.map(keptEntry));
              next();
            }, done),
          );
          return found;
        };
        const log = open();
        for (const block of blocks) log.keep(packBlock(block.length, writeEntries(block)));
        wait((done) => log.commit(done));
        wait((done) => compactRetained(log, { entries: 20, entriesMax, blockEntries: 3 }, done));
        const all = merged(blocks.flat());
        const left = read(log);
        assert.deepEqual(merged(left), all);
        assert.equal(left.length, all.length, "each once, and nothing else");
        wait((done) => log.close(done));
        assert.deepEqual(merged(read(open())), all, "also when it is opened again");
      },
    ),
    { numRuns: 60 },
  );
});
