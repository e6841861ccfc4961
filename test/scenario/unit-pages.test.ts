/**
 * Follows docs/units.md, docs/topologies.md, docs/formats.md and docs/library.md as a reader would, in a
 * folder where the package is installed as npm would publish it: writes every file that they show,
 * compiles them against the package's types, and runs every command.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { bundle } from "../../scripts/bundle.ts";
import { libraryOf, loadTopology } from "../../src/topology/description/index.ts";
import { blocksOf, commandsOf } from "./unit-pages.ts";

const UNITS = readFileSync("docs/units.md", "utf8");
const TOPOLOGIES = readFileSync("docs/topologies.md", "utf8");
const LIBRARY = readFileSync("docs/library.md", "utf8");
const PAGES = [UNITS, TOPOLOGIES, readFileSync("docs/formats.md", "utf8"), LIBRARY];

/** The archive that docs/formats.md reads. */
const ARCHIVE = [
  ...["WARC/1.1", "WARC-Type: response", "WARC-Target-URI: https://example.org/"],
  ...["Content-Type: application/http;msgtype=response", "Content-Length: 27", ""],
  ...["HTTP/1.1 200 OK", "", "<p>page\n", "", ""],
].join("\r\n");

const folder = mkdtempSync(join(tmpdir(), "trobar-pages-"));
after(() => rmSync(folder, { recursive: true }));

before(async () => {
  const installed = join(folder, "node_modules/trobar");
  mkdirSync(installed, { recursive: true });
  run("node_modules/typescript/bin/tsc", [
    ...["-p", "tsconfig.build.json", "--outDir", join(installed, "dist"), "--emitDeclarationOnly"],
  ]);
  await bundle(join(installed, "dist"));
  cpSync("package.json", join(installed, "package.json"));
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of [...Object.keys(dependencies), "@types/node", "undici-types"]) {
    const path = join(folder, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(resolve("node_modules", name), path);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "pages.warc"), ARCHIVE);
  for (const { file, text } of PAGES.flatMap(blocksOf)) {
    if (file !== null) writeFileSync(join(folder, file), text);
  }
});

/** Runs a script of Node's, here or in another folder. */
function run(script: string, args: readonly string[], cwd = "."): string {
  const { NODE_TEST_CONTEXT, ...environment } = process.env;
  const env = { ...environment, NODE_COMPILE_CACHE: join(folder, ".compiled") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    ...{ cwd, env, encoding: "utf8" },
  });
  assert.equal(status, 0, `${script} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

test("every block of the pages is a file of its own, or commands", () => {
  const blocks = PAGES.flatMap(blocksOf);
  assert.ok(blocks.length >= 15, "too few blocks seen");
  const named = blocks.flatMap(({ file }) => file ?? []);
  assert.deepEqual(named, [...new Set(named)]);
  assert.deepEqual(
    blocks.filter(({ file, language }) => file === null && language !== "sh"),
    [],
  );
});

test("README begins with the first program of docs/library.md", () => {
  const program = blocksOf(LIBRARY)[0]?.text ?? "";
  assert.match(program, /import \{ crawl \} from "trobar"/);
  assert.ok(readFileSync("README.md", "utf8").includes(program));
});

test("what the pages show compiles against the types of the package", () => {
  const compilerOptions = {
    ...{ target: "es2023", lib: ["es2024", "esnext.disposable"], module: "nodenext" },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true, noEmit: true },
    types: ["node"],
  };
  const settings = { compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  run(resolve("node_modules/typescript/bin/tsc"), ["-p", "."], folder);
});

test("every command of the pages prints what they say", () => {
  const shells = PAGES.flatMap(blocksOf).filter(({ language }) => language === "sh");
  const commands = shells.flatMap(commandsOf).filter(({ command }) => command.startsWith("node "));
  assert.ok(commands.length >= 3, "too few commands seen");
  for (const { command, printed } of commands) {
    const [, script = "", ...args] = command.split(" ");
    const words = run(script, args, folder).replaceAll(/\s+/g, " ");
    assert.ok(printed !== "" && words.includes(printed), `${command}: ${words}`);
  }
});

/** The keys that the reader of topologies names when it meets one that it does not know. */
async function keysOf(text: string): Promise<string[]> {
  const options = { path: "t.yaml", library: libraryOf([]), importUnits: async () => ({}) };
  const refused = await loadTopology(text, options).catch((thrown: Error) => thrown.message);
  return (/legal: ([\w, ]+)/.exec(String(refused))?.[1] ?? "").split(", ");
}

test("docs/topologies.md has every key and every kind of connector with its settings", async () => {
  const keys = [
    ...(await keysOf("nokey: 1\n")),
    ...(await keysOf("providers: { a: { unit: b, nokey: 1 } }\n")),
    ...(await keysOf("components: { a: { unit: b, nokey: 1 } }\n")),
  ];
  assert.ok(keys.length >= 12 && keys.includes("onFailure"), keys.join());
  const { connectorKinds } = libraryOf([]);
  const kinds = [...connectorKinds.values()].flatMap(({ name, settings }) => [
    name,
    ...Object.keys(settings),
  ]);
  const missing = [...keys, ...kinds].filter((key) => !TOPOLOGIES.includes(`| \`${key}\` |`));
  assert.deepEqual([...new Set(missing)], []);
});
