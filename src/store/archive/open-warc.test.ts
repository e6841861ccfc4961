/** What is kept of a file that was left open, where bytes of it did not reach the disk. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf, StoreRig } from "../../../test/support/store/store-rig.ts";

const KILLED = {
  encoding: { compression: "none", level: null },
  warcBytesMax: 1e6,
  replayFrom: 0,
} as const;

/** A store with three pages whose process died, and where the record of the second one is. */
function killed(options: ConstructorParameters<typeof StoreRig>[1] = {}) {
  const rig = new StoreRig("left open", { ...KILLED, ...options });
  rig.open();
  const [, place] = [1, 2, 3].map((number) => rig.put(pageOf(number)).place);
  assert.ok(place);
  rig.commit();
  rig.machine.crash();
  const file = `${place.file}.open`;
  const text = Buffer.from(rig.machine.disk.contentOf(file) ?? []).toString("latin1");
  const record = text.slice(place.offset, place.offset + place.lengthBytes);
  const at = (found: string): number => place.offset + record.indexOf(found);
  return { rig, file, at };
}

/** As a sector that was not written. */
function blank({ rig, file }: ReturnType<typeof killed>, from: number, bytes: number): void {
  const { disk } = rig.machine;
  const before = Uint8Array.from(disk.contentOf(file) ?? []);
  for (let at = from; at < from + bytes; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      if (((before[at] ?? 0) >> bit) & 1) disk.flipBit(file, at * 8 + bit);
    }
  }
  assert.ok((disk.contentOf(file) ?? []).slice(from, from + bytes).every((byte) => byte === 0));
}

function urlsAfter({ rig }: ReturnType<typeof killed>): readonly string[] {
  rig.open();
  rig.close();
  return rig.check().map(({ url }) => url);
}

const FIRST = [pageOf(1).url];

test("all records are kept if all their bytes are there", () => {
  assert.deepEqual(
    urlsAfter(killed()),
    [1, 2, 3].map((number) => pageOf(number).url),
  );
});

test("a record whose head does not end is lost, however far it then seems to go", () => {
  const left = killed();
  blank(left, left.at("\r\n\r\nHTTP/1.1"), 4);
  assert.deepEqual(urlsAfter(left), FIRST);
});

test("a record that is about something else than its line is lost", () => {
  const left = killed();
  blank(left, left.at(pageOf(2).url) + 8, 4);
  assert.deepEqual(urlsAfter(left), FIRST);
});

test("a record without its digest is lost, also where nothing is known of its line", () => {
  for (const replayFrom of [0, null]) {
    const left = killed({ replayFrom });
    blank(left, left.at("HTTP/1.1") + 9, 3);
    assert.deepEqual(urlsAfter(left), FIRST);
  }
});

test("a request that swallows its answer is lost with it", () => {
  const left = killed();
  const request = left.at("WARC/1.1") - 4;
  const text = Buffer.from(left.rig.machine.disk.contentOf(left.file) ?? []).toString("latin1");
  blank(left, text.lastIndexOf("\r\n\r\nGET", request), 4);
  assert.deepEqual(urlsAfter(left), FIRST);
});
