import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { compileKernels, KERNELS_FILE } from "../../scripts/kernels.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-kernels-"));
after(() => rmSync(folder, { recursive: true }));

test("the compiled kernels that are checked in are those of their sources", () => {
  const file = join(folder, "kernels.wasm");
  compileKernels(file);
  const built = readFileSync(file);
  assert.ok(built.length > 1000, "too little was built");
  assert.deepEqual(readFileSync(KERNELS_FILE), built, "run `node scripts/kernels.ts`");
});

test("a mistake in a kernel is told", () => {
  const mistaken = join(folder, "mistaken.ts");
  writeFileSync(mistaken, "export function one(): u32 {\n  return nothing;\n}\n");
  assert.throws(() => compileKernels(join(folder, "mistaken.wasm"), mistaken), /'nothing'/);
});
