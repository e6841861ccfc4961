import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { bundle } from "../../scripts/bundle.ts";
import { SystemClock } from "../../src/base/time/index.ts";

/** Inside the project, where packages are found. */
const folder = mkdtempSync("node_modules/.bundle-");
before(async () => {
  cpSync("package.json", join(folder, "package.json"));
  await bundle(join(folder, "dist"));
});
after(() => rmSync(folder, { recursive: true }));

const SOURCES = globSync("src/**/*.ts").filter((file) => !/\.(test|fixture)\.ts$/.test(file));

test("every background task is found where it says that it is, under its name", async () => {
  const tasks = SOURCES.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/module: import\.meta\.url,\s*name: "(\w+)"/g)].map(
      ([, name = ""]) => ({ file, name }),
    ),
  );
  assert.ok(tasks.length > 10, "too few tasks seen");
  for (const { file, name } of tasks) {
    const built = join(folder, file.replace(/^src/, "dist").replace(/\.ts$/, ".js"));
    const { href } = pathToFileURL(built);
    const { [name]: task } = await import(href);
    assert.deepEqual([task.module, task.name], [href, name]);
  }
});

test("background work runs from the build as it does from the sources", async () => {
  const built = pathToFileURL(join(folder, "dist/")).href;
  const { ThreadBackground } = await import(`${built}base/background/thread-background.js`);
  const { twoLines } = await import(`${built}lab/conformance/background-tasks.js`);
  const background = new ThreadBackground({
    storageRoot: resolve(folder),
    clock: new SystemClock(),
  });
  const error = await new Promise((ended) => background.run(twoLines, "built", ended));
  assert.equal(error, null);
  assert.ok(existsSync(join(folder, "lines.log")));
  await new Promise<void>((closed) => background.close(closed));
});

test("the doors of the package, the programs of its threads and its topology are there", () => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const doors = Object.values<{ default: string }>(exports).map((door) => door.default);
  const programs = SOURCES.filter((file) => /-(program|thread)\.ts$/.test(file)).map((file) =>
    file.replace(/^src/, "dist").replace(/\.ts$/, ".js"),
  );
  assert.ok(programs.length >= 4, "too few programs seen");
  const wanted = [...doors, ...programs, "dist/agent/topology/crawl.yaml"];
  assert.deepEqual(
    wanted.filter((path) => !existsSync(join(folder, path))),
    [],
  );
});

test("the kernels are there, where the build looks for them", async () => {
  const { href } = pathToFileURL(resolve(folder, "dist/base/kernels/kernels-file.js"));
  const { readKernelsFile } = await import(href);
  assert.deepEqual(readKernelsFile(), readFileSync("src/base/kernels/kernels.wasm"));
});

test("the tables of languages are there as bytes, in place of the package that they are made from", async () => {
  const [chunk = "", ...others] = globSync(join(folder, "dist/common/packed-ngrams-*.js"));
  assert.deepEqual(others, []);
  const { PACKED_NGRAMS: bytes } = await import(pathToFileURL(resolve(chunk)).href);
  const { PACKED_NGRAMS: made } = await import("../../src/formats/language/packed-ngrams.ts");
  assert.ok(made.length > 0);
  assert.deepEqual(bytes, made);
  assert.doesNotMatch(readFileSync(chunk, "utf8"), /import\(/);
});

test("a crawl loads nothing from the build that it does not need: no TLS, no `fetch`, no package", () => {
  const main = pathToFileURL(resolve(folder, "dist/cli/main.js")).href;
  const program = `
    import { createRequire } from "node:module";
    import { main } from ${JSON.stringify(main)};
    process.on("exit", () => {
      const files = Object.keys(createRequire(import.meta.url).cache);
      const parts = process.moduleLoadList.filter((part) => /undici|_tls_wrap|http2/.test(part));
      console.log([...files.filter((file) => /[\\\\/](?:yaml|chardet|re2js|@exodus)[\\\\/]/.test(file)), ...parts].join());
    });
    await main(["crawl", "--dry-run", "--delay", "1s", "file:///nothing.html"]);`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.match(stdout, /no file "file:[\s\S]*\n\n$/, stdout + stderr);
});
