import assert from "node:assert/strict";
import { test } from "node:test";
import { type Entry, isOfHost, type UrlEntry } from "./entry.ts";
import { packBlock, readEntries, unpackBlock, writeEntries } from "./entry-blocks.ts";

const ENTRIES: readonly Entry[] = [
  {
    ...{ kind: "url", host: "h.example", high: 0xffff_ffff, low: 0, depth: 3 },
    ...{ holders: [{ id: "a", generation: 7 }], record: Uint8Array.of(1, 2) },
  },
  { kind: "host", host: "h.example", record: Uint8Array.of(3) },
  { kind: "hide", host: "h.example", high: 1, low: 2, toward: { id: "b", generation: 9 } },
  { kind: "nearer", high: 3, low: 0xffff_ffff, depth: 0 },
];

test("entries of every kind are read as they were written, compressed or not", () => {
  const bytes = writeEntries(ENTRIES);
  for (const read of [
    readEntries(bytes, ENTRIES.length),
    unpackBlock(packBlock(ENTRIES.length, bytes)),
  ]) {
    assert.deepEqual(read?.map(plain), ENTRIES.map(plain));
  }
});

test("bytes that are not exactly these entries are none", () => {
  const bytes = writeEntries(ENTRIES);
  assert.equal(readEntries(bytes, ENTRIES.length + 1), null);
  assert.equal(readEntries(bytes, ENTRIES.length - 1), null);
  assert.equal(unpackBlock(Uint8Array.of(1, 2, 3)), null);
});

test("entries that no agent can have written are none", () => {
  const [url] = ENTRIES as readonly [UrlEntry];
  const strange: readonly Entry[] = [
    { ...url, high: 2 ** 32 },
    { ...url, low: 2 ** 32 },
    { ...url, host: "h".repeat(65_537) },
    { ...url, holders: [{ id: "../../a", generation: 1 }] },
    { ...url, holders: [{ id: "a", generation: 0 }] },
    { kind: "nearer", high: 2 ** 32, low: 0, depth: 0 },
    { kind: "hide", host: "h", high: 0, low: 2 ** 40, toward: { id: "a", generation: 1 } },
  ];
  for (const entry of strange) assert.equal(readEntries(writeEntries([entry]), 1), null);
  assert.equal(readEntries(writeEntries(ENTRIES), 2 ** 32), null, "the number is not believed");
});

/** With bytes as numbers: what was read may be a view of another kind. */
function plain(entry: Entry): object {
  return isOfHost(entry) ? { ...entry, record: [...entry.record] } : entry;
}
