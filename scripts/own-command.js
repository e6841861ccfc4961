/**
 * Runs at the end of `npm ci` in a clone: puts the clone's own command among those of its
 * packages, so that `npx trobar` finds it there at once. npm would otherwise install the clone into
 * its cache at the first call, which takes seconds and fails when that cache is damaged.
 *
 * JavaScript, since the machine's own Node may run it.
 */
import { existsSync, rmSync, symlinkSync } from "node:fs";

const LINK = "node_modules/.bin/trobar";

if (process.platform !== "win32" && existsSync("node_modules/.bin")) {
  rmSync(LINK, { force: true });
  symlinkSync("../../bin/trobar.js", LINK);
}
