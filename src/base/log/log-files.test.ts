/** The files of a log: their names, their manifest, and what happens to them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, LogMachine } from "../../../test/support/base/log/log-machine.ts";
import { type ViewedLog, viewLog } from "./index.ts";

test("two logs with similar names in one folder leave each other alone", () => {
  const machine = new LogMachine(1);
  const names = ["a/log", "a/log2", "a/log-2", "log"];
  for (const name of names) {
    const { log } = machine.open({ name });
    machine.append(log, name);
    machine.commit(log);
    machine.result((done) => log.close(done));
  }
  for (const name of names) {
    assert.deepEqual(machine.read(machine.open({ name }).log.reader()), [name]);
  }
  assert.throws(() => machine.open({ name: "a/log.2" }), assert.AssertionError);
});

test("a log whose folder is renamed moves as a whole", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ name: "to/agent.1/urls", segmentBytesMax: 50 });
  machine.append(log, "first url", "second url", "third url", "fourth url");
  machine.commit(log);
  machine.result((done) => log.close(done));
  machine.result((done) => machine.storage.rename("to/agent.1", "undelivered/agent.1", done));
  machine.crash();
  const moved = machine.open({ name: "undelivered/agent.1/urls", segmentBytesMax: 50 });
  assert.equal(machine.read(moved.log.reader()).length, 4);
  const anew = machine.open({ name: "to/agent.1/urls" });
  assert.deepEqual(machine.read(anew.log.reader()), []);
});

test("files that the manifest does not name are removed when the log is opened", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.result((done) => log.close(done));
  for (const name of ["a/log.7.log", "a/other.7.log"]) {
    machine.result((done) => machine.storage.replace(name, bytesOf("?"), done));
  }
  machine.open();
  assert.deepEqual(machine.disk.fileNames(), ["a/log.log", "a/log.manifest", "a/other.7.log"]);
});

test("a log without its manifest, or with a bad one, is not touched", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  machine.commit(log);
  machine.result((done) => log.close(done));
  const code = (framing: "binary" | "line" = "binary"): string =>
    machine.code((done) => machine.opening({ framing }, done));
  assert.equal(code("line"), "LOG_DAMAGED");
  machine.result((done) => machine.storage.replace("a/log.manifest", bytesOf("no"), done));
  assert.equal(code(), "LOG_DAMAGED");
  machine.result((done) => machine.storage.remove("a/log.manifest", done));
  assert.equal(code(), "LOG_DAMAGED");
  assert.equal(machine.disk.contentOf("a/log.log")?.length, 13);
});

test("a log can be viewed from outside while it is written", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ framing: "line", segmentBytesMax: 60 });
  machine.append(log, "one", "two", "three");
  machine.commit(log);
  const reader = machine
    .result<ViewedLog>((done) => viewLog(machine.storage, "a/log", done))
    .reader();
  assert.deepEqual(machine.read(reader), ["one", "two", "three"]);
  assert.deepEqual(machine.read(reader), []);
  machine.result((done) => log.close(done));
  assert.equal(
    machine.code((done) => viewLog(machine.storage, "b/log", done)),
    "LOG_DAMAGED",
  );
});

test("a missing segment is damage, and the frames of the others are read", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ segmentBytesMax: 50 });
  machine.append(log, "frame of forty bytes, all in all, one");
  machine.append(log, "frame of forty bytes, all in all, two");
  machine.append(log, "and a third");
  machine.commit(log);
  machine.result((done) => machine.storage.remove("a/log.2.log", done));
  const found = machine.read(log.reader());
  assert.deepEqual(found, ["frame of forty bytes, all in all, one", "47-94", "and a third"]);
});
