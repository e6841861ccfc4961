#!/usr/bin/env node
/**
 * The door of the program, in JavaScript that any Node since 14 can read. Trobar needs Node 24 or
 * newer and gets it from npm: an older Node that was asked to run us starts that one instead.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const NODE_MAJOR_MIN = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) await runHere();
else runUnderNewerNode();

async function runHere() {
  const built = join(root, "dist", "cli", "main.js");
  const source = join(root, "src", "cli", "main.ts");
  const { main } = await import(pathToFileURL(existsSync(built) ? built : source).href);
  await main(process.argv.slice(2));
}

function runUnderNewerNode() {
  const node = nodeFromNpm();
  if (node === undefined) {
    const found = `Trobar needs Node ${NODE_MAJOR_MIN} or newer and was started by ${process.version}`;
    const remedy = "run 'npm ci' in its folder, or start it with a newer Node";
    process.stderr.write(`${found}; none was found among its npm packages: ${remedy}.\n`);
    process.exitCode = 2;
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends its Ctrl-C to the child as well; passed on again it would count as the
      // second one, which stops at once.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`Trobar could not start ${node}: ${error.message}. Run 'npm ci' again.\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function nodeFromNpm() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const binary = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`node-${platform}-${process.arch}/package.json`);
    const node = join(dirname(manifest), binary);
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}
