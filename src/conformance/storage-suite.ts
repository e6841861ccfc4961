/**
 * What every `Storage` must do on a disk that works and has room. What it does when the disk is
 * full or fails is in `storage-fault-suite.ts`; what survives a crash can only be tried where a
 * crash can be made, in the simulator.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isFileName, type StorageFile } from "../seams/index.ts";
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
    testReplacing(probe);
    testRenaming(probe);
    testNames(probe);
  });
}

function testAppending(open: Opening): void {
  test("a file that is missing is made, with the folders on its way", async () => {
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

  test("an opened file goes on where it ended", async () => {
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

  test("a file may grow by 8 MB at a time and by thousands of small pieces", async () => {
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

  test("what is not there is missing, and reading does not make it", async () => {
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

  test("a cut may be asked for bytes that are only on their way", async () => {
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

function testReplacing(open: Opening): void {
  test("a replaced file has the new content and nothing else", async () => {
    await using probe = await open();
    await probe.replace("folder/manifest", "a long first content");
    assert.equal(await probe.whole("folder/manifest"), "a long first content");
    await probe.replace("folder/manifest", "short");
    assert.equal(await probe.whole("folder/manifest"), "short");
    await probe.replace("folder/manifest", "");
    assert.equal(await probe.whole("folder/manifest"), "");
    assert.deepEqual(await probe.list(), ["folder/manifest"]);
    await probe.restart();
    assert.equal(await probe.whole("folder/manifest"), "");
  });

  test("whoever looks sees the old content or the new one, never a mixture", async () => {
    await using probe = await open();
    const { storage } = probe;
    const oldContent = "o".repeat(300_000);
    const newContent = "n".repeat(200_000);
    await probe.replace("manifest", oldContent);
    const seen: string[] = [];
    const reader = await probe.openToRead("manifest");
    const look = (done: (error: null) => void) =>
      reader.read(0, 400_000, (error, bytes) => {
        seen.push(error === null ? textOf(bytes) : error.code);
        done(null);
      });
    await probe.together({
      replace: (done) => storage.replace("manifest", bytesOf(newContent), done),
      lookOnce: look,
      list: (done) =>
        storage.list("", (error, names) => {
          assert.deepEqual(names, ["manifest"]);
          done(error);
        }),
      lookAgain: look,
    });
    assert.deepEqual(seen, [oldContent, oldContent], "a handle goes on with the old file");
    assert.equal(await probe.whole("manifest"), newContent);
  });
}

function testRenaming(open: Opening): void {
  test("a renamed file takes its content along and replaces what had the name", async () => {
    await using probe = await open();
    await probe.replace("from", "content");
    await probe.replace("folder/to", "to be lost");
    await probe.rename("from", "folder/to");
    await probe.rename("folder/to", "new/place");
    assert.deepEqual(await probe.list(), ["new/place"]);
    await probe.restart();
    assert.equal(await probe.whole("new/place"), "content");
  });

  test("a renamed folder takes everything in it along", async () => {
    await using probe = await open();
    await probe.put("to/agent.1/x.log", "x");
    await probe.put("to/agent.1/deep/y.log", "y");
    await probe.put("to/agent.11", "another");
    await probe.rename("to/agent.1", "undelivered/agent.1");
    assert.deepEqual(await probe.list(), [
      "to/agent.11",
      "undelivered/agent.1/deep/y.log",
      "undelivered/agent.1/x.log",
    ]);
    await probe.put("to/agent.1/x.log", "anew");
    assert.equal(await probe.whole("undelivered/agent.1/x.log"), "x");
  });

  test("a folder does not take the name of one that holds files", async () => {
    await using probe = await open();
    await probe.put("a/x", "x");
    await probe.put("b/y", "y");
    const code = await probe.fails((done) => probe.storage.rename("a", "b", done));
    assert.equal(code, "STORAGE_FAILED");
    assert.deepEqual(await probe.list(), ["a/x", "b/y"]);
  });

  test("what is missing cannot be renamed", async () => {
    await using probe = await open();
    const code = await probe.fails((done) => probe.storage.rename("none", "other", done));
    assert.equal(code, "STORAGE_MISSING");
  });

  test("a removed file is gone, and removing what is not there is fine", async () => {
    await using probe = await open();
    await probe.put("a/x", "x");
    await probe.remove("a/x");
    await probe.remove("a/x");
    await probe.remove("never/was");
    assert.deepEqual(await probe.list(), []);
    await probe.restart();
    assert.deepEqual(await probe.list(), []);
  });
}

function testNames(open: Opening): void {
  test("files are listed by code unit, at any depth, by folder", async () => {
    await using probe = await open();
    const names = ["b", "a/z", "a/b/c", "a-b/d", "A", "a.b", "a0", "ab/c", "_", "9"];
    for (const name of names) await probe.put(name, "");
    assert.deepEqual(await probe.list(), [...names].sort());
    assert.deepEqual(await probe.list("a"), ["a/b/c", "a/z"]);
    assert.deepEqual(await probe.list("a/b"), ["a/b/c"]);
    assert.deepEqual(await probe.list("none"), []);
  });

  test("names are letters, digits, dot, underline and minus, and lead nowhere else", async () => {
    await using probe = await open();
    const good = ["x", "a/b.c", "A_b-c/0", "z".repeat(200)];
    const bad = ["", ".", "..", "../x", "a/../b", "/x", "a/", "a//b", ".hidden", "a/.b", "a b"];
    const worse = ["a\\b", "a\0", "ä", "a\n", "a:b", "z".repeat(201), "x/".repeat(300)];
    for (const name of good) assert.ok(isFileName(name), name);
    for (const name of [...bad, ...worse]) {
      assert.ok(!isFileName(name), name);
      const { storage } = probe;
      const never = (): never => assert.fail("it never answers");
      assert.throws(() => storage.open(name, never), assert.AssertionError, name);
      assert.throws(() => storage.replace(name, bytesOf(""), never), assert.AssertionError, name);
      assert.throws(() => storage.rename("x", name, never), assert.AssertionError, name);
    }
    for (const name of good) await probe.put(name, "");
    assert.deepEqual(await probe.list(), [...good].sort());
  });

  test("a file is open for appending only once, and stays what it is meanwhile", async () => {
    await using probe = await open();
    const { storage } = probe;
    const never = (): never => assert.fail("it never answers");
    const file = await probe.open("a/x");
    assert.throws(() => storage.open("a/x", never), assert.AssertionError);
    assert.throws(() => storage.replace("a/x", bytesOf(""), never), assert.AssertionError);
    assert.throws(() => storage.rename("a/x", "y", never), assert.AssertionError);
    assert.throws(() => storage.rename("a", "b", never), assert.AssertionError);
    assert.throws(() => storage.rename("y", "a/x", never), assert.AssertionError);
    assert.throws(() => storage.remove("a/x", never), assert.AssertionError);
    await probe.close(file);
    assert.throws(() => file.append([], never), assert.AssertionError);
    assert.throws(() => file.close(never), assert.AssertionError);
    await probe.remove("a/x");
  });

  test("there is room, as a number of bytes", async () => {
    await using probe = await open();
    assert.ok((await probe.freeBytes()) > 0);
  });
}
