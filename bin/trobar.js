#!/usr/bin/env node
/**
 * The entry of the program, in JavaScript that any Node since 14 can read. Trobar needs Node 24 or
 * newer and gets it from npm: an older Node that was asked to run us starts that one instead.
 *
 * A checkout runs its sources, whatever an earlier build left in `dist/`; the package has only the
 * build.
 */
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runUnderNewerNode } from "./newer-node.js";

const NODE_MAJOR_MIN = 24;
const program = fileURLToPath(import.meta.url);
const root = dirname(dirname(program));

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) await runHere();
else runUnderNewerNode(NODE_MAJOR_MIN, [program, ...process.argv.slice(2)]);

async function runHere() {
  const source = join(root, "src", "cli", "main.ts");
  const isCheckout = existsSync(source) && !root.split(sep).includes("node_modules");
  if (isCheckout) await cacheCompiledSources();
  const main = isCheckout ? source : join(root, "dist", "cli", "main.js");
  await (await import(pathToFileURL(main).href)).main(process.argv.slice(2));
}

/**
 * Without the cache, Node strips types and compiles at each start: 0.1 s for `--help`, and half a second
 * for each thread of a crawl. Threads find it by the variable.
 */
async function cacheCompiledSources() {
  const { enableCompileCache } = await import("node:module");
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "trobar");
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
