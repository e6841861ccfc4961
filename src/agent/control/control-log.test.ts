import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import { ControlLog } from "./control-log.ts";

const HOSTILE = [
  ...[
    "\r\n{}",
    "\u001b[31m",
    "\u009b2J",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u0000",
  ],
  ...["\u007f", "\ufeff", '"}\n{"at":"forged"'],
];

test("an action is one line, and nothing in it acts on a terminal or a reader of lines", () => {
  const time = new SimulatedTime();
  const storage = new SimDisk(new SeededRandom("control log")).mount(time);
  const log = new ControlLog(storage);
  for (const text of HOSTILE) {
    const did = `POST /${text}`;
    log.write({ ...{ atMs: 0, who: "write", from: text, did, what: text }, status: 400 });
  }
  let bytes: Uint8Array = new Uint8Array();
  log.close(() => {
    storage.readWhole("logs/control.log", (...[, read]) => {
      bytes = read ?? bytes;
    });
  });
  time.settle();
  const text = Buffer.from(bytes).toString();
  const lines = text.trimEnd().split("\n");
  assert.equal(lines.length, HOSTILE.length);
  for (const [at, line] of lines.entries()) {
    assert.match(line, /^[\x20-\x7e]+$/);
    const { what, from, status } = JSON.parse(line);
    assert.deepEqual([what, from, status], [HOSTILE[at], HOSTILE[at], 400]);
  }
});

test("a long text is cut, and so is the number of lines", () => {
  const time = new SimulatedTime();
  const storage = new SimDisk(new SeededRandom("long control log")).mount(time);
  const log = new ControlLog(storage);
  const what = "x".repeat(100_000);
  for (let at = 0; at < 1100; at += 1) {
    log.write({ ...{ atMs: at, who: "write", from: "", did: "POST /", what }, status: 200 });
  }
  let bytes: Uint8Array = new Uint8Array();
  log.close(() => {
    storage.readWhole("logs/control.log", (...[, read]) => {
      bytes = read ?? bytes;
    });
  });
  time.settle();
  const lines = Buffer.from(bytes).toString().trimEnd().split("\n");
  assert.equal(lines.length, 1000);
  assert.ok(lines.every((line) => line.length < 1200));
});

test("strangers cannot fill the log, and so hide what is changed afterwards", () => {
  const time = new SimulatedTime();
  const storage = new SimDisk(new SeededRandom("flooded control log")).mount(time);
  const log = new ControlLog(storage);
  for (let at = 0; at < 5000; at += 1) {
    log.write({ ...{ atMs: at, who: null, from: "", did: "POST /", what: null }, status: 401 });
  }
  log.write({ ...{ atMs: 1, who: "write", from: "", did: "PATCH /", what: "{}" }, status: 200 });
  let bytes: Uint8Array = new Uint8Array();
  log.close(() => {
    storage.readWhole("logs/control.log", (...[, read]) => {
      bytes = read ?? bytes;
    });
  });
  time.settle();
  const lines = Buffer.from(bytes).toString().trimEnd().split("\n");
  assert.equal(lines.length, 501);
  assert.match(lines.at(-1) ?? "", /"who":"write"/);
});
