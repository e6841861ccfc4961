import assert from "node:assert/strict";
import { test } from "node:test";
import { DiskBody, pageOf, StoreRig } from "../../../test/support/store/store-rig.ts";
import { readConfiguration } from "../../rules/config/index.ts";
import { printCrawlLine } from "./crawl-line.ts";
import { warcinfoEntries } from "./index.ts";
import { finalName, openName, serialOf, warcFileName } from "./warc-name.ts";

const SMALL = { warcBytesMax: 20_000, chunkBytes: 1000, pendingBytesMax: 3000 };

test("a store that has too much in memory takes nothing until the disk has caught up", () => {
  const rig = new StoreRig("pressure", SMALL);
  rig.open();
  let taken = 0;
  while (rig.store.tryStore(pageOf(taken)) !== null) taken += 1;
  assert.ok(taken > 3 && !rig.store.hasRoom && rig.store.trouble === null);
  rig.machine.result((done) => rig.store.whenRoom(() => done(null)));
  assert.notEqual(rig.store.tryStore(pageOf(taken)), null);
  rig.close();
  assert.equal(rig.check().length, taken + 1);
});

test("however long syncs take, a store holds no more in memory than it may", () => {
  const encoding = { compression: "none", level: null } as const;
  const rig = new StoreRig("slow", { ...SMALL, encoding, warcBytesMax: 10_000_000 });
  const { machine } = rig;
  const { disk } = machine;
  disk.speed = { ...disk.speed, syncMsMin: 500, syncMsMax: 500 };
  rig.open();
  let most = 0;
  let longest = 0;
  for (let number = 0; number < 300; number += 1) {
    let stored = rig.store.tryStore(pageOf(number));
    while (stored === null) {
      machine.result((done) => rig.store.whenRoom(() => done(null)));
      stored = rig.store.tryStore(pageOf(number));
    }
    const { file = "", offset = 0, lengthBytes = 0 } = stored.place ?? {};
    const { length: written = 0 } = disk.contentOf(openName(file)) ?? {};
    most = Math.max(most, offset + lengthBytes - written);
    longest = Math.max(longest, lengthBytes);
  }
  const bound = SMALL.pendingBytesMax + 2 * longest;
  assert.ok(most > SMALL.chunkBytes && most <= bound, `${most} bytes waited, and ${bound} may`);
  rig.close();
  assert.equal(rig.check().length, 300);
});

test("there is no call to the disk for each page", () => {
  const rig = new StoreRig("calls");
  rig.open();
  const before = rig.machine.disk.calls;
  for (let number = 0; number < 500; number += 1) rig.put(pageOf(number));
  assert.ok(rig.machine.disk.calls - before < 150, `${rig.machine.disk.calls - before} calls`);
  rig.close();
});

test("a full disk is told, and the store goes on when there is room", () => {
  const rig = new StoreRig("full", SMALL);
  rig.open();
  rig.machine.disk.capacityBytes =
    rig.machine.disk.capacityBytes - rig.machine.disk.freeBytes + 200;
  rig.put(pageOf(1));
  assert.equal(
    rig.machine.code((done) => rig.store.commit(done)),
    "STORE_FULL",
  );
  assert.equal(rig.store.trouble?.code, "STORE_FULL");
  assert.equal(rig.store.tryStore(pageOf(2)), null);
  assert.equal(rig.store.tryLog({ ...lineOf(3) }), false);
  let hasRoom = false;
  rig.store.whenRoom(() => {
    hasRoom = true;
  });
  rig.machine.disk.capacityBytes += 100_000;
  rig.commit();
  assert.ok(hasRoom && rig.store.trouble === null);
  rig.put(pageOf(2));
  rig.close();
  assert.equal(rig.check().length, 2);
});

test("closed on a full disk, a store names the lines that are not there, and no others", () => {
  const shares = new Set<string>();
  const spares = Array.from({ length: 30 }, (_, index) => index * 400);
  for (const spareBytes of [...spares, 1_000_000]) {
    const rig = new StoreRig("lost", SMALL);
    rig.open();
    const { disk } = rig.machine;
    disk.capacityBytes = disk.capacityBytes - disk.freeBytes + spareBytes;
    const taken: string[] = [];
    for (let number = 0; number < 30; number += 1) {
      if (rig.store.tryStore(pageOf(number)) !== null) taken.push(pageOf(number).url);
      if (number % 4 === 3) rig.machine.code((done) => rig.store.flush(done));
    }
    rig.machine.code((done) => rig.store.close(done));
    const lost = rig.store.lostLines().map(({ url }) => url);
    const kept = rig.lines().map(({ url }) => url);
    assert.deepEqual([...kept, ...lost], taken, `${spareBytes} bytes`);
    shares.add(`${Math.sign(kept.length)}${Math.sign(lost.length)}`);
  }
  assert.deepEqual([...shares].sort(), ["01", "10", "11"]);
});

test("a store with a file of large bodies can be closed on a full disk", () => {
  const rig = new StoreRig("two files", SMALL);
  rig.open();
  const { machine } = rig;
  rig.put(pageOf(1, { body: new DiskBody(Buffer.alloc(5000, "x"), machine.time) }));
  rig.put(pageOf(2));
  rig.commit();
  machine.disk.capacityBytes -= machine.disk.freeBytes;
  rig.put(pageOf(3));
  assert.equal(
    machine.code((done) => rig.store.close(done)),
    "STORE_FULL",
  );
  assert.equal(rig.store.lostLines().length, 1);
});

test("a disk that failed stops the store for good, and says so to everybody", () => {
  const rig = new StoreRig("failed", SMALL);
  rig.open();
  rig.machine.disk.failWhen = (call) => call.kind === "append" && call.name.startsWith("warc/");
  rig.put(pageOf(1));
  assert.equal(
    rig.machine.code((done) => rig.store.commit(done)),
    "STORE_FAILED",
  );
  rig.machine.disk.failWhen = () => false;
  assert.equal(
    rig.machine.code((done) => rig.store.commit(done)),
    "STORE_FAILED",
  );
  assert.equal(rig.store.tryStore(pageOf(2)), null);
  assert.equal(
    rig.machine.code((done) => rig.store.close(done)),
    "STORE_FAILED",
  );
  rig.open();
  assert.deepEqual(rig.check(), []);
});

test("fetches that left nothing to store have their lines, in order with the others", () => {
  const rig = new StoreRig("lines");
  rig.open();
  rig.put(pageOf(1));
  assert.ok(rig.store.tryLog(lineOf(2)));
  rig.put(pageOf(3));
  rig.close();
  const lines = rig.lines();
  assert.deepEqual(
    lines.map(({ result }) => result),
    [200, "FETCH_CONNECT_FAILED", 200],
  );
  const text = Buffer.from(rig.machine.disk.contentOf("logs/crawl.log") ?? []).toString();
  assert.ok(text.includes(printCrawlLine(lineOf(2))), "the file is readable");
});

function lineOf(number: number): Parameters<StoreRig["store"]["tryLog"]>[0] {
  const { url, crawl } = pageOf(number);
  const result = "FETCH_CONNECT_FAILED";
  const none = { digest: null, address: null, place: null, bodyBytes: 0 };
  return { ...crawl, ...none, url, result, atMs: 1_700_000_000_000 };
}

test("a file's serial is found in its name, whatever the crawl and the agent are called", () => {
  const parts = { name: "a-b.c", agent: "x-1", compression: "zstd", createdAtMs: 0 } as const;
  const name = warcFileName({ ...parts, serial: 123_456 });
  assert.equal(name, "warc/a-b.c-19700101000000000-123456-x-1.warc.zst");
  assert.equal(serialOf(name), 123_456);
  assert.equal(serialOf(openName(name)), 123_456);
  assert.equal(finalName(openName(name)), name);
  assert.equal(finalName(name), null);
  assert.equal(serialOf("warc/notes.txt"), null);
});

test("files of the archive that were moved elsewhere do not damage the log", () => {
  const rig = new StoreRig("moved");
  rig.open();
  rig.put(pageOf(1));
  rig.close();
  for (const name of rig.warcNames())
    rig.machine.result((done) => rig.machine.storage.remove(name, done));
  rig.open();
  assert.equal(rig.lines().length, 1);
  rig.put(pageOf(2));
  rig.close();
  assert.deepEqual(rig.warcNames().map(serialOf), [1]);
});

test("the first record states the rules of the crawl, and no secret", () => {
  const texts = {
    "fetch.proxy": "http://me:secret@proxy.example:8080",
    "limits.depth": "3",
    contact: "https://example.org/contact",
  };
  const flags = Object.entries(texts).map(
    ([key, text]) => ({ kind: "value", flag: `--${key}`, key, text }) as const,
  );
  const reading = readConfiguration({ flags });
  assert.ok(reading.ok, JSON.stringify(reading));
  const entries = new Map(
    warcinfoEntries(reading.configuration, { software: "Trobar/1", userAgent: "Trobar/1" }),
  );
  assert.equal(entries.get("robots"), "classic");
  assert.match(entries.get("configuration") ?? "", /limits\.depth=3/);
  assert.doesNotMatch([...entries.values()].join(), /secret/);
});
