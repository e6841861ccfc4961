import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { STALL_PROGRAM } from "./stall.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-stall-"));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const HELD = `
connectors: { a: { type: test/item }, b: { type: test/item } }
components:
  one: { unit: one, output: a }
  keeper: { unit: holding, input: a, output: b }
  last: { unit: ending, input: b }
`;

const CIRCLE = `
connectors: { a: { type: test/item }, b: { type: test/item, kind: tee } }
components:
  one: { unit: one, output: a }
  round: { unit: passing, inputs: { input: a, back: b }, output: b }
  last: { unit: ending, input: b }
`;

test("a process whose units never finish ends with an error that names them, after all is closed", () => {
  const paths = [file("held.yaml", HELD), file("circle.yaml", CIRCLE)];
  const { status, stdout, stderr } = spawnSync(process.execPath, [STALL_PROGRAM, ...paths], {
    encoding: "utf8",
  });
  assert.deepEqual(stdout.trim().split("\n"), [
    ...["closed", "TOPOLOGY_STALLED keeper, last"],
    ...["closed", "TOPOLOGY_STALLED round, last"],
    "TOPOLOGY_STALLED tried, items from output",
    "closed",
  ]);
  assert.match(
    stderr,
    /stands still and will never end: keeper \(1 in flight\), last did not finish/,
  );
  assert.equal(status, 1);
});
