import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ChildAgent } from "./child-agent.ts";

/** A child that runs this program instead of Trobar. */
function childOf(context: TestContext, program: string, heard: (line: string) => void): ChildAgent {
  const folder = mkdtempSync(join(tmpdir(), "trobar-child-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "program.mjs");
  writeFileSync(path, program);
  const [, own = ""] = process.argv;
  process.argv[1] = path;
  try {
    return new ChildAgent(["word"], heard);
  } finally {
    process.argv[1] = own;
  }
}

test("what a child writes comes whole, also letters that are cut between two pieces", async (context) => {
  const lines: string[] = [];
  const program = `
    process.stdout.write("x" + "é".repeat(200_000));
    process.stderr.write(process.argv[2] + "\\nß");
    process.exitCode = 3;
    process.disconnect();
  `;
  const child = childOf(context, program, (line) => lines.push(line));
  const { code, written } = await child.ended();
  assert.equal(code, 3);
  assert.ok(written === `x${"é".repeat(200_000)}`, "no letter is another");
  assert.deepEqual(lines, ["word", "ß"]);
});
