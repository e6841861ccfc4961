/** The part of the storage suite that is about names: replacing, renaming, removing, listing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFileName } from "../../base/seams/index.ts";
import { bytesOf, type StorageProbe, textOf } from "./storage-subject.ts";

type Opening = () => Promise<StorageProbe>;

export function testStorageNames(open: Opening): void {
  testReplacing(open);
  testRenaming(open);
  testNames(open);
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

  test("readers see the old content or the new one, never a mixture", async () => {
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

  test("a renamed folder takes its content along", async () => {
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

  test("a file is open for appending only once, and cannot be replaced meanwhile", async () => {
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
