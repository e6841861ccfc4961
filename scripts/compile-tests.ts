/**
 * Fills the compile cache of a test run: takes the types out of every source and test, and compiles it,
 * once. Each of the many processes of a run would else load the compiler of types (a tenth of a second) for
 * its one test file, which nobody has loaded before.
 *
 * The program is put together as in the package, so that the processes of tests start quickly and run what
 * is published.
 *
 * All files are imported by one module whose first import throws: they are loaded and linked, and none of
 * them is run. The cache is written when this process ends.
 */
import assert from "node:assert/strict";
import { cpSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./bundle.ts";

const [, , folder = ""] = process.argv;
await bundle(join(folder, "dist"));
cpSync("package.json", join(folder, "package.json"));
const run = 'import { main } from "./dist/cli/main.js";\nawait main(process.argv.slice(2));\n';
writeFileSync(join(folder, "trobar.mjs"), run);

const files = globSync(["src/**/*.ts", "test/**/*.ts"]).map((file) => pathToFileURL(file).href);
assert.ok(files.length > 1000, "too few files seen");
const STOP = "data:text/javascript,throw null";
const all = [STOP, ...files].map((url) => `import ${JSON.stringify(url)};`).join("");

await import(`data:text/javascript,${encodeURIComponent(all)}`).catch((error: unknown) => {
  if (error !== null) throw error;
});
