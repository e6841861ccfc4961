import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { LAYERS, TEST_WORLDS } from "./layers.ts";

/** The layer diagram of docs/architecture.md as `module -> "level: arrows"`. */
function drawnModules(): Map<string, string> {
  const page = readFileSync("docs/architecture.md", "utf8");
  const diagram = /## Layers[\s\S]*?```\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const drawn = new Map<string, string>();
  let level = "";
  for (const line of diagram.split("\n")) {
    const start = /^ {1,2}(\d|–) /.exec(line)?.[1];
    if (start !== undefined) level = start;
    for (const cell of line.slice(4).split(/ {2,}/)) {
      const match = /^([a-z]+)(?: → ([a-z, ]+))?$/.exec(cell.trim());
      if (match?.[1] !== undefined) drawn.set(match[1], `${level}: ${match[2] ?? ""}`);
    }
  }
  return drawn;
}

test("the diagram of the architecture page is the table that the walls test uses", () => {
  const table = new Map<string, string>();
  for (const { level, modules } of LAYERS) {
    for (const [module, arrows] of Object.entries(modules)) {
      table.set(module, `${level}: ${arrows.join(", ")}`);
    }
  }
  for (const module of Object.keys(TEST_WORLDS)) table.set(module, "–: ");
  const sorted = (map: Map<string, string>) => [...map].sort();
  assert.deepEqual(sorted(drawnModules()), sorted(table));
});

test("every module has a line in the map", () => {
  const map = readFileSync("docs/map.md", "utf8");
  const doors = globSync("src/*/index.ts");
  assert.ok(doors.length >= 10, "too few modules seen");
  assert.deepEqual(
    doors.filter((door) => !map.includes(`(../${door})`)),
    [],
  );
});

test("every link between the documents leads to a file", () => {
  const pages = globSync(["*.md", "docs/**/*.md"]);
  assert.ok(pages.length >= 5, "too few pages seen");
  const dead: string[] = [];
  for (const page of pages) {
    for (const match of readFileSync(page, "utf8").matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      const target = match[1] ?? "";
      if (/^[a-z]+:/.test(target)) continue;
      if (!existsSync(join(dirname(page), target))) dead.push(`${page} -> ${target}`);
    }
  }
  assert.deepEqual(dead, []);
});

test("a document that npm packs links to what is packed with it", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  const isPacked = (path: string): boolean =>
    path === "README.md" || files.some((file) => path === file || path.startsWith(`${file}/`));
  const pages = globSync(["*.md", "docs/**/*.md", "examples/*.md"]).filter(isPacked);
  assert.ok(pages.length >= 5, "too few pages seen");
  const dead = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !isPacked(join(dirname(page), target)))
      .map((target) => `${page} -> ${target}: write it as text, or add it to "files"`),
  );
  assert.deepEqual(dead, []);
});
