import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { run } from "../shell/run.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-topology-"));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

file(
  "units.mjs",
  `import { itemType, sink, source } from "${import.meta.resolve("../../units.ts")}";
   const type = itemType("text");
   export const words = source({ name: "words", output: type, create: () => () => null });
   export const printer = sink({ name: "printer", input: type, create: () => () => {} });`,
);

const GOOD = `use: [./units.mjs]
connectors:
  texts: { type: text, capacity: 10 }
components:
  words: { unit: words, output: texts }
  printer: { unit: ./units.mjs#printer, instances: 2, input: texts }
`;

async function inspect(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const terminal = new RecordedTerminal();
  const code = await run(["inspect", "topology", ...args], terminal);
  return { code, out: terminal.written, err: terminal.said };
}

test("without a file the topology of the crawler is shown", async () => {
  const { code, out, err } = await inspect();
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /\n {2}downloader +general downloader\n/);
});

test("a topology is shown with the units of its modules", async () => {
  const { code, out, err } = await inspect(file("good.yaml", GOOD));
  assert.equal(err, "");
  assert.equal(code, 0);
  assert.match(out, /^components\n {2}words +source words\n/);
  assert.match(out, /\n {2}printer × 2 {2}sink \.\/units\.mjs#printer\n/);
  assert.match(out, /words → printer × 2\n {4}└ capacity = 10\n/);
});

test("it is drawn in the format that is asked for", async () => {
  const path = file("good.yaml", GOOD);
  assert.match((await inspect(path, "--format", "svg")).out, /^<svg [\s\S]*<\/svg>\n$/);
  assert.match((await inspect(path, "--format=dot")).out, /^digraph topology \{/);
  assert.match((await inspect(path, "--format", "mermaid")).out, /^flowchart LR\n/);
  const json = await inspect(path, "--json");
  assert.equal(JSON.parse(json.out).nodes.length, 3);
  assert.equal((await inspect(path, "--format", "json", "--json")).out, json.out);
  assert.equal((await inspect(path, "--format", "text")).out, (await inspect(path)).out);
});

test("all mistakes are printed with their places, and as data with --json", async () => {
  const bad = GOOD.replace("capacity: 10", "capacity: 0").replace("unit: words", "unit: wrods");
  const path = file("bad.yaml", bad);
  const { code, out, err } = await inspect(path, "--json");
  assert.equal(code, 2);
  const lines = err.trimEnd().split("\n");
  assert.equal(lines.length, 3, err);
  assert.match(lines[1] ?? "", /bad\.yaml:3:34: capacity: "0" is too small/);
  assert.match(
    lines[2] ?? "",
    /bad\.yaml:5:18: wrods is not a known unit; .*did you mean words\?$/,
  );
  assert.deepEqual(
    JSON.parse(out).mistakes.map((one: Record<string, string>) => one["code"]),
    ["CONFIG_BAD_VALUE", "TOPOLOGY_UNKNOWN"],
  );
  assert.equal((await inspect(path)).out, "");
});

test("what is not a topology file is refused", async () => {
  const cases: readonly [args: readonly string[], said: RegExp][] = [
    [[join(folder, "missing.yaml")], /missing\.yaml" does not exist/],
    [[folder], /is a directory/],
    [["a.yaml", "b.yaml"], /takes one file; "b\.yaml" is one too many/],
    [["a.yaml", "--format", "sgv"], /"sgv" is not a format; legal: .*did you mean svg\?/],
    [["a.yaml", "--format", "svg", "--json"], /exclude each other/],
    [[file("latin1.yaml", new Uint8Array([0x61, 0xe9]))], /latin1\.yaml: the file is not UTF-8/],
    [[file("large.yaml", new Uint8Array(3_000_000))], /larger than the 1048576 bytes/],
    [["/dev/zero"], /larger than the 1048576 bytes/],
  ];
  for (const [args, said] of cases) {
    const { code, out, err } = await inspect(...args);
    assert.equal(code, 2, err);
    assert.equal(out, "");
    assert.match(err, said);
  }
});

test("no control character of a file reaches the terminal, even in mistakes", async () => {
  const path = file(
    "evil.yaml",
    'components:\n  "\\e[2J\\u202e": { unit: "\\a\\e]0;x", "\\e": 1 }\n',
  );
  const { code, err } = await inspect(path);
  assert.equal(code, 2);
  assert.match(err, /\\x07\\x1b\]0;x is not a known unit/);
  assert.doesNotMatch(err.replaceAll("\n", ""), /\p{Cc}|\u202e/u);
});

test("nor in mistakes about threads", async () => {
  const providers = 'providers:\n  "\\e[2J": { unit: rules, shared: maybe }\n';
  const { code, err } = await inspect(file("threads.yaml", providers));
  assert.equal(code, 2);
  assert.match(err, /does not say whether \\x1b\[2J is shared/);
  assert.doesNotMatch(err.replaceAll("\n", ""), /\p{Cc}/u);
});

test("a graph that is too large for a picture is refused with a way out", async () => {
  const many = Array.from({ length: 600 }, (_, at) => `  w${at}: { unit: words, output: texts }\n`);
  const path = file("many.yaml", `${GOOD}${many.join("")}`);
  const { code, err } = await inspect(path, "--format", "svg");
  assert.equal(code, 2);
  assert.match(err, /has 1205 parts, more than the 1000 .*--format dot and Graphviz/);
  assert.equal((await inspect(path, "--format", "dot")).code, 0);
});
