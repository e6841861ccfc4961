/**
 * Runs at the end of `npm ci`, before `npm pack`, and when npx meets the clone for the first time.
 *
 * npx does not use a clone where it lies: it links it into a folder of npm's cache, and has it
 * prepared there once. So that this costs nothing and cannot go wrong:
 * - what `npm ci` has built is not built again for npx;
 * - in a clone without packages nothing is built: the command itself says that `npm ci` is missing;
 * - a folder that npx left half made, which would fail for ever, is removed by the next `npm ci`.
 *
 * JavaScript, since the machine's own Node may run it.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

const COMMAND = "node_modules/.bin/trobar";
const isForNpx = process.env.npm_command === "exec";

if (!existsSync("node_modules/typescript") || (isForNpx && existsSync("dist/cli/main.js"))) {
  process.exit(0);
}
const { status } = spawnSync("npm", ["run", "build"], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status !== 0) process.exit(status ?? 1);
linkCommand();
if (!isForNpx) removeHalfMade();

/** The clone's own command among those of its packages. */
function linkCommand() {
  if (process.platform === "win32" || !existsSync("node_modules/.bin")) return;
  rmSync(COMMAND, { force: true });
  symlinkSync("../../bin/trobar.js", COMMAND);
}

/** npx names its folder by the path of what it links; a whole one has a package.json. */
function removeHalfMade() {
  const cache = process.env.npm_config_cache;
  if (cache === undefined) return;
  const name = createHash("sha512").update(resolve(".")).digest("hex").slice(0, 16);
  const folder = join(cache, "_npx", name);
  if (existsSync(folder) && !existsSync(join(folder, "package.json"))) {
    rmSync(folder, { recursive: true, force: true });
  }
}
