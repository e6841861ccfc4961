#!/usr/bin/env node
/**
 * The door of the program, in JavaScript that any Node since 14 can read. Trobar needs Node 24 or
 * newer and gets it from npm: an older Node that was asked to run us starts that one instead.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runUnderNewerNode } from "./newer-node.js";

const NODE_MAJOR_MIN = 24;
const program = fileURLToPath(import.meta.url);
const root = dirname(dirname(program));

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) await runHere();
else runUnderNewerNode(NODE_MAJOR_MIN, [program, ...process.argv.slice(2)]);

async function runHere() {
  const built = join(root, "dist", "cli", "main.js");
  const source = join(root, "src", "cli", "main.ts");
  const { main } = await import(pathToFileURL(existsSync(built) ? built : source).href);
  await main(process.argv.slice(2));
}
