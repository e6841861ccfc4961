import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { grouped } from "../../scripts/test-groups.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-groups-"));
after(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "src/base/text"), { recursive: true });

function file(name: string, text: string): string {
  const path = join(root, "src/base/text", name);
  writeFileSync(path, text);
  return relative(process.cwd(), path);
}

test("every file is run once: with its neighbours, or alone where it needs a process of its own", () => {
  const quick = Array.from({ length: 50 }, (_, number) => file(`quick-${number}.test.ts`, ""));
  const alone = [
    file("hooks.test.ts", "beforeEach(() => undefined);"),
    file("threads.test.ts", 'import { Worker } from "node:worker_threads";'),
    file("variable.test.ts", 'process.env["HOME"] = "/nowhere";'),
  ];
  const programs = grouped([...quick, ...alone], join(root, "groups"));
  const files = programs.filter((program) => !program.endsWith(".mjs"));
  assert.deepEqual(files, alone);
  const shared = programs
    .filter((program) => program.endsWith(".mjs"))
    .map((program) => readFileSync(program, "utf8").match(/quick-\d+\.test\.ts/g) ?? []);
  assert.ok(shared.length >= 2, "50 files are too many for one process");
  assert.deepEqual(shared.flat().sort(), quick.map((path) => path.split("/").at(-1)).sort());
});
