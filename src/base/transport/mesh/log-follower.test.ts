import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { LogFollower, lengthOf } from "./log-follower.ts";

interface Followed {
  readonly path: string;
  readonly heard: string[];
  readonly follower: LogFollower;
  /** Looks once more. */
  look(): void;
}

interface Heeding {
  turned?(): void;
  heard?(line: string): void;
}

function follow(
  context: TestContext,
  before: string,
  { turned, heard: told }: Heeding = {},
): Followed {
  const folder = mkdtempSync(join(tmpdir(), "trobar-log-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "server.log");
  writeFileSync(path, before);
  const clock = new SimulatedTime();
  const heard: string[] = [];
  const follower = new LogFollower({
    ...{ path, fromBytes: lengthOf(path), clock },
    heard: (line) => {
      heard.push(line);
      told?.(line);
    },
    turned: () => {
      heard.push("(turned)");
      turned?.();
    },
  });
  return { path, heard, follower, look: () => clock.step() };
}

test("lines are told once they are whole, and none that was there before", (context) => {
  const { path, heard, look } = follow(context, "old\n");
  appendFileSync(path, "one\ntw");
  look();
  assert.deepEqual(heard, ["one"]);
  appendFileSync(path, "o\nthree\n");
  look();
  assert.deepEqual(heard, ["one", "two", "three"]);
});

test("what was put aside is read to its end before the new file", (context) => {
  const { path, heard, look } = follow(context, "");
  appendFileSync(path, "one\n");
  renameSync(path, `${path}.2026`);
  appendFileSync(`${path}.2026`, "two\n");
  look();
  assert.deepEqual(heard, ["one", "two"], "no new file was begun yet");
  appendFileSync(path, "three\n");
  look();
  look();
  assert.deepEqual(heard, ["one", "two", "(turned)", "three"]);
});

test("a file that is put aside while it is read is read to its end too", (context) => {
  const { path, heard, look } = follow(context, "", {
    heard: (line) => {
      if (line !== "one") return;
      appendFileSync(path, "two\n");
      renameSync(path, `${path}.2026`);
      writeFileSync(path, "three\n");
    },
  });
  appendFileSync(path, "one\n");
  for (let looks = 0; looks < 3; looks += 1) look();
  assert.deepEqual(heard, ["one", "two", "(turned)", "three"]);
});

test("a flood of lines, and a line without end, take bounded time and memory", (context) => {
  const { path, heard, look } = follow(context, "");
  appendFileSync(path, "x".repeat(3 * 1024 * 1024));
  look();
  assert.deepEqual(heard, []);
  for (let at = 0; at < 3; at += 1) look();
  appendFileSync(path, "end\n");
  look();
  assert.equal(heard.length, 1);
  assert.match(heard[0] ?? "", /^x{8189}end$/);
});

test("a flood is read over several looks, to its end, also if it was put aside meanwhile", (context) => {
  const { path, heard, look } = follow(context, "");
  const lines = Array.from({ length: 20 * 64 }, (_, number) => `${number}`.padEnd(1023, "."));
  appendFileSync(path, `${lines.join("\n")}\n`);
  renameSync(path, `${path}.2026`);
  appendFileSync(path, "new\n");
  look();
  assert.ok(heard.length > 0 && heard.length < lines.length, `${heard.length} lines in one look`);
  for (let at = 0; at < 3; at += 1) look();
  assert.deepEqual(heard, [...lines, "(turned)", "new"]);
});

test("it keeps no file open that was put aside, and none when it is closed", {
  skip: process.platform !== "linux",
}, (context) => {
  const { path, follower, look } = follow(context, "");
  const open = (): number => {
    const files = readdirSync("/proc/self/fd").map((id) => `/proc/self/fd/${id}`);
    return files.filter((file) => isOpen(file, path)).length;
  };
  assert.equal(open(), 1);
  renameSync(path, `${path}.2026`);
  appendFileSync(path, "new\n");
  look();
  assert.equal(open(), 1);
  follower.close();
  assert.equal(open(), 0);
});

/** Whether a descriptor is one of a file whose path begins so. It may be gone by now. */
function isOpen(descriptor: string, path: string): boolean {
  try {
    return readlinkSync(descriptor).startsWith(path);
  } catch {
    return false;
  }
}

test("when it is closed it looks a last time", (context) => {
  const { path, heard, follower } = follow(context, "");
  appendFileSync(path, "one\n");
  follower.close();
  assert.deepEqual(heard, ["one"]);
});

test("a log that is gone is nothing to look at", (context) => {
  const { path, heard, look } = follow(context, "");
  rmSync(path);
  look();
  assert.equal(lengthOf(path), 0);
  appendFileSync(path, "one\n");
  look();
  look();
  assert.deepEqual(heard, ["(turned)", "one"]);
});

test("a disk that fails does not end it", (context) => {
  const fails = () => assert.fail("planted");
  const { path, heard, look } = follow(context, "", { turned: fails });
  rmSync(path);
  appendFileSync(path, "one\n");
  look();
  look();
  assert.deepEqual(heard, ["(turned)", "one"]);
});
