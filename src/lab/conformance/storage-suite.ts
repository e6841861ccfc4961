/**
 * What every `Storage` must do on a disk that works and has room: here with the content of files, in
 * `storage-names-suite.ts` with their names. What it does when the disk is full or fails is in
 * `storage-fault-suite.ts`; what survives a crash can be tested only where crashes can be made, in
 * the simulator.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StorageFile } from "../../base/seams/index.ts";
import { testStorageNames } from "./storage-names-suite.ts";
import {
  assertSameBytes,
  bytesOf,
  type Start,
  StorageProbe,
  type StorageSubject,
  textOf,
  unlikeBytes,
} from "./storage-subject.ts";

type Opening = () => Promise<StorageProbe>;

export function storageSuite(name: string, open: () => Promise<StorageSubject>): void {
  const probe = async (): Promise<StorageProbe> => new StorageProbe(await open());
  describe(`${name} is a storage`, () => {
    testAppending(probe);
    testReading(probe);
    testCutting(probe);
    testOrder(probe);
    testStorageNames(probe);
  });
}

function testAppending(open: Opening): void {
  test("a missing file is made, with the folders above it", async () => {
    await using probe = await open();
    const file = await probe.open("a/b/c.log");
    assert.equal(file.name, "a/b/c.log");
    assert.equal(file.lengthBytes, 0);
    assert.deepEqual(await probe.list(), ["a/b/c.log"]);
  });

  test("chunks are added in their order, at the end", async () => {
    await using probe = await open();
    const file = await probe.open("log");
    await probe.append(file, "one ", "two ", "", "three ");
    await probe.append(file, "four");
    await probe.append(file);
    assert.equal(file.lengthBytes, 18);
    assert.equal(await probe.read(file, 0, 100), "one two three four");
  });

  test("appending to an opened file continues at its end", async () => {
    await using probe = await open();
    await probe.put("log", "before ");
    const file = await probe.open("log");
    assert.equal(file.lengthBytes, 7);
    await probe.append(file, "after");
    assert.equal(await probe.whole("log"), "before after");
  });

  test("what was synced is there after a restart", async () => {
    await using probe = await open();
    const file = await probe.open("deep/log");
    await probe.append(file, "kept");
    await probe.sync(file);
    await probe.sync(file);
    await probe.close(file);
    await probe.restart();
    assert.equal(await probe.whole("deep/log"), "kept");
  });

  test("the length counts appends that have answered", async () => {
    await using probe = await open();
    const file = await probe.open("log");
    const lengths: number[] = [];
    const noted = (done: (error: null) => void) => () => {
      lengths.push(file.lengthBytes);
      done(null);
    };
    await probe.together({
      first: (done) => file.append([bytesOf("12345")], noted(done)),
      second: (done) => file.append([bytesOf("678")], noted(done)),
    });
    assert.deepEqual(lengths, [5, 8]);
  });

  test("a file may grow by 8 MB at a time or by thousands of small pieces", async () => {
    await using probe = await open();
    const file = await probe.open("big");
    const whole = unlikeBytes(8 * 1024 * 1024 + 5000);
    const first = whole.subarray(0, 8 * 1024 * 1024);
    await probe.append(file, first);
    const pieces: Record<string, Start> = {};
    for (let at = first.length; at < whole.length; at += 2) {
      const piece = whole.subarray(at, at + 2);
      pieces[`at ${at}`] = (done) => file.append([piece], done);
    }
    await probe.together(pieces);
    assert.equal(file.lengthBytes, whole.length);
    await probe.sync(file);
    await probe.close(file);
    assertSameBytes(await probe.wholeBytes("big"), whole);
  });

  test("one append may have thousands of chunks", async () => {
    await using probe = await open();
    const file = await probe.open("log");
    const whole = unlikeBytes(5000);
    await probe.append(file, ...Array.from(whole, (byte) => Uint8Array.of(byte)));
    assertSameBytes(await probe.wholeBytes("log"), whole);
  });
}

function testReading(open: Opening): void {
  test("a read gives fewer bytes only at the end of the file", async () => {
    await using probe = await open();
    const file = await probe.open("log");
    await probe.append(file, "0123456789");
    assert.equal(await probe.read(file, 0, 4), "0123");
    assert.equal(await probe.read(file, 6, 4), "6789");
    assert.equal(await probe.read(file, 8, 100), "89");
    assert.equal(await probe.read(file, 10, 5), "");
    assert.equal(await probe.read(file, 99, 5), "");
    assert.equal(await probe.read(file, 3, 0), "");
  });

  test("bytes that were read belong to the caller", async () => {
    await using probe = await open();
    await probe.put("log", "clean");
    const bytes = await probe.wholeBytes("log");
    bytes.fill(0);
    assert.equal(await probe.whole("log"), "clean");
  });

  test("a file open for reading shows what another handle has appended", async () => {
    await using probe = await open();
    const writer = await probe.open("log");
    const reader = await probe.openToRead("log");
    await probe.append(writer, "news");
    assert.equal(await probe.read(reader, 0, 10), "news");
    assert.equal(await probe.whole("log"), "news");
    await probe.close(reader);
    await probe.append(writer, " and more");
    assert.equal(await probe.whole("log"), "news and more");
  });

  test("a file open for reading can be renamed, replaced and removed meanwhile", async () => {
    await using probe = await open();
    for (const name of ["renamed", "replaced", "removed"]) await probe.put(name, "old");
    const renamed = await probe.openToRead("renamed");
    const replaced = await probe.openToRead("replaced");
    const removed = await probe.openToRead("removed");
    await probe.rename("renamed", "elsewhere");
    await probe.replace("replaced", "new");
    await probe.remove("removed");
    for (const file of [renamed, replaced, removed]) {
      assert.equal(await probe.read(file, 0, 10), "old");
      await probe.close(file);
    }
  });

  test("an absent file is reported as missing, and reading does not make it", async () => {
    await using probe = await open();
    const { storage } = probe;
    assert.equal(await probe.fails((done) => storage.openToRead("none", done)), "STORAGE_MISSING");
    assert.equal(await probe.fails((done) => storage.readWhole("a/none", done)), "STORAGE_MISSING");
    assert.deepEqual(await probe.list(), []);
  });
}

function testCutting(open: Opening): void {
  test("a cut file is shorter, and grows again from there", async () => {
    await using probe = await open();
    const file = await probe.open("log");
    await probe.append(file, "0123456789");
    await probe.cut(file, 4);
    assert.equal(file.lengthBytes, 4);
    assert.equal(await probe.read(file, 0, 10), "0123");
    await probe.append(file, "abc");
    assert.equal(await probe.whole("log"), "0123abc");
    await probe.cut(file, 7);
    await probe.cut(file, 0);
    assert.equal(file.lengthBytes, 0);
    await probe.sync(file);
    await probe.close(file);
    await probe.restart();
    assert.equal(await probe.whole("log"), "");
  });

  test("a file may be cut within bytes that are still being appended", async () => {
    await using probe = await open();
    const file = await probe.open("log");
    await probe.together({
      grow: (done) => file.append([bytesOf("0123456789")], done),
      shrink: (done) => file.cut(6, done),
      again: (done) => file.append([bytesOf("!")], done),
    });
    assert.equal(await probe.whole("log"), "012345!");
  });
}

function testOrder(open: Opening): void {
  test("calls on one handle answer in their order, each once", async () => {
    await using probe = await open();
    const file = await probe.open("log");
    const read = (offset: number, expected: string) => (done: (error: null) => void) =>
      file.read(offset, 100, (error, bytes) => {
        assert.equal(error, null);
        assert.equal(textOf(bytes ?? new Uint8Array(0)), expected);
        done(null);
      });
    const outcomes = await probe.together({
      a: (done) => file.append([bytesOf("one")], done),
      b: (done) => file.append([bytesOf("two")], done),
      c: read(0, "onetwo"),
      d: (done) => file.sync(done),
      e: (done) => file.cut(3, done),
      f: read(0, "one"),
      g: (done) => file.append([bytesOf("three")], done),
      h: read(3, "three"),
      i: (done) => file.close(done),
    });
    assert.deepEqual(
      outcomes,
      ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((each) => `${each} good`),
    );
    assert.equal(await probe.whole("log"), "onethree");
  });

  test("calls that name one file take effect in their order", async () => {
    await using probe = await open();
    const { storage } = probe;
    const seen: string[] = [];
    const look = (name: string) => (done: (error: null) => void) =>
      storage.readWhole(name, (error, bytes) => {
        seen.push(error === null ? textOf(bytes) : error.code);
        done(null);
      });
    await probe.together({
      a: (done) => storage.replace("x", bytesOf("first"), done),
      b: look("x"),
      c: (done) => storage.replace("x", bytesOf("second"), done),
      d: (done) => storage.rename("x", "y", done),
      e: look("y"),
      f: look("x"),
      g: (done) => storage.remove("y", done),
      h: look("y"),
    });
    assert.deepEqual(seen.sort(), ["STORAGE_MISSING", "STORAGE_MISSING", "first", "second"]);
  });

  test("many files can be written at the same time", async () => {
    await using probe = await open();
    const files: StorageFile[] = [];
    for (let number = 0; number < 40; number += 1) files.push(await probe.open(`f${number}`));
    const work: Record<string, Start> = {};
    for (const file of files) {
      work[`append ${file.name}`] = (done) => file.append([bytesOf(file.name)], done);
      work[`sync ${file.name}`] = (done) => file.sync(done);
    }
    await probe.together(work);
    for (const file of files) assert.equal(await probe.whole(file.name), file.name);
  });
}
