import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../../base/random/index.ts";
import { chunksOf, LineSorter } from "./line-sorter.ts";

function withSorter(gatheredBytesMax: number, use: (sorter: LineSorter, folder: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), "trobar-sorter-"));
  const sorter = new LineSorter(join(folder, "runs"), gatheredBytesMax);
  try {
    use(sorter, join(folder, "runs"));
  } finally {
    sorter.close();
    assert.equal(existsSync(join(folder, "runs")), false);
    rmSync(folder, { recursive: true });
  }
}

function anyLines(count: number): string[] {
  const random = new SeededRandom("lines");
  const letters = ["a", "Z", " ", "é", "\uffee", "😀", "~", "0"];
  return Array.from({ length: count }, () =>
    Array.from({ length: random.below(12) }, () => letters[random.below(letters.length)]).join(""),
  );
}

for (const gatheredBytesMax of [64, 5000, 1_000_000]) {
  test(`lines are sorted by their bytes, once each (runs of ${gatheredBytesMax} bytes)`, () => {
    withSorter(gatheredBytesMax, (sorter) => {
      const lines = anyLines(3000);
      for (const line of lines) sorter.add(line);
      const input = `${lines.join("\n")}\n`;
      const expected = spawnSync("sort", ["-u"], { input, env: { LC_ALL: "C" } }).stdout;
      assert.deepEqual(Buffer.concat([...chunksOf(sorter.sorted())]), expected);
    });
  });
}

test("nothing touches the disk while the lines fit into memory", () => {
  withSorter(1000, (sorter, folder) => {
    sorter.add("b");
    sorter.add("a");
    assert.deepEqual([...sorter.sorted()], ["a", "b"]);
    assert.equal(existsSync(folder), false);
  });
});

test("no lines are no lines", () => {
  withSorter(1000, (sorter) => assert.deepEqual([...sorter.sorted()], []));
});
