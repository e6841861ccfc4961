/**
 * What every `Storage` must do when the disk is full, and when a call fails: say so, leave what
 * the contract allows, and go on where the contract says that it can.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  assertSameBytes,
  bytesOf,
  StorageProbe,
  type StorageSubject,
  unlikeBytes,
} from "./storage-subject.ts";

/** For subjects on a disk of about a megabyte that nothing else fills. */
export function fullStorageSuite(name: string, open: () => Promise<StorageSubject>): void {
  const probeOf = async (): Promise<StorageProbe> => new StorageProbe(await open());
  describe(`${name} on a full disk`, () => {
    test("an append that does not fit says full, and goes on when there is room", async () => {
      await using probe = await probeOf();
      await probe.put("ballast", new Uint8Array(500_000));
      const file = await probe.open("log");
      const start = unlikeBytes(100_000);
      await probe.append(file, start);
      const tooMuch = unlikeBytes(2_000_000);
      assert.equal(await probe.fails((done) => file.append([tooMuch], done)), "STORAGE_FULL");
      assert.equal(file.lengthBytes, 100_000, "the length is without the torn piece");
      const small = [bytesOf("small")];
      assert.equal(
        await probe.fails((done) => file.append(small, done)),
        "STORAGE_FULL",
        "nothing is written behind a torn piece",
      );
      await probe.cut(file, 100_000);
      await probe.remove("ballast");
      const rest = unlikeBytes(300_000);
      await probe.append(file, rest);
      await probe.sync(file);
      await probe.close(file);
      assertSameBytes(await probe.wholeBytes("log"), Buffer.concat([start, rest]));
    });

    test("appends behind one that does not fit fail too", async () => {
      await using probe = await probeOf();
      const file = await probe.open("log");
      const outcomes = await probe.together({
        fits: (done) => file.append([new Uint8Array(10_000)], done),
        large: (done) => file.append([new Uint8Array(3_000_000)], done),
        small: (done) => file.append([new Uint8Array(1)], done),
        sync: (done) => file.sync(done),
        cut: (done) => file.cut(10_000, done),
        again: (done) => file.append([bytesOf("!")], done),
      });
      assert.deepEqual(outcomes, [
        "fits good",
        "large STORAGE_FULL",
        "small STORAGE_FULL",
        "sync good",
        "cut good",
        "again good",
      ]);
      assert.equal(file.lengthBytes, 10_001);
    });

    test("a replacement that does not fit leaves the old content", async () => {
      await using probe = await probeOf();
      await probe.replace("manifest", "old");
      const { storage } = probe;
      const large = new Uint8Array(3_000_000);
      const code = await probe.fails((done) => storage.replace("manifest", large, done));
      assert.equal(code, "STORAGE_FULL");
      assert.equal(await probe.whole("manifest"), "old");
      assert.deepEqual(await probe.list(), ["manifest"]);
      await probe.replace("manifest", "new");
      assert.equal(await probe.whole("manifest"), "new");
    });

    test("free space falls and rises with what is stored", async () => {
      await using probe = await probeOf();
      const before = await probe.freeBytes();
      assert.ok(before > 600_000 && before < 5_000_000, `it has ${before} bytes`);
      await probe.put("ballast", new Uint8Array(400_000));
      assert.ok((await probe.freeBytes()) <= before - 400_000);
      await probe.remove("ballast");
      assert.ok((await probe.freeBytes()) > before - 100_000);
    });
  });
}

export interface FailingStorageSubject extends StorageSubject {
  /** Lets the next call made to the storage fail. */
  failNext(): void;
}

export function failingStorageSuite(
  name: string,
  open: () => Promise<FailingStorageSubject>,
): void {
  describe(`${name} on a failing disk`, () => {
    testFailingFiles(open);
    testFailingNames(open);
  });
}

function testFailingFiles(open: () => Promise<FailingStorageSubject>): void {
  test("after a failed append nothing is appended until the file is cut", async () => {
    const subject = await open();
    await using probe = new StorageProbe(subject);
    const file = await probe.open("log");
    await probe.append(file, "good");
    subject.failNext();
    const outcomes = await probe.together({
      fails: (done) => file.append([bytesOf("lost")], done),
      behind: (done) => file.append([bytesOf("lost too")], done),
    });
    assert.deepEqual(outcomes, ["fails STORAGE_FAILED", "behind STORAGE_FAILED"]);
    assert.equal(file.lengthBytes, 4);
    await probe.cut(file, file.lengthBytes);
    await probe.append(file, " again");
    await probe.sync(file);
    assert.equal(await probe.whole("log"), "good again");
  });

  test("after a failed cut nothing is appended until a cut has succeeded", async () => {
    const subject = await open();
    await using probe = new StorageProbe(subject);
    const file = await probe.open("log");
    await probe.append(file, "0123456789");
    subject.failNext();
    assert.equal(await probe.fails((done) => file.cut(5, done)), "STORAGE_FAILED");
    assert.equal(file.lengthBytes, 5, "no more is surely there");
    assert.equal(await probe.fails((done) => file.append([], done)), "STORAGE_FAILED");
    await probe.cut(file, 5);
    await probe.append(file, "!");
    assert.equal(await probe.whole("log"), "01234!");
  });

  test("after a failed sync the handle is unusable, but a new one works", async () => {
    const subject = await open();
    await using probe = new StorageProbe(subject);
    const file = await probe.open("log");
    await probe.append(file, "good");
    await probe.sync(file);
    await probe.append(file, " unknown");
    subject.failNext();
    assert.equal(await probe.fails((done) => file.sync(done)), "STORAGE_FAILED");
    assert.equal(await probe.fails((done) => file.sync(done)), "STORAGE_FAILED");
    assert.equal(await probe.fails((done) => file.append([], done)), "STORAGE_FAILED");
    assert.equal(await probe.fails((done) => file.cut(0, done)), "STORAGE_FAILED");
    await probe.close(file);
    const again = await probe.open("log");
    await probe.cut(again, 4);
    await probe.append(again, " again");
    await probe.sync(again);
    assert.equal(await probe.whole("log"), "good again");
  });

  test("a failed read is reported, and the file stays usable", async () => {
    const subject = await open();
    await using probe = new StorageProbe(subject);
    const file = await probe.open("log");
    await probe.append(file, "good");
    subject.failNext();
    assert.equal(await probe.fails((done) => file.read(0, 4, done)), "STORAGE_FAILED");
    assert.equal(await probe.read(file, 0, 4), "good");
  });
}

function testFailingNames(open: () => Promise<FailingStorageSubject>): void {
  test("a failed open leaves the file to be opened again", async () => {
    const subject = await open();
    await using probe = new StorageProbe(subject);
    subject.failNext();
    const code = await probe.fails((done) => probe.storage.open("log", done));
    assert.equal(code, "STORAGE_FAILED");
    const file = await probe.open("log");
    await probe.append(file, "good");
    subject.failNext();
    await probe.fails((done) => file.close(done));
    assert.equal(await probe.whole("log"), "good");
    await probe.remove("log");
  });

  test("a failed change of names leaves the old state or the new one", async () => {
    const subject = await open();
    await using probe = new StorageProbe(subject);
    const { storage } = probe;
    await probe.replace("x", "old");
    subject.failNext();
    const replacing = await probe.fails((done) => storage.replace("x", bytesOf("new"), done));
    assert.equal(replacing, "STORAGE_FAILED");
    assert.ok(["old", "new"].includes(await probe.whole("x")));
    subject.failNext();
    assert.equal(await probe.fails((done) => storage.rename("x", "y", done)), "STORAGE_FAILED");
    assert.equal((await probe.list()).length, 1);
    const left = (await probe.list())[0] ?? "";
    subject.failNext();
    assert.equal(await probe.fails((done) => storage.remove(left, done)), "STORAGE_FAILED");
    await probe.remove(left);
    assert.deepEqual(await probe.list(), []);
  });

  test("failed look-ups are reported, and later ones succeed", async () => {
    const subject = await open();
    await using probe = new StorageProbe(subject);
    const { storage } = probe;
    await probe.put("x", "there");
    subject.failNext();
    assert.equal(await probe.fails((done) => storage.list("", done)), "STORAGE_FAILED");
    subject.failNext();
    assert.equal(await probe.fails((done) => storage.readWhole("x", done)), "STORAGE_FAILED");
    subject.failNext();
    assert.equal(await probe.fails((done) => storage.openToRead("x", done)), "STORAGE_FAILED");
    subject.failNext();
    assert.equal(await probe.fails((done) => storage.freeBytes(done)), "STORAGE_FAILED");
    assert.equal(await probe.whole("x"), "there");
  });
}
