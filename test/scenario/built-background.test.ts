import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("background work runs from the compiled package as it does from the sources", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-built-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const out = join(folder, "dist");
  execFileSync(process.execPath, [
    join("node_modules", "typescript", "bin", "tsc"),
    ...["-p", "tsconfig.build.json", "--outDir", out, "--sourceMap", "false"],
  ]);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const program = join(folder, "program.js");
  writeFileSync(
    program,
    `
    import { ThreadBackground } from "./dist/base/background/index.js";
    import { SystemClock } from "./dist/base/time/index.js";
    import { twoLines } from "./dist/lab/conformance/background-tasks.js";
    const options = { storageRoot: ${JSON.stringify(folder)}, clock: new SystemClock() };
    new ThreadBackground(options).run(twoLines, "compiled", (error) => console.log(error));
    `,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  assert.equal(stdout, "null\n", stderr);
});
