/** What the simulated disk does at a crash, and its other faults. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../../test/support/lab/simulated-machine.ts";
import type { StorageFile } from "../../../base/seams/index.ts";
import { CALM_DISK } from "./sim-disk.ts";

class Machine extends SimulatedMachine {
  open(name: string): StorageFile {
    return this.result<StorageFile>((done) => this.storage.open(name, done));
  }

  text(name: string): string | null {
    const bytes = this.disk.contentOf(name);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }
}

const RUNS = 300;
const LETTERS = (letter: string, count: number): Uint8Array =>
  new TextEncoder().encode(letter.repeat(count));

/** Every outcome that some seed leads to. */
function outcomes(run: (machine: Machine) => string): Set<string> {
  const found = new Set<string>();
  for (let seed = 0; seed < RUNS; seed += 1) found.add(run(new Machine(seed)));
  return found;
}

test("synced bytes survive every crash; the others survive or not, sector by sector", () => {
  const found = outcomes((machine) => {
    const file = machine.open("log");
    machine.result((done) => file.append([LETTERS("s", 700)], done));
    machine.result((done) => file.sync(done));
    machine.result((done) => file.append([LETTERS("u", 2000)], done));
    machine.crash();
    const left = machine.text("log") ?? "";
    assert.equal(left.slice(0, 700), "s".repeat(700));
    const sectors = [left.slice(700, 1024), left.slice(1024, 1536), left.slice(1536, 2048)];
    return sectors
      .map((sector) => (sector === "" ? "-" : /^u+$/.test(sector) ? "u" : "x"))
      .join("");
  });
  for (const fates of ["uuu", "---", "xxx", "xu-", "uxu", "u--"])
    assert.ok(found.has(fates), fates);
});

test("an unsynced cut may be undone", () => {
  const found = outcomes((machine) => {
    const file = machine.open("log");
    machine.result((done) => file.append([LETTERS("a", 1500)], done));
    machine.result((done) => file.sync(done));
    machine.result((done) => file.cut(100, done));
    machine.crash();
    const left = machine.text("log") ?? "";
    assert.match(left, /^a{100,1500}$/);
    return left.length === 100 ? "cut" : left.length === 1500 ? "undone" : "between";
  });
  assert.deepEqual([...found].sort(), ["between", "cut", "undone"]);
});

test("an unsynced file may have no name after a crash; a synced one and its neighbours keep theirs", () => {
  const found = outcomes((machine) => {
    machine.open("other/unsynced");
    machine.open("folder/beside");
    const file = machine.open("folder/synced");
    machine.result((done) => file.sync(done));
    machine.crash();
    assert.equal(machine.text("folder/synced"), "");
    assert.equal(machine.text("folder/beside"), "");
    return String(machine.text("other/unsynced"));
  });
  assert.deepEqual([...found].sort(), ["", "null"]);
});

test("a change of names by a dying process may be visible and still be lost in a crash", () => {
  const found = outcomes((machine) => {
    machine.result((done) => machine.storage.replace("x", LETTERS("o", 3), done));
    machine.storage.replace("x", LETTERS("n", 3), () => assert.fail("it never answers"));
    machine.kill();
    const seen = machine.text("x");
    machine.crash();
    return `${seen} then ${machine.text("x")}`;
  });
  assert.deepEqual([...found].sort(), ["nnn then nnn", "nnn then ooo", "ooo then ooo"]);
});

test("a change of names in flight at the crash ends in the old state or the new one", () => {
  const found = outcomes((machine) => {
    const { storage } = machine;
    for (const name of ["x", "y", "z"]) {
      machine.result((done) => storage.replace(name, LETTERS("o", 600), done));
    }
    storage.replace("x", LETTERS("n", 600), () => assert.fail("it never answers"));
    storage.rename("y", "yy", () => assert.fail("it never answers"));
    storage.remove("z", () => assert.fail("it never answers"));
    machine.crash();
    assert.match(machine.text("x") ?? "", /^(o{600}|n{600})$/);
    assert.equal((machine.text("y") ?? "") + (machine.text("yy") ?? ""), "o".repeat(600));
    return [machine.text("x")?.[0], ...machine.disk.fileNames()].join(" ");
  });
  assert.equal(found.size, 8, "every combination comes");
});

test("a dead process is never answered, and its handles do nothing", () => {
  const machine = new Machine(1);
  const file = machine.open("log");
  const never = (): never => assert.fail("it never answers");
  file.append([LETTERS("a", 10)], never);
  file.sync(never);
  machine.storage.list("", never);
  machine.crash();
  file.append([LETTERS("b", 10)], never);
  machine.time.settle();
  assert.doesNotMatch(machine.text("log") ?? "", /b/);
});

test("when only the process dies, its bytes stay readable but do not become durable", () => {
  const found = outcomes((machine) => {
    const file = machine.open("log");
    machine.result((done) => file.append([LETTERS("a", 100)], done));
    machine.kill();
    assert.equal(machine.text("log"), "a".repeat(100));
    machine.crash();
    return machine.text("log") === "a".repeat(100) ? "kept" : "lost";
  });
  assert.deepEqual([...found].sort(), ["kept", "lost"]);
});

test("after a failed sync bytes can be read, but a later sync does not make them durable", () => {
  const found = outcomes((machine) => {
    const file = machine.open("log");
    machine.result((done) => file.sync(done));
    machine.result((done) => file.append([LETTERS("a", 600)], done));
    machine.disk.failWhen = (call) => call.kind === "sync";
    assert.equal(
      machine.code((done) => file.sync(done)),
      "STORAGE_FAILED",
    );
    machine.disk.failWhen = () => false;
    machine.result((done) => file.close(done));
    const again = machine.open("log");
    assert.equal(machine.text("log"), "a".repeat(600));
    machine.result((done) => again.sync(done));
    machine.crash();
    return machine.text("log") === "a".repeat(600) ? "kept" : "lost";
  });
  assert.deepEqual([...found].sort(), ["kept", "lost"]);
});

test("the n-th call fails, whatever it is, and only that one", () => {
  const machine = new Machine(1);
  machine.disk.failWhen = (call) => call.number === 3;
  const errors: (string | undefined)[] = [];
  for (let number = 1; number <= 4; number += 1) {
    errors.push(
      machine.result((done) =>
        machine.storage.list("", (error, _names) => done(null, error?.code)),
      ),
    );
  }
  assert.deepEqual(errors, [undefined, undefined, "STORAGE_FAILED", undefined]);
  assert.equal(machine.disk.calls, 4);
});

test("bits flip where told, or anywhere", () => {
  const machine = new Machine(1);
  assert.equal(machine.disk.flipSomeBit(), null);
  machine.result((done) => machine.storage.replace("x", Uint8Array.of(0, 0, 0), done));
  machine.disk.flipBit("x", 10);
  assert.deepEqual(machine.disk.contentOf("x"), Uint8Array.of(0, 4, 0));
  machine.crash();
  assert.deepEqual(machine.disk.contentOf("x"), Uint8Array.of(0, 4, 0));
  const flipped = machine.disk.flipSomeBit();
  assert.ok(flipped !== null && flipped.name === "x" && flipped.bit < 24);
  machine.disk.flipBit("x", flipped.bit);
  assert.deepEqual(machine.disk.contentOf("x"), Uint8Array.of(0, 4, 0));
});

test("a disk that vanished is empty when it is mounted again", () => {
  const machine = new Machine(1);
  machine.result((done) => machine.storage.replace("x", LETTERS("a", 10), done));
  machine.disk.vanish();
  machine.storage = machine.disk.mount(machine.time);
  assert.deepEqual(
    machine.result((done) => machine.storage.list("", done)),
    [],
  );
});

test("a slow disk takes as long as it is told", () => {
  const machine = new Machine(1);
  machine.disk.speed = { ...CALM_DISK, syncMsMin: 500, syncMsMax: 600 };
  const file = machine.open("log");
  const startedAtMs = machine.time.nowMs();
  machine.result((done) => file.sync(done));
  const tookMs = machine.time.nowMs() - startedAtMs;
  assert.ok(tookMs >= 500 && tookMs <= 600, `${tookMs}`);
  machine.disk.speed = { ...CALM_DISK, stallRatio: 1, stallMs: 9000 };
  machine.result((done) => file.append([LETTERS("a", 1)], done));
  assert.ok(machine.time.nowMs() >= startedAtMs + 9500);
});

test("one seed, one history", () => {
  const history = (seed: number): string => {
    const machine = new Machine(seed);
    const file = machine.open("log");
    machine.result((done) => file.append([LETTERS("a", 5000)], done));
    machine.crash();
    return `${machine.time.nowMs()} ${machine.text("log")}`;
  };
  assert.equal(history(7), history(7));
  assert.notEqual(history(7), history(8));
});

test("changing bytes before their append was answered is detected", () => {
  const machine = new Machine(1);
  const file = machine.open("log");
  const bytes = LETTERS("a", 10);
  file.append([bytes], () => undefined);
  bytes.fill(0);
  assert.throws(() => machine.time.settle(), /changed before the answer/);
});

test("bytes that are changed before the answer are noticed, of one chunk and of a buffer too", () => {
  for (const write of ["append", "replace"] as const) {
    const machine = new Machine(1);
    const bytes = Buffer.from("some bytes");
    if (write === "append") machine.open("log").append([bytes], () => undefined);
    else machine.storage.replace("log", bytes, () => undefined);
    bytes[3] = 0;
    assert.throws(() => machine.time.settle(), /changed before the answer/, write);
  }
});
