/** A checkout runs its sources, a package its build, and a build holds nothing of an earlier one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { installLauncher, oldNodes } from "../support/cli/launcher.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-checkout-"));
after(() => rmSync(folder, { recursive: true }));

/** A build that only prints that it is one. */
function plantBuild(root: string): void {
  mkdirSync(join(root, "dist/cli"), { recursive: true });
  writeFileSync(
    join(root, "dist/cli/main.js"),
    'export const main = () => console.log("the build");',
  );
}

function version(node: readonly string[], launcher: string): string {
  const [program = "", ...args] = node;
  const { stdout, stderr } = spawnSync(program, [...args, launcher, "--version"], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout;
}

test("a checkout runs its sources, whatever an earlier build left", () => {
  const root = join(folder, "checkout");
  const launcher = installLauncher(root, { packages: true });
  plantBuild(root);
  for (const node of [[process.execPath], ...oldNodes()]) {
    assert.match(version(node, launcher), /^\d+\.\d+\.\d+\n$/, String(node));
  }
});

test("an installed package runs its build, with sources beside it or without", () => {
  for (const name of ["plain", "with-sources"]) {
    const root = join(folder, "node_modules", name);
    mkdirSync(root, { recursive: true });
    cpSync("bin", join(root, "bin"), { recursive: true });
    cpSync("package.json", join(root, "package.json"));
    plantBuild(root);
    if (name === "with-sources") {
      mkdirSync(join(root, "src/cli"), { recursive: true });
      writeFileSync(join(root, "src/cli/main.ts"), "");
    }
    assert.equal(version([process.execPath], join(root, "bin/trobar.js")), "the build\n");
  }
});

test("npm run build empties dist/ first", () => {
  const root = join(folder, "built");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const compiler = join(root, "node_modules/.bin/tsc");
  mkdirSync(dirname(compiler), { recursive: true });
  writeFileSync(compiler, "#!/bin/sh\nmkdir dist && touch dist/new.d.ts\n", { mode: 0o755 });
  mkdirSync(join(root, "scripts"));
  writeFileSync(
    join(root, "scripts/bundle.ts"),
    'import { writeFileSync } from "node:fs";\nwriteFileSync("dist/new.js", "");\n',
  );
  writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { build: scripts.build } }));
  mkdirSync(join(root, "dist/old"), { recursive: true });
  const { status, stderr } = spawnSync("npm", ["run", "build"], { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(join(root, "dist")), ["new.d.ts", "new.js"]);
});
